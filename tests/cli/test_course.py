"""`arena standings --by-cycle`: how the standing moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli.course import Course
from arena.cli.layout import width
from arena.cli.leaderboard import Board
from arena.standings import NoLook
from tests.cli.boards import score, season
from tests.cli.calling import Arena


def course(cycles: int, names: list[str] | None = None) -> Course:
    made = score(2.0, cycles)
    return Course(season(made.scoring.bots, names or ()), made)


@pytest.mark.parametrize(
    ("cycles", "shown"), [(1, [1]), (3, [1, 2, 3]), (5, [1, 2, 3, 4, 5]), (9, [1, 3, 5, 7, 9])]
)
def test_some_cycles_are_shown_always_the_first_and_the_last(cycles: int, shown: list[int]) -> None:
    head = course(cycles).text().splitlines()[0]
    assert head.split() == ["now", "bot", *(word for number in shown for word in ("cycle", str(number)))]


def test_the_last_column_is_the_standing_after_the_last_complete_cycle() -> None:
    made = course(4)
    for line, row in zip(made.text().splitlines()[1:], made.score.standings.rows, strict=False):
        assert line.split()[0] == str(row.rank)
        assert line.split()[-2:] == [f"{row.rank}:", f"{row.score:.2f}"]


def test_json_has_every_cycle() -> None:
    made = course(4)
    told = json.loads(json.dumps(made.document()))["cycles"]
    moments = list(made.score.scoring.course(made.score.results))
    assert [cycle["cycles"] for cycle in told] == [1, 2, 3, 4]
    for cycle, moment in zip(told, moments, strict=True):
        assert [row["score"] for row in cycle["standings"]] == [row.score for row in moment.standings.rows]
        assert ("reason" in cycle["verdicts"]) is isinstance(moment.look, NoLook)
    whole = Board(made.season, made.score).document()["verdicts"]
    assert told[-1]["verdicts"] == json.loads(json.dumps(whole))


def test_it_fits_the_terminal() -> None:
    text = course(9, ["鴨" * 40] * 6).text()
    assert max(map(width, text.splitlines())) <= 80


def test_a_league_in_its_first_cycle(arena: Arena, stopped: Path) -> None:
    assert arena("standings", stopped, "--by-cycle").out == "No cycle is complete yet.\n"
    assert json.loads(arena("standings", stopped, "--by-cycle", "--json").out)["cycles"] == []


def test_a_finished_league(arena: Arena, finished: Path) -> None:
    lines = arena("standings", finished, "--by-cycle").out.splitlines()
    assert lines[0].split() == ["now", "bot", "cycle", "1"]
    now, _, place, _ = lines[1].split()
    assert (now, place) == ("1", "1:")
