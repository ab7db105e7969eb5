"""What the list of all matches shows."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.common import MatchLink

__all__ = ["ListedMatch", "ListingPage", "Result"]


@dataclass(frozen=True, slots=True)
class Result:
    """How one bot ended a match: its place and its card plus fault points."""

    place: int
    bot: str
    total: int


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One finished match; `results` from the best on. `note`: why it does not count, or is not shown."""

    link: MatchLink
    session: str
    order: int
    results: tuple[Result, ...]
    faults: int
    note: str


@dataclass(frozen=True, slots=True)
class ListingPage:
    """All finished matches by number. `unlinked`: how many have no page, `reason`: why."""

    matches: tuple[ListedMatch, ...]
    unlinked: int
    reason: str
