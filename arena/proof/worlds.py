"""The worlds in which the statistics are put to the proof under trouble. Only choices, no work.

Form from cycle to cycle, of all bots or of some; luck that differs from bot to bot; bots that suit one
another very differently; heavy tails. A new kind of trouble gets its scenario and its studies here.
"""

from __future__ import annotations

from dataclasses import replace

from arena.proof.alarm import Alarm
from arena.proof.coverage import Coverage
from arena.proof.order import Order
from arena.proof.scenario import Scenario
from arena.proof.study import Study
from arena.schedule import LineUps

__all__ = ["quick_worlds", "worlds"]

_CYCLES = 20
_LEAGUES = {5: 300, 6: 300, 7: 150, 8: 100, 10: 200, 12: 150}
"""Leagues by the number of bots. Where every line-up is played, the work grows quickly with the bots."""
_BALANCED = (10, 12)
"""Numbers of bots of which not every line-up of 4 is played in each cycle."""


def _equal(bots: int) -> Scenario:
    """Return equal bots: the world in which wrong orders are most likely."""
    balanced = bots in _BALANCED
    kind = "balanced" if balanced else "every line-up"
    line_ups = LineUps.BALANCED if balanced else LineUps.ALL
    return Scenario(
        f"{bots}-bots", f"{bots} equal bots, 4 seats, {kind}", 4, (0.0,) * bots, line_ups=line_ups
    )


def _drifting(world: Scenario, points: float, bots: int | None = None, lasts: int = 1) -> Scenario:
    """Return a world with a form of `points` in each cycle; of the first `bots` bots only, if given."""
    who = "all" if bots is None else f"{bots} of them"
    key = f"{world.key}-form-{points:g}" + ("" if bots is None else f"-of-{bots}")
    long = "" if lasts == 1 else f", which lasts for {lasts} cycles"
    return replace(
        world,
        key=key if lasts == 1 else f"{key}-lasts-{lasts}",
        title=f"{world.title}, form of {who} with sd {points:g}{long}",
        drift=(points,) * (world.bots if bots is None else bots),
        lasts=lasts,
    )


_SIX, _TEN = _equal(6), _equal(10)
_WILD = replace(_SIX, key="wild", title=f"{_SIX.title}, uneven luck", wild={4: 2.0, 5: 3.0})
_PAIRS = replace(_SIX, key="pairs", title=f"{_SIX.title}, suiting one another very differently", duels=12.0)
_PAIRS_TEN = replace(
    _TEN, key="pairs-10", title=f"{_TEN.title}, suiting one another very differently", duels=12.0
)
_PLAYED_TEN = Scenario(
    "played-10",
    "10 bots, 4 seats, balanced, real rounds",
    4,
    policies=(
        "short", "short~5", "short~15", "dump", "dump~5", "dump~15", "duck", "duck~10", "low", "any",
    ),
    line_ups=LineUps.BALANCED,
)  # fmt: skip
_TAILS = replace(_SIX, key="tails", title=f"{_SIX.title}, heavy tails", tails=(0.03, 6.0))


def worlds() -> list[Study]:
    """Return all studies of these worlds."""
    return [
        *(
            Order(_drifting(_equal(bots), points) if points else _equal(bots), _CYCLES, leagues)
            for bots, leagues in _LEAGUES.items()
            for points in (0.0, 2.0, 4.0, 8.0)
        ),
        Order(_drifting(_SIX, 8.0, 1), _CYCLES, 600),
        Order(_drifting(_SIX, 8.0, 2), _CYCLES, 600),
        *(Order(world, _CYCLES, 300) for world in (_WILD, _PAIRS, _PAIRS_TEN, _TAILS)),
        # Form that lasts over several cycles is not protected, so nothing is claimed.
        Order(_drifting(_SIX, 4.0, lasts=4), _CYCLES, 300, claimed=False),
        *(Coverage(_drifting(_SIX, points), (2, 4, 8, 20), 400) for points in (2.0, 4.0, 8.0)),
        Coverage(_drifting(_SIX, 8.0, 1), (2, 4, 8, 20), 400),
        Coverage(_drifting(_TEN, 4.0), (3, 6, 12), 200),
        *(Coverage(world, (2, 4, 8), 400) for world in (_WILD, _PAIRS, _TAILS)),
        Coverage(_PAIRS_TEN, (3, 6, 12), 400),
        Coverage(_PLAYED_TEN, (3, 6, 12), 200),
        *(Alarm(world, _CYCLES, 300) for world in (_SIX, _TEN, _WILD, _PAIRS, _TAILS)),
        *(Alarm(_drifting(_SIX, points), _CYCLES, 300) for points in (4.0, 8.0)),
        Alarm(_drifting(_SIX, 8.0, 1), _CYCLES, 300),
    ]


def quick_worlds() -> list[Study]:
    """Return a few of them, small."""
    return [
        Order(_drifting(_SIX, 8.0), 8, 40),
        Order(_drifting(_SIX, 8.0, 1), 8, 40),
        Order(_drifting(_SIX, 8.0, 2), 8, 40),
        Coverage(_drifting(_SIX, 4.0), (4,), 60),
        *(Coverage(world, (4,), 60) for world in (_WILD, _PAIRS, _TAILS)),
        Alarm(_SIX, 8, 40),
    ]
