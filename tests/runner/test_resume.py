"""Leagues that are killed, starved and interrupted: every match is there once, nothing is left running.

The two leagues of `tests.runner.whole`, each disturbed on the way in every manner that one can think of.
"""

from __future__ import annotations

import os
import resource
import signal
import time
from pathlib import Path
from random import Random

import pytest

from arena.store.views import MatchState
from tests.runner import whole
from tests.running import (
    Outcome,
    Run,
    assert_nothing_runs,
    finished,
    make_league,
    matches,
    play,
    processes,
    records,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.closed_league(tmp_path_factory)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.open_league(tmp_path_factory)


def begun(league: Path, *options: str, more: int = 2) -> Run:
    """Begin a run, and wait until it has played so many matches."""
    before = finished(league)
    run = Run(league, *options)
    run.wait_for_matches(before + more)
    return run


def killed_at_any_moment(league: Path, rng: Random) -> None:
    """In start-up, in the roll call, in matches, as fast as this machine may be."""
    for _ in range(2):
        before = finished(league)
        run = Run(league)
        time.sleep(rng.uniform(0.05, 3.0))
        run.kill()
        whole.assert_sound(league)
        assert finished(league) >= before


def killed_when_something_is_stored(league: Path, rng: Random) -> None:
    run = begun(league)
    time.sleep(rng.uniform(0.0, 0.1))
    before = records(league)
    run.kill()
    whole.assert_sound(league)
    after = records(league)
    assert {key: after[key] for key in before} == before


def made_good(league: Path) -> bool:
    """Return whether every match that was aborted has been finished since."""
    aborted = {match.slot for match in matches(league, state=MatchState.ABORTED)}
    return aborted <= {match.slot for match in matches(league, state=MatchState.FINISHED)}


def referees_are_killed(league: Path, rng: Random, run: Run) -> None:
    """Nothing that a bot started outlives them, and the run goes on."""
    for _ in range(2):
        # Else a slow machine loses the same match three times, and its session is left out.
        run.wait_for(lambda: made_good(league))
        run.wait_for(run.referees)
        os.kill(rng.choice(run.referees()), signal.SIGKILL)
        run.wait_for_matches(finished(league) + 4)
    run.wait_for(lambda: matches(league, state=MatchState.ABORTED))
    aborted = matches(league, state=MatchState.ABORTED)
    assert {match.reason.split(";")[0] for match in aborted} <= {
        f"referee {number} was killed by signal 9" for number in (0, 1)
    }


def assert_stopped(outcome: Outcome) -> None:
    assert outcome.code == 130
    assert "to resume: arena run league.toml" in outcome.err.splitlines()[-1]


def interrupted(league: Path, run: Run, number: signal.Signals) -> None:
    """What is being played is finished."""
    run.interrupt(number)
    outcome = run.end()
    assert_stopped(outcome)
    assert "stopped; running matches were finished" in outcome.err
    assert_nothing_runs(league.parent, 0.0)
    assert not matches(league, state=MatchState.BEGUN)


def interrupted_twice(league: Path) -> None:
    """Nothing is waited for."""
    run = begun(league)
    run.interrupt()
    run.wait_for(lambda: "stopping" in run.said())
    run.interrupt()
    assert_stopped(run.end())
    assert_nothing_runs(league.parent, 0.0)
    assert not matches(league, state=MatchState.BEGUN)


def its_terminal_goes_away(league: Path) -> None:
    """It stops in order, unless nohup has it go on."""
    before = finished(league)
    run = Run(league, ignored=[signal.SIGHUP])
    run.wait_for_matches(before + 1)
    run.interrupt(signal.SIGHUP)
    run.wait_for_matches(finished(league) + 4)
    interrupted(league, run, signal.SIGTERM)
    ours, theirs = os.openpty()
    before = finished(league)
    run = Run(league, errors=theirs)
    os.close(theirs)
    run.wait_for_matches(before + 1)
    os.close(ours)
    run.interrupt(signal.SIGHUP)
    run.process.wait(240)  # with a code that nobody sees
    assert_nothing_runs(league.parent, 0.0)
    assert not matches(league, state=MatchState.BEGUN)


def its_disk_is_full(league: Path) -> None:
    """What was finished stays."""
    run = begun(league)
    full = max(path.stat().st_size for path in league.parent.glob("league.db*"))  # bytes: no file can grow
    resource.prlimit(run.process.pid, resource.RLIMIT_FSIZE, (full, full))
    outcome = run.end()
    assert outcome.code == 4
    assert "Error: The database league.db: " in outcome.err
    whole.assert_sound(league)


def test_a_league_that_is_disturbed_in_every_way_is_the_same(tmp_path: Path, closed: Path) -> None:
    """However many referees play it, too: undisturbed it was one."""
    league, rng, slow = whole.make_closed(tmp_path), Random(20), tmp_path / "slow"
    slow.touch()  # else a quick machine would have played all of it before the last disturbance
    killed_at_any_moment(league, rng)
    referees_are_killed(league, rng, run := begun(league, "--jobs", "2"))
    interrupted(league, run, signal.SIGINT)
    interrupted_twice(league)
    its_terminal_goes_away(league)
    its_disk_is_full(league)
    killed_when_something_is_stored(league, rng)
    assert finished(league) < whole.MATCHES
    slow.unlink()
    run = Run(league, "--jobs", "4")
    run.wait_for(lambda: finished(league) >= whole.MATCHES)
    run.kill()
    assert play(league).code == 0
    assert any(match.attempt for match in matches(league))
    whole.assert_as(league, closed)


def test_an_open_league_that_is_killed_is_the_same(tmp_path: Path, opened: Path) -> None:
    """Before a phase is begun, in it, when it has ended, between two stages: it has the same phases."""
    rng = Random(7)

    def disturb(league: Path, step: int) -> None:
        if not whole.is_over(league, step):
            run = Run(league)
            run.wait_for(lambda: whole.has_begun(league, step))
            time.sleep(rng.uniform(0.0, 2.0))
            run.kill()
            whole.assert_sound(league)
        if not whole.is_over(league, step) and step % 2:
            run = Run(league)
            run.wait_for(lambda: whole.is_over(league, step))
            run.kill()
            whole.assert_sound(league)

    league = whole.make_open(tmp_path)
    whole.play_open(league, disturb)
    assert whole.fields(league) == whole.fields(opened)
    whole.assert_as(league, opened)


def test_stopping_at_any_moment_looks_in_order(tmp_path: Path) -> None:
    """Start-up, the roll call, the end: never a traceback, never a process left."""
    league = make_league(tmp_path, bots=3)
    bot = tmp_path / "bots/b1/bot.py"
    honest = bot.read_text()
    bot.write_text("import time; time.sleep(60)")
    run = Run(league)
    run.wait_for(lambda: any("bot.py" in line for line in processes(tmp_path)))
    run.interrupt()
    assert_stopped(run.end(50))
    assert_nothing_runs(tmp_path, 0.0)
    assert matches(league) == []
    bot.write_text(honest)
    rng = Random(22)
    for number in (signal.SIGINT, signal.SIGTERM):
        run = Run(league)
        run.wait_for(run.heeds_signals)
        time.sleep(rng.uniform(0.0, 1.5))
        if run.process.poll() is None:
            run.interrupt(number)
        assert run.end().code in (0, 130)
        assert_nothing_runs(tmp_path, 0.0)


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
