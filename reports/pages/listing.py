"""Lists finished matches, a page at a time, and writes the small scripts behind the lists' filters.

It writes no file. The scripts are classic ones, because a page that was opened from a file can load nothing
else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.match.faults import FaultKind
from arena.store.views import MatchView
from reports.facts import LeagueFacts
from reports.pages.match import Ways, session_name
from reports.pages.words import STATE_WORDS
from reports.selection import MatchLink, MatchPages, closest, margin

PER_PAGE = 500
"""Matches on a page of a list."""
NEAREST = 200
"""The matches in the list of the closest."""

_CAPTIONS = {
    "": (
        "All finished matches. A session is named by its cycle and its place in the cycle, both "
        "counted from 0. The margin is the points between the first and the last."
    ),
    "faults": "Matches with faults, by number. The margin is the points between the first and the last.",
    "closest": "The matches that count with the smallest margin between the first and the last.",
}

_WITH = {
    FaultKind.ILLEGAL: "with an illegal move",
    FaultKind.BAD_MESSAGE: "with a bad message",
    FaultKind.TIMEOUT: "with a timeout",
    FaultKind.CRASHED: "with a crash",
    FaultKind.START_FAILED: "with a failed start",
    FaultKind.FLOOD: "with a flood",
    FaultKind.RESOURCE: "with a resource limit",
}
"""Which matches a filter chooses: those in which there was a fault of this kind."""

_KINDS = {kind: place for place, kind in enumerate(FaultKind)}
_Faults = Mapping[tuple[int, int], int]
"""The number of faults by (bot, kind), both as numbers."""


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One finished match. `margin`: points between the first and the last. `note`: why it does not count."""

    match: MatchView
    link: MatchLink
    session: str
    margin: int
    note: str


@dataclass(frozen=True, slots=True)
class ListPart:
    """One of the lists: its name, the path of its first page, and its number of matches."""

    name: str
    path: str
    matches: int


@dataclass(frozen=True, slots=True)
class Pager:
    """The place of a page in its list; paths are None where there is no such page."""

    page: int
    pages: int
    first: str | None
    previous: str | None
    next: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice in a filter: its value in the data, and its name for people."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of the list of all matches.

    `data`: paths of the scripts that hold the matches, from the site's folder. The data names bots by their
    places in `bots`, and kinds of fault by their places in `faults`, not counting the first, which is any
    fault.
    """

    bots: tuple[Choice, ...]
    faults: tuple[Choice, ...]
    data: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListingPage:
    """One page of a list. `lists`: all lists, of which this is number `current`, from 0.

    `filters`: None for a list that is a selection itself.
    """

    title: str
    caption: str
    matches: tuple[ListedMatch, ...]
    lists: tuple[ListPart, ...]
    current: int
    pager: Pager
    filters: Filters | None


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page of a list, and its path in the site."""

    path: str
    page: ListingPage


class MatchLists:
    """The lists of a league's matches: all, those with faults, the closest.

    The list of all has the matches 1 to 500 on its first page, 501 to 1000 on the second, whichever of them
    are finished, so that a link to a page stays right while the league is played.
    """

    def __init__(self, facts: LeagueFacts, pages: MatchPages) -> None:
        self._facts = facts
        self._pages = pages
        self._all = _by_number(facts.matches)
        faulty = [match for match in facts.matches if match.faults]
        nearest = closest(facts.matches, NEAREST)
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

    def pages(self) -> Iterator[ShownPage]:
        """Yield every page of every list."""
        for current, (name, parts) in enumerate(self._parts.items()):
            for number, matches in enumerate(parts):
                page = self._page(current, name, matches, _pager(name, number, len(parts)))
                yield ShownPage(f"matches/{_name(name, number)}", page)

    def scripts(self) -> Iterator[tuple[str, bytes]]:
        """Yield the matches of each page of the list of all as data for its filters; see `list_scripts`."""
        if self._facts.matches:
            yield from list_scripts(self._facts, self._pages, self._all)

    def _page(self, current: int, name: str, matches: Sequence[MatchView], pager: Pager) -> ListingPage:
        filtered = not name and bool(self._facts.matches)
        return ListingPage(
            title="Matches" if not name else self._lists[current].name,
            caption=_CAPTIONS[name],
            matches=tuple(listed(matches, self._pages)),
            lists=self._lists,
            current=current,
            pager=pager,
            filters=filters(self._facts, len(self._all)) if filtered else None,
        )


def listed(matches: Iterable[MatchView], pages: MatchPages) -> Iterator[ListedMatch]:
    """Yield one row for each match."""
    for match in matches:
        note = STATE_WORDS[match.session_state]
        yield ListedMatch(match, match_link(match, pages), session_name(match), margin(match), note)


def match_link(match: MatchView, pages: MatchPages) -> MatchLink:
    """Return the link to a match from the folder of match pages."""
    return MatchLink(match.number, pages.path(match.number))


def ways_between(matches: Iterable[MatchView], pages: MatchPages) -> Iterator[tuple[MatchView, Ways]]:
    """Yield every match with a page of its own, with its links to others that are shown.

    `matches` by number.
    """
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
    """Return the matches of each page; a page may be empty while the league is played."""
    last = matches[-1].number if matches else 1
    parts: list[list[MatchView]] = [[] for __ in range(0, last, PER_PAGE)]
    for match in matches:
        parts[(match.number - 1) // PER_PAGE].append(match)
    return parts


def _name(name: str, page: int) -> str:
    """Return the file name of a page, in the folder of match pages."""
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


def filters(facts: LeagueFacts, parts: int) -> Filters:
    """Return the filters. `parts`: the number of scripts."""
    return Filters(
        bots=tuple(Choice(entry.bot, entry.name) for entry in facts.season.entries),
        faults=(
            Choice("any", "with a fault"),
            *(Choice(kind.value, _WITH[kind]) for kind in FaultKind),
        ),
        data=tuple(map(_script_path, range(parts))),
    )


def list_scripts(
    facts: LeagueFacts, pages: MatchPages, parts: Sequence[Sequence[MatchView]]
) -> Iterator[tuple[str, bytes]]:
    """Yield a script for each part of the matches: its path in the site, and its text.

    A line is a match: number, session, seat order, where it is shown (0 nowhere, 1 on a page of its own, 2
    on the shared one), note, then (bot, total) of each seat, the best first, and (bot, kind, number) of the
    faults. Bots and kinds go by their places in `Filters`.
    """
    bots = {entry.bot: place for place, entry in enumerate(facts.season.entries)}
    faults = _faults_by_match(facts, bots)
    for part, matches in enumerate(parts):
        rows = (_script_row(match, pages, bots, faults.get(match.number, {})) for match in matches)
        # A call of a function, not JSON: a page that was opened from a file can load scripts only.
        lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
        yield _script_path(part), f"papayoo({part},[\n{lines}\n])\n".encode()


def _script_path(part: int) -> str:
    return f"data/matches-{part + 1}.js"


def _faults_by_match(facts: LeagueFacts, bots: Mapping[str, int]) -> dict[int, dict[tuple[int, int], int]]:
    counts: dict[int, dict[tuple[int, int], int]] = {}
    for fault in facts.faults:
        own, key = counts.setdefault(fault.match, {}), (bots[fault.bot], _KINDS[fault.fault.kind])
        own[key] = own.get(key, 0) + 1
    return counts


def _script_row(
    match: MatchView, pages: MatchPages, bots: Mapping[str, int], faults: _Faults
) -> list[object]:
    shown = 1 if match.number in pages.own else 2 if pages.shared else 0
    results = [(bots[seat.bot], seat.total) for seat in match.by_place()]
    counted = [(*key, many) for key, many in sorted(faults.items())]
    note = STATE_WORDS[match.session_state]
    return [match.number, session_name(match), match.order, shown, note, results, counted]
