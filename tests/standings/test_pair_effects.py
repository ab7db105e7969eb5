"""Effects of pairs: fitted again in fractions, and taken out of the ± of a balanced schedule, not before.

So are joint effects: what both bots of a pair take from third ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isclose, sqrt
from random import Random

import numpy as np
import pytest

from arena.standings import SessionResult, fit
from arena.standings.design import DesignEffect
from arena.standings.pair_effects import pair_effects
from arena.standings.quantiles import mean_square_quantile, normal_quantile, t_quantile
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


Rows = list[list[float]]


def times(a: Rows, b: Rows) -> Rows:
    product: Rows = (np.array(a, dtype=float) @ np.array(b, dtype=float)).tolist()
    return product


def turned(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def test_joint_effects_are_those_of_the_whole_matrices() -> None:
    """All written out: a row for each bot of a session, projections as matrices, and the two equations."""
    line_ups, size = [*combinations(range(5), 3), *combinations(range(5), 3), (0, 1, 2)], 5
    left = residuals(line_ups, 4)
    found = pair_effects(summed(line_ups, left), size)
    assert found is not None
    pairs = list(combinations(range(size), 2))
    seen = [(i, line_up, own[i]) for line_up, own in zip(line_ups, left, strict=True) for i in line_up]
    apart = [[float((i == a) * (b in m) - (i == b) * (a in m)) for a, b in pairs] for i, m, _ in seen]
    both = [[(a in m) * (b in m) * ((i in (a, b)) - 2 / 3) for a, b in pairs] for i, m, _ in seen]
    normal = [[Fraction(round(x)) for x in row] for row in times(turned(apart), apart)]
    units = [[Fraction(int(p == q)) for q in range(10)] for p in range(10)]
    inverse = [[float(x) for x in reference.solve(normal, unit)] for unit in units]
    hat = times(times(apart, inverse), turned(apart))
    rows = range(len(seen))
    # What is left beside the effects of pairs, in the space where each session sums to 0.
    free = [[(r == c) - (r // 3 == c // 3) / 3 - hat[r][c] for c in rows] for r in rows]
    kernel = times(times(free, times(both, turned(both))), free)
    points = [[y] for _, _, y in seen]
    squares = times(times(turned(points), free), points)[0][0]
    explained = times(times(turned(points), kernel), points)[0][0]
    assert found.joint.explained == pytest.approx(explained)
    one, two = (sum(each[r][r] for r in rows) for each in (kernel, times(kernel, kernel)))
    assert found.joint.traces[:2] == pytest.approx((one, two))
    freedom = len(line_ups) * 2 - found.independent
    assert sum(free[r][r] for r in rows) == pytest.approx(freedom)
    # Larger joint effects than these residuals have, so that there is an estimate.
    explained = (one + 0.3 * two) / (freedom + 0.3 * one) * squares
    joint = replace(found.joint, explained=explained)
    estimate = joint.beside(squares, freedom)
    assert estimate is not None
    chance, said = estimate
    assert chance * (freedom + 0.3 * one) == pytest.approx(squares)
    spread = [[free[r][c] + 0.3 * kernel[r][c] for c in rows] for r in rows]
    determinant = freedom * two - one * one
    weights = [[(two * free[r][c] - one * kernel[r][c]) / determinant for c in rows] for r in rows]
    product = times(weights, spread)
    assert 1 / said == pytest.approx(sum(times(product, product)[r][r] for r in rows))
    assert replace(joint, explained=0.9 * one / freedom * squares).beside(squares, freedom) is None


def played(cycles: int, seed: int, influence: float, joint: float = 0.0) -> list[SessionResult]:
    """A balanced league of 7 bots; each pair has an effect, `influence` times as large as chance.

    `joint`: the same of what both bots of a pair take from the others.
    """
    rng = Random(seed)
    effect = {pair: rng.gauss(0.0, 60.0 * influence) for pair in combinations(SEVEN, 2)}
    shared = {pair: rng.gauss(0.0, 60.0 * joint) for pair in combinations(SEVEN, 2)}
    sessions = []
    for cycle in range(cycles):
        for index, line_up in enumerate(TURNS[cycle % 3]):
            points = dict.fromkeys(line_up, 1000.0)
            for a, b in combinations(line_up, 2):
                points[a] += effect[a, b]
                points[b] -= effect[a, b]
                for i in line_up:
                    points[i] += shared[a, b] * ((i in (a, b)) - 0.5)
            chance = [rng.gauss(0.0, 60.0) for _ in line_up]
            mean = sum(chance) / 4
            luck = zip(points.items(), chance, strict=True)
            whole = {f"b{i}": round(own + one - mean) for (i, own), one in luck}
            whole[f"b{line_up[0]}"] += 4000 - sum(whole.values())
            sessions.append(SessionResult(cycle, index, 16, whole, {}))
    return sessions


def design(sessions: list[SessionResult]) -> DesignEffect:
    found = fit(sessions, [f"b{i}" for i in SEVEN], 4).design
    assert found is not None
    return found


def test_a_balanced_league_is_compared_with_what_pairs_leave() -> None:
    strong, none = ([design(played(9, seed, each)).ratio for seed in range(12)] for each in (1.0, 0.0))
    assert sum(none) / 12 == pytest.approx(1.0, abs=0.05)
    # The effects of a session have 12 variances of one pair. The 6 differences of strength among the 21
    # dimensions of pairs take 8/7 each, so that 36/7 are left, over 183 degrees of freedom in 63 sessions.
    assert sum(strong) / 12 == pytest.approx(1 / (1 + 36 / 7 * 63 / 183), abs=0.05)


def test_what_third_bots_pay_is_no_chance_either() -> None:
    found = [design(played(9, seed, 0.5, 0.5)) for seed in range(12)]
    line_ups = [line_up for cycle in range(9) for line_up in TURNS[cycle % 3]]
    known = pair_effects(summed(line_ups, residuals(line_ups, 1)), 7)
    assert known is not None
    # What the effects of pairs leave has 168 degrees of freedom, and this much of it is joint effects.
    expected = 1 / (1 + 0.25 * known.joint.traces[0] / 168)
    shares = [each.finer.ratio / each.ratio for each in found if each.finer is not None]
    assert len(shares) == 12
    assert sum(shares) / 12 == pytest.approx(expected, abs=0.04)
    assert expected < 0.8
    assert all(each.finer.freedom <= each.freedom for each in found if each.finer is not None)


@pytest.mark.parametrize(("seed", "joint"), [(seed, joint) for seed in range(4) for joint in (0.3, 0.6)])
def test_the_half_width_has_the_finer_design_effect_and_verdicts_have_not(seed: int, joint: float) -> None:
    result = fit(played(9, seed, 0.5, joint), [f"b{i}" for i in SEVEN], 4)
    design, form, covariance = result.design, result.form, result.covariance
    assert design is not None
    assert design.finer is not None
    assert form is not None
    assert covariance is not None
    off = design.ratio - design.finer.ratio
    ratio, freedom, rho = design.finer.ratio, design.finer.freedom, form.ratio - off
    switched = rho > ratio * mean_square_quantile(normal_quantile(0.8), form.freedom)
    if switched:
        ratio, freedom = rho, int(1 / (1 / form.freedom + 1 / 62))
    limit = mean_square_quantile(normal_quantile(1 - 0.2 / 7), 8.0)
    for i, bot in enumerate(result.bots):
        base = ratio * covariance[i][i]
        own = form.covariance[i][i] - off * covariance[i][i]
        if switched or own > base * limit:
            base += 8 / 28 * max(0.0, own - base)
        assert result.half_width(bot) == pytest.approx(t_quantile(0.975, freedom) * sqrt(base), rel=1e-12)
    coarse = replace(result, design=replace(design, finer=None))
    assert result.verdict_se("b0", "b1") == coarse.verdict_se("b0", "b1")
    assert result.doubt == coarse.doubt
    assert (result.half_width("b0") or 0.0) < (coarse.half_width("b0") or 0.0)


def test_cycles_that_make_up_for_one_another_do_not_look_like_form() -> None:
    for seed in range(5):
        result = fit(played(12, seed, 1.5), [f"b{i}" for i in SEVEN], 4)
        assert result.form is not None
        assert result.design is not None
        assert 0.5 < result.form.ratio / result.design.ratio < 1.7
        assert not result.varying
