"""The open seasons in which the statistics are put to the proof. Only choices, no work."""

from __future__ import annotations

from arena.proof.ladder import Ladder, Lives
from arena.proof.study import Study

__all__ = ["open_worlds", "quick_open_worlds"]

_STRETCHES, _CYCLES, _LEAGUES = 12, 3, 200


def open_worlds() -> list[Study]:
    """Return all studies of open seasons.

    Fields have 12 to 20 entries, some 40 in all; each has a different kind of trouble.
    """
    kinds = (
        ("plain", "bots come, improve and leave", Lives()),
        ("equal", "all equal", Lives(deviation=0.0)),
        ("fresh", "new versions meet others in a new way", Lives(fresh=True)),
        ("charged", "every third entry charged", Lives(charged=True)),
        ("form-4", "equal, form of all with sd 4", Lives(deviation=0.0, drift=4.0)),
        ("form-8", "equal, form of all with sd 8", Lives(deviation=0.0, drift=8.0)),
    )
    # Hardly an entry lives for more than two stretches here. The ± is too wide then, so nothing is claimed.
    busy = Lives(comes=0.9, improves=0.3, leaves=0.12)
    return [
        *(Ladder(key, what, lives, _STRETCHES, _CYCLES, _LEAGUES) for key, what, lives in kinds),
        Ladder("busy", "hardly an entry stays", busy, _STRETCHES, 2, _LEAGUES, claimed=False),
    ]


def quick_open_worlds() -> list[Study]:
    """Return one of them, small."""
    return [Ladder("plain", "bots come, improve and leave", Lives(), 4, _CYCLES, 40)]
