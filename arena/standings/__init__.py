"""Computes the score of a league: session results in, standings out. No IO, no clock, stdlib only."""

from __future__ import annotations

from arena.standings.bradley_terry import Ratings, SessionComparisons, compare_rounds, ratings
from arena.standings.duel import duel, fit_any
from arena.standings.fit import Fit, fit
from arena.standings.gauntlet_answer import OPPONENTS, Answer, Comparison, Gap, Outcome, answer, look_at_one
from arena.standings.results import SessionResult, SessionResultError
from arena.standings.scoring import Moment, Scoring
from arena.standings.table import Plan, Standing, Standings, progress, standings
from arena.standings.tallies import (
    MatchResult,
    RoundResult,
    dealer_means,
    papayoo_shares,
    papayoo_taker,
    place_shares,
    seat_means,
)
from arena.standings.verdicts import Look, NoLook, Pair, Verdict, look

__all__ = [
    "OPPONENTS",
    "Answer",
    "Comparison",
    "Fit",
    "Gap",
    "Look",
    "MatchResult",
    "Moment",
    "NoLook",
    "Outcome",
    "Pair",
    "Plan",
    "Ratings",
    "RoundResult",
    "Scoring",
    "SessionComparisons",
    "SessionResult",
    "SessionResultError",
    "Standing",
    "Standings",
    "Verdict",
    "answer",
    "compare_rounds",
    "dealer_means",
    "duel",
    "fit",
    "fit_any",
    "look",
    "look_at_one",
    "papayoo_shares",
    "papayoo_taker",
    "place_shares",
    "progress",
    "ratings",
    "seat_means",
    "standings",
]
