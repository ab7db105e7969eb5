"""Decides again what is decided in the leagues of the oracle, from the published rules alone.

An implementation of its own, written from docs/running-a-league.md ("Decisions") and docs/score.md
("Exclusion"): it shares no line with the arena, and knows nothing of how the arena does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

Data = Mapping[str, Any]
Decided = dict[str, Any]


def decide_again(season: Data, matches: Sequence[Data], settled: Mapping[int, bool]) -> Iterator[Decided]:
    """Yield each decision of a season: after how many cycles, from when on it holds, who is out.

    `matches`: of each its place, who sat there and who was replaced. `settled`: after which numbers of cycles
    the verdicts settled the league. Acts of the organiser are those of the recorded season.
    """
    acts = [one for one in season["rulings"] if one["by"] == "organiser"]
    bars = _bars(season)
    out_by_limits: dict[str, int] = {}
    for phase in season["phases"]:
        size = len(phase["field"]) if season["open"] else season["sessions_in"][0]
        ahead = ceil(8 / size)
        for end in _ends(phase["first_cycle"], phase["planned"], season["open"]):
            if end > phase["end"]:
                break
            bots = sorted({bot for match in matches for bot in match["seats"]} - {"stand-in"})
            excluded = [
                bot
                for bot in bots
                if not _is_out(bot, end, acts, out_by_limits)
                and _is_beyond(season, bot, end, matches, acts, bars[bot])
            ]
            out_by_limits |= dict.fromkeys(excluded, end)
            yield {
                "cycles": end,
                "effect": min(end + ahead, phase["planned"]),
                "excluded": excluded,
                "settled": settled.get(end, False),
            }


def _ends(first: int, planned: int, every: bool) -> list[int]:
    """Each of the first 16 cycles; after c cycles the next one c / 8 later, rounded down; always the last."""
    ends, played = [], 0
    while first + played < planned:
        played += 1 if every or played < 16 else played // 8
        ends.append(min(first + played, planned))
    return ends


def _is_out(bot: str, end: int, acts: Iterable[Data], by_limits: Mapping[str, int]) -> bool:
    """Whether a bot was taken out before and not let back in since; then it is not judged."""
    last = by_limits.get(bot, end)
    out = last < end
    for one in acts:
        if one["bot"] == bot and one["from"] < end and (one["out"] or one["from"] > last):
            out = one["out"]
    return out


def _is_beyond(
    season: Data, bot: str, end: int, matches: Sequence[Data], acts: Iterable[Data], bar: int
) -> bool:
    since = max((one["from"] for one in acts if one["bot"] == bot and not one["out"]), default=0)
    sessions: dict[tuple[int, int], list[bool]] = {}
    for match in matches:
        cycle, index, _ = match["match"]
        if since <= cycle < end and bot in match["seats"]:
            sessions.setdefault((cycle, index), []).append(bot in match["lost"])
    share = Fraction(str(season["disqualify_share"]))
    bets = []
    for j in range(1, 21):
        stake = Fraction(1)
        for lost in sessions.values():
            stake *= 1 + Fraction(j, 20) / share * (Fraction(sum(lost), len(lost)) - share)
        bets.append(stake)
    return sum(bets, Fraction(0)) / 20 >= bar


def _bars(season: Data) -> dict[str, int]:
    """The chances of error together are 1 %: equal shares, or 1 / (n (n + 1)) in an open season."""
    bots = [bot for bot in season["bots"] if season["roles"].get(bot) != "stand-in"]
    if season["open"]:
        return {bot: 100 * place * (place + 1) for place, bot in enumerate(bots, start=1)}
    return dict.fromkeys(bots, 100 * len(bots))
