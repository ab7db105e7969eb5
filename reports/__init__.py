"""Writes the pages of a league, from its database alone."""

from reports.checking import FileDifference, SiteCheck
from reports.league import check_site, write_site
from reports.options import Publish, Replays, ReportOptions, Reveal, SiteResult
from reports.pages.rounds import RoundPart, round_parts

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
