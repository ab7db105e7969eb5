"""`arena run` as its users meet it: what they say, and the exit code."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli.exits import LEFT_OUT
from arena.errors import ClusterUnusable
from arena.store.lock import RunLock
from tests.cli.calling import Arena, caller
from tests.running import (
    Run,
    assert_nothing_runs,
    deadly_league,
    edit,
    finished,
    make_bot,
    make_league,
    make_open_league,
    matches,
    play,
    records,
)

pytestmark = pytest.mark.slow

ADVICE = "Repair them, or let the stand-in play for them: --allow-broken"


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Arena:
    monkeypatch.setattr("arena.linux.family.become_subreaper", lambda: None)  # we have other children
    return caller(capsys)


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """Three bots: one session, six matches."""
    return make_league(tmp_path, bots=3)


def stored(league: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(league.parent / "league.db")) as database:
        return database.execute(query).fetchall()


@pytest.mark.slow
def test_a_quiet_run_says_its_last_line_only(arena: Arena, league: Path) -> None:
    called = arena("run", league, "-q")
    pages = league.parent / "league-report/index.html"
    assert (called.code, called.out, called.err) == (0, "", f"Pages: {pages}\n")
    (league.parent / "bots/b1").rename(league.parent / "bots/b7")
    called = arena("run", league, "--quiet")
    assert (called.code, called.out) == (2, "")
    assert called.err.startswith("Error: ")


@pytest.mark.parametrize(
    "words",
    [
        "--on tcp://127.0.0.1:1 --quiet",
        "--sandbox require --jobs 1 --allow-broken --fail-on-fault --follow --quiet",
    ],
)
def test_the_command_that_goes_on_has_the_same_options(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    def run_league(*given: object) -> None:
        raise ClusterUnusable("the scheduler is gone")

    (tmp_path / "a league").mkdir()
    league = make_open_league(tmp_path / "a league")
    monkeypatch.setattr("arena.runner.run.run_league", run_league)
    called = arena("run", league, *words.split(), "--new-season", "the rules")
    assert (called.code, called.out) == (2, "")
    assert called.err.endswith(f"What was played is stored. To go on: arena run '{league}' {words}\n")


def test_a_whole_league_and_then_nothing_to_do(arena: Arena, league: Path) -> None:
    first = arena("run", league)
    assert first.code == 0
    lines = first.err.splitlines()
    assert lines[0] == "Tiny, season 1: 3 bots, 3 seats, 1 cycle = 1 session, 6 matches, 18 rounds"
    assert lines[1].startswith("deals of phase 0 committed: ")
    assert lines[-2:] == [
        "everything that was asked for has been played",
        f"Pages: {league.parent / 'league-report/index.html'}",
    ]
    assert first.out.splitlines()[0].split()[:3] == ["rank", "bot", "score"]
    assert (league.parent / "league-report/matches/6.json").exists()
    assert_nothing_runs(league.parent, 0.0)

    again = arena("run", league)
    assert again.code == 0
    assert again.out == first.out
    assert "everything that was asked for has been played" in again.err
    assert "committed" not in again.err
    assert len(records(league)) == 6

    edit(league, "cycles = 1", "cycles = 2")
    more = arena("run", league, "--jobs", "1")
    assert more.code == 0
    assert "deals of phase 1 committed" in more.err
    assert len(records(league)) == 12
    assert arena("verify", league).code == 0
    phases = stored(league, "SELECT number, cycles_planned, ended_at IS NULL FROM phase ORDER BY number")
    assert phases == [(0, 1, 0), (1, 2, 0)]


@pytest.mark.slow
def test_a_league_that_could_not_be_played_does_not_end_well(tmp_path: Path) -> None:
    """Its referee is killed at each question of a bot: nobody can play with it."""
    league, env = deadly_league(tmp_path, kills=100)
    outcome = play(league, "--jobs", "1", env=env)
    assert outcome.code == LEFT_OUT == 6
    last = f"1 session left out, because matches were aborted too often: arena status {league.name}"
    assert outcome.err.splitlines()[-1] == last
    assert_nothing_runs(tmp_path)

    edit(league, "cycles = 1", "cycles = 2")
    quiet = play(league, "--jobs", "1", "--quiet", env=env)
    assert (quiet.code, quiet.err.splitlines()) == (LEFT_OUT, [last])


@pytest.mark.slow
def test_the_commitment_stands_before_the_first_match(league: Path) -> None:
    run = Run(league)
    run.wait_for_matches(1)
    said = run.said()
    commitment = stored(league, "SELECT commitment, committed_at FROM phase")[0]
    assert f"deals of phase 0 committed: {commitment[0]} (predictable" in said
    assert "/6 matches" not in said.partition("committed")[0]
    assert stored(league, "SELECT count(*) FROM phase WHERE ended_at IS NULL") == [(1,)]
    run.interrupt()
    assert run.end().code in (0, 130)
    assert stored(league, "SELECT min(started_at) >= (SELECT committed_at FROM phase) FROM match") == [(1,)]


@pytest.mark.slow
def test_a_broken_bot_is_told_of_and_mended(arena: Arena, league: Path) -> None:
    """Nothing was played, so that mending the bot needs no new season asked for."""
    program = league.parent / "bots/b1/bot.py"
    good = program.read_text()
    program.write_text("import nonsense\n")
    outcome = arena("run", league)
    assert outcome.code == 2
    assert "Error: 1 of 3 bots is not ready; no match was played." in outcome.err
    assert "b1: the process ended by itself, with exit code 1" in outcome.err
    assert "ModuleNotFoundError: No module named 'nonsense'" in outcome.err
    assert ADVICE in outcome.err
    assert matches(league) == []
    program.write_text(good)
    assert arena("run", league).code == 0
    assert finished(league) == 6


@pytest.mark.slow
def test_allow_broken_and_fail_on_fault(arena: Arena, league: Path) -> None:
    (league.parent / "bots/b1/bot.py").write_text("raise SystemExit(5)\n")
    outcome = arena("run", league, "--allow-broken", "--fail-on-fault")
    assert outcome.code == 3
    assert "not ready, the stand-in plays for them:\n  b1: " in outcome.err
    assert outcome.err.endswith("6 faults in this season (--fail-on-fault)\n")
    assert finished(league) == 6
    assert arena("run", league).code == 0
    assert arena("run", league, "--fail-on-fault").code == 3, "also when they happened in an earlier run"


@pytest.mark.slow
def test_what_is_changed_during_a_run_waits_for_the_next(arena: Arena, league: Path) -> None:
    """The author's folder while it is played; and without a sandbox a bot can write into its copy."""
    edit(league.parent / "bots/b1/bot.py", "PICK = 1", "PICK = 1\nopen('notes', 'w').close()")
    theirs = league.parent / "bots/b0/bot.py"
    line = f"PICK = 0\nopen({str(theirs)!r}, 'a').write('# mended')"
    edit(theirs, "PICK = 0", line)
    first = arena("run", league)
    assert first.code == 0
    (copy,) = [path.parent for path in league.parent.glob("league.arena/bots/*/notes")]
    said = f"the copy of b1 that this run played was changed during the run ({copy})"
    assert said in first.err.splitlines()
    assert said in [text for (text,) in stored(league, "SELECT text FROM log")]
    assert "changed meanwhile" not in first.err.replace(said, "")
    second = arena("run", league)
    assert second.code == 0, second.err
    assert stored(league, "SELECT reason FROM season WHERE number = 2") == [("B0 changed",)]


def test_a_bad_league_file(arena: Arena, league: Path) -> None:
    edit(league, "seats = 3", "seats = 9")
    outcome = arena("run", league)
    assert outcome.code == 2
    assert f"{league}:3: [league] seats: " in outcome.err
    assert arena("run", league.with_name("other.toml")).code == 2


def test_a_second_run_is_kept_out(arena: Arena, league: Path) -> None:
    with RunLock(league.parent / "league.lock"):
        outcome = arena("run", league)
    assert outcome.code == 2
    assert f"This league is being run by process {os.getpid()}" in outcome.err


def test_a_run_of_another_league_file_on_the_same_database_is_kept_out(arena: Arena, league: Path) -> None:
    aside = league.parent / "aside"
    aside.symlink_to(league.parent)
    other = league.with_name("other.toml")
    other.write_text(f'{league.read_text()}\n[store]\nurl = "sqlite:///aside/league.db"\n')
    with RunLock(league.parent / "league.lock"):
        outcome = arena("run", other)
    assert outcome.code == 2
    assert f"This league is being run by process {os.getpid()}" in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["league.lock", "league.arena", "league.db", "league-report"])
def test_what_cannot_be_written_is_named_before_anything_is_played(
    arena: Arena, league: Path, name: str
) -> None:
    """Root may write everywhere, but neither below a file nor over a folder."""
    path = league.parent / name
    if name in ("league.lock", "league.db"):
        path.mkdir()
    else:
        path.touch()
    outcome = arena("run", league)
    assert outcome.code in (2, 4)
    assert outcome.err.count("Error:") == 1
    assert name in outcome.err.partition("Error:")[2]
    if name == "league.db":
        path.rmdir()
        assert arena("run", league).code == 0


def test_names_of_bots_cannot_move_the_cursor(arena: Arena, league: Path) -> None:
    make_bot(league.parent / "bots/b2", "import sys\nsys.exit('\\x1b[2J\\x07')\n")
    outcome = arena("run", league)
    assert outcome.code == 2
    assert "\x1b[2J" not in outcome.err
    assert "stderr: \\x1b[2J\\x07" in outcome.err
