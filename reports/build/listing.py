"""Finished matches as rows of a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from arena.store.views import MatchView, SessionState
from reports.build.match import session_name
from reports.model.common import MatchLink
from reports.model.listing import ListedMatch, ListingPage, Result
from reports.model.match import Ways
from reports.options import Replays

__all__ = ["listed", "listing_page", "match_link", "ways_between"]

_NOTES = {
    SessionState.PLANNED: "session not complete",
    SessionState.COMPLETE: "",
    SessionState.VOIDED: "void",
    SessionState.LEFT_OUT: "left out",
}


def listing_page(matches: Collection[MatchView], paged: Collection[int], replays: Replays) -> ListingPage:
    """The list of all finished matches. `paged`: the numbers of those with a page."""
    unlinked = len(matches) - len(paged)
    reason = f"this league has replays = “{replays}”."
    return ListingPage(tuple(listed(matches, paged)), unlinked, reason if unlinked else "")


def listed(matches: Iterable[MatchView], paged: Collection[int]) -> Iterator[ListedMatch]:
    """One row a match, results from the best on."""
    for match in matches:
        seats = sorted(match.seats, key=lambda seat: (seat.place, seat.seat))
        yield ListedMatch(
            link=match_link(match, paged),
            session=session_name(match),
            order=match.order,
            results=tuple(Result(seat.place, seat.name, seat.total) for seat in seats),
            faults=match.faults,
            note=_NOTES[match.session_state],
        )


def match_link(match: MatchView, paged: Collection[int]) -> MatchLink:
    """The way to a match from the folder of match pages."""
    return MatchLink(match.number, f"{match.number}.html" if match.number in paged else None)


def ways_between(matches: Iterable[MatchView], paged: Collection[int]) -> Iterator[tuple[MatchView, Ways]]:
    """Every match with a page, with its ways to the others. `matches` by number."""
    shown = [match for match in matches if match.number in paged]
    links = [match_link(match, paged) for match in shown]
    sessions: dict[tuple[int, int], list[MatchLink]] = {}
    for match, link in zip(shown, links, strict=True):
        sessions.setdefault((match.cycle, match.index), []).append(link)
    for place, match in enumerate(shown):
        siblings = tuple(link for link in sessions[match.cycle, match.index] if link.number != match.number)
        previous = links[place - 1] if place else None
        following = links[place + 1] if place + 1 < len(links) else None
        yield match, Ways(previous, following, siblings)
