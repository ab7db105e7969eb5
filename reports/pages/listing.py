"""Chooses and lists finished matches, a page at a time, with the small scripts behind the lists' filters.

It writes no file. The scripts are classic ones, because a page that was opened from a file can load nothing
else. Ties of a choice go by number.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.match.faults import FaultKind
from arena.store.views import MatchView, SessionState
from reports.facts import LeagueFacts

PER_PAGE = 500
"""Matches on a page of a list."""
NEAREST = 200
"""The matches in the list of the closest."""

STATE_WORDS = {
    SessionState.PLANNED: "session not complete",
    SessionState.COMPLETE: "",
    SessionState.VOIDED: "void",
    SessionState.LEFT_OUT: "left out",
}
"""Why a match of such a session does not count, in a word or two."""

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


@dataclass(frozen=True, slots=True)
class ListPart:
    """One of the lists: its name, the path of its first page, and its number of matches."""

    name: str
    path: str
    matches: int


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of the list of all matches.

    `data`: paths of the scripts that hold the matches, from the site's folder. The data names bots by their
    places in `bots`, and kinds of fault by their places in `faults`, not counting the first, which is any
    fault. Both are choices: a value and its name.
    """

    bots: tuple[tuple[str, str], ...]
    faults: tuple[tuple[str, str], ...]
    data: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListingPage:
    """One page of a list. `lists`: all lists, of which this is number `current`, from 0.

    `page`: its number, from 1, of so many `pages`; `first`, `previous`, `next`, `last`: paths, empty where
    there is no such page. `filters`: None for a list that is a selection itself.
    """

    title: str
    caption: str
    matches: Sequence[MatchView]
    lists: tuple[ListPart, ...]
    current: int
    page: int
    pages: int
    first: str
    previous: str
    next: str
    last: str
    filters: Filters | None


class MatchLists:
    """The lists of a league's matches: all, those with faults, the closest.

    The list of all has the matches 1 to 500 on its first page, 501 to 1000 on the second, whichever of them
    are finished, so that a link to a page stays right while the league is played.
    """

    def __init__(self, facts: LeagueFacts) -> None:
        self._facts = facts
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

    def pages(self) -> Iterator[tuple[str, ListingPage]]:
        """Yield every page of every list, with its path in the site."""
        for current, (name, parts) in enumerate(self._parts.items()):
            for at, matches in enumerate(parts):
                yield f"matches/{_name(name, at)}", self._page(current, name, at, matches)

    def scripts(self) -> Iterator[tuple[str, bytes]]:
        """Yield a script for each page of the list of all: its path in the site, and its text.

        A line is a match: number, session, note, then (bot, total) of each seat, the best first, and
        (bot, kind, number) of the faults. Bots and kinds go by their places in `Filters`.
        """
        if not self._facts.matches:
            return
        bots = {entry.bot: place for place, entry in enumerate(self._facts.season.entries)}
        faults = _faults_by_match(self._facts, bots)
        for part, matches in enumerate(self._all):
            rows = (_script_row(match, bots, faults.get(match.number, {})) for match in matches)
            # A call of a function, not JSON: a page that was opened from a file can load scripts only.
            lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
            yield _script_path(part), f"papayoo({part},[\n{lines}\n])\n".encode()

    def _page(self, current: int, name: str, at: int, matches: Sequence[MatchView]) -> ListingPage:
        last = len(self._parts[name]) - 1
        return ListingPage(
            title="Matches" if not name else self._lists[current].name,
            caption=_CAPTIONS[name],
            matches=matches,
            lists=self._lists,
            current=current,
            page=at + 1,
            pages=last + 1,
            first=_name(name, 0) if at else "",
            previous=_name(name, at - 1) if at else "",
            next=_name(name, at + 1) if at < last else "",
            last=_name(name, last) if at < last else "",
            filters=None if name or not self._facts.matches else self._filters(),
        )

    def _filters(self) -> Filters:
        return Filters(
            bots=tuple((entry.bot, entry.name) for entry in self._facts.season.entries),
            faults=(("any", "with a fault"), *((kind.value, _WITH[kind]) for kind in FaultKind)),
            data=tuple(map(_script_path, range(len(self._all)))),
        )


def match_path(number: int) -> str:
    """Return the path to a match from the folder of match pages. An anchor may follow: "r2t5s0"."""
    return f"replay.html#m{number}"


def session_name(match: MatchView) -> str:
    """Return the name of a match's session on the pages: its cycle and its index there, both from 0."""
    return f"{match.cycle}.{match.index}"


def margin(match: MatchView) -> int:
    """Return the points between the first and the last of a finished match."""
    totals = [seat.total for seat in match.seats]
    return max(totals) - min(totals)


def closest(matches: Iterable[MatchView], count: int) -> list[MatchView]:
    """Return the matches that count with the smallest margin between first and last, closest first."""
    scored = [match for match in matches if match.counts]
    return sorted(scored, key=lambda match: (margin(match), match.number))[:count]


def most_recent(matches: Iterable[MatchView], count: int) -> list[MatchView]:
    """Return the matches with the highest numbers, the highest first.

    Not those that were finished last: numbers are what a reader sees, and several cores do not finish in
    their order. So the order is that of the lists, and the same wherever the league is played.
    """
    return sorted(matches, key=lambda match: -match.number)[:count]


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


def _script_path(part: int) -> str:
    return f"data/matches-{part + 1}.js"


def _faults_by_match(facts: LeagueFacts, bots: Mapping[str, int]) -> dict[int, dict[tuple[int, int], int]]:
    """Return the number of faults by match, and there by (bot, kind), both as numbers."""
    counts: dict[int, dict[tuple[int, int], int]] = {}
    for fault in facts.faults:
        own, key = counts.setdefault(fault.match, {}), (bots[fault.bot], _KINDS[fault.fault.kind])
        own[key] = own.get(key, 0) + 1
    return counts


def _script_row(
    match: MatchView, bots: Mapping[str, int], faults: Mapping[tuple[int, int], int]
) -> Collection[object]:
    results = [(bots[seat.bot], seat.total) for seat in match.by_place()]
    counted = [(*key, many) for key, many in sorted(faults.items())]
    return [match.number, session_name(match), STATE_WORDS[match.session_state], results, counted]
