"""Builds the page of all seasons of a league, from the summary of each. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.store.stage import season_folder
from reports.summary import SeasonSummary
from reports.text import listed, minute

PATH = "seasons.html"


@dataclass(frozen=True, slots=True)
class SeasonPart:
    """A season on the page. `anchor`: its place there; `path`: its first page.

    `first`: who stands first, in words, empty for nobody; `began`: the time.
    """

    summary: SeasonSummary
    anchor: str
    path: str
    first: str
    began: str


@dataclass(frozen=True, slots=True)
class SeasonsPage:
    """Everything on the page, the newest season first."""

    seasons: tuple[SeasonPart, ...]


def seasons_page(summaries: Sequence[SeasonSummary]) -> SeasonsPage:
    """Build the page from the summaries of all seasons, oldest first."""
    newest = summaries[-1]
    return SeasonsPage(tuple(_part(one, one is newest) for one in summaries[::-1]))


def _part(one: SeasonSummary, newest: bool) -> SeasonPart:
    folder = season_folder(one.season)
    path = "index.html" if newest else f"{folder}/index.html"
    return SeasonPart(one, folder, path, _first(one), minute(one.opened_at))


def _first(one: SeasonSummary) -> str:
    if not one.champions:
        return ""
    who, several = listed(one.champions), len(one.champions) > 1
    if one.end:
        return f"{who} share the fewest points." if several else f"{who} has the fewest points."
    return f"{who} share the fewest points so far." if several else f"{who} has the fewest points so far."
