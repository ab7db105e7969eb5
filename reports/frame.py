"""What is the same on every page of a season: its name, notices, and links to seasons.

It reads no database and renders nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from reports.facts import LeagueFacts
from reports.options import ReportOptions
from reports.pages.seasons import PATH as SEASONS
from reports.render import Notice, Site
from reports.state import Making


class Place(Enum):
    """Where the pages of a season stand, seen from the pages of other seasons."""

    ALONE = 0
    """No pages of other seasons are near."""
    NEWEST = 1
    """Those of earlier seasons are in folders below."""
    EARLIER = 2
    """They are in such a folder. What all seasons share is in the folder above."""


def site_of(facts: LeagueFacts, making: Making, place: Place) -> Site:
    """Return what is on every page of a season."""
    up = "../" if place is Place.EARLIER else ""
    site = Site(facts.name, making.assets, tuple(_notices(facts, making.options)), up)
    if place is Place.ALONE:
        return site
    return replace(site, season=facts.title, seasons=f"{up}{SEASONS}", newest=up and f"{up}index.html")


def _notices(facts: LeagueFacts, options: ReportOptions) -> Iterator[Notice]:
    if options.author:
        name = facts.entry(options.author).name
        yield Notice("Private", f"These pages show what only the author of {name} may see.")
    if any(phase.predictable for phase in facts.season.phases):
        yield Notice(
            "Deals predictable",
            "This league was given a seed: whoever knows it can compute every deal in advance.",
        )
    if any(match.sandbox == "off" for match in facts.matches):
        yield Notice(
            "No sandbox",
            "Bots ran unprotected: they could change files of the organiser and disturb each other.",
        )
