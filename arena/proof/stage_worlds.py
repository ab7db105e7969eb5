"""The contests in stages in which the statistics are put to the proof. Only choices, no work."""

from __future__ import annotations

from arena.proof.changing import Effects
from arena.proof.ladder import Lives
from arena.proof.staged import Laddered, Staged
from arena.proof.stages import Contenders, Shares
from arena.proof.study import Study

__all__ = ["EFFECTS", "quick_stage_worlds", "stage_worlds"]

EFFECTS = {
    "none": Effects(0.0, 0.0),
    # On one another, as `Scenario` has them, and a third larger.
    "usual": Effects(),
    "large": Effects(4.0, 4.0),
    # What the simple players of real rounds do: mostly to third bots, see docs/statistics.md.
    "real": Effects(0.6, 0.6, 4.1),
}
"""What bots do to one another, by name."""

_RULES = (
    Contenders(1),
    Contenders(3),
    Shares("halving", "halving"),
    Shares("8-then-4", "keep 8 then 4", (8, 4)),
)


def stage_worlds() -> list[Study]:
    """Return all studies of stages."""
    return [
        *(_staged(bots, deviation, 1000) for bots in (12, 24, 40) for deviation in (4.0, 8.0)),
        *(_staged(24, 8.0, 300, kind) for kind in ("none", "large", "real")),
        Laddered(Lives(), (*_RULES[:3], Shares("8", "keep 8", (8,))), 400),
    ]


def _staged(bots: int, deviation: float, leagues: int, kind: str = "usual") -> Staged:
    return Staged(bots, deviation, _RULES, leagues, kind, EFFECTS[kind])


def quick_stage_worlds() -> list[Study]:
    """Return a few of them, small."""
    return [
        _staged(12, 8.0, 40),
        Laddered(Lives(), _RULES[:2], 40, stretches=4),
    ]
