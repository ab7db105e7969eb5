"""Chooses how a league is scored, from the shape of its sessions. It must not compute a score itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from arena.standings.duel import SIDES, duel
from arena.standings.fit import Fit, fit
from arena.standings.paired_means import is_gauntlet, paired_means
from arena.standings.results import SessionResult

__all__ = ["fit_any"]


def fit_any(
    sessions: Iterable[SessionResult],
    bots: Collection[str],
    seats: int,
    *,
    departed: Collection[str] = (),
) -> Fit:
    """Fit with `duel` if two bots share the sessions, with `paired_means` if candidates took turns, else with
    `fit`. Only there it matters who is `departed`.
    """
    played = list(sessions)
    if any(map(is_gauntlet, played)):
        return paired_means(played, bots, seats)
    if played and all(map(_is_shared, played)):
        return duel(played, bots, seats)
    return fit(played, bots, seats, departed=departed)


def _is_shared(session: SessionResult) -> bool:
    """Return whether two bots held equally many seats.

    A stand-in of several opponents of a gauntlet's only candidate holds more than the other.
    """
    sat = {session.seat_rounds.get(bot, session.rounds) for bot in session.card_points}
    return len(session.card_points) == SIDES and len(sat) == 1
