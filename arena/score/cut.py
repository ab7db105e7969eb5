"""Decides who goes on after a stage, from the standings and verdicts at its end.

`keep = 12` goes by rank, `keep = "contenders 3"` by verdicts: a bot leaves if at least 3 bots are surely
better. If each of its N - 1 comparisons is wrong with a chance of at most 0.05 k/(N - 1), the best bot is on
average behind 0.05 k bots by mistake. So it is behind k of them with a chance of at most 5 %, by Markov's
inequality.
It must not compute a score, and knows neither league files nor deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Standing
from arena.score.verdicts import ERROR_RATE, Look, NoLook, Verdict

_CONTENDERS = "contenders "


@dataclass(frozen=True, slots=True)
class Keep:
    """The rule by which bots go on.

    `rule`: how many by rank, or "contenders k". `cuts`: how many stages of the league end with a rule by
    contenders: these share the error.
    """

    rule: int | str
    cuts: int

    @property
    def contenders(self) -> int | None:
        """Return k of "contenders k", None for a rule by rank."""
        return None if isinstance(self.rule, int) else int(self.rule.removeprefix(_CONTENDERS))

    @property
    def words(self) -> str:
        """Return who goes on, for people."""
        if self.contenders is None:
            return f"the first {self.rule} go on"
        if self.contenders == 1:
            return "all go on but those who have a surely better one before them"
        return f"all go on but those who have {self.contenders:,} surely better ones before them"

    def error(self, entrants: int) -> float | None:
        """Return the error of a pair in the look that decides, None for a rule by rank."""
        return None if self.contenders is None else error_of_cut(self.contenders, entrants, self.cuts)


@dataclass(frozen=True, slots=True)
class Cut:
    """Who goes on and who does not, each best first.

    `no_look`: why nobody could be compared, so that nobody was cut; else empty.
    """

    going_on: tuple[str, ...]
    leaving: tuple[str, ...]
    no_look: str = ""


def cut(scoring: Scoring, results: Sequence[SessionResult], keep: Keep) -> Cut:
    """Decide who goes on. `results`: the sessions that count.

    Disqualified bots and house bots never go on. By rank all go on who share the rank of the last one. By
    contenders a bot leaves behind whom so many are surely better, at least as many as a table has seats stay,
    and without verdicts all stay.
    """
    table = scoring.standings(results)
    ranked = [row for row in table.rows if not row.disqualified]
    staying, no_look = _staying(scoring, results, keep, ranked)
    return Cut(
        going_on=tuple(row.bot for row in ranked if row.bot in staying),
        leaving=tuple(row.bot for row in ranked if row.bot not in staying),
        no_look=no_look,
    )


def _staying(
    scoring: Scoring, results: Sequence[SessionResult], keep: Keep, ranked: Sequence[Standing]
) -> tuple[frozenset[str], str]:
    """Return who goes on by the rule alone, and why nobody could be compared."""
    if isinstance(keep.rule, int):
        most = keep.rule
        return frozenset(row.bot for row in ranked if row.rank is not None and row.rank <= most), ""
    assert keep.contenders is not None, "a rule that is no number is by contenders"
    error = keep.error(max(2, len(scoring.entrants)))
    assert error is not None, "a rule by contenders has an error"
    seen = scoring.look_at(results, error)
    staying = going_on(seen, tuple(row.bot for row in ranked), keep.contenders, scoring.seats)
    return frozenset(staying), seen.reason if isinstance(seen, NoLook) else ""


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
