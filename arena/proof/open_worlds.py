"""The open seasons in which the statistics are put to the proof. Only choices, no work."""

from __future__ import annotations

from arena.proof.ladder import Ladder, Lives
from arena.proof.luck import Helpers, Resubmitting
from arena.proof.study import Study

__all__ = ["open_worlds", "quick_open_worlds"]

_STRETCHES, _CYCLES, _TRIES = 12, 3, 12


def _ladders(leagues: int) -> list[Study]:
    """Return fields of 12 to 20 entries, some 40 in all; each with a different kind of trouble."""
    kinds = (
        ("plain", "bots come, improve and leave", Lives(), True),
        ("equal", "all equal", Lives(deviation=0.0), True),
        ("fresh", "new versions meet others in a new way", Lives(fresh=True), True),
        ("charged", "every third entry charged", Lives(charged=True), True),
        ("form-4", "equal, form of all with sd 4", Lives(deviation=0.0, drift=4.0), True),
        ("form-8", "equal, form of all with sd 8", Lives(deviation=0.0, drift=8.0), True),
    )
    found: list[Study] = [
        Ladder(key, what, lives, _STRETCHES, _CYCLES, leagues, claimed) for key, what, lives, claimed in kinds
    ]
    # Hardly an entry lives for more than two stretches here. The ± is too wide then, so nothing is claimed.
    busy = Lives(comes=0.9, improves=0.3, leaves=0.12)
    found.append(Ladder("busy", "hardly an entry stays", busy, _STRETCHES, 2, leagues, claimed=False))
    return found


def open_worlds() -> list[Study]:
    """Return all studies of open seasons."""
    return [*_ladders(200), Resubmitting(_TRIES, _CYCLES, 200), Helpers(4, 12, 400)]


def quick_open_worlds() -> list[Study]:
    """Return a few of them, small."""
    return [
        Ladder("plain", "bots come, improve and leave", Lives(), 6, _CYCLES, 40),
        Resubmitting(2, _CYCLES, 40),
        Helpers(2, 8, 40),
    ]
