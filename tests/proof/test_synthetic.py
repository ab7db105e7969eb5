"""The model's truth is what its sessions tend to, and a season of it is full of points."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from arena.proof.synthetic import Synthetic, Texture, duels_between, passes_between
from arena.proof.world import Faults, stream
from arena.standings import fit

STILL = Texture(hand=0.0, board=0.0, luck=0.0, dealing=())


def field(seats: int, scores: list[float], texture: Texture, faults: dict[int, Faults]) -> Synthetic:
    dice, kinds = stream(3, seats), range(len(scores))
    duels = duels_between(dice, kinds, 2.0)
    passes = passes_between(dice, kinds, 2.0 if len(scores) == seats else 0.0)
    return Synthetic(seats, scores, duels, passes, faults=faults, texture=texture)


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_without_chance_a_complete_cycle_shows_the_truth(seats: int) -> None:
    scores = [-9.0, -6.0, -2.0, 0.0, 5.0, 5.0, 7.0]
    world = field(seats, scores, STILL, {1: Faults(1.0, 40)})
    dice, line_ups = stream(1), combinations(range(7), seats)
    assert not any(map(any, world.passes))  # one order of a line-up does not balance neighbours
    sessions = [world.latin(dice, (0, index), order) for index, order in enumerate(line_ups)]
    result = fit(sessions, world.bots, seats)
    for bot, truth in world.truth.items():  # sessions hold whole points, rounded over 16 rounds and more
        assert result.scores[bot] == pytest.approx(truth, abs=0.06)
    assert result.charge["bot01"] == pytest.approx(40 / seats)
    assert world.truth["bot01"] - world.truth["bot00"] == pytest.approx(3.0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_over_all_seat_orders_passes_cancel(seats: int) -> None:
    world = field(seats, [2.0 * number - seats + 1 for number in range(seats)], STILL, {})
    assert any(map(any, world.passes))
    dice, orders = stream(1), permutations(range(seats))
    sessions = [world.latin(dice, (0, index), order) for index, order in enumerate(orders)]
    result = fit(sessions, world.bots, seats)
    for bot, truth in world.truth.items():
        assert result.scores[bot] == pytest.approx(truth, abs=0.06)


def test_chance_has_no_favourites() -> None:
    world = field(4, [0.0] * 4, Texture(), {2: Faults(0.25, 40)})
    dice = stream(2)
    sessions = [world.latin(dice, (cycle, 0), (0, 1, 2, 3)) for cycle in range(600)]
    result = fit(sessions, world.bots, 4)
    for bot in world.bots:
        assert abs(result.scores[bot] - world.truth[bot]) < 4 * (result.standard_error(bot) or 0.0)


def test_dealing_and_hands_cancel_in_latin_seats() -> None:
    world = field(4, [0.0] * 4, Texture(hand=50.0, board=0.0, luck=0.0), {})
    dice = stream(4)
    latin = [world.latin(dice, (0, 0), (0, 1, 2, 3)).card_points["bot00"] for _ in range(20)]
    assert set(latin) == {1000}


def test_what_bots_do_to_each_other_changes_nobodys_score() -> None:
    kinds = (0, 1, 2, 2, 4)
    duels, passes = duels_between(stream(5), kinds, 3.0), passes_between(stream(6), kinds, 3.0)
    for i in range(5):
        assert sum(duels[i]) == pytest.approx(0.0)
        assert [duels[j][i] for j in range(5)] == pytest.approx([-value for value in duels[i]])
        assert sum(passes[i]) == pytest.approx(sum(row[i] for row in passes))
    assert duels[2] == pytest.approx(duels[3])
    assert duels[2][3] == passes[2][3] == passes[3][2] == pytest.approx(0.0)
    assert max(map(abs, duels[0])) > 0.5


def test_points_below_nothing_are_taken_from_whoever_has_most() -> None:
    world = field(3, [-60.0, -60.0, -60.0, 180.0], STILL, {})
    result = world.latin(stream(7), (0, 0), (0, 1, 3))
    assert min(result.card_points.values()) == 0
    assert sum(result.card_points.values()) == 250 * result.rounds
