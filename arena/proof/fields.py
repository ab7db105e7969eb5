"""The fields of bots that the proof simulates, and the number of leagues of each. Only choices, no work."""

from __future__ import annotations

from dataclasses import replace

from arena.proof.changing import Effects
from arena.proof.coverage import Coverage
from arena.proof.excluded import Excluded
from arena.proof.gauntlet import Gauntlet, apart
from arena.proof.ladder import Ladder, Lives
from arena.proof.order import Order
from arena.proof.scenario import Scenario
from arena.proof.staged import Laddered, Staged
from arena.proof.stages import Contenders, Shares
from arena.proof.study import Study
from arena.proof.world import Faults
from arena.proof.worlds import quick_worlds, worlds
from arena.schedule import LineUps

__all__ = ["full_studies", "quick_studies"]

_FAULTS = {0: Faults(0.5, 40), 1: Faults(0.02, 320)}
"""Charges of two bots: one with a small fault in every second match, and one that is replaced for a whole
match now and then."""


def _steps(size: int, gap: float) -> tuple[float, ...]:
    """Return `size` scores, `gap` points apart and centred on 0."""
    return tuple(gap * (number - (size - 1) / 2) for number in range(size))


_SPREAD = Scenario("6x4", "6 bots, 4 seats, every line-up", 4, _steps(6, 6.0))
_FAULTY = Scenario("faults", "6 bots, 4 seats, two of them charged", 4, _steps(6, 6.0), faults=_FAULTS)
_TWELVE = Scenario("12x4", "12 bots, 4 seats, balanced", 4, _steps(12, 3.0), line_ups=LineUps.BALANCED)
_UNEVEN = Scenario(
    "uneven",
    "10 bots, 4 seats, balanced, a quarter of the sessions lost, two weak and wild bots, charges",
    4,
    (-14.0, -12.0, -11.0, -8.0, -5.0, -4.0, 0.0, 4.0, 24.0, 26.0),
    line_ups=LineUps.BALANCED,
    lost=0.25,
    wild={8: 1.6, 9: 2.0},
    faults={2: Faults(0.5, 40), 9: Faults(0.05, 320)},
)
_ONE_LINE_UP = Scenario("4x4", "4 bots, 4 seats: one line-up", 4, _steps(4, 4.0))
_EQUAL = Scenario("equal", "6 equal bots, 4 seats", 4, (0.0,) * 6, twins=(4, 5))
_EQUAL_TWELVE = Scenario(
    "equal-12", "12 equal bots, 4 seats, balanced", 4, (0.0,) * 12, line_ups=LineUps.BALANCED, twins=(0, 1)
)
_EQUAL_FAULTY = Scenario(
    "equal-faults", "6 bots, 4 seats, equal with their charges", 4, (0.0,) * 6, faults=_FAULTS, twins=(4, 5)
)
_CLOSE = Scenario(
    "close",
    "6 bots, 4 seats, 1.5 points apart, one entered twice",
    4,
    (-3.0, -1.5, 0.0, 0.0, 1.5, 3.0),
    twins=(2, 3),
)
_FAR = Scenario(
    "far",
    "6 bots, 4 seats, 10 points apart, one entered twice",
    4,
    (-20.0, -10.0, 0.0, 0.0, 10.0, 20.0),
    twins=(2, 3),
)
_WIDE = Scenario("wide", "6 bots, 4 seats, 10 points apart", 4, _steps(6, 10.0))
_PLAYED = Scenario(
    "played",
    "5 bots, 4 seats, real rounds, one entered twice",
    4,
    policies=("short~5#1", "short~5#2", "dump", "duck", "low"),
    twins=(0, 1),
)
_STRONG = Scenario(
    "strong", "as 6x4, influencing one another as the sample bots do", 4, _steps(6, 6.0), duels=5.5
)
_LADDER = Scenario(
    "played-ladder",
    "6 bots from good to random, 4 seats, real rounds, every line-up",
    4,
    policies=("short", "short~10", "dump", "duck", "low", "any"),
)
_PLAYED_TWELVE = Scenario(
    "played-12",
    "12 bots, 4 seats, balanced, real rounds",
    4,
    policies=(
        "short", "short~5", "short~15", "short~30", "dump", "dump~5",
        "dump~15", "duck", "duck~10", "low", "low~10", "any",
    ),
    line_ups=LineUps.BALANCED,
)  # fmt: skip
_MARGIN = 4.0
"""The margin of the simulated gauntlets in points: large, so that few sessions settle them."""


def _candidates(key: str, title: str, truth: float) -> Scenario:
    """Return a field of two candidates of one kind, the first better by `truth`, and three opponents."""
    return Scenario(key, f"{title}, 3 opponents, 4 seats", 4, apart(truth, 3), twins=(0, 1))


_SAME = _candidates("same", "the same bot twice", 0.0)
_AT_MARGIN = _candidates("margin", "better by the margin", _MARGIN)
_AT_TWICE = _candidates("twice", "better by twice the margin", 2 * _MARGIN)
_CHARGED = Scenario(
    "charged",
    "equal with its charges, 6 opponents, 5 seats",
    5,
    apart(0.0, 6, _FAULTS[1].per_round(5)),
    twins=(0, 1),
    faults={0: _FAULTS[1]},
)
_SAME_PLAYED = Scenario(
    "same-played",
    "the same bot twice, 3 opponents, 4 seats, real rounds",
    4,
    policies=("short~5#1", "short~5#2", "dump", "duck", "low"),
    twins=(0, 1),
)
_PLAIN = Scenario(
    "plain",
    "as 6x4, but nobody does more to one than to another",
    4,
    _steps(6, 6.0),
    duels=0.0,
    passes=0.0,
)
_THREE_SEATS = Scenario("5x3", "5 bots, 3 seats, every line-up", 3, _steps(5, 8.0))
_FIVE_SEATS = Scenario("7x5", "7 bots, 5 seats, every line-up", 5, _steps(7, 4.0))
_SIX_SEATS = Scenario("6x6", "6 bots, 6 seats: one line-up", 6, _steps(6, 3.0))
_TWENTY_FOUR = Scenario("24x4", "24 bots, 4 seats, balanced", 4, _steps(24, 1.5))
_FORTY = Scenario("40x4", "40 bots, 4 seats, balanced", 4, _steps(40, 0.9))
_STRONG_TWELVE = replace(_TWELVE, key="strong-12", title=f"{_TWELVE.title}, as strong", duels=5.5)
_UNEVEN_EQUAL = Scenario(
    "uneven-equal", "10 equal bots, 4 seats, balanced, a quarter of the sessions lost", 4, (0.0,) * 10,
    line_ups=LineUps.BALANCED, lost=0.25, wild={8: 1.6, 9: 2.0}, twins=(0, 1),
)  # fmt: skip


def _excluded(sessions: int, leagues: int) -> list[Study]:
    """Return the leagues whose bots are judged: within the limit of 10 %, at it, and far beyond."""
    return [
        Excluded("3", 0.03, False, sessions, 0.0, leagues),
        Excluded("5", 0.05, False, sessions, 0.001, leagues),
        Excluded("10", 0.10, False, sessions, 0.01, leagues),
        Excluded("10-clustered", 0.10, True, sessions, 0.01, leagues),
        Excluded("broken", 1.0, False, sessions, None, 40, soon=4),
        Excluded("half", 0.5, False, sessions, None, leagues, soon=13),
    ]


def quick_studies() -> list[Study]:
    """Return a small selection that takes under a minute on one core."""
    return [
        Coverage(_SPREAD, (2, 4), 100),
        Coverage(_UNEVEN, (5,), 120),
        Coverage(_PLAYED, (6,), 40),
        Order(_EQUAL, 6, 60),
        Order(_WIDE, 8, 40),
        Order(_EQUAL_FAULTY, 6, 40),
        Gauntlet(_SAME, 0.0, _MARGIN, 40, 40),
        Gauntlet(_AT_TWICE, 2 * _MARGIN, _MARGIN, 40, 40),
        *quick_worlds(),
        *_quick_open_worlds(),
        *_quick_stage_worlds(),
        *_excluded(40, 80),
    ]


def full_studies() -> list[Study]:
    """Return all studies, which take more than an hour on two cores."""
    return [*_of_intervals(), *_of_verdicts(), *worlds(), *_open_worlds(), *_stage_worlds()]


def _of_intervals() -> list[Study]:
    return [
        Coverage(_SPREAD, (2, 4, 8), 1000),
        Coverage(_PLAIN, (2, 4), 1000),
        Coverage(_FAULTY, (2, 4, 8), 1000),
        Coverage(_ONE_LINE_UP, (30, 120), 1000),
        Coverage(_THREE_SEATS, (3, 12), 1000),
        Coverage(_FIVE_SEATS, (2, 6), 1000),
        Coverage(_SIX_SEATS, (30, 60), 300),
        Coverage(_TWELVE, (3, 5, 10), 1000),
        Coverage(_UNEVEN, (4, 8, 16), 1000),
        Coverage(_TWENTY_FOUR, (2, 3, 5), 600),
        Coverage(_FORTY, (1, 2, 4), 400),
        Coverage(_STRONG, (2, 4, 8), 1000),
        Coverage(_STRONG_TWELVE, (3, 5, 10), 600),
        Coverage(_PLAYED, (6, 12), 400),
        Coverage(_LADDER, (2, 4, 8), 200),
        Coverage(_PLAYED_TWELVE, (3, 5, 10), 200),
    ]


def _of_verdicts() -> list[Study]:
    return [
        Order(_EQUAL, 20, 1000),
        Order(_EQUAL_FAULTY, 20, 600),
        Order(_EQUAL_TWELVE, 20, 400),
        Order(_UNEVEN_EQUAL, 25, 400),
        Order(_CLOSE, 20, 400),
        Order(_FAR, 20, 400),
        Order(_SPREAD, 20, 400),
        Order(_WIDE, 20, 400),
        Order(_PLAYED, 20, 100),
        Gauntlet(_SAME, 0.0, _MARGIN, 40, 1000),
        Gauntlet(_AT_MARGIN, _MARGIN, _MARGIN, 40, 1000),
        Gauntlet(_AT_TWICE, 2 * _MARGIN, _MARGIN, 40, 1000),
        Gauntlet(_CHARGED, 0.0, _MARGIN, 40, 1000),
        Gauntlet(replace(_SAME, key="long"), 0.0, 0.5, 100, 200),
        Gauntlet(_SAME_PLAYED, 0.0, 1.0, 25, 100),
        *_excluded(240, 1000),
    ]


_PHASEES, _CYCLES, _LEAGUES = 12, 3, 200


def _open_worlds() -> list[Study]:
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
    # Hardly an entry lives for more than two phases here. The ± is too wide then, so nothing is claimed.
    busy = Lives(comes=0.9, improves=0.3, leaves=0.12)
    return [
        *(Ladder(key, what, lives, _PHASEES, _CYCLES, _LEAGUES) for key, what, lives in kinds),
        Ladder("busy", "hardly an entry stays", busy, _PHASEES, 2, _LEAGUES, claimed=False),
    ]


def _quick_open_worlds() -> list[Study]:
    """Return one of them, small."""
    return [Ladder("plain", "bots come, improve and leave", Lives(), 4, _CYCLES, 40)]


_EFFECTS = {
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


def _stage_worlds() -> list[Study]:
    """Return all studies of stages."""
    return [
        *(_staged(bots, deviation, 1000) for bots in (12, 24, 40) for deviation in (4.0, 8.0)),
        *(_staged(24, 8.0, 300, kind) for kind in ("none", "large", "real")),
        Laddered(Lives(), (*_RULES[:3], Shares("8", "keep 8", (8,))), 400),
    ]


def _staged(bots: int, deviation: float, leagues: int, kind: str = "usual") -> Staged:
    return Staged(bots, deviation, _RULES, leagues, kind, _EFFECTS[kind])


def _quick_stage_worlds() -> list[Study]:
    """Return a few of them, small."""
    return [
        _staged(12, 8.0, 40),
        Laddered(Lives(), _RULES[:2], 40, phases=4),
    ]
