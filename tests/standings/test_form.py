"""Form from cycle to cycle: worked out again in fractions, and what it does to the ± and to verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import isclose, log, sqrt
from random import Random

import pytest

from arena.standings import Fit, Look, NoLook, Plan, SessionResult, fit, look
from arena.standings.boundary import Doubt, boundary
from arena.standings.form import Form, form_of
from arena.standings.needed import Measured, sessions_needed
from arena.standings.quantiles import mean_square_quantile, normal_quantile, t_quantile
from tests.standings import leagues, reference

SIX = [f"bot{number:02}" for number in range(6)]
PLAN = Plan(15, 30)


def league(seed: int, cycles: int, drift: dict[str, float] | float = 0.0) -> list[SessionResult]:
    """6 equal bots, every line-up once a cycle; the form of a bot is drawn anew for each cycle."""
    rng, sessions = Random(f"form {seed}"), []
    for cycle in range(cycles):
        deviations = drift if isinstance(drift, dict) else dict.fromkeys(SIX, drift)
        form = {bot: rng.gauss(0.0, deviation) for bot, deviation in deviations.items()}
        for index, line_up in enumerate(combinations(SIX, 4)):
            skill = {bot: form.get(bot, 0.0) for bot in line_up}
            sessions.append(leagues.noisy(rng, (cycle, index), line_up, 16, skill))
    return sessions


def formed(result: Fit) -> Form:
    assert result.form is not None
    return result.form


def plainly(sessions: Sequence[SessionResult], bots: Sequence[str], seats: int) -> list[list[Fraction]]:
    """The block jackknife for cycles of equal length, in fractions."""
    moved = reference.moved_by_cycles(sessions, bots, seats)
    count, size = len(moved), range(len(bots))
    means = [sum(one[i] for one in moved) / count for i in size]
    return [
        [
            Fraction(count, count - 1) * sum((one[i] - means[i]) * (one[j] - means[j]) for one in moved)
            for j in size
        ]
        for i in size
    ]


def test_the_variance_between_cycles_is_that_of_plain_fractions() -> None:
    sessions, bots = leagues.complete(4, 5, 3, 4, {"bot01": 5.0})
    result = fit(sessions, bots, 3)
    form = formed(result)
    expected = plainly(sessions, bots, 3)
    for i, j in combinations(range(5), 2):
        assert isclose(form.covariance[i][j], expected[i][j], rel_tol=1e-9, abs_tol=1e-9)
        assert isclose(form.covariance[i][i], expected[i][i], rel_tol=1e-9)
    within = reference.covariance(sessions, bots, 3)
    pairs = list(combinations(range(5), 2))
    total = sum(within[i][i] + within[j][j] - 2 * within[i][j] for i, j in pairs)
    between = sum(expected[i][i] + expected[j][j] - 2 * expected[i][j] for i, j in pairs)
    assert isclose(form.ratio, between / total, rel_tol=1e-9)
    mean = sum(map(sum, within)) / 25
    centred = [
        [within[i][j] - (sum(within[i]) + sum(within[j])) / 5 + mean for j in range(5)] for i in range(5)
    ]
    trace = sum(centred[i][i] for i in range(5))
    rank = trace * trace / sum(value * value for row in centred for value in row)
    assert (form.cycles, form.blocks) == (4, pytest.approx(4.0))
    assert isclose(form.freedom, 3 * rank, rel_tol=1e-9)


def test_cycles_of_unequal_length_count_as_fewer() -> None:
    moved = {0: [3.0, -3.0], 1: [-1.0, 1.0], 2: [-2.0, 2.0]}
    form = form_of(moved, {0: 6, 1: 3, 2: 3}, [[1.0, -1.0], [-1.0, 1.0]])
    assert form.blocks == pytest.approx(1 / (1 / 4 + 1 / 16 + 1 / 16))
    assert form.cycles == 3
    assert form.covariance[0][1] == pytest.approx(-14 * form.blocks / (form.blocks - 1))
    nothing = form_of({0: [0.0, 0.0]}, {0: 4}, [[1.0, -1.0], [-1.0, 1.0]])
    assert (nothing.ratio, nothing.freedom) == (1.0, 0.0)


def test_where_a_cycle_is_a_session_nothing_changes() -> None:
    sessions, bots = leagues.complete(9, 4, 4, 40, {"bot00": 8.0})
    result = fit(sessions, bots, 4)
    assert formed(result).ratio == pytest.approx(1.0, abs=1e-12)
    seen = look(sessions, bots, 4, Plan(1, 40), 2.0)
    assert isinstance(seen, Look)
    assert seen.boundary == pytest.approx(boundary(40, 0.05 / 6), abs=1e-9)
    alone = replace(result, form=None)
    for bot in bots:
        assert result.half_width(bot) == pytest.approx(alone.half_width(bot))


def test_the_boundary_is_students_mixture_where_the_ratio_is_above_one() -> None:
    for sessions, error, ratio, freedom in ((45, 0.05 / 15, 3.0, 10.0), (300, 0.05 / 66, 1.4, 200.0)):
        rate = (-2 * log(error) + log(1 - 2 * log(error))) / 300
        g, nu = 1 + sessions * rate, freedom * (ratio / (ratio - 1)) ** 2
        k = (sqrt(g) / error) ** (2 / (nu + 1))
        expected = sqrt(nu * (k - 1) / (1 - k / g))
        assert boundary(sessions, error, Doubt(ratio, freedom)) == pytest.approx(expected, rel=1e-12)
        # The likelihood ratio of the mixture is 1/error there: what makes it valid at all looks.
        u = expected
        likelihood = ((1 + u * u / nu) / (1 + u * u / (nu * g))) ** ((nu + 1) / 2) / sqrt(g)
        assert likelihood == pytest.approx(1 / error, rel=1e-9)


def test_while_form_varies_too_much_for_so_few_cycles_there_is_no_look() -> None:
    sessions = []
    for cycle in range(3):
        for index in range(12):
            more = 100 * (cycle - 1) + index
            sessions.append(SessionResult(cycle, index, 16, {"a": 2000 + more, "b": 2000 - more}, {}))
    seen = look(sessions, "ab", 4, Plan(12, 3), 2.0)
    assert seen == NoLook("form varies from cycle to cycle, too much to compare bots after 3 cycles")


def variances(result: Fit, a: str, b: str) -> tuple[float, float]:
    """Those of a difference: between sessions and between cycles."""
    i, j = result.bots.index(a), result.bots.index(b)
    assert result.covariance is not None
    found = [
        each[i][i] + each[j][j] - 2 * each[i][j] for each in (result.covariance, formed(result).covariance)
    ]
    return found[0], found[1]


@pytest.mark.parametrize("drift", [0.0, 8.0])
def test_verdicts_use_the_variance_that_the_documents_say(drift: float) -> None:
    result = fit(league(3, 6, drift), SIX, 4)
    form = formed(result)
    assert (form.ratio > 1.5) == (drift > 0.0)
    assert result.design is not None
    least = min(1.0, result.design.ratio * mean_square_quantile(normal_quantile(0.8), result.design.freedom))
    assert result.doubt == Doubt(form.ratio / least, form.freedom)
    for a, b in combinations(SIX, 2):
        within, between = variances(result, a, b)
        base = max(least, form.ratio) * within
        expected = base + 5 / 25 * max(0.0, between - base)
        assert result.verdict_se(a, b) == pytest.approx(sqrt(expected), rel=1e-12)
        assert result.pair_se(a, b) == pytest.approx(sqrt(within), rel=1e-12)


@pytest.mark.parametrize(("seed", "drift"), [(seed, drift) for seed in range(4) for drift in (0.0, 3.0, 9.0)])
def test_the_half_width_is_that_of_the_documents(seed: int, drift: float) -> None:
    result = fit(league(seed, 5, {SIX[0]: drift, SIX[1]: drift / 3}), SIX, 4)
    form, design = formed(result), result.design
    assert design is not None
    ratio, freedom = design.ratio, design.freedom
    switched = form.ratio > ratio * mean_square_quantile(normal_quantile(0.8), form.freedom)
    if switched:
        ratio, freedom = form.ratio, int(1 / (1 / form.freedom + 1 / 74))
    limit = mean_square_quantile(normal_quantile(1 - 0.2 / 6), 4.0)
    assert result.covariance is not None
    for i, bot in enumerate(SIX):
        base, own = ratio * result.covariance[i][i], form.covariance[i][i]
        if switched or own > base * limit:
            base += 4 / 24 * max(0.0, own - base)
        assert result.half_width(bot) == pytest.approx(t_quantile(0.975, freedom) * sqrt(base), rel=1e-12)


def test_where_bots_suit_one_another_very_differently_verdicts_come_sooner() -> None:
    rng, suits = Random(1), {}
    for line_up in combinations(SIX, 4):
        suits[line_up] = [rng.gauss(0.0, 30.0) for _ in line_up]
    sessions = [
        leagues.noisy(
            Random(f"{cycle} {index}"), (cycle, index), line_up, 16, dict(zip(line_up, suit, strict=True))
        )
        for cycle in range(6)
        for index, (line_up, suit) in enumerate(suits.items())
    ]
    result = fit(sessions, SIX, 4)
    assert result.design is not None
    assert result.design.ratio < 0.4
    for a, b in combinations(SIX, 2):
        assert (result.verdict_se(a, b) or 9.9) < 0.8 * (result.pair_se(a, b) or 0.0)


def test_form_from_cycle_to_cycle_makes_intervals_wider() -> None:
    result = fit(league(1, 6, 9.0), SIX, 4)
    alone = replace(result, form=None)
    assert alone.verdict_se(SIX[0], SIX[1]) == result.pair_se(SIX[0], SIX[1])
    assert all((result.half_width(bot) or 0.0) > 1.3 * (alone.half_width(bot) or 0.0) for bot in SIX)


def test_a_bot_whose_form_varies_is_named_with_its_deviation() -> None:
    alone = [fit(league(seed, 20, {SIX[2]: 14.0}), SIX, 4).varying for seed in range(10)]
    assert sum(list(each)[:1] == [SIX[2]] for each in alone) >= 9
    # A strength is worth 3/4 * 6/5 points of the score, and it is compared with a field of which it is 1/6.
    assert sum(each.get(SIX[2], 0.0) for each in alone) / 10 == pytest.approx(14 * 0.9 * 5 / 6, abs=2.0)
    quiet = [fit(league(seed, 8), SIX, 4).varying for seed in range(40)]
    assert sum(map(bool, quiet)) <= 3


def test_what_is_missing_counts_the_cycles_to_come() -> None:
    """With more cycles the doubt becomes less, so fewer sessions are needed than with the doubt of now."""
    seen = Measured(3.0, 1.5, 120, 0.05 / 15, Doubt(2.0, 20.0))
    more = sessions_needed(seen, 0.0)
    assert more is not None
    total = 120 + more

    def reach(sessions: int) -> float:
        doubt = Doubt(2.0, 20.0 * sessions / 120)
        return boundary(sessions, seen.error, doubt) * 1.5 * sqrt(120 / sessions)

    assert reach(total) <= 3.0 < reach(total - 1)
