"""Writes the pages of a league, from its database alone."""

from reports.checking import FileDifference, SiteCheck
from reports.league import check_site, write_site
from reports.options import Publish, ReportOptions, Reveal, SiteResult
from reports.pages.match import result_words
from reports.played_page import CostlyDecision, LookBack, played_page
from reports.seat_page import SeatFiles, seat_files
from reports.website import match_file

__all__ = [
    "CostlyDecision",
    "FileDifference",
    "LookBack",
    "Publish",
    "ReportOptions",
    "Reveal",
    "SeatFiles",
    "SiteCheck",
    "SiteResult",
    "check_site",
    "match_file",
    "played_page",
    "result_words",
    "seat_files",
    "write_site",
]
