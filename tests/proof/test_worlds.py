"""The worlds with trouble: what each of them does to the bots."""

from __future__ import annotations

from itertools import groupby
from random import Random
from statistics import pstdev, variance

from arena.proof.scenario import League, Scenario
from arena.proof.synthetic import form_of


def test_form_is_drawn_anew_for_each_cycle_or_lasts() -> None:
    drawn = form_of(Random(1), (8.0, 0.0), 400, 1)
    assert abs(pstdev([own for own, _ in drawn]) - 8.0) < 0.8
    assert {other for _, other in drawn} == {0.0}
    lasting = form_of(Random(1), (8.0,), 10, 4)
    assert [len(list(same)) for _, same in groupby(lasting)] == [4, 4, 2]


def points(scenario: Scenario, cycles: int) -> list[list[float]]:
    """The points a round of the first bot, by cycle."""
    league = League(scenario, 3, 0)
    world = league.world()
    return [
        [session.card_points[world.bots[0]] / session.rounds for session in sessions]
        for sessions in league.sessions(world, league.plan(cycles))
    ]


def test_form_moves_all_sessions_of_a_cycle() -> None:
    plain = Scenario("plain", "4 equal bots", 4, (0.0,) * 4, duels=0.0, passes=0.0)
    moody = Scenario("plain", "the same, moody", 4, (0.0,) * 4, duels=0.0, passes=0.0, drift=(20.0,))
    before, now = (points(each, 40) for each in (plain, moody))
    moved = [b - a for (a,), (b,) in zip(before, now, strict=True)]
    assert abs(pstdev(moved) - 20.0 * 3 / 4) < 4.0


def test_heavy_tails_are_larger_luck_now_and_then() -> None:
    plain = Scenario("luck", "4 equal bots", 4, (0.0,) * 4, duels=0.0, passes=0.0)
    heavy = Scenario("luck", "the same", 4, (0.0,) * 4, duels=0.0, passes=0.0, tails=(0.05, 8.0))
    before, now = ([own for cycle in points(each, 200) for own in cycle] for each in (plain, heavy))
    assert variance(now) > 1.8 * variance(before)
    assert abs(sum(now) / 200 - 62.5) < 4.0
