"""How many cycles "auto" stands for, and after which of them verdicts are possible."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from arena.league import League, parse_league
from arena.league.cycles import FirstVerdicts, cycles_of, first_verdicts
from arena.league.house import field_of, schedule_field
from arena.schedule import Plan
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan as PlannedScore
from arena.score.verdicts import NoLook
from tests.league.samples import PATH


def of(bots: int, seats: int, schedule: str = "", houses: int = 0) -> League:
    sections = [
        f'[league]\nname = "Test"\nseats = {seats}\n[schedule]\n{schedule}\n',
        *(
            f'[[bots]]\nname = "B{number}"\nfolder = "b"\ncommand = ["x"]\n'
            f'role = "{"house" if number >= bots - houses else "entrant"}"\n'
            for number in range(bots)
        ),
    ]
    return parse_league("".join(sections), PATH)


@pytest.mark.parametrize(
    ("bots", "seats", "schedule", "expected"),
    [
        (4, 4, "", 18),
        (8, 8, "", 18),
        (3, 5, "", 18),
        (2, 4, "", 9),
        (2, 7, "", 9),
        (5, 4, "", 8),
        (6, 4, "", 8),
        (12, 4, "", 8),
        (60, 8, "", 8),
        (4, 4, "cycles = 3", 3),
        (4, 4, 'cycles = "auto"', 18),
    ],
)
def test_auto_is_enough_for_verdicts_with_a_tenth_to_spare_and_at_least_8(
    bots: int, seats: int, schedule: str, expected: int
) -> None:
    assert cycles_of(of(bots, seats, schedule)) == expected


def test_a_gauntlet_counts_its_candidates() -> None:
    assert cycles_of(of(5, 4, 'line_ups = "gauntlet"', houses=3)) == 8
    assert first_verdicts(of(5, 4, 'line_ups = "gauntlet"', houses=3)) == FirstVerdicts(2, 16, 16)
    assert first_verdicts(of(4, 4, 'line_ups = "gauntlet"', houses=3)) == FirstVerdicts(2, 16, 16)


def test_a_league_waits_for_its_third_cycle() -> None:
    assert first_verdicts(of(8, 4)) == FirstVerdicts(3, 210, 105)


def test_where_nobody_is_compared_there_are_no_verdicts() -> None:
    alone = of(4, 4, houses=3)
    assert first_verdicts(alone) is None
    assert cycles_of(alone) == 8


KINDS = [
    *((bots, seats, "") for seats in (3, 4, 8) for bots in (2, seats, seats + 2)),
    (12, 4, ""),
    (9, 8, 'line_ups = "balanced"'),
]


@pytest.mark.parametrize(("bots", "seats", "schedule"), KINDS)
def test_the_first_verdicts_come_when_it_says(bots: int, seats: int, schedule: str) -> None:
    made = of(bots, seats, schedule)
    first = first_verdicts(made)
    assert first is not None
    plan = Plan(schedule_field(made, "digest"))
    assert first.sessions == first.cycles * plan.sessions_per_cycle

    def reason(cycles: int, lost: int = 0) -> str:
        """Why there is no look after so many cycles, by the look itself.

        `lost`: so many sessions are void, the first of all.
        """
        results = [
            SessionResult(cycle, one.index, 4, points_of(one.line_up), {})
            for cycle in range(cycles)
            for one in plan.cycle(cycle)
        ]
        field = [str(number) for number in range(len(field_of(made)))]
        house = {str(number) for number, bot in enumerate(field_of(made)) if bot.role == "house"}
        left_out = frozenset(one.key for one in results[:lost])
        planned = PlannedScore(plan.sessions_per_cycle, cycles, left_out)
        seats = 2 if len(field) == 2 else made.league.seats
        scoring = Scoring(tuple(field), seats, frozenset(house), plan=planned)
        seen = scoring.look(results[lost:])
        return seen.reason if isinstance(seen, NoLook) else ""

    dice = Random(made.league.seats)

    def points_of(line_up: Sequence[int]) -> dict[str, int]:
        """Random points, 1000 in all."""
        cuts = sorted(dice.randrange(1001) for _ in line_up[1:])
        return {str(bot): b - a for bot, a, b in zip(line_up, [0, *cuts], [*cuts, 1000], strict=True)}

    assert reason(first.cycles - 1).startswith("verdicts need ")
    assert not reason(first.cycles).startswith("verdicts need ")
    lost = cycles_of(made) * plan.sessions_per_cycle // 10
    assert not reason(cycles_of(made), lost).startswith("verdicts need ")
