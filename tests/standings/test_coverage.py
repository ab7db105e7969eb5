"""Seeded simulated leagues: intervals said to cover 95 % do so, and standard errors are unbiased."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from arena.standings import fit
from arena.standings.quantiles import t_quantile
from tests.standings import leagues

LEAGUES = 500
MEAN_CHARGE = 0.15 * 80 / 16  # a fault in 15 % of sessions, of 40, 80 or 120 points, over 16 rounds


def line_ups_of(shape: str, bots: list[str]) -> list[tuple[str, ...]]:
    if shape == "complete":
        return [line_up for _ in range(2) for line_up in combinations(bots, 4)]
    rng = Random(1)
    return [tuple(sorted(rng.sample(bots[:5] if i % 3 else bots, 4))) for i in range(36)]


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["complete", "uneven"])
def test_intervals_cover_as_often_as_they_say(shape: str) -> None:
    bots = [f"bot{number}" for number in range(6 if shape == "complete" else 7)]
    skill = {bot: 4.0 * number - 2.0 * (len(bots) - 1) for number, bot in enumerate(bots)}
    spread = 3 * len(bots) / (4 * (len(bots) - 1))
    plan = [(0, line_up) for line_up in line_ups_of(shape, bots)]
    single = pairs = 0
    for seed in range(LEAGUES):
        result = fit(leagues.from_plan(seed, plan, 16, skill), bots, 4)
        critical = t_quantile(0.975, len(plan) - 1)
        for bot in bots:
            truth = 62.5 + MEAN_CHARGE + spread * skill[bot]
            single += abs(result.scores[bot] - truth) <= (result.half_width(bot) or 0.0)
        for a, b in combinations(bots, 2):
            error = result.scores[a] - result.scores[b] - spread * (skill[a] - skill[b])
            pairs += abs(error) <= critical * (result.pair_se(a, b) or 0.0)
    # The standard error of these rates is at most 1 % (one per league) and about half of that.
    assert 0.93 <= single / (LEAGUES * len(bots)) <= 0.97
    assert 0.93 <= pairs / (LEAGUES * len(bots) * (len(bots) - 1) / 2) <= 0.97
