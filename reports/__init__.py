"""Writes the pages of a league, from its database alone."""

from reports.checking import FileDifference, SiteCheck
from reports.options import Publish, Replays, ReportOptions, Reveal, SiteResult
from reports.pages.rounds import RoundPart, round_parts
from reports.website import check_site, write_site

__all__ = [
    "FileDifference",
    "Publish",
    "Replays",
    "ReportOptions",
    "Reveal",
    "RoundPart",
    "SiteCheck",
    "SiteResult",
    "check_site",
    "round_parts",
    "write_site",
]
