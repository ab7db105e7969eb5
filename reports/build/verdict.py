"""The league in words: who leads, and how far the intervals allow to say so.

It claims no rank. Intervals that do not overlap are named as what they are; whether a lead is
sure is for comparisons that stay valid however often one looks.
"""

from __future__ import annotations

from arena.standings import Standing
from reports.facts import LeagueFacts
from reports.model.leaderboard import Verdict
from reports.text import count, listed, points

__all__ = ["verdict"]

_MOST_NAMED = 3


def verdict(facts: LeagueFacts) -> Verdict:
    """The sentences at the top of the leaderboard."""
    ranked = [row for row in facts.standings.rows if row.rank is not None]
    provisional = "" if facts.over else _provisional(facts)
    if not ranked:
        nothing = "No session is complete yet, so there is nothing to compare."
        return Verdict(provisional, nothing, _caution(facts))
    leaders = [row for row in ranked if row.rank == 1]
    sentence = f"{_lead(facts, leaders)} {_others(facts, ranked, leaders)}".rstrip()
    return Verdict(provisional, sentence, _caution(facts))


def _provisional(facts: LeagueFacts) -> str:
    phrase = facts.standings.provisional
    return f"{(phrase or 'provisional').capitalize()}."


def _lead(facts: LeagueFacts, leaders: list[Standing]) -> str:
    names = _names(facts, leaders)
    first = leaders[0]
    assert first.score is not None, "a ranked bot has a score"
    margin = f" ± {points(first.half_width)}" if first.half_width is not None and len(leaders) == 1 else ""
    verb = "has" if len(leaders) == 1 else "share"
    so_far = "" if facts.over else " so far"
    score = f"{points(first.score)}{margin} a round{_against_par(facts, first)}"
    return f"{names} {verb} the fewest points{so_far}: {score}."


def _against_par(facts: LeagueFacts, first: Standing) -> str:
    assert first.score is not None, "a ranked bot has a score"
    below = facts.standings.par - first.score
    return f", {points(below)} below par" if round(below, 2) > 0 else ""


def _others(facts: LeagueFacts, ranked: list[Standing], leaders: list[Standing]) -> str:
    """What the intervals say of the leader and those behind it."""
    if not facts.standings.comparable:
        return "The bots have not met often enough to be compared: these are plain means."
    if not facts.standings.intervals:
        return "There is too little to say how sure that is."
    behind = [row for row in ranked if row not in leaders]
    if len(leaders) > 1 or not behind:
        return ""
    close = [row for row in behind if _overlap(leaders[0], row)]
    if not close:
        return "Its interval overlaps with no other."
    if len(close) == len(behind) and len(close) > 1:
        return "Its interval overlaps with every other: nobody is clearly ahead."
    others = f"{'that' if len(close) == 1 else 'those'} of {_names(facts, close)}"
    return f"Its interval overlaps with {others}: the order among them is open."


def _overlap(a: Standing, b: Standing) -> bool:
    (a_low, a_high), (b_low, b_high) = _ends(a), _ends(b)
    return a_low <= b_high and b_low <= a_high


def _ends(row: Standing) -> tuple[float, float]:
    assert row.score is not None, "a ranked bot has a score"
    assert row.half_width is not None, "intervals exist for all or for none"
    return row.score - row.half_width, row.score + row.half_width


def _caution(facts: LeagueFacts) -> str:
    if not facts.over:
        return "The order below can still change. Ranks are the order of the scores, not a claim."
    played = count(facts.progress.sessions_complete, "complete session")
    ended = facts.season.stretches[-1].end_reason if facts.standings.provisional else ""
    early = f", ended before the whole schedule was played ({ended})" if ended else ""
    return f"After {played}{early}. Ranks are the order of the scores, not a claim that neighbours differ."


def _names(facts: LeagueFacts, rows: list[Standing]) -> str:
    names = [facts.entry(row.bot).name for row in rows]
    if len(names) > _MOST_NAMED + 1:
        names = [*names[:_MOST_NAMED], f"{len(names) - _MOST_NAMED} others"]
    return listed(names)
