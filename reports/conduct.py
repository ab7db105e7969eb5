"""Says what speaks against a bot: how often it was replaced, and the evidence that this is no chance.

The same decision as that of a run, from the same facts: what was played to the end. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.conduct.disqualify import Conduct, Sitting
from arena.conduct.limits import EvidenceLimits
from arena.store.views import MatchView
from reports.facts import LeagueFacts

__all__ = ["evidence_limits", "evidence_texts"]


def evidence_limits(facts: LeagueFacts) -> EvidenceLimits | None:
    """Return the limits of a season that judges by evidence; None for another, or where nobody is judged."""
    faults = facts.season.section("faults")
    share, after = faults.get("disqualify_share"), faults.get("disqualify_after")
    if not (isinstance(share, int | float) and isinstance(after, int) and share < 1):
        return None
    return EvidenceLimits(share, after) if facts.season.score_rule.by_evidence else None


def evidence_texts(facts: LeagueFacts) -> dict[str, str]:
    """Return, for each bot that was replaced, how often and the evidence, in words.

    What counts is what it has played since it was reinstated, as in a decision.
    """
    limits = evidence_limits(facts)
    if limits is None:
        return {}
    conduct = Conduct(limits, facts.season.matches_per_session)
    for match in facts.matches:
        conduct.add(_sittings(match))
    last = max((match.cycle for match in facts.matches), default=0)
    tallies = {bot: conduct.tally(bot, last, facts.rulings) for bot in conduct.replaced}
    return {bot: limits.record(tally) for bot, tally in tallies.items() if any(lost for lost, _ in tally)}


def _sittings(match: MatchView) -> Iterator[Sitting]:
    """Yield each bot of a match once. It counts as replaced if it was replaced at any of its seats."""
    seats = {seat.bot: seat for seat in match.seats} | {
        seat.bot: seat for seat in reversed(match.seats) if seat.hand_over is not None
    }
    for seat in seats.values():
        yield Sitting(
            seat.bot, match.cycle, match.index, match.order,
            seat.hand_over, seat.pid, match.started_at, match.finished_at or match.started_at,
        )  # fmt: skip
