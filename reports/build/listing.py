"""Finished matches as rows of lists, and the lists a page at a time. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.store.views import MatchView, SessionState
from reports.build.filtering import filters, list_scripts
from reports.build.match import session_name
from reports.build.selection import MatchPages, closest, margin
from reports.facts import LeagueFacts
from reports.model.common import MatchLink
from reports.model.listing import ListedMatch, ListingPage, ListPart, Pager, Result
from reports.model.match import Ways
from reports.options import Replays
from reports.text import count

__all__ = ["MatchLists", "ShownPage", "listed", "match_link", "ways_between"]

PER_PAGE = 500
"""Matches on a page of a list."""

_CLOSEST = 200
_MATCHES = ("match", "matches")
_NOTES = {
    SessionState.PLANNED: "session not complete",
    SessionState.COMPLETE: "",
    SessionState.VOIDED: "void",
    SessionState.LEFT_OUT: "left out",
}
_CAPTIONS = {
    "": "All finished matches. A session is named by its cycle and its place there, both counted from 0; "
    "the margin is between the first and the last.",
    "faults": "Matches with faults, by number; the margin is between the first and the last.",
    "closest": "The matches with the least between the first and the last, of those that count.",
}


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page of a list, and where it is in the site."""

    path: str
    page: ListingPage


class MatchLists:
    """The lists of a league's matches: all, those with faults, the closest.

    The list of all has the matches 1 to 500 on its first page, 501 to 1000 on the second, whichever
    of them are finished: a link to a page stays right while the league is played.
    """

    def __init__(self, facts: LeagueFacts, pages: MatchPages, replays: Replays) -> None:
        self._facts = facts
        self._pages = pages
        self._all = _by_number(facts.matches)
        faulty = [match for match in facts.matches if match.faults]
        nearest = closest(facts.matches, _CLOSEST)
        self._parts = {
            "": self._all,
            "faults": [faulty[at : at + PER_PAGE] for at in range(0, len(faulty), PER_PAGE)] or [[]],
            "closest": [nearest],
        }
        self._lists = (
            ListPart("All matches", _name("", 0), len(facts.matches)),
            ListPart("With faults", _name("faults", 0), len(faulty)),
            ListPart("The closest", _name("closest", 0), len(nearest)),
        )
        unlinked = pages.missing(facts.matches)
        self._unlinked = (
            f"{count(unlinked, *_MATCHES)} cannot be looked at: this league has replays = “{replays}”."
            if unlinked
            else ""
        )

    def pages(self) -> Iterator[ShownPage]:
        """Every page of every list."""
        for current, (name, parts) in enumerate(self._parts.items()):
            for number, matches in enumerate(parts):
                page = self._page(current, name, matches, _pager(name, number, len(parts)))
                yield ShownPage(f"matches/{_name(name, number)}", page)

    def scripts(self) -> Iterator[tuple[str, bytes]]:
        """The matches of each page of the list of all as data, for its filters; see `list_scripts`."""
        if self._facts.matches:
            yield from list_scripts(self._facts, self._pages, self._all, _NOTES)

    def _page(self, current: int, name: str, matches: Sequence[MatchView], pager: Pager) -> ListingPage:
        filtered = not name and bool(self._facts.matches)
        return ListingPage(
            title="Matches" if not name else self._lists[current].name,
            caption=_CAPTIONS[name],
            matches=tuple(listed(matches, self._pages)),
            lists=self._lists,
            current=current,
            pager=pager,
            unlinked=self._unlinked,
            filters=filters(self._facts, len(self._all)) if filtered else None,
        )


def listed(matches: Iterable[MatchView], pages: MatchPages) -> Iterator[ListedMatch]:
    """One row a match, results from the best on."""
    for match in matches:
        yield ListedMatch(
            link=match_link(match, pages),
            session=session_name(match),
            order=match.order,
            results=tuple(Result(seat.place, seat.name, seat.total) for seat in match.by_place()),
            margin=margin(match),
            faults=match.faults,
            note=_NOTES[match.session_state],
        )


def match_link(match: MatchView, pages: MatchPages) -> MatchLink:
    """The way to a match from the folder of match pages."""
    return MatchLink(match.number, pages.path(match.number))


def ways_between(matches: Iterable[MatchView], pages: MatchPages) -> Iterator[tuple[MatchView, Ways]]:
    """Every match with a page of its own, with its ways to the others that are shown. `matches` by number."""
    shown = [match for match in matches if pages.path(match.number)]
    links = [match_link(match, pages) for match in shown]
    sessions: dict[tuple[int, int], list[MatchLink]] = {}
    for match, link in zip(shown, links, strict=True):
        sessions.setdefault((match.cycle, match.index), []).append(link)
    for place, match in enumerate(shown):
        if match.number not in pages.own:
            continue
        siblings = tuple(link for link in sessions[match.cycle, match.index] if link.number != match.number)
        previous = links[place - 1] if place else None
        following = links[place + 1] if place + 1 < len(links) else None
        yield match, Ways(previous, following, siblings)


def _by_number(matches: Sequence[MatchView]) -> list[list[MatchView]]:
    """The matches of each page; a page may be empty while the league is played."""
    last = matches[-1].number if matches else 1
    parts: list[list[MatchView]] = [[] for _ in range(0, last, PER_PAGE)]
    for match in matches:
        parts[(match.number - 1) // PER_PAGE].append(match)
    return parts


def _name(name: str, page: int) -> str:
    """Of the file, in the folder of match pages."""
    if not page:
        return f"{name or 'index'}.html"
    return f"{name or 'page'}-{page + 1}.html"


def _pager(name: str, page: int, pages: int) -> Pager:
    last = pages - 1
    return Pager(
        page=page + 1,
        pages=pages,
        first=_name(name, 0) if page else None,
        previous=_name(name, page - 1) if page else None,
        next=_name(name, page + 1) if page < last else None,
        last=_name(name, last) if page < last else None,
    )
