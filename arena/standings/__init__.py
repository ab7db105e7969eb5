"""The score of a league, pure: session results in, standings out. No IO, no clock, stdlib only."""

from __future__ import annotations

from .fit import Fit, fit
from .results import SessionResult, SessionResultError

__all__ = ["Fit", "SessionResult", "SessionResultError", "fit"]
