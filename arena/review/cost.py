"""What a decision cost: the points expected of what was chosen, minus those of the best option.

Points are those of the seat in the whole round. They are expected over deals of the hidden cards that fit all
that the seat could know (`worlds`), so a cost says nothing about luck. "Best" means the best of the options
that are compared (`options`), under the policy by which all seats play on. `estimate` says how it is found
without a bias. This module must not know matches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.review.decisions import Decision
from arena.review.estimate import difference, estimate
from arena.review.options import options_of, same_effect, sound_choice
from arena.review.worlds import World, Worlds

__all__ = ["DEFAULT_WORLDS", "Cost", "cost_of"]

DEFAULT_WORLDS: Final = 256
"""The worlds in which a decision is tried where nothing else is said."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a decision cost, in points.

    cost: what was chosen minus the best option, expected over what the seat could not know. Not biased
    upwards; it may be slightly negative. error: its standard error; 0 where it was clearly the best, or the
    only option.
    best: the option that was best, as a set of cards; what was chosen if nothing was better.
    true_cost: what was chosen minus `best` once more, played on once with the true hands and die.
    beside, beside_error: what was chosen minus what the policy of rollouts would have chosen, which is
    `sound_choice`, in all worlds, and its standard error; 0 where that has the same effect.
    expected: the points that what was chosen was expected to have at the end of the round.
    worlds, options: how many were drawn and compared. rollouts: how often a round was played on.
    """

    cost: float
    error: float
    best: int
    true_cost: int
    beside: float
    beside_error: float
    expected: float
    worlds: int
    options: int
    rollouts: int


def cost_of(decision: Decision, worlds: int, chance: Random) -> Cost:
    """Return what a decision cost, from so many worlds, half of them for each half of the estimate.

    The same decision, number and chance give the same cost. Raises ValueError for fewer than four worlds.
    """
    options = options_of(decision)
    drawn = Worlds(decision, chance)
    half = worlds // 2
    first, second = ([drawn.draw() for _ in range(half)] for _ in range(2))
    found = estimate(options, first, second)
    true = drawn.true()
    beside, beside_error = _beside(decision, [*first, *second])
    return Cost(
        cost=found.cost,
        error=found.error,
        best=found.best,
        true_cost=true(decision.chosen) - true(found.best),
        beside=beside,
        beside_error=beside_error,
        expected=found.expected,
        worlds=2 * half,
        options=len(options),
        rollouts=drawn.rollouts,
    )


def _beside(decision: Decision, worlds: Sequence[World]) -> tuple[float, float]:
    sound = sound_choice(decision)
    return (0.0, 0.0) if same_effect(decision, sound) else difference(worlds, decision.chosen, sound)
