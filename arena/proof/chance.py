"""Where the simulated leagues get their dice: one stream for each name, so that no study disturbs another.

Nothing of a real league is drawn here: its deals and schedule must be checkable in any language.
"""

from __future__ import annotations

from random import Random

__all__ = ["stream"]


def stream(seed: int, *names: object) -> Random:
    """The dice of what is named: the same for the same seed and names, however the work is shared out."""
    return Random("|".join(map(str, ("proof", seed, *names))))  # noqa: S311 - a simulation
