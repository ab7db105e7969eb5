"""Writes the pages of a league, from its database alone."""

from reports.checking import FileDifference, SiteCheck
from reports.league import check_site, write_site
from reports.one_match import match_file
from reports.options import Publish, ReportOptions, Reveal, SiteResult
from reports.pages.match import result_words
from reports.pages.rounds import RoundPart, round_parts
from reports.played_page import CostlyDecision, LookBack, played_page
from reports.seat_page import SeatFiles, seat_files

__all__ = [
    "CostlyDecision",
    "FileDifference",
    "LookBack",
    "Publish",
    "ReportOptions",
    "Reveal",
    "RoundPart",
    "SeatFiles",
    "SiteCheck",
    "SiteResult",
    "check_site",
    "match_file",
    "played_page",
    "result_words",
    "round_parts",
    "seat_files",
    "write_site",
]
