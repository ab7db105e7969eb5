"""Says in one sentence what the leader does otherwise than the field: why it leads, in figures of the cards.

It counts what is on the leader's own page as well, and claims nothing about cause. Writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.facts import LeagueFacts
from reports.pages.bars import percent
from reports.pages.field import Field
from reports.tally import CHEAP

__all__ = ["Reason", "reason"]


@dataclass(frozen=True, slots=True)
class Reason:
    """The leader's name and page, and what is said of it after the name."""

    name: str
    path: str
    said: str


def reason(facts: LeagueFacts) -> Reason | None:
    """Return how often the leader takes the Papayoo and has a cheap round, beside the field.

    None where several lead, or nobody else is ranked.
    """
    first = [row.bot for row in facts.standings.rows if row.rank == 1]
    field = Field(facts)
    own = facts.tallies.get(first[0]) if len(first) == 1 else None
    if own is None or not own.rounds or field.size < 2 or field.papayoos is None or field.cheap is None:
        return None
    said = (
        f"took the Papayoo, the card of 40 points, in {percent(own.papayoos, own.rounds)} of its "
        f"rounds and fewer than {CHEAP} points in {percent(own.cheap, own.rounds)}; on average "
        f"the ranked bots took it in {percent(field.papayoos, 1)} and fewer than {CHEAP} points in "
        f"{percent(field.cheap, 1)}."
    )
    return Reason(facts.entry(first[0]).name, f"bots/{first[0]}.html", said)
