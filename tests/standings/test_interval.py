"""The design effect: worked out again from its definition, and 1 wherever a schedule repeats nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from math import isclose, sqrt
from random import Random

import pytest

from arena.standings import Fit, SessionResult, fit
from arena.standings.design import DesignEffect
from arena.standings.quantiles import t_quantile

LineUps = Sequence[tuple[int, ...]]
SIX = list(combinations(range(6), 4))
EIGHT = [tuple((start + step) % 8 for step in (0, 1, 3, 4)) for start in range(8)]
"""A cyclic cycle of 8 bots: all play equally often, but not every line-up there is."""


def played(
    cycles: Iterable[LineUps], seed: int, influence: float, charges: dict[int, int] | None = None
) -> list[SessionResult]:
    """Sessions of 16 rounds; a line-up moves its bots by `influence` times as much as chance does."""
    sessions = []
    for cycle, line_ups in enumerate(cycles):
        for index, line_up in enumerate(line_ups):
            suits = Random(f"{seed} {sorted(line_up)}")
            dice = Random(f"{seed} {cycle} {index}")
            points = [round(1000 + 60 * (influence * suits.gauss() + dice.gauss())) for _ in line_up]
            points[0] += 4000 - sum(points)
            cards = {f"b{bot}": own for bot, own in zip(line_up, points, strict=True)}
            faults = {f"b{bot}": 40 for bot, share in (charges or {}).items() if dice.randrange(100) < share}
            mine = {bot: own for bot, own in faults.items() if bot in cards}
            sessions.append(SessionResult(cycle, index, 16, cards, mine))
    return sessions


def fitted(sessions: list[SessionResult]) -> Fit:
    bots = {bot for session in sessions for bot in session.card_points}
    with pytest.MonkeyPatch.context() as patch:
        # Without effects of pairs, which have a test of their own.
        patch.setattr("arena.standings.design.pair_effects", lambda line_ups, size: None)
        result = fit(sessions, bots, 4)
    assert result.design is not None
    return result


def design(sessions: list[SessionResult]) -> DesignEffect:
    found = fitted(sessions).design
    assert found is not None
    return found


def rank_of(result: Fit) -> float:
    """tr(S)^2 / tr(S^2) of the centred covariance, by plain matrices."""
    assert result.covariance is not None
    size = len(result.bots)
    centring = [[(i == j) - 1 / size for j in range(size)] for i in range(size)]

    def times(a: Sequence[Sequence[float]], b: Sequence[Sequence[float]]) -> list[list[float]]:
        return [
            [sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)]
            for row in a
        ]

    centred = times(times(centring, result.covariance), centring)
    trace = sum(centred[i][i] for i in range(size))
    return trace**2 / sum(value**2 for row in centred for value in row)


@pytest.mark.parametrize("charges", [{}, {0: 50, 3: 10}])
def test_a_complete_league_is_compared_with_its_own_line_ups(charges: dict[int, int]) -> None:
    sessions = played([SIX] * 4, 1, 1.0, charges)
    result = fitted(sessions)
    # Card and fault points of a bot in a session, less what the fit expects of it.
    factor = 3 * 6 / (4 * 5)
    left = {}
    for session in sessions:
        mean = sum(result.fap[bot] - 62.5 for bot in session.card_points) / factor / 4
        for bot, points in session.card_points.items():
            fault = session.fault_points.get(bot, 0) / 16 - result.charge[bot]
            expected = 62.5 + (result.fap[bot] - 62.5) / factor - mean
            left[session.key, bot] = points / 16 - expected + fault
    groups: dict[tuple[frozenset[str], str], list[float]] = {}
    for session in sessions:
        for bot in session.card_points:
            groups.setdefault((frozenset(session.card_points), bot), []).append(left[session.key, bot])
    within = sum((value - sum(own) / 4) ** 2 for own in groups.values() for value in own) / (45 * 3)
    everything = sum(value**2 for value in left.values()) / (60 * 3 - 5)
    found = design(sessions)
    assert isclose(found.ratio, within / everything, rel_tol=1e-9)
    assert found.freedom == int(1 / (1 / (45 * 3 / 5 * rank_of(result)) + 1 / 59))


def test_without_influence_it_is_about_one_and_with_it_less() -> None:
    alone = [design(played([SIX] * 8, seed, 0.0)).ratio for seed in range(20)]
    assert 0.97 < sum(alone) / 20 < 1.03
    much = [design(played([SIX] * 8, seed, 1.0)).ratio for seed in range(20)]
    assert sum(much) / 20 == pytest.approx(1 / 2, abs=0.06)


def test_a_balanced_league_is_compared_with_its_own_cycles() -> None:
    sessions = played([EIGHT] * 5, 2, 1.0, {2: 30})
    result = fitted(sessions)
    # All cycles are alike, so that the scores are the means of those of the cycles alone.
    cycles = [fit([s for s in sessions if s.cycle == cycle], result.bots, 4) for cycle in range(5)]
    moved = [[(one.scores[bot] - result.scores[bot]) / 5 for bot in result.bots] for one in cycles]
    assert all(abs(sum(column)) < 1e-9 for column in zip(*moved, strict=True))
    between = 5 / 4 * sum((a - b) ** 2 for one in moved for a, b in combinations(one, 2))
    said = sum((result.pair_se(a, b) or 0.0) ** 2 for a, b in combinations(result.bots, 2))
    found = design(sessions)
    assert isclose(found.ratio, between / said, rel_tol=1e-9)
    assert found.freedom == int(1 / (1 / (4 * rank_of(result)) + 1 / 39))


@pytest.mark.parametrize(
    "cycles",
    [
        [[(0, 1, 2, 3)]] * 40,  # one line-up: its sessions are alike
        [SIX],  # a single cycle repeats nothing
        [EIGHT],
        [EIGHT] * 2,  # too little to tell
        [EIGHT[:5], EIGHT[3:], EIGHT[1:7], EIGHT[2:]] * 3,  # no cycle is whole
    ],
)
def test_it_is_one_where_nothing_is_repeated(cycles: list[LineUps]) -> None:
    sessions = played(cycles, 5, 1.0)
    assert design(sessions) == DesignEffect(1.0, len(sessions) - 1)


def test_the_interval_has_it_and_the_standard_error_has_not() -> None:
    result = replace(fitted(played([SIX] * 6, 6, 1.0)), form=None)
    assert result.design is not None
    critical = sqrt(result.design.ratio) * t_quantile(0.975, result.design.freedom)
    assert isclose(result.half_width("b1") or 0.0, critical * (result.standard_error("b1") or 0.0))
