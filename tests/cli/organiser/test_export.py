"""`arena export`: to the terminal or a file, and the same bytes from two runs."""

from __future__ import annotations

import csv
import io
import json
import os
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import cast

import pytest

from arena.cli.exits import guarded
from arena.cli.league_files import opened
from arena.cli.organiser import export as command
from arena.cli.program import run_program
from arena.export import Format, What
from arena.score.fit import fit
from arena.score.results import SessionResult
from arena.store import read
from arena.store.scoring import scored
from tests.cli.calling import Arena
from tests.cli.leagues import change, make
from tests.pages import blocks
from tests.reports.played import League


def test_the_choices_are_those_that_there_are() -> None:
    assert tuple(What) == command._TABLES
    assert tuple(Format) == command._FORMATS


@pytest.mark.parametrize("what", What)
def test_every_table_in_every_format(arena: Arena, finished: Path, what: str) -> None:
    texts = {name.value: arena("export", finished, "--what", what, "--format", name).out for name in Format}
    rows = json.loads(texts["json"])
    assert [json.loads(line) for line in texts["jsonl"].splitlines()] == rows
    read = list(csv.DictReader(io.StringIO(texts["csv"])))
    assert [list(row) for row in read] == [list(row) for row in rows]
    assert rows


def test_standings_as_csv_are_what_there_is_by_default(arena: Arena, finished: Path) -> None:
    called = arena("export", finished)
    assert called.code == 0
    assert called.err == ""
    assert called.out == arena("export", finished, "--what", "standings", "--format", "csv").out
    assert len(called.out.splitlines()) == 6


def recipe(place: int) -> dict[str, object]:
    """What the names of a recipe of docs/export.md hold after it ran in this folder."""
    code = [block.text for block in blocks("export.md") if block.kind == "python"][place]
    told: dict[str, object] = {"__name__": "recipe"}
    exec(compile(code, "export.md", "exec"), told)
    return told


def with_a_stand_in(path: Path) -> None:
    """From the second cycle on the stand-in has the seats of one bot, as after its disqualification."""
    change(
        path,
        "CREATE TEMP TABLE one AS SELECT * FROM entry WHERE bot = 'low'",
        "UPDATE one SET bot = 'stand-in', number = 5, role = 'stand_in'",
        "INSERT INTO entry SELECT * FROM one",
        "UPDATE seat SET bot = 'stand-in' WHERE bot = 'low' "
        "AND match IN (SELECT id FROM match WHERE cycle > 0)",
    )


@pytest.mark.parametrize("replaced", [False, True], ids=["all bots play", "a stand-in"])
def test_the_recipe_for_the_course_and_for_the_score_without_a_bot(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: bool
) -> None:
    path = make(tmp_path / "spring.db", League(rounds=1, cycles=2))
    if replaced:
        with_a_stand_in(path)
    monkeypatch.chdir(tmp_path)
    arena("export", path, "--what", "matches", "--format", "jsonl", "-o", "matches.jsonl")
    told = recipe(0)
    with opened(path) as league:
        score = scored(league.database, league.season)
    moments = score.scoring.lines(score.results, 100)
    assert told["by_cycle"] == [standings.fit.scores for _, standings in moments]
    rest = [result for result in score.results if "duck" not in result.card_points]
    others = {bot for result in rest for bot in result.card_points}
    assert ("stand-in" in others) == replaced
    assert 0 < len(rest) < len(score.results)
    assert told["without_duck"] == fit(rest, others, 4).scores


def test_the_recipe_for_the_means_at_some_seats(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(stopped.parent)
    arena("export", stopped, "--what", "matches", "-o", "matches.csv")
    told = recipe(1)
    with opened(stopped) as league:
        matches = [match for match in read.matches(league.database, 1) if match.counts]
    held = [(match.rounds, seat) for match in matches for seat in match.seats if seat.seat in (0, 2)]
    assert sum(rounds for rounds, _ in held) == 8 * 4 * 2, "the ninth match is of a session under way"
    assert told["means"] == {
        bot: sum(seat.total for _, seat in held if seat.bot == bot)
        / sum(rounds for rounds, seat in held if seat.bot == bot)
        for bot in {seat.bot for _, seat in held}
    }


def test_the_recipe_for_elo_ratings(arena: Arena, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ratings of greatest likelihood: each bot wins as many rounds as they expect."""
    monkeypatch.chdir(finished.parent)
    arena("export", finished, "--what", "rounds", "-o", "rounds.csv")
    told = recipe(2)
    elo, wins = cast("dict[str, float]", told["elo"]), cast("Counter[tuple[str, str]]", told["wins"])
    assert elo["duck"] > elo["random"]
    assert sum(elo.values()) / len(elo) == pytest.approx(1500)
    assert sum(wins.values()) == 80 * 6 + 10, "six pairs of seats a round, and a draw for each pair of bots"
    for bot in elo:
        met = {other: wins[bot, other] + wins[other, bot] for other in elo if other != bot}
        expected = sum(count / (1 + 10 ** ((elo[other] - elo[bot]) / 400)) for other, count in met.items())
        assert sum(wins[bot, other] for other in met) == pytest.approx(expected)


def test_the_recipe_for_payoffs(arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(stopped.parent)
    arena("export", stopped, "--what", "sessions", "-o", "sessions.csv")
    told = recipe(3)
    payoff, bots = cast("list[list[float]]", told["payoff"]), cast("list[str]", told["bots"])
    with opened(stopped) as league:
        results = read.session_results(league.database, 1)
    assert len(bots) == 5
    for (i, one), (j, other) in product(enumerate(bots), repeat=2):
        met = [result for result in results if {one, other} <= result.card_points.keys()]
        lead = sum(_total(result, other) - _total(result, one) for result in met)
        assert payoff[i][j] == (lead / sum(result.rounds for result in met) if met else 0)


def _total(result: SessionResult, bot: str) -> int:
    return result.card_points[bot] + result.fault_points.get(bot, 0)


def test_a_file_has_the_same_bytes(arena: Arena, finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text("old")
    called = arena("export", finished, "--what", "rounds", "-o", path)
    assert (called.code, called.out) == (0, "")
    assert path.read_bytes().decode() == arena("export", finished, "--what", "rounds").out
    assert not list(tmp_path.glob("*.part"))


def test_timing_adds_columns(arena: Arena, finished: Path) -> None:
    plain = arena("export", finished, "--what", "plays").out.splitlines()
    timed = arena("export", finished, "--what", "plays", "--timing").out.splitlines()
    assert timed[0] == f"{plain[0]},time_us,extended_us"
    assert [line.rsplit(",", 2)[0] for line in timed[1:]] == plain[1:]


def test_the_league_itself_is_not_written_over(arena: Arena, finished: Path) -> None:
    before = finished.read_bytes()
    called = arena("export", finished, "-o", finished)
    assert called.code == 2
    assert "name another file" in called.err
    assert finished.read_bytes() == before


def test_a_file_that_cannot_be_written_is_named(arena: Arena, finished: Path, tmp_path: Path) -> None:
    called = arena("export", finished, "-o", tmp_path / "no" / "x.csv")
    assert called.code == 2
    assert "x.csv: cannot be written: No such file or directory" in called.err


def test_a_pipe_and_a_link_are_written_to_and_stay(arena: Arena, finished: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert arena("export", finished, "-o", pipe).code == 0
        assert os.read(end, 1 << 16) == arena("export", finished).out.encode()
    finally:
        os.close(end)
    assert pipe.is_fifo()
    table, link = tmp_path / "table.csv", tmp_path / "link.csv"
    link.symlink_to(table)
    assert arena("export", finished, "-o", link).code == 0
    assert link.is_symlink()
    assert table.read_bytes() == arena("export", finished).out.encode()


def test_a_standard_output_that_is_closed_is_said(
    finished: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Python has none then, as after `>&-`."""
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", None)
        assert guarded(lambda: run_program(["export", str(finished)])) == 2
    assert capsys.readouterr() == ("", "Error: the standard output is closed; name a file: -o FILE\n")


def test_one_match_is_a_page(arena: Arena, finished: Path, tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    assert arena("export", finished, "--what", "page", 3, "-o", page).code == 0
    text = page.read_text()
    assert "<h1>Match 3</h1>" in text
    assert text.startswith("<!doctype html>")
    assert arena("export", finished, 3, "--what", "page").out == text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--what", "page"), "which match? Give its number, for example --what page 12"),
        (("3",), "3: only --what page writes one match"),
        (("--what", "page", "3", "--format", "csv"), "--format is for tables"),
        (("--what", "page", "3", "--timing"), "--timing is for tables"),
        (("--what", "page", "999"), "match 999 does not exist: the matches of season 1 are 1 to 20"),
    ],
)
def test_a_page_that_cannot_be(arena: Arena, finished: Path, arguments: tuple[str, ...], said: str) -> None:
    called = arena("export", finished, *arguments)
    assert called.code == 2
    assert said in called.err


def test_a_match_whose_cards_may_not_be_seen_yet(arena: Arena, stopped: Path, tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    called = arena("export", stopped, "--what", "page", 9, "-o", page)
    assert (called.code, page.exists()) == (2, False)
    assert "Cards appear when every match of its session is over" in called.err
    assert "match 12 is not finished yet" in arena("export", stopped, "--what", "page", 12).err


def test_the_whole_database_is_one_file_that_verify_checks(
    arena: Arena, finished: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    made = arena("export", finished, "--what", "database", "-o", copy)
    assert (made.code, made.out, made.err) == (0, "", "")
    assert "Everything that could be checked agrees." in arena("verify", copy).out
    assert arena("standings", copy).out == arena("standings", finished).out
    for options, words in (
        ((), "name the file of the copy: -o copy.db"),
        (("-o", finished), "that is the league itself"),
        (("-o", copy, "--format", "json"), "--format is for tables; a database has no such choice"),
        (("-o", copy, "--season", "1"), "--season is for tables; a database has no such choice"),
        (("-o", tmp_path / "no" / "copy.db"), "copy.db"),
    ):
        refused = arena("export", finished, "--what", "database", *options)
        assert refused.code in (2, 4), words
        assert words in refused.err
