"""Computes the score of a league: session results in, standings out. No IO, no clock, stdlib only."""

from __future__ import annotations

from arena.standings.bradley_terry import Ratings, compare_rounds, ratings
from arena.standings.fit import Fit, fit
from arena.standings.fit_any import fit_any
from arena.standings.gauntlet_answer import Answer, Outcome
from arena.standings.results import SessionResult, SessionResultError
from arena.standings.rule import NEWEST_RULE, ScoreRule
from arena.standings.scoring import Moment, Scoring
from arena.standings.table import Plan, Standing, Standings, standings
from arena.standings.verdicts import Look, NoLook, Pair, Verdict, cycles_to_first_look, look

__all__ = [
    "NEWEST_RULE",
    "Answer",
    "Fit",
    "Look",
    "Moment",
    "NoLook",
    "Outcome",
    "Pair",
    "Plan",
    "Ratings",
    "ScoreRule",
    "Scoring",
    "SessionResult",
    "SessionResultError",
    "Standing",
    "Standings",
    "Verdict",
    "compare_rounds",
    "cycles_to_first_look",
    "fit",
    "fit_any",
    "look",
    "ratings",
    "standings",
]
