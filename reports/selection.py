"""Decides which matches get a page, which matches other pages link, and the paths. Ties go by number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.store.views import MatchView

ALL_UP_TO = 2000
"""The largest number of matches of a league in which each has a page of its own.

In larger leagues it is the largest number of pages of matches with a fault.
"""


@dataclass(frozen=True, slots=True)
class MatchLink:
    """A link to another match. `path` is relative to the folder of match pages; None without a page."""

    number: int
    path: str | None

    def at(self, anchor: str) -> str:
        """Return the path to a place on the page of that match, for example to its round "r2"."""
        path = self.path or ""
        return f"{path}{anchor}" if "#" in path else f"{path}#{anchor}"


@dataclass(frozen=True, slots=True)
class MatchPages:
    """Where each match is shown. `own`: the numbers of those with a page of their own.

    `shared`: whether all others are shown by the one page that reads them from data.
    """

    own: frozenset[int]
    shared: bool = False

    def path(self, number: int, anchor: str = "") -> str | None:
        """Return the path to a match from the folder of match pages; None if it is shown nowhere.

        `anchor`: a place on its page, "r2t5"; the shared page knows rounds and tricks only.
        """
        if number in self.own:
            return f"{number}.html" + (f"#{anchor}" if anchor else "")
        return f"replay.html#m{number}{anchor if anchor.startswith('r') else ''}" if self.shared else None


def match_pages(
    matches: Sequence[MatchView],
    planned: int = 0,
    author: str = "",
) -> MatchPages:
    """Decide where the finished matches are shown. `planned`: how many there will be in all.

    A large league has one page for all matches from its beginning, so that no link goes stale when it
    grows. Matches with a fault have their own pages too, for the evidence, and so have those of the bot for
    whose `author` the pages are made: the newest of them.
    """
    if max(planned, len(matches)) <= ALL_UP_TO:
        return MatchPages(_numbers(matches))
    own = [match for match in matches if match.faults or any(s.bot == author for s in match.seats)]
    return MatchPages(_numbers(own[-ALL_UP_TO:]), shared=True)


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


def margin(match: MatchView) -> int:
    """Return the points between the first and the last of a finished match."""
    totals = [seat.total for seat in match.seats]
    return max(totals) - min(totals)


def _numbers(matches: Iterable[MatchView]) -> frozenset[int]:
    return frozenset(match.number for match in matches)
