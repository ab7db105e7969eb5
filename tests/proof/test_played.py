"""Real rounds by simple policies: legal, repeatable, and as good as their names promise."""

from __future__ import annotations

import pytest

from arena.proof.played import Played
from arena.proof.policies import policy_of
from arena.proof.world import stream


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_sessions_are_whole_and_repeatable(seats: int) -> None:
    bots = ("short", "dump~20", "duck", "low", "any", "short#2", "low#2", "any~50")[:seats]
    world, order = Played(bots, seats), tuple(range(seats))
    first = world.latin(stream(1), (2, 5), order)
    assert first.key == (2, 5)
    assert first.rounds == seats * (6 if seats == 3 else seats)
    assert first == world.latin(stream(1), (2, 5), order)
    assert first != world.latin(stream(2), (2, 5), order)


def test_the_same_bot_in_every_seat_gets_the_same_points_from_latin_seats() -> None:
    world = Played(("short#1", "short#2", "short#3", "short#4"), 4)
    assert set(world.latin(stream(3), (0, 0), (3, 1, 0, 2)).card_points.values()) == {1000}


def test_better_policies_take_fewer_points() -> None:
    world = Played(("short", "duck", "low", "any"), 4)
    totals = dict.fromkeys(world.bots, 0)
    for index in range(20):
        for bot, points in world.latin(stream(4, index), (0, index), (0, 1, 2, 3)).card_points.items():
            totals[bot] += points
    assert sorted(totals, key=lambda bot: totals[bot]) == list(world.bots)


def test_a_blunder_share_makes_a_bot_worse() -> None:
    world = Played(("short", "short~60", "low", "low#2"), 4)
    sessions = [world.latin(stream(5, index), (0, index), (0, 1, 2, 3)) for index in range(15)]
    assert sum(each.card_points["short~60"] - each.card_points["short"] for each in sessions) > 0


@pytest.mark.parametrize("name", ["clever", "short~", "short~x", "~5", ""])
def test_an_unknown_policy_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected one of short, dump, duck, low, any"):
        policy_of(name)
