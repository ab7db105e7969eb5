"""`arena standings`: the leaderboard on the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.layout import width
from arena.cli.league_files import opened
from arena.cli.organiser.board import Board
from arena.conduct.exclusion import Ruling
from arena.match.stand_in import STAND_IN
from arena.score.columns import COLUMNS
from arena.score.table import Standings
from arena.store.scoring import scored
from arena.store.views import Role
from tests.cli.calling import Arena


@pytest.fixture
def board(finished: Path) -> Board:
    with opened(finished) as league:
        return Board(league.season, scored(league.database, league.season))


def changed(board: Board, table: Standings) -> Board:
    return replace(board, score=replace(board.score, standings=table))


def test_the_table_says_what_the_standings_say(arena: Arena, finished: Path, board: Board) -> None:
    called = arena("standings", finished)
    assert called.code == 0
    head, *lines = called.out.splitlines()
    assert head.split() == ["rank", "bot", "score", "+-", "card", "fault", "sessions"]
    names = {entry.bot: entry.name for entry in board.season.entries}
    for line, row in zip(lines, board.score.standings.rows, strict=False):
        assert row.score is not None
        assert row.fap is not None
        assert row.charge is not None
        assert line.split() == [
            str(row.rank), names[row.bot], f"{row.score:.2f}",
            "-" if row.half_width is None else f"{row.half_width:.2f}",
            f"{row.fap:.2f}", f"{row.charge:.2f}", str(row.sessions),
        ]  # fmt: skip


def test_json_has_the_full_numbers(arena: Arena, finished: Path, board: Board) -> None:
    told = json.loads(arena("standings", finished, "--json").out)
    assert told["par"] == 62.5
    assert told["provisional"] is None
    assert [row["bot"] for row in told["standings"]] == [row.bot for row in board.score.standings.rows]
    assert [row["score"] for row in told["standings"]] == [row.score for row in board.score.standings.rows]
    assert told["standings"][0]["rank"] == 1
    for row in told["standings"]:
        assert row["score"] == pytest.approx(row["card_points"] + row["fault_points"])


def test_every_output_has_every_column(arena: Arena, finished: Path, tmp_path: Path) -> None:
    """One table of columns drives all of them, so a new one appears everywhere."""
    names = [column.name for column in COLUMNS]
    assert list(json.loads(arena("standings", finished, "--json").out)["standings"][0]) == names
    assert arena("export", finished).out.splitlines()[0] == ",".join(["season", *names])
    assert arena("report", finished, "-o", tmp_path / "site").code == 0
    on_pages = (tmp_path / "site" / "data" / "standings.csv").read_text().splitlines()[0]
    assert on_pages.startswith(",".join(names))
    page = (tmp_path / "site" / "index.html").read_text()
    seen = {column.name for column in COLUMNS if column.label and not column.if_any}
    assert seen == {name for name in names if f'class="{name}" title="' in page}


def test_the_stand_in_says_for_whom_it_plays(board: Board) -> None:
    whole, entries = board.score.standings, board.season.entries
    seat = replace(whole.rows[-1], bot=STAND_IN, rank=None, house=True)
    stand_in = replace(entries[0], bot=STAND_IN, name="Stand-in", number=len(entries), role=Role.STAND_IN)
    season = replace(board.season, entries=(*entries, stand_in))
    table = replace(whole, house=(*whole.house, seat))
    board = replace(changed(board, table), season=season)
    assert "Stand-in plays" not in board.text()
    fell = [Ruling(bot, True, 1, "replaced in 3 of 3 matches") for bot in ("greedy", "low")]
    assert "Stand-in plays random cards for Greedy and Low." in out(board, *fell).text()


def test_who_excluded_a_bot_is_told_and_why(board: Board) -> None:
    whole = board.score.standings
    first, second, *others = (replace(row, rank=None) for row in whole.rows)
    rows = (*others, replace(first, disqualified=True), replace(second, disqualified=True))
    left = Ruling(first.bot, True, 1, "its author\x1b[2J asked", by_organiser=True)
    fell = Ruling(second.bot, True, 1, "replaced in 3 of 3 matches")
    board = out(changed(board, replace(whole, rows=rows)), left, fell)
    text, names = board.text(), {entry.bot: entry.name for entry in board.season.entries}
    assert f"{names[first.bot]} is excluded by the organiser from session 1.0 on: its author" in text
    assert f"{names[second.bot]} is excluded by the arena from session 1.0 on: replaced" in text
    assert "\x1b" not in text
    told = {row["bot"]: row for row in json.loads(json.dumps(board.document()))["standings"]}
    kept = ("excluded_by", "reason")
    assert [told[first.bot][key] for key in kept] == ["organiser", left.reason]
    assert [told[second.bot][key] for key in kept] == ["arena", fell.reason]
    assert [told[others[0].bot][key] for key in kept] == [None, None]


def out(board: Board, *rulings: Ruling) -> Board:
    return replace(board, score=replace(board.score, out={ruling.bot: ruling for ruling in rulings}))


def test_names_of_any_length_fit_the_terminal(board: Board) -> None:
    whole, season = board.score.standings, board.season
    entries = tuple(replace(entry, name="鴨" * 40) for entry in season.entries)
    board = replace(board, season=replace(season, entries=entries))
    big = tuple(
        replace(
            row, score=10_250.0, fap=250.0, charge=10_000.0, half_width=1_000.0, sessions=10**5, played=10**6
        )
        for row in whole.rows
    )
    for each in (whole, replace(whole, rows=big)):
        text = changed(board, each).text()
        assert max(map(width, text.splitlines())) <= 80
        assert "鴨..." in text
