"""What is meant by `--without` and `--only-seats`, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.exploring import board_without, seats_from
from arena.errors import UsageError
from tests.cli.boards import score, season
from tests.cli.calling import Arena


@pytest.mark.parametrize("given", ["bot02", "Bot02", "BOT02", "The Third"])
def test_a_bot_is_found_by_id_or_name(given: str) -> None:
    made = score(16.0)
    names = ["One", "Two", "The Third" if "Third" in given else "Bot02", "Four", "Five", "Six"]
    board = board_without(season(made.scoring.bots, names), made, given)
    assert board.without == "bot02"
    assert {row.bot for row in board.score.standings.rows} == set(made.scoring.bots) - {"bot02"}
    assert {row.sessions for row in board.score.standings.rows} == {32}


def test_an_unknown_bot_is_refused_with_the_nearest() -> None:
    made = score(16.0)
    view = season(made.scoring.bots)
    with pytest.raises(UsageError, match="no such bot; did you mean bot02"):
        board_without(view, made, "bot2")
    with pytest.raises(UsageError, match="its bots are bot00, bot01"):
        board_without(view, made, "xyz")


def test_too_little_is_refused(arena: Arena, finished: Path) -> None:
    called = arena("standings", finished, "--without", "duck")
    assert (called.code, called.out) == (2, "")
    assert "--without duck: 1 complete sessions are left without duck; 30 are needed" in called.err


@pytest.mark.parametrize("given", ["4", "-1", "", "0,", "a", "²", "0;1"])
def test_what_is_no_seat_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="expected seats from 0 to 3"):
        seats_from(given, 4)
