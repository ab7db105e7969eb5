"""Leagues that are killed, starved and interrupted: every match is there once, nothing is left running."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.cli.exits import LEFT_OUT
from arena.deals import MatchKey
from arena.export import Cell, Export, What, table_rows
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.views import MatchState
from tests.running import (
    Outcome,
    Run,
    assert_nothing_runs,
    deadly_league,
    finished,
    make_league,
    matches,
    play,
    processes,
    records,
)
from tests.shared import once

KILLS = 16
"""Of each of two leagues."""
MATCHES = 24
"""4 line-ups of 3 bots, 6 seat orders each."""


SLOW = 0.001
"""Seconds a play: a match takes long enough to be killed."""
TO_STOP = 0.002
"""The same where a league of few matches must not be over on any machine before it is stopped."""


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of one cycle, played without a break."""

    def make(folder: Path) -> None:
        assert play(make_league(folder, slow=SLOW)).code == 0

    return once(tmp_path_factory, "undisturbed", make) / "league.toml"


@pytest.fixture(scope="session")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with two cycles of one session each: 12 matches."""

    def make(folder: Path) -> None:
        assert play(make_league(folder, bots=3, cycles=2)).code == 0

    return once(tmp_path_factory, "short", make) / "league.toml"


def assert_as_undisturbed(league: Path, undisturbed: Path) -> None:
    """Every match once, and the same matches: a match that is played again is the same match."""
    expected, found = records(undisturbed), records(league)
    assert {replace(key, attempt=0): record for key, record in found.items()} == expected
    for what in What:
        assert exported(league, what) == exported(undisturbed, what)
    states = {MatchKey(*match.slot, match.attempt): match.state for match in matches(league)}
    for key in found:
        earlier = {states[replace(key, attempt=number)] for number in range(key.attempt)}
        assert earlier <= {MatchState.INTERRUPTED, MatchState.ABORTED}
    assert MatchState.BEGUN not in states.values()


def exported(league: Path, what: What) -> list[tuple[Cell, ...]]:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        season = reader.current_season()
        assert season is not None
        return list(table_rows(reader, Export(season, what)))


def kill_again_and_again(league: Path, seed: int) -> None:
    """Kill it at moments of its start-up and of its matches, and when it ends; look after each kill."""
    rng = Random(seed)
    for kill in range(KILLS):
        before = finished(league)
        run = Run(league)
        if kill % 3:  # some moment of start-up or of the first matches, as fast as this machine may be
            time.sleep(rng.uniform(0.05, 1.2))
        else:  # about when something is stored, at last the end
            run.wait_for_matches(MATCHES if kill == KILLS - 1 else min(before + 1, MATCHES))
            time.sleep(rng.uniform(0.0, 0.1))
        run.kill()
        assert_nothing_runs(league.parent)
        assert finished(league) >= before
        assert_sound(league)


def assert_sound(league: Path) -> None:
    """SQLite finds no fault with the database, if there is one yet."""
    for path in league.parent.glob("*.db"):
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.slow
def test_runs_that_are_killed_again_and_again(tmp_path: Path, undisturbed: Path) -> None:
    """Fifty kills in two leagues side by side, for a kill takes about a second."""
    leagues = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        leagues.append(make_league(tmp_path / name, slow=SLOW))
    with ThreadPoolExecutor() as pool:
        list(pool.map(kill_again_and_again, leagues, (20, 21)))
    for league in leagues:
        assert play(league).code == 0
        assert any(match.attempt for match in matches(league))
        assert_as_undisturbed(league, undisturbed)
        assert_sound(league)


def made_good(league: Path) -> bool:
    """Return whether every match that was aborted has been finished since."""
    aborted = {match.slot for match in matches(league, state=MatchState.ABORTED)}
    return aborted <= {match.slot for match in matches(league, state=MatchState.FINISHED)}


@pytest.mark.slow
def test_referees_that_are_killed_again_and_again(tmp_path: Path, undisturbed: Path) -> None:
    """More often than a league would bear if each of them had been lost for the same match."""
    league = make_league(tmp_path, slow=SLOW)
    rng = Random(21)
    run = Run(league)
    for kill in range(6):
        run.wait_for_matches(3 * kill + 1)
        # Else a slow machine loses the same match three times, and its session is left out.
        run.wait_for(lambda: made_good(league))
        run.wait_for(run.referees)
        os.kill(rng.choice(run.referees()), signal.SIGKILL)
        time.sleep(rng.uniform(0.0, 0.3))
    assert run.end().code == 0
    assert_nothing_runs(tmp_path)
    aborted = matches(league, state=MatchState.ABORTED)
    assert aborted
    assert {match.reason.split(";")[0] for match in aborted} <= {
        f"referee {number} was killed by signal 9" for number in (0, 1)
    }
    assert_as_undisturbed(league, undisturbed)


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path, short: Path) -> None:
    league = make_league(tmp_path, bots=3, slow=TO_STOP, cycles=2)
    run = Run(league)
    run.wait_for_matches(1)
    run.kill()
    assert_nothing_runs(tmp_path)
    before = records(league)
    assert before
    assert play(league).code == 0
    after = records(league)
    assert {key: after[key] for key in before} == before
    assert_as_undisturbed(league, short)
    assert_sound(league)


def assert_stopped(outcome: Outcome) -> None:
    assert outcome.code == 130
    assert outcome.err.endswith("to resume: arena run league.toml\n")


@pytest.mark.slow
def test_ctrl_c_loses_nothing(tmp_path: Path, short: Path) -> None:
    league = make_league(tmp_path, bots=3, slow=TO_STOP, cycles=2)
    for number in (signal.SIGINT, signal.SIGTERM):
        run = Run(league)
        before = finished(league)
        run.wait_for_matches(before + 1)
        run.interrupt(number)
        outcome = run.end()
        assert_stopped(outcome)
        assert "stopped; running matches were finished" in outcome.err
        assert_nothing_runs(tmp_path, 0.0)
        assert {match.state for match in matches(league)} == {MatchState.FINISHED}
    assert play(league).code == 0
    assert records(league) == records(short)


@pytest.mark.slow
def test_ctrl_c_twice_stops_at_once(tmp_path: Path, short: Path) -> None:
    league = make_league(tmp_path, bots=3, slow=TO_STOP, cycles=2)
    run = Run(league)
    run.wait_for_matches(3)
    run.interrupt()
    run.wait_for(lambda: "stopping" in run.said())
    run.interrupt()
    assert_stopped(run.end())
    assert_nothing_runs(tmp_path, 0.0)
    assert finished(league) > 2
    assert not matches(league, state=MatchState.BEGUN)
    assert play(league).code == 0
    assert_as_undisturbed(league, short)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_during_the_roll_call(tmp_path: Path, number: signal.Signals) -> None:
    league = make_league(tmp_path, bots=3)
    (tmp_path / "bots/b1/bot.py").write_text("import time; time.sleep(60)")
    run = Run(league)
    run.wait_for(lambda: any("bot.py" in line for line in processes(tmp_path)))
    run.interrupt(number)
    assert_stopped(run.end(50))
    assert_nothing_runs(tmp_path, 0.0)
    assert matches(league) == []


@pytest.mark.slow
def test_stopping_at_any_moment_looks_in_order(tmp_path: Path) -> None:
    """Start-up, the roll call, the end: never a traceback, never a process left."""
    league = make_league(tmp_path, bots=3)
    rng = Random(22)
    for number in (signal.SIGINT, signal.SIGTERM) * 2:
        run = Run(league)
        run.wait_for(run.heeds_signals)
        time.sleep(rng.uniform(0.0, 1.5))
        if run.process.poll() is None:
            run.interrupt(number)
        assert run.end().code in (0, 130, -signal.SIGINT)  # Python's own end, when it was importing
        assert_nothing_runs(tmp_path, 0.0)


@pytest.mark.slow
def test_nohup_is_respected(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3, slow=TO_STOP)
    run = Run(league, before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    run.wait_for_matches(1)
    run.interrupt(signal.SIGHUP)
    assert run.end().code == 0
    assert finished(league) == 6


@pytest.mark.slow
def test_a_terminal_that_goes_away_stops_in_order(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3, slow=TO_STOP)
    ours, theirs = os.openpty()
    run = Run(league, errors=theirs)
    os.close(theirs)
    run.wait_for_matches(1)
    os.close(ours)
    run.interrupt(signal.SIGHUP)
    run.process.wait(90)  # with a code that nobody sees
    assert_nothing_runs(tmp_path, 0.0)
    assert {match.state for match in matches(league)} == {MatchState.FINISHED}


@pytest.mark.slow
def test_a_lost_referee_costs_an_attempt(tmp_path: Path) -> None:
    league, env = deadly_league(tmp_path, kills=1)
    outcome = play(league, "--jobs", "1", env=env)
    assert outcome.code == 0
    assert "a match was aborted; no bot caused it (cycle 0, session 0, seat order 0)" in outcome.err
    assert sorted(key.attempt for key in records(league)) == [0] * 5 + [1]


@pytest.mark.slow
def test_nothing_that_a_bot_started_outlives_a_lost_referee(tmp_path: Path) -> None:
    helper = """
    global helper
    if "helper" not in globals():
        import subprocess
        helper = subprocess.Popen(["sleep", "60"], stdin=-3, stdout=-3, stderr=-3)
"""
    league = make_league(tmp_path, bots=3, slow=TO_STOP, trick=helper)
    run = Run(league, "--jobs", "1")
    run.wait_for_matches(1)
    os.kill(run.referees()[0], signal.SIGKILL)
    assert run.end().code == 0
    assert_nothing_runs(tmp_path)


@pytest.mark.slow
def test_a_match_that_is_lost_three_times_leaves_its_session_out(tmp_path: Path) -> None:
    league, env = deadly_league(tmp_path, kills=3, cycles=2)
    outcome = play(league, "--jobs", "1", env=env)
    assert outcome.code == LEFT_OUT
    assert "cycle 0, session 0 is left out: seat order 0 was aborted too often" in outcome.err
    assert {key.cycle for key in records(league)} == {1}


@pytest.mark.slow
def test_referees_that_are_always_lost_end_the_league_not_the_sessions(tmp_path: Path) -> None:
    league, env = deadly_league(tmp_path, kills=100, cycles=2)
    outcome = play(league, "--jobs", "1", env=env)
    assert outcome.code == 4
    assert "one session after another cannot be played" in outcome.err
    assert "Error: " in outcome.err


@pytest.mark.slow
def test_a_referee_that_cannot_start(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3)
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\n"
        "if 'referee' in sys.orig_argv:\n"
        "    os.write(2, b'no referees today\\n')\n"
        "    os._exit(7)\n"
    )
    outcome = play(league, env={"PYTHONPATH": str(tmp_path)})
    assert outcome.code == 4
    assert outcome.err.count("Error:") == 1
    assert "referee 0 ended with exit code 7 before it played anything; see" in outcome.err
    assert "no referees today" in outcome.err
    assert matches(league) == []


@pytest.mark.slow
def test_the_number_of_referees_changes_no_result(tmp_path: Path, short: Path) -> None:
    league = make_league(tmp_path, bots=3, cycles=2)
    assert play(league, "--jobs", "1").code == 0
    assert records(league) == records(short)


@pytest.mark.slow
def test_a_full_disk(tmp_path: Path, undisturbed: Path) -> None:
    """What was finished stays; with space again the league goes on."""
    league = make_league(tmp_path, slow=SLOW)
    run = Run(league)
    run.wait_for_matches(1)
    full = max(path.stat().st_size for path in tmp_path.glob("tiny.db*"))  # bytes: no file can grow
    resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, (full, full))
    outcome = run.end()
    assert outcome.code == 4
    assert "Error: The database tiny.db: " in outcome.err
    assert_nothing_runs(tmp_path, 0.0)
    assert 0 < finished(league) < MATCHES
    before = records(league)
    assert play(league).code == 0
    after = records(league)
    assert {key: after[key] for key in before} == before
    assert_as_undisturbed(league, undisturbed)
