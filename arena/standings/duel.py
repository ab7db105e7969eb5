"""The score of a league of two bots: the difference of their points, session by session.

A session of a duel is one set of boards played in a pattern of seats and in its complement, so
every seat of every board is held once by each bot. It must not know the patterns, and none of the
algebra of larger fields applies: two bots need no adjustment for opponents. Lower is better.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum, sqrt

from .fit import CONFIDENCE
from .results import SessionResult, SessionResultError
from .student import t_quantile


@dataclass(frozen=True, slots=True)
class Duel:
    """Two bots compared, in points per seat and round: a bot that holds two seats has two a round.

    `scores` are the means of card + fault points over sessions, `charges` the fault points in them;
    both in the order of `bots`. `difference` is the first score less the second, and `se` its
    standard error: None with fewer than two sessions, as both scores and the difference are without any.
    """

    bots: tuple[str, str]
    session_count: int
    scores: tuple[float, float] | None
    charges: tuple[float, float] | None
    difference: float | None
    se: float | None

    @property
    def half_width(self) -> float | None:
        """The +- of the difference, 95 % if looked at once: t with C - 1 degrees of freedom times se."""
        if self.se is None:
            return None
        return t_quantile(0.5 + CONFIDENCE / 2.0, self.session_count - 1) * self.se


def duel(sessions: Iterable[SessionResult], bots: tuple[str, str], seats: int) -> Duel:
    """The duel of `bots` from its complete sessions.

    A `SessionResult` of a duel has the points of all seats of a bot together; its `rounds` are those
    of both matches, and each bot has sat seats * rounds / 2 times. y_c is the difference of mean
    card + fault points a seat-round; the estimate is the mean of y_c and its standard error the
    delete-one-session jackknife, for a mean sqrt(sum (y_c - mean)^2 / (C (C - 1))). No order
    matters, to the last bit. SessionResultError for a session of other bots, given twice, or with
    an odd number of rounds: then its two matches did not have the same boards.
    """
    ordered = sorted(sessions, key=lambda session: session.key)
    _check(ordered, bots)
    count = len(ordered)
    if not count:
        return Duel(bots, 0, None, None, None, None)
    means = [_per_seat_round(session, bots, seats) for session in ordered]
    cards = [fsum(mean[bot][0] for mean in means) / count for bot in (0, 1)]
    charges = fsum(mean[0][1] for mean in means) / count, fsum(mean[1][1] for mean in means) / count
    differences = [sum(first) - sum(second) for first, second in means]
    centre = fsum(differences) / count
    squares = fsum((difference - centre) ** 2 for difference in differences)
    return Duel(
        bots=bots,
        session_count=count,
        scores=(cards[0] + charges[0], cards[1] + charges[1]),
        charges=charges,
        difference=centre,
        se=sqrt(squares / (count * (count - 1))) if count > 1 else None,
    )


def _check(ordered: list[SessionResult], bots: tuple[str, str]) -> None:
    """Refuse sessions that are none of this duel."""
    last: tuple[int, int] | None = None
    for session in ordered:
        if session.key == last:
            raise SessionResultError(f"{session.name} is given twice")
        last = session.key
        if set(session.card_points) != set(bots):
            found = ", ".join(sorted(session.card_points))
            raise SessionResultError(f"{session.name}: played by {found}, expected {bots[0]} and {bots[1]}")
        if session.rounds % 2:
            raise SessionResultError(f"{session.name}: {session.rounds} rounds are no two equal matches")


def _per_seat_round(
    session: SessionResult, bots: tuple[str, str], seats: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """(card, fault) points of each bot, per seat and round."""
    sat = seats * session.rounds // 2
    first, second = bots
    return (
        (session.card_points[first] / sat, session.fault_points.get(first, 0) / sat),
        (session.card_points[second] / sat, session.fault_points.get(second, 0) / sat),
    )
