"""Decides who goes on after a stage by `keep = "contenders k"`. It must not compare bots: a look has done it.

A bot leaves if at least k bots are surely better. If each of its N - 1 comparisons is wrong with a chance of
at most 0.05 k/(N - 1), the best bot is on average behind 0.05 k bots by mistake. So it is behind k of them
with a chance of at most 5 %, by Markov's inequality.
"""

from __future__ import annotations

from collections import Counter

from arena.standings.boundary import ERROR_RATE
from arena.standings.verdicts import Look, NoLook, Verdict


def error_of_cut(contenders: int, starters: int, cuts: int = 1) -> float:
    """Return the error of a pair in the look that decides a cut.

    `contenders`: k; `starters`: N, the ranked bots when the league began; `cuts`: how many cuts of this kind
    the league has, which share the error.
    """
    if contenders < 1 or starters < 2 or cuts < 1:
        given = f"{contenders} contenders, {starters} bots, {cuts} cuts"
        raise ValueError(f"a cut needs a contender, two bots and one cut at least, not {given}")
    return min(ERROR_RATE, ERROR_RATE * contenders / (starters - 1)) / cuts


def going_on(seen: Look | NoLook, ranked: tuple[str, ...], contenders: int, seats: int) -> tuple[str, ...]:
    """Return the bots of `ranked` that go on, in its order.

    `seen`: the look at the error of `error_of_cut`. A bot that was not compared goes on, and so do all
    without a look. At least as many as `seats` go on, those who are behind the fewest others first; of
    equals, the one with the better score.
    """
    if isinstance(seen, NoLook):
        return ranked
    better = Counter(pair.worse for pair in seen.pairs if pair.verdict is Verdict.AHEAD)
    places = {bot: place for place, bot in enumerate(seen.bots)}
    staying = {bot for bot in ranked if better[bot] < contenders}
    leaving = sorted(set(ranked) - staying, key=lambda bot: (better[bot], places[bot]))
    staying.update(leaving[: max(0, seats - len(staying))])
    return tuple(bot for bot in ranked if bot in staying)
