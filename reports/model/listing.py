"""What the lists of matches show, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.common import MatchLink

__all__ = ["Choice", "Filters", "ListPart", "ListedMatch", "ListingPage", "Pager", "Result"]


@dataclass(frozen=True, slots=True)
class Result:
    """How one bot ended a match: its place and its card plus fault points."""

    place: int
    bot: str
    total: int


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """One finished match; `results` from the best on. `note`: why it does not count, or is not shown.

    `margin`: points between the first and the last.
    """

    link: MatchLink
    session: str
    order: int
    results: tuple[Result, ...]
    margin: int
    faults: int
    note: str


@dataclass(frozen=True, slots=True)
class ListPart:
    """One of the lists: its name, where its first page is, how many matches are in it."""

    name: str
    path: str
    matches: int


@dataclass(frozen=True, slots=True)
class Pager:
    """Where a page stands among those of its list; paths are None where there is nowhere to go."""

    page: int
    pages: int
    first: str | None
    previous: str | None
    next: str | None
    last: str | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that can be chosen in a filter: what the data calls it, and its name for people."""

    value: str
    name: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What can be chosen of all matches. `data`: paths of the scripts that hold them, from the site's folder.

    The data names bots by their places in `bots`, and kinds of fault by theirs in `faults`, the first
    of which, any fault, does not count.
    """

    bots: tuple[Choice, ...]
    faults: tuple[Choice, ...]
    data: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListingPage:
    """One page of a list. `lists`: all lists, of which this is number `current`, from 0.

    `unlinked`: how many matches are shown nowhere and why, empty if all are. `filters`: None where
    the list itself is a choice.
    """

    title: str
    caption: str
    matches: tuple[ListedMatch, ...]
    lists: tuple[ListPart, ...]
    current: int
    pager: Pager
    unlinked: str
    filters: Filters | None
