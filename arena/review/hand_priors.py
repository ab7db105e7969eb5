"""The worths of hands that are known beforehand, by the number of players: as Sharp's policy plays.

Printed by `python -m tests.review.measure_priors 4000`. `arena.review.hands` says what the features are, and
that a league's own rounds count beside these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ["NOTHING_KNOWN", "PRIORS", "Prior"]


class Prior(NamedTuple):
    """Points for one more of each feature of a hand as dealt, of cards received, and of cards passed."""

    dealt: tuple[float, ...]
    received: tuple[float, ...]
    passed: tuple[float, ...]


NOTHING_KNOWN: Final = Prior((0.0,) * 12, (0.0,) * 9, (0.0,) * 9)

PRIORS: Final[Mapping[int, Prior]] = {
    3: Prior(
        (-35.3, -25.5, -9.9, -1.4, 3.1, 3.4, -6.0, -1.2, -4.1, -8.0, -2.3, -4.1),
        (-29.4, -25.0, -10.7, 0.3, 13.5, 10.1, -6.4, 0.9, -5.2),
        (51.9, 36.6, 7.0, -0.8, -5.3, -11.7, 9.6, -2.7, 6.8),
    ),
    4: Prior(
        (-27.5, -20.3, -7.4, -0.4, 3.9, 1.8, -3.3, -1.2, -5.3, -0.6, 0.1, -2.9),
        (-19.2, -14.5, -7.5, 5.0, 9.2, 9.3, -2.2, 5.1, -3.8),
        (42.4, 31.7, 5.6, 2.2, -8.3, -8.4, 11.4, 2.1, 16.5),
    ),
    5: Prior(
        (-21.5, -17.3, -5.8, 1.4, 4.5, 5.2, -2.4, 1.9, -3.2, 1.7, -1.9, -4.5),
        (-15.2, -13.3, -5.1, 7.5, 8.0, 12.8, -4.5, 4.8, -4.8),
        (31.8, 22.6, 1.2, -3.3, -7.1, -5.2, 2.9, -3.2, 14.1),
    ),
    6: Prior(
        (-18.4, -15.0, -4.6, 3.8, 5.8, 6.0, -1.9, 4.3, -2.8, 2.9, -2.1, -2.6),
        (-12.9, -11.6, -4.0, 12.0, 8.0, 12.8, -3.8, 6.2, -1.7),
        (27.3, 22.8, 0.6, -5.4, -7.0, -7.1, 2.5, -4.8, 10.7),
    ),
    7: Prior(
        (-13.3, -11.4, -2.6, 4.4, 3.3, 6.3, -1.0, 4.5, -1.1, 1.2, -1.4, -3.6),
        (-10.8, -10.8, -2.6, 14.1, 6.6, 13.9, -2.3, 7.9, -2.7),
        (25.4, 18.5, 1.8, -4.7, -7.0, -7.9, 3.6, -3.3, 11.4),
    ),
    8: Prior(
        (-11.3, -10.3, -1.9, 4.4, 3.5, 4.6, -0.5, 2.6, -1.4, 0.1, 1.2, -2.8),
        (-8.5, -9.7, -1.4, 15.7, 7.3, 14.1, -1.8, 8.5, -2.6),
        (22.6, 14.6, 0.6, -3.6, -7.3, -4.7, 1.5, -2.3, 10.4),
    ),
}
