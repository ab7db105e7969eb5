"""What people read in the columns of a leaderboard."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.score import verdicts
from arena.score.columns import COLUMNS, Line, for_people, groups_for_people
from arena.score.verdicts import NoLook
from tests.cli.boards import score

[SESSIONS] = [column for column in COLUMNS if column.name == "sessions"]


def board(gap: float) -> list[Line]:
    made = score(gap)
    shared = groups_for_people(made.look)
    return [
        Line(row, row.bot.title(), "entrant", True, None, None, made.look, shared[row.bot])
        for row in made.standings.rows
    ]


def test_sessions_that_do_not_count_are_told_beside_those_that_do() -> None:
    line = board(4.0)[0]
    assert SESSIONS.for_people(line) == line.standing.sessions == line.standing.played == 80
    fewer = replace(line, standing=replace(line.standing, sessions=12, played=1_200))
    assert SESSIONS.for_people(fewer) == "12 of 1,200"
    assert SESSIONS.value(fewer) == 12


def test_a_column_without_any_value_is_not_shown() -> None:
    whole = board(4.0)
    bare = [replace(line, seen=NoLook("too early"), group="") for line in whole]
    assert {column.name for column in for_people(whole)} - {column.name for column in for_people(bare)} == {
        "rank_low",
        "letters",
    }


def test_many_bots_have_numbers_of_groups_and_not_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    few = board(16.0)
    monkeypatch.setattr(verdicts, "LETTERS_UP_TO", 5)
    many = board(16.0)
    assert [line.group for line in few] == ["a", "b", "c", "d", "e", "f"]
    assert [line.group for line in many] == ["1", "2", "3", "4", "5", "6"]
    assert [line.letters for line in many] == [line.letters for line in few]
