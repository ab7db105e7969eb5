"""Computes the score of a duel: two bots share all seats of a table, session by session.

A session of a duel is one set of boards played in a pattern of seats and in its complement, so each bot
holds every seat of every board once. It must not know the patterns. Lower is better.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from arena.standings.fit import Fit, fit
from arena.standings.results import SessionResult, SessionResultError

SIDES = 2
"""The bots in a session of a duel; no other league has tables so small."""


def duel(sessions: Iterable[SessionResult], bots: Collection[str], seats: int) -> Fit:
    """Return the scores of a duel, in points for a seat and round: a bot with two seats has two a round.

    A `SessionResult` of a duel has the points of all seats of a bot together; its `rounds` are those of
    both matches, and each bot has sat seats * rounds / 2 times. y_c is the difference of mean card + fault
    points a seat-round. `pair_se` is the delete-one-session jackknife of the mean of y_c, sqrt(sum (y_c -
    mean)^2 / (C (C - 1))), and the half width takes t with C - 1 degrees of freedom.

    For two bots, `fit` gives the same for tables of two, in other units. SessionResultError for a session of
    bots not in `bots`, given twice, or with an odd number of rounds: then its two matches did not have the
    same boards.
    """
    played = [_as_two(session) for session in sessions]
    # `fit` counts points of a table of two sides; a side holds seats / 2 seats on average.
    unit = SIDES / seats
    whole = fit(played, bots, SIDES)
    cov = whole.covariance
    return replace(
        whole,
        seats=seats,
        fap=_times(whole.fap, unit),
        charge=_times(whole.charge, unit),
        scores=_times(whole.scores, unit),
        covariance=None if cov is None else [[unit * unit * value for value in row] for row in cov],
        form=None if whole.form is None else whole.form.scaled(unit),
    )


def _as_two(session: SessionResult) -> SessionResult:
    """Return the session as one of a table of two, whatever the number of seats of each bot."""
    if session.rounds % 2:
        raise SessionResultError(f"{session.name}: {session.rounds} rounds are no two equal matches")
    return replace(session, seat_rounds={})


def _times(points: Mapping[str, float], factor: float) -> dict[str, float]:
    return {bot: factor * value for bot, value in points.items()}
