"""Effects of pairs: fitted again in fractions, and taken out of the ± of a balanced schedule, not before."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import isclose
from random import Random

import pytest

from arena.standings import ScoreRule, SessionResult, fit
from arena.standings.design import DesignEffect
from arena.standings.linalg import least_squares
from arena.standings.pair_effects import MOST_PAIRS, pair_effects
from tests.standings import reference

SEVEN = range(7)
TURNS = [
    [tuple(sorted((start + factor * step) % 7 for step in range(4))) for start in SEVEN]
    for factor in (1, 2, 4)
]
"""Three cyclic cycles of 7 bots. Pairs meet unevenly in each of them, and equally often in all three."""


def residuals(line_ups: Sequence[tuple[int, ...]], seed: int) -> list[dict[int, int]]:
    """Whole numbers that sum to 0 in each session."""
    rng, found = Random(seed), []
    for line_up in line_ups:
        own = [rng.randrange(-20, 21) for _ in line_up]
        own[-1] -= sum(own)
        found.append(dict(zip(line_up, own, strict=True)))
    return found


def summed(
    line_ups: Sequence[tuple[int, ...]], left: Sequence[dict[int, int]]
) -> dict[tuple[int, ...], tuple[int, dict[int, float]]]:
    sums: dict[tuple[int, ...], tuple[int, dict[int, float]]] = {}
    for line_up, own in zip(line_ups, left, strict=True):
        count, total = sums.get(line_up, (0, dict.fromkeys(line_up, 0.0)))
        sums[line_up] = count + 1, {i: total[i] + own[i] for i in line_up}
    return sums


def test_what_pairs_explain_is_that_of_the_normal_equations_in_fractions() -> None:
    line_ups, size = [*combinations(range(5), 3), *combinations(range(5), 3), (0, 1, 2)], 5
    left = residuals(line_ups, 1)
    found = pair_effects(summed(line_ups, left), size)
    assert found is not None
    pairs = list(combinations(range(size), 2))
    rows = [  # written out: one row for each bot of a session, one column for each pair
        ([(i == a) * (b in line_up) - (i == b) * (a in line_up) for a, b in pairs], own[i])
        for line_up, own in zip(line_ups, left, strict=True)
        for i in line_up
    ]
    normal = [[Fraction(sum(x[p] * x[q] for x, _ in rows)) for q in range(10)] for p in range(10)]
    right = [Fraction(sum(x[p] * y for x, y in rows)) for p in range(10)]
    solved = reference.solve(normal, right)
    assert found.independent == 10
    assert isclose(found.squares, sum(a * b for a, b in zip(solved, right, strict=True)), rel_tol=1e-9)
    for (a, b), effect in zip(pairs, solved, strict=True):
        assert found.effects[a][b] == pytest.approx(float(effect), abs=1e-9)
        assert found.effects[b][a] == -found.effects[a][b]
    met = [normal[p][p] / 2 for p in range(10)]
    mean = sum(met) / 10
    assert found.uneven == pytest.approx(float(sum((n - mean) ** 2 for n in met) / sum(met)))
    takes = found.of((0, 1, 2))
    assert takes[1] == pytest.approx(found.effects[1][0] + found.effects[1][2])


def test_effects_that_depend_on_others_are_left_out() -> None:
    x, rank = least_squares([[2.0, 4.0, 0.0], [4.0, 8.0, 0.0], [0.0, 0.0, 3.0]], [6.0, 12.0, 9.0])
    assert (x, rank) == (pytest.approx([3.0, 0.0, 3.0]), 2)
    once = [(0, 1, 2), (2, 3, 4)]
    found = pair_effects(summed(once, residuals(once, 2)), 5)
    assert found is not None
    assert found.independent == 4  # each session sums to 0


def test_too_many_pairs_and_a_stand_in_of_several_bots_are_not_fitted() -> None:
    wide = [(0, 1, 2, 3)]
    assert pair_effects(summed(wide, residuals(wide, 3)), 17) is None
    assert MOST_PAIRS == 16 * 15 / 2
    twice = [(0, 1, 2, 2)]
    assert pair_effects({twice[0]: (1, {0: 1.0, 1: 1.0, 2: -2.0})}, 4) is None


def played(cycles: int, seed: int, influence: float) -> list[SessionResult]:
    """A balanced league of 7 bots; each pair has an effect, `influence` times as large as chance."""
    rng = Random(seed)
    effect = {pair: rng.gauss(0.0, 60.0 * influence) for pair in combinations(SEVEN, 2)}
    sessions = []
    for cycle in range(cycles):
        for index, line_up in enumerate(TURNS[cycle % 3]):
            points = dict.fromkeys(line_up, 1000.0)
            for a, b in combinations(line_up, 2):
                points[a] += effect[a, b]
                points[b] -= effect[a, b]
            chance = [rng.gauss(0.0, 60.0) for _ in line_up]
            mean = sum(chance) / 4
            luck = zip(points.items(), chance, strict=True)
            whole = {f"b{i}": round(own + one - mean) for (i, own), one in luck}
            whole[f"b{line_up[0]}"] += 4000 - sum(whole.values())
            sessions.append(SessionResult(cycle, index, 16, whole, {}))
    return sessions


def design(sessions: list[SessionResult], rule: ScoreRule = ScoreRule.SCORE_2) -> DesignEffect:
    found = fit(sessions, [f"b{i}" for i in SEVEN], 4, rule=rule).design
    assert found is not None
    return found


def test_a_balanced_league_is_compared_with_what_pairs_leave() -> None:
    strong, none = ([design(played(9, seed, each)).ratio for seed in range(12)] for each in (1.0, 0.0))
    assert sum(none) / 12 == pytest.approx(1.0, abs=0.05)
    # The effects of a session have 12 variances of one pair. The 6 differences of strength among the 21
    # dimensions of pairs take 8/7 each, so that 36/7 are left, over 183 degrees of freedom in 63 sessions.
    assert sum(strong) / 12 == pytest.approx(1 / (1 + 36 / 7 * 63 / 183), abs=0.05)


def test_the_rule_of_before_compares_cycles() -> None:
    sessions = played(6, 1, 1.0)
    assert design(sessions).freedom > design(sessions, ScoreRule.SCORE_1).freedom


def test_cycles_that_make_up_for_one_another_do_not_look_like_form() -> None:
    for seed in range(5):
        result = fit(played(12, seed, 1.5), [f"b{i}" for i in SEVEN], 4)
        assert result.form is not None
        assert result.design is not None
        assert 0.5 < result.form.ratio / result.design.ratio < 1.7
        assert not result.varying
