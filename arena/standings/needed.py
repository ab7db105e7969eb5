"""Estimates how many more sessions decide an open pair of bots, alike for leagues and gauntlets.

It must not decide a pair: `verdicts` does. The estimate claims nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from arena.standings.boundary import NO_DOUBT, TUNED_FOR, Doubt, boundary

MOST_SESSIONS_NEEDED = 100_000
"""The most further sessions that are called within reach. Hardly a league plays more in its life."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What is known of two bots after so many `sessions`.

    `difference` >= 0 and its standard error `se` are in points a round. `error`: the share of the error
    rate of the pair. `doubt`: that of the `se`, which becomes less with more cycles. `tuned`: the sessions
    at which the boundary is narrowest.
    """

    difference: float
    se: float
    sessions: int
    error: float
    doubt: Doubt = NO_DOUBT
    tuned: float = TUNED_FOR


@dataclass(frozen=True, slots=True)
class Missing:
    """What is missing until two bots are told apart, or level within `margin` points."""

    seen: Measured
    margin: float

    @property
    def sessions(self) -> int | None:
        """Return about how many more sessions it takes; see `sessions_needed`."""
        return sessions_needed(self.seen, self.margin)


def sessions_needed(seen: Measured, margin: float) -> int | None:
    """Return the fewest more sessions after which the pair is decided if difference and spread stay.

    Decided means surely ahead, or surely level within `margin` points, whichever comes first. None if that
    takes more than `MOST_SESSIONS_NEEDED`.
    """
    # The pair is decided when half the interval is less than the distance to 0 (ahead) or to the margin
    # (level). The larger distance is reached first.
    target = max(seen.difference, margin - seen.difference)
    undecided, decided = seen.sessions, seen.sessions + MOST_SESSIONS_NEEDED
    if target <= 0.0 or _reach(seen, decided) > target:
        return None
    # The boundary grows with t too, so no formula gives t. The interval shrinks with t, so bisection finds
    # the first t that decides.
    while decided - undecided > 1:
        middle = (decided + undecided) // 2
        if _reach(seen, middle) > target:
            undecided = middle
        else:
            decided = middle
    return decided - seen.sessions


def _reach(seen: Measured, sessions: int) -> float:
    """Return half the width of the interval after so many sessions."""
    times = sessions / seen.sessions
    return boundary(sessions, seen.error, seen.doubt.later(times), seen.tuned) * seen.se / sqrt(times)
