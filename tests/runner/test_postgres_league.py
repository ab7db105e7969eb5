"""Whole leagues whose database is on a PostgreSQL server, played, killed and read by the commands."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store import read
from tests.postgres import LOCKED, PASSWORD, Server, server
from tests.runner import whole
from tests.running import Command, Outcome, Run, assert_nothing_runs, make_league, play, processes

pytestmark = pytest.mark.slow


@pytest.fixture
def doomed() -> Iterator[Server]:
    """A server that the test may kill."""
    with server() as own:
        yield own


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.closed_league(tmp_path_factory)


def on_server(address: str) -> str:
    """The section of a league file that has its database there."""
    return f'\n[store]\nurl = "{address}"\n'


def arena(folder: Path, *words: str, env: dict[str, str] | None = None) -> Outcome:
    """Call a command in a folder."""
    return Command(folder, *words, env=env).end()


def printed(folder: Path, *words: str) -> str:
    """What a command prints that must succeed."""
    done = arena(folder, *words)
    assert done.code == 0, done.err
    return done.out


def stored(league: Path) -> int:
    """The number of finished matches; 0 as long as there is no database with tables."""
    time.sleep(0.2)
    try:
        with whole.opened(league) as database:
            return read.progress(database, 1).matches_finished if read.seasons(database) else 0
    except StoreError:
        return 0


def wait_for_more(run: Run, more: int) -> None:
    before = stored(run.league)
    run.wait_for(lambda: stored(run.league) >= before + more)


def test_a_league_on_a_server_that_is_killed_as_its_runs_are_is_the_same(
    tmp_path: Path, closed: Path, doomed: Server
) -> None:
    """And every command takes its address."""
    address, folder = doomed.database(), tmp_path / "far"
    league = whole.make_closed(folder, on_server(address))
    assert arena(folder, "status", "league.toml").code == 2
    run = Run(league, "--jobs", "2")
    wait_for_more(run, 3)
    other = whole.make_closed(tmp_path / "elsewhere", on_server(address))
    second = play(other)
    assert second.code == 2
    assert f"is being run by process {run.process.pid} on " in second.err
    run.kill()
    run = Run(league, "--jobs", "2")
    wait_for_more(run, 6)
    doomed.stop(signal.SIGQUIT)
    time.sleep(1.5)
    doomed.start()
    wait_for_more(run, 3)
    assert "is gone: trying again for 60 s" in run.said()
    said = len(run.said())
    doomed.stop(signal.SIGKILL)
    try:
        run.wait_for(lambda: "is gone: trying again" in run.said()[said:])
        run.process.send_signal(signal.SIGINT)
        stopped = run.end()
    finally:
        doomed.start()
    assert stopped.code == 130, stopped.err
    assert "stopped while the server of the database" in stopped.err
    assert "What was stored is kept" in stopped.err
    assert_nothing_runs(folder)
    assert play(league).code == 0
    assert not list(folder.glob("*.db*"))
    whole.assert_as(league, closed)
    commands_take_an_address(folder, address, closed)


def commands_take_an_address(folder: Path, address: str, file: Path) -> None:
    near = (file.parent, str(file.with_name("league.db")))
    for what in (("standings",), ("export", "--what", "plays")):
        assert printed(folder, what[0], address, *what[1:]) == printed(near[0], what[0], near[1], *what[1:])
    assert printed(folder, "replay", address, "1") == printed(near[0], "replay", near[1], "1")
    assert f"database  {address}" in printed(folder, "status", address)
    assert "session 0.1 of season 1 is void" in printed(folder, "void", address, "7", "--reason", "a test")
    assert "is ranked again" in printed(folder, "reinstate", address, "b3", "--reason", "a test")
    assert printed(folder, "report", address) == printed(folder, "report", "league.toml")
    assert "Everything that could be checked agrees" in printed(folder, "verify", address)


def test_a_password_in_the_league_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    make_league(tmp_path, more=on_server("postgresql+psycopg://ada:hidden-4711@host/spring"))
    for words in (
        ("run", "league.toml"),
        ("status", "postgresql+psycopg://ada@host/spring?password=hidden-4711"),
    ):
        done = arena(tmp_path, *words)
        assert done.code == 2
        assert "leave the password out" in done.err
        assert "hidden-4711" not in done.err + done.out


def test_the_password_gets_nowhere(tmp_path: Path, doomed: Server) -> None:
    address = doomed.database().replace("arena@", f"{LOCKED}@")
    league = make_league(tmp_path, bots=3, slow=0.002, more=on_server(address))
    refused = play(league, env={"PGPASSWORD": "a wrong one"})
    assert refused.code == 2
    assert "does not accept the password" in refused.err
    env = {"PGPASSWORD": PASSWORD}
    run = Run(league, env=env)
    run.wait_for(lambda: any("bot.py" in line for line in processes(tmp_path)))
    seen = [line.partition(":")[0] for line in processes(tmp_path) if "bot.py" in line]
    for pid in seen:
        with suppress(OSError):  # it may have ended
            assert PASSWORD not in Path(f"/proc/{pid}/environ").read_text()
    assert run.end().code == 0
    copied = arena(tmp_path, "export", "league.toml", "--what", "plays", env=env)
    assert PASSWORD not in copied.out
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
