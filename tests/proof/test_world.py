"""The model's truth is what its sessions tend to, and its points spread as it says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import sqrt

import numpy as np
import pytest

from arena.proof.closed import Scenario
from arena.proof.world import MOST_CYCLES, Faults, Texture, World, dice_of, whole_points
from arena.schedule import Session
from arena.score.fit import fit
from arena.score.results import SessionResult

EFFECTS = {"duels": 4.0, "passes": 4.0, "joint": 4.0}


def sessions(scenario: Scenario, cycles: int, seed: int = 1) -> tuple[World, list[SessionResult]]:
    """So many cycles of a scenario, by the arena's own schedule."""
    dice = dice_of(seed, "test")
    world, plan = scenario.table(dice), scenario.plan(f"test {seed}")
    assert isinstance(world, World)
    return world, [each for cycle in range(cycles) for each in world.play(dice, plan.cycle(cycle))]


def a_round(results: Sequence[SessionResult], bot: str) -> list[float]:
    return [each.card_points[bot] / each.rounds for each in results]


@pytest.mark.parametrize("seats", [3, 4, 5, 8])
def test_without_chance_the_scores_come_out_as_given(seats: int) -> None:
    """Whatever bots do to one another: here two seats more than at a table, and charges in every match."""
    scores = tuple(2.0 * number for number in range(seats + 2))
    texture = Texture(board=0.0, luck=0.0, faults={1: Faults(1.0, 40)}, **EFFECTS)
    world, played = sessions(Scenario(seats, scores, texture=texture), 30)
    truth, result = world.truth(range(len(scores))), fit(played, world.names, seats)
    values = list(truth.values())
    assert np.diff(values) == pytest.approx(np.diff(scores))
    assert sum(values) / len(values) == pytest.approx(250 / seats + 40 / seats / len(scores))
    for bot, known in truth.items():  # neighbours are evened out over the cycles, and points are whole
        assert result.scores[bot] == pytest.approx(known, abs=0.5)
    assert result.charge["bot01"] == pytest.approx(40 / seats)


def test_the_truth_is_that_of_the_field() -> None:
    """Who leaves takes its effects along: the rest of a field measure themselves against one another."""
    scenario = Scenario(4, (-6.0, -2.0, 0.0, 1.0, 3.0, 4.0), texture=Texture(board=0.0, luck=0.0, **EFFECTS))
    dice = dice_of(2)
    world = scenario.table(dice)
    assert isinstance(world, World)
    rest = [0, 1, 3, 4, 5]
    smaller = Scenario(4, (0.0,) * 5).plan("smaller")
    drawn = [each for cycle in range(40) for each in smaller.cycle(cycle)]
    played = world.play(dice, [Session(s.cycle, s.index, tuple(rest[i] for i in s.order)) for s in drawn])
    result, truth = fit(played, [world.names[i] for i in rest], 4), world.truth(rest)
    assert result.scores == pytest.approx(truth, abs=0.5)
    assert sum(truth.values()) / 5 == pytest.approx(62.5)


def test_chance_has_the_mean_and_the_deviation_that_it_says() -> None:
    """A session of four seats has 16 rounds on 4 boards, and what one bot takes is taken from the others."""
    plain = Texture(duels=0.0, passes=0.0)
    world, played = sessions(Scenario(4, (0.0,) * 4, texture=plain), 200)
    points = np.array([a_round(played, bot) for bot in world.names])
    expected = sqrt((18.0**2 / 4 + 38.0**2 / 16) * 3 / 4)
    assert points.std() == pytest.approx(expected, rel=0.06)
    assert points.mean(axis=1) == pytest.approx([62.5] * 4, abs=4 * expected / sqrt(200))
    assert all(sum(each.card_points.values()) == 250 * 16 for each in played)


def test_wild_luck_and_heavy_tails_widen_the_points_and_move_no_mean() -> None:
    plain = Texture(board=0.0, duels=0.0, passes=0.0)
    texture = Texture(board=0.0, duels=0.0, passes=0.0, wild={0: 3.0}, tails=(0.05, 6.0))
    world, played = sessions(Scenario(4, (0.0,) * 4, texture=texture), 200)
    points = [a_round(played, bot) for bot in world.names]
    larger = 0.95 + 0.05 * 36  # the variance of luck
    alone, others = (38.0 * 3) ** 2 * larger / 16, 38.0**2 * larger / 16
    assert np.var(points[0]) == pytest.approx((9 * alone + 3 * others) / 16, rel=0.3)
    assert np.mean(points[0]) == pytest.approx(62.5, abs=4 * np.std(points[0]) / sqrt(200))
    steady = sessions(Scenario(4, (0.0,) * 4, texture=plain), 200)[1]
    assert np.var(points[1]) > 2 * np.var(a_round(steady, "bot01"))


def test_form_moves_all_sessions_of_a_cycle_and_may_last() -> None:
    scenario = Scenario(4, (0.0,) * 5, texture=Texture(board=0.0, luck=0.0, duels=0.0, passes=0.0, form=8.0))
    world, played = sessions(scenario, 2)
    for cycle, line_up in enumerate((played[:5], played[5:])):
        own = world.form[cycle]
        for each in line_up:
            here = [world.names.index(bot) for bot in each.card_points]
            for bot, points in each.card_points.items():
                moved = own[world.names.index(bot)] - own[here].mean()
                assert points / each.rounds == pytest.approx(62.5 + moved + world.strengths.mean(), abs=0.1)
    lasting = World(dice_of(1), ["a", "b"], 4, [0.0, 0.0], Texture(form=(8.0, 0.0), lasts=4))
    assert lasting.form[:, 0].std() == pytest.approx(8.0, rel=0.25)
    assert not lasting.form[:, 1].any()
    runs = [len(list(same)) for _, same in groupby(lasting.form[:, 0].tolist())]
    assert runs == [4] * (MOST_CYCLES // 4)


def test_charges_fall_as_often_as_they_say_and_together_where_they_cluster() -> None:
    faults = {0: Faults(0.25, 40), 1: Faults(0.1, 40, clustered=0.2)}
    world, played = sessions(Scenario(4, (0.0,) * 4, texture=Texture(faults=faults)), 200)
    charges = [[each.fault_points.get(bot, 0) for each in played] for bot in world.names]
    assert np.mean(charges[0]) == pytest.approx(0.25 * 40 * 4, rel=0.2)
    assert np.mean(charges[1]) == pytest.approx(0.1 * 40 * 4, rel=0.5)
    hit = [cycle for cycle, points in enumerate(charges[1]) if points]
    assert all(world.rates[cycle, 1] == 0.5 for cycle in hit)
    assert not any(charges[2])


def test_bots_of_one_kind_are_the_same_bot() -> None:
    drawn = World(dice_of(3), ["a", "b", "c", "d"], 3, [0.0] * 4, Texture(**EFFECTS), (0, 0, 2, 3))
    for effects in (drawn.duels, drawn.passes, drawn.joint):
        assert effects[0, 2:] == pytest.approx(effects[1, 2:])
        assert effects[2:, 0] == pytest.approx(effects[2:, 1])
    assert drawn.duels == pytest.approx(-drawn.duels.T)
    drawn.give_scores([1.0, 1.0, 4.0, 6.0])
    scores = list(drawn.truth(range(4)).values())
    assert scores[0] == pytest.approx(scores[1])


def test_points_are_whole_and_none_is_below_nothing() -> None:
    found = whole_points(np.array([[10.4, 10.4, 9.2], [-3.2, 20.1, 13.1], [-5.0, -6.0, 41.0]]))
    assert found.sum(axis=1).tolist() == [30, 30, 30]
    assert found.min() == 0
    assert found[0].tolist() == [10, 11, 9]


def test_the_same_names_have_the_same_dice() -> None:
    assert dice_of(1, "a", 2).random() == dice_of(1, "a", 2).random() != dice_of(1, "a", 3).random()
