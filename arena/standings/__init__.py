"""The score of a league, pure: session results in, standings out. No IO, no clock, stdlib only."""

from __future__ import annotations

from .fit import Fit, fit
from .results import SessionResult, SessionResultError
from .table import Plan, Standing, Standings, progress, standings
from .tallies import MatchResult, place_shares, seat_means

__all__ = [
    "Fit",
    "MatchResult",
    "Plan",
    "SessionResult",
    "SessionResultError",
    "Standing",
    "Standings",
    "fit",
    "place_shares",
    "progress",
    "seat_means",
    "standings",
]
