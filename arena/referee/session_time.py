"""How long a session takes at a referee, from the times of those that were played. Reads no clock."""

from __future__ import annotations

__all__ = ["smoothed"]


def smoothed(before: float, latest: float) -> float:
    """Return the smoothed time of a session, in the unit of both arguments.

    `before`: what this has returned for the sessions before, 0 if there were none. The latest counts a
    quarter (exponential smoothing); the first is taken whole, for there is nothing to smooth it with.
    """
    return before + (latest - before) / 4 if before else latest
