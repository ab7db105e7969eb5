"""Computes the score of a league: session results in, standings out. No IO and no clock.

numpy is loaded for large and changing fields only.
"""

from __future__ import annotations

from arena.standings.contenders import error_of_cut, going_on
from arena.standings.fit import Fit, fit
from arena.standings.fit_any import fit_any
from arena.standings.gauntlet_answer import Answer, Outcome
from arena.standings.open_field import Counted, OpenFit, counted, open_fit
from arena.standings.open_look import OpenLook, open_judged, open_look
from arena.standings.results import SessionResult, SessionResultError
from arena.standings.scoring import Moment, Scoring
from arena.standings.table import Plan, Standing, Standings, standings
from arena.standings.verdicts import Look, NoLook, Pair, Verdict, cycles_to_first_look, look

__all__ = [
    "Answer",
    "Counted",
    "Fit",
    "Look",
    "Moment",
    "NoLook",
    "OpenFit",
    "OpenLook",
    "Outcome",
    "Pair",
    "Plan",
    "Scoring",
    "SessionResult",
    "SessionResultError",
    "Standing",
    "Standings",
    "Verdict",
    "counted",
    "cycles_to_first_look",
    "error_of_cut",
    "fit",
    "fit_any",
    "going_on",
    "look",
    "open_fit",
    "open_judged",
    "open_look",
    "standings",
]
