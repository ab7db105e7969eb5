"""Makes the page on which a person plays, with the files and the rules beside it. Serves nothing.

No card is on it: what a seat sees comes from the server of its table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from reports.pages.rules import PATH, Table, rules_page
from reports.render import Assets, Page, Renderer, Site
from reports.translations import ENGLISH


@dataclass(frozen=True, slots=True)
class SeatFiles:
    """`page`: the page of any seat. `beside`: what it names, by path from the root, such as "rules.html"."""

    page: bytes
    beside: Mapping[str, bytes]


def seat_files(seats: int, rounds: int) -> SeatFiles:
    """Return what a table of so many seats needs, for a match of so many rounds."""
    assets = Assets.read("static", "seat")
    page = Renderer(Site("Papayoo", assets)).render(Page("seat.html", "seat.html", "Your seat", "", PATH))
    # In one file, the rules have no list of pages in other languages: these are not here.
    rules = replace(rules_page(Table(seats, rounds), ENGLISH), languages=())
    alone = Renderer(Site("Papayoo", Assets.read(), inside=True))
    shown = alone.render(Page(PATH, "rules.html", rules.title, "rules", rules))
    return SeatFiles(page, {**assets.contents, PATH: shown})
