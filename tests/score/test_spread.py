"""How sure scores are: the design ratio, the variance of form and the ±, each worked out again by loops."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, permutations
from math import sqrt
from random import Random

import numpy as np
import pytest

from arena.score.fit import Fit, fit
from arena.score.quantiles import mean_square_quantile, normal_quantile, t_quantile
from arena.score.results import SessionResult
from arena.score.spread import LEAST_RATIO, Doubt, Spread, form_of
from tests.score import leagues

SIX = [f"bot{number:02}" for number in range(6)]
EVERY = list(combinations(SIX, 4))


def league(seed: int, cycles: int, form: Mapping[str, float] | float = 0.0, lasting: int = 1) -> Fit:
    """6 equal bots; the form of each is drawn anew after so many cycles. `form`: its deviation."""
    dice, sessions = Random(f"form {seed}"), []
    deviations = form if isinstance(form, Mapping) else dict.fromkeys(SIX, form)
    now: dict[str, float] = {}
    for cycle in range(cycles):
        if cycle % lasting == 0:
            now = {bot: dice.gauss(0.0, deviations.get(bot, 0.0)) for bot in SIX}
        sessions += [leagues.noisy(dice, (cycle, i), each, 16, now) for i, each in enumerate(EVERY)]
    return fit(sessions, SIX, 4)


def spread_of(result: Fit) -> Spread:
    assert result.spread is not None
    return result.spread


def suiting(influence: float) -> list[SessionResult]:
    """Sessions in which each bot takes some points more from one opponent, the same in all four cycles."""
    dice = Random(3)
    takes = {}
    for one, other in combinations(SIX, 2):
        takes[one, other] = dice.gauss(0.0, influence)
        takes[other, one] = -takes[one, other]
    sessions = []
    for index, line_up in enumerate(EVERY * 4):
        skill = {bot: sum(takes[bot, other] for other in line_up if other != bot) for bot in line_up}
        sessions.append(leagues.noisy(dice, (index // 15, index), line_up, 16, skill))
    return sessions


def by_loops(sessions: list[SessionResult], field: list[str], result: Fit) -> tuple[float, float]:
    """The variance of the effect of an opponent, by pairs of sessions, and how often the jackknife has it."""
    size, left = len(field), {}
    for session in sessions:
        expected = {
            bot: (result.fap[bot] - 62.5) / (3 * size / (4 * (size - 1))) for bot in session.card_points
        }
        for bot, points in session.card_points.items():
            left[session.key, bot] = points / 16 - 62.5 - expected[bot] + sum(expected.values()) / 4
    above = below = held = 0.0
    for bot in field:
        own = [session for session in sessions if bot in session.card_points]
        pairs = [
            (len(a.card_points.keys() & b.card_points.keys()) - 1, left[a.key, bot] * left[b.key, bot])
            for a, b in permutations(own, 2)
        ]
        mean = sum(shared for shared, _ in pairs) / len(pairs)
        above += sum((shared - mean) * product for shared, product in pairs)
        below += sum((shared - mean) ** 2 for shared, _ in pairs)
        shares = [sum(other in s.card_points for s in own) / len(own) for other in SIX if other != bot]
        held += sum(share * (1 - share) for share in shares) / len(own)
    return above / below, held


@pytest.mark.parametrize(("influence", "gone"), [(12.0, 0), (20.0, 0), (12.0, 1)])
def test_the_design_ratio_is_that_of_plain_loops(influence: float, gone: int) -> None:
    sessions, field = suiting(influence), SIX[gone:]
    result = fit(sessions, field, 4)
    spread = spread_of(result)
    variance, held = by_loops(sessions, field, result)
    total = sum((result.standard_error(bot) or 0.0) ** 2 for bot in field)
    assert LEAST_RATIO < spread.ratio < 0.9
    leverage = 2 / (3 * len(sessions))
    assert spread.ratio == pytest.approx(1.0 - leverage - variance * held / total, rel=1e-9)
    # What each met more often than others: the departed one in 3 of 5 sessions, the others equally often.
    away = (0.6 - 3 / (5 - gone)) ** 2
    assert spread.uneven.diagonal() == pytest.approx(
        [variance * (0.36 * gone + 5 * away - gone * away)] * (6 - gone), abs=1e-9
    )
    assert spread.uneven[0, 1] == pytest.approx(-variance * away, abs=1e-9)


@pytest.mark.parametrize("lasting", [1, 4])
def test_form_is_that_of_plain_loops(lasting: int) -> None:
    """Unequal cycles; moves that sum to 0 over the cycles, some of them like the one before."""
    dice, cycles, size = Random(lasting), 16, 4
    moved = np.array([[dice.gauss(0.0, 1.0) for _ in range(size)] for _ in range(cycles // lasting)])
    moved = np.repeat(moved, lasting, axis=0)
    moved -= moved.mean(axis=0)
    sessions = np.array([[6 + 3 * (c % 2) + (i == 0) * c for i in range(size)] for c in range(cycles)], float)
    inner = np.diag([0.3, 0.2, 0.4, 0.5]) - 0.02
    form = form_of(moved, sessions, inner)

    shares = [[sessions[c, i] / sessions[:, i].sum() for i in range(size)] for c in range(cycles)]
    blocks = [1.0 / sum(row[i] ** 2 for row in shares) for i in range(size)]
    raised = [[moved[c, i] * sqrt(blocks[i] / (blocks[i] - 1)) for i in range(size)] for c in range(cycles)]
    pairs = list(combinations(range(size), 2))

    def lag(by: int) -> float:
        rows = list(zip(raised, raised[by:], strict=False))
        return float(sum((x[i] - x[j]) * (y[i] - y[j]) for x, y in rows for i, j in pairs))

    mean = sum(blocks) / size
    total = sum(inner[i, i] + inner[j, j] - 2 * inner[i, j] for i, j in pairs)
    centring = np.eye(size) - 1 / size
    own = np.linalg.eigvalsh(centring @ inner @ centring)
    rank = own.sum() ** 2 / (own**2).sum()
    chance = (lag(1) / lag(0) + 1 / mean) * sqrt(mean * rank)
    most = min(4, round(mean) // 3)
    more = sum((1 - n / (most + 1)) * (lag(n) / lag(0) + 1 / mean) for n in range(1, most + 1))
    longer = max(1.0, 1.0 + 2.0 * more) if chance > normal_quantile(0.8) else 1.0
    assert form.lasts == (lasting > 1)
    assert longer > 1.5 or not form.lasts
    assert form.autocorrelation == pytest.approx(chance)
    assert form.blocks == pytest.approx(blocks)
    assert form.between == pytest.approx([longer * sum(r[i] ** 2 for r in raised) for i in range(size)])
    assert form.ratio == pytest.approx(longer * lag(0) / total)
    assert form.freedom == pytest.approx(rank * (mean - 1) / longer)
    # The move of a cycle is its share of its form less the mean of all forms, weighted by the shares.
    seen = sum(
        blocks[i] / (blocks[i] - 1) * row[i] ** 2 * sum((int(row is o) - o[i]) ** 2 for o in shares)
        for i in range(size)
        for row in shares
    )
    assert form.pooled == pytest.approx((longer * lag(0) - total) / ((size - 1) * seen))


def test_a_cycle_moves_a_score_as_far_as_its_own_mean_is_away() -> None:
    sessions, bots = leagues.complete(4, 5, 3, 4, {"bot01": 5.0})
    result = fit(sessions, bots, 3)
    alone = [fit([s for s in sessions if s.cycle == cycle], bots, 3) for cycle in range(4)]
    between = [sum((one.scores[bot] - result.scores[bot]) ** 2 for one in alone) / 12 for bot in bots]
    assert spread_of(result).form.between == pytest.approx(between, rel=1e-9)
    assert result.protected
    few = fit([s for s in sessions if s.cycle < 2], bots, 3)
    assert (few.protected, few.form_lasts, few.varying) == (False, False, {})


def by_rules(result: Fit, *bots: str) -> tuple[float, float, Doubt]:
    """The ± of a score or a difference, and the variance and doubt of verdicts, one rule after the other."""
    spread, form, rows = spread_of(result), spread_of(result).form, [result.bots.index(bot) for bot in bots]
    signs = np.array([[1.0 if i == j else -1.0 for j in rows] for i in rows])
    jackknife, uneven = (
        (part[np.ix_(rows, rows)] * signs).sum() for part in (spread.jackknife, spread.uneven)
    )
    single = [spread.jackknife[i, i] for i in rows]
    freedom = sum(single) ** 2 / sum(
        v**2 / (result.sessions[b] - 1) for v, b in zip(single, bots, strict=True)
    )
    variance, claimed, doubt = spread.ratio * jackknife + uneven, jackknife + uneven, Doubt(1.0, 0.0)
    if form.protected:
        field, own = sum(form.pooled / form.blocks[i] for i in rows), form.between[rows].sum()
        if field:
            doubt = Doubt(1.0 + field / claimed, form.freedom)
        claimed = max(claimed + field, own)
        without, varies = variance, form.ratio > mean_square_quantile(normal_quantile(0.8), form.freedom)
        if varies:
            variance, freedom = variance + field, 1 / (1 / form.freedom + 1 / freedom)
        for i in rows:
            expected = spread.jackknife[i, i] + spread.uneven[i, i] + varies * form.pooled / form.blocks[i]
            limit = mean_square_quantile(normal_quantile(1 - 0.2 / 6), form.blocks[i] - 1)
            if varies or form.between[i] > expected * limit:
                share = (form.blocks[i] - 1) / (form.blocks[i] + 19)
                variance += share * (form.between[i] - expected)
        variance = max(without, variance)
    return t_quantile(0.975, int(freedom + 1e-9)) * sqrt(variance), claimed, doubt


@pytest.mark.parametrize(("before", "share"), [("bot05@1", 0.5), ("gone@1", 1.0)])
def test_a_new_version_is_like_the_one_before_by_half(before: str, share: float) -> None:
    takes = {("bot00", "bot01"): 60.0, ("bot01", "bot00"): -60.0}
    dice, sessions = Random(3), []
    for index, line_up in enumerate(EVERY * 5):
        skill = {a: sum(takes.get((a, b), 0.0) for b in line_up) for a in line_up}
        named = {bot: bot if bot != "bot05" else before if index < 30 else "bot05@2" for bot in line_up}
        seated = {named[bot]: points for bot, points in skill.items()}
        sessions.append(leagues.noisy(dice, (index // 15, index), list(seated), 16, seated))
    field = [*SIX[:-1], "bot05@2"]
    spread = spread_of(fit(sessions, field, 4))
    variance, _ = by_loops(sessions, field, fit(sessions, field, 4))
    assert variance > 0.0
    # Each of the others has met the two versions in 0.24 and 0.36 of its sessions, where 0.6 are even.
    assert spread.uneven.diagonal()[:5] == pytest.approx([share * 2 * 0.24**2 * variance] * 5, rel=1e-9)


def changing() -> Fit:
    """One cycle, and a newcomer that has five sessions: nothing is known of form."""
    plan = [(0, each) for each in EVERY * 2] + [(0, ["new", *SIX[i % 4 : i % 4 + 3]]) for i in range(5)]
    return fit(leagues.from_plan(1, plan, 16, {}), [*SIX, "new"], 4)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("drift", [None, 0.0, 4.0, 14.0])
def test_the_interval_and_the_variance_of_verdicts_follow_their_rules(drift: float | None, seed: int) -> None:
    """Student's t with the degrees of freedom of Satterthwaite, and the form of the field and of the bot."""
    result = changing() if drift is None else league(seed, 5, {SIX[0]: drift, SIX[1]: drift / 3})
    for bot in result.bots:
        assert result.half_width(bot) == pytest.approx(by_rules(result, bot)[0])
    for two in combinations(result.bots, 2):
        width, variance, doubt = by_rules(result, *two)
        found, known = result.of_verdict(*two)
        assert (result.half_width(*two), found, known.ratio) == pytest.approx((width, variance, doubt.ratio))
        assert known.freedom == doubt.freedom
    if drift == 14.0:
        assert (result.half_width(SIX[0]) or 0.0) > 3.0 * (result.standard_error(SIX[0]) or 0.0)


def test_a_bot_whose_form_varies_is_named_with_its_deviation() -> None:
    alone = [league(seed, 20, {SIX[2]: 14.0}).varying for seed in range(6)]
    assert sum(list(each)[:1] == [SIX[2]] for each in alone) >= 5
    # A strength is worth 3/4 * 6/5 points of the score, and it is compared with a field of which it is 1/6.
    assert sum(each.get(SIX[2], 0.0) for each in alone) / 6 == pytest.approx(14 * 0.9 * 5 / 6, abs=2.5)
    assert sum(bool(league(seed, 8).varying) for seed in range(20)) <= 2


def test_form_that_lasts_is_seen_and_makes_verdicts_careful_and_steady_leagues_have_none() -> None:
    lasting = [league(seed, 24, 8.0, lasting=4) for seed in range(8)]
    brief = [league(seed, 24, 8.0) for seed in range(8)]
    assert sum(result.form_lasts for result in lasting) >= 7
    assert sum(result.form_lasts for result in brief) <= 1
    assert not any(league(seed, 24).form_lasts for seed in range(8))
    variances = [sum(r.of_verdict(*SIX[:2])[0] for r in some) for some in (lasting, brief)]
    assert variances[0] > 1.4 * variances[1]
