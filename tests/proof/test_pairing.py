"""The study of pairing compares three ways to play the same candidates."""

from __future__ import annotations

from arena.proof.pairing import Pairing
from arena.proof.scenario import Scenario
from arena.proof.study import run_studies

PLAYED = Scenario("pair", "a bot twice", 3, policies=("short~9#1", "short~9#2", "low", "duck"), twins=(0, 1))


def test_the_same_boards_tell_more_than_others() -> None:
    (found,) = run_studies([Pairing(PLAYED, 40)], seed=1, jobs=1, league_over=lambda _: None)
    boards, seats = found.figures
    assert (boards.key, seats.key) == ("pairing.pair.boards", "pairing.pair.seats")
    assert boards.value > 1.5
    assert seats.value > 1.5
    assert found.holds
