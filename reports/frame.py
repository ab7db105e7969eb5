"""What is the same on every page of a season: its name, notices, and links to seasons and languages.

It reads no database and renders nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from arena.store.titles import season_folder
from arena.translating import _
from reports.catalogues import SITES, folder_of
from reports.facts import LeagueFacts
from reports.options import ReportOptions
from reports.pages.seasons import PATH as SEASONS
from reports.render import Notice, Site
from reports.state import Making
from reports.translations import ENGLISH

__all__ = ["Place", "passing_notices", "site_of"]


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
    own = f"{season_folder(facts.season.number)}/" if place is Place.EARLIER else ""
    options, language = making.options, making.language
    top = up + "../" * (language is not ENGLISH)
    static = {name: f"{top}{path}" for name, path in making.assets.paths.items()}
    notices = tuple(_notices(facts, options))
    site = Site(facts.name, notices, static["site.css"], static["icon.svg"], static, language=language)
    others = [one for one in SITES if one is not language and one.tag in options.languages]
    site = replace(site, others=tuple((one, f"{top}{folder_of(one)}{own}") for one in others))
    if language is not ENGLISH:
        site = replace(site, data=f"{top}{own}")
    if options.url and not options.author:  # private pages are not for everybody
        site = replace(site, url=f"{options.url.rstrip('/')}/{folder_of(language)}{own}")
    if place is Place.ALONE:
        return site
    return replace(site, season=facts.title, seasons=f"{up}{SEASONS}", newest=up and f"{up}index.html")


def passing_notices(facts: LeagueFacts) -> Iterator[Notice]:
    """Yield notices that change too often for the page of every match."""
    if facts.paused and not facts.over:
        yield Notice(_("Paused"), f"{facts.paused[:1].upper()}{facts.paused[1:]}.")


def _notices(facts: LeagueFacts, options: ReportOptions) -> Iterator[Notice]:
    if options.author:
        name = facts.entry(options.author).name
        yield Notice(_("Private"), _("These pages show what only the author of %(name)s may see.", name=name))
    if any(stretch.predictable for stretch in facts.season.stretches):
        yield Notice(
            _("Deals predictable"),
            _("This league was given a seed: whoever knows it can compute every deal in advance."),
        )
    if any(match.sandbox == "off" for match in facts.matches):
        yield Notice(
            _("No sandbox"),
            _("Bots ran unprotected: they could change files of the organiser and disturb each other."),
        )
