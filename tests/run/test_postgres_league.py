"""Whole leagues whose database is on a PostgreSQL server, played, killed and read by the commands."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.postgres import LOCKED, PASSWORD, Server, postgres, server
from tests.running import Outcome, Run, assert_nothing_runs, make_league, matches, play, processes

__all__ = ["postgres"]

SLOW = 0.003
"""Seconds a play, where a league must go on for a while."""


@pytest.fixture
def doomed() -> Iterator[Server]:
    """A server that the test may kill."""
    with server() as own:
        yield own


def on_server(folder: Path, address: str, *, cycles: int = 1, slow: float = 0.0) -> Path:
    """The tiny league, with its database on a server."""
    folder.mkdir(exist_ok=True)
    return make_league(folder, cycles=cycles, slow=slow, more=f'\n[store]\nurl = "{address}"\n')


def arena(folder: Path, *words: str, env: dict[str, str] | None = None) -> Outcome:
    """Call a command in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "arena", *words], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, **(env or {})},
    )  # fmt: skip
    return Outcome(done.returncode, done.stdout, done.stderr)


def printed(folder: Path, *words: str) -> str:
    """What a command prints that must succeed."""
    done = arena(folder, *words)
    assert done.code == 0, done.err
    return done.out


def exports(folder: Path, league: str = "league.toml") -> list[str]:
    return [printed(folder, "export", league, "--what", what) for what in ("plays", "sessions", "standings")]


def stored(folder: Path) -> int:
    said = arena(folder, "status", "league.toml", "--json")
    return int(json.loads(said.out)["progress"]["matches_finished"]) if said.code == 0 else 0


@pytest.mark.slow
def test_a_league_gives_the_same_results_as_in_a_file_and_every_command_takes_its_address(
    tmp_path: Path, postgres: Server
) -> None:
    address, file, far = postgres.database(), tmp_path / "file", tmp_path / "far"
    file.mkdir()
    assert play(make_league(file)).code == 0
    league = on_server(far, address)
    assert arena(far, "status", "league.toml").code == 2
    assert play(league).code == 0
    assert not list(far.glob("*.db*"))
    assert exports(far) == exports(file) == exports(far, address)
    assert printed(far, "standings", address) == printed(file, "standings", "tiny.db")
    assert f"database  {address}" in printed(far, "status", address)
    assert "Everything that could be checked agrees" in printed(far, "verify", "league.toml")
    assert printed(far, "report", address) == printed(far, "report", "league.toml")
    printed(far, "archive", address, "-o", "by-address.tar.gz")
    printed(far, "archive", "league.toml", "-o", "by-file.tar.gz")
    for name in ("by-address", "by-file"):
        (far / name).mkdir()
        shutil.unpack_archive(far / f"{name}.tar.gz", far / name, filter="data")
    one, two = ((far / name / "tiny" / "tiny.db").read_bytes() for name in ("by-address", "by-file"))
    assert one == two
    assert "agrees" in printed(far, "verify", "by-address.tar.gz")
    assert printed(far, "replay", address, "1") == printed(file, "replay", "tiny.db", "1")
    number = next(one.number for one in matches(file / "league.toml") if "b0" in {s.bot for s in one.seats})
    review = ("b0", "--match", str(number), "--worlds", "4", "--jobs", "1", "--json")
    assert printed(far, "review", address, *review) == printed(file, "review", "tiny.db", *review)
    assert "decisions of b0 is removed" in arena(far, "review", address, "b0", "--forget").err
    assert "session 0.1 of season 1 is void" in printed(far, "void", address, "0.1", "--reason", "a test")
    assert "excluded" in printed(far, "exclude", address, "b1", "--reason", "a test")
    assert "is ranked again" in printed(far, "reinstate", address, "b1", "--reason", "a test")
    printed(far, "report", address)
    assert "Everything that could be checked agrees" in printed(far, "verify", address)


@pytest.mark.slow
def test_a_killed_run_is_resumed_and_a_second_one_is_refused(tmp_path: Path, postgres: Server) -> None:
    calm, folder = tmp_path / "calm", tmp_path / "killed"
    calm.mkdir()
    assert play(make_league(calm, cycles=2, slow=SLOW)).code == 0
    league = on_server(folder, postgres.database(), cycles=2, slow=SLOW)
    run = Run(league)
    run.wait_for(lambda: stored(folder) >= 4)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    other = make_league(elsewhere, cycles=2, more=f"\n[store]{league.read_text().partition('[store]')[2]}")
    second = play(other)
    assert second.code == 2
    assert f"is being run by process {run.process.pid} on " in second.err
    run.process.kill()
    run.kill()
    assert play(league).code == 0
    assert exports(folder) == exports(calm)


@pytest.mark.slow
def test_a_server_that_is_killed_twice_costs_nothing(tmp_path: Path, doomed: Server) -> None:
    calm, folder = tmp_path / "calm", tmp_path / "shaken"
    calm.mkdir()
    assert play(make_league(calm, cycles=2, slow=SLOW)).code == 0
    run = Run(on_server(folder, doomed.database(), cycles=2, slow=SLOW))
    for least, how in ((3, signal.SIGQUIT), (15, signal.SIGKILL)):
        run.wait_for(lambda least=least: stored(folder) >= least)  # type: ignore[misc]
        doomed.stop(how)
        time.sleep(1.5)
        doomed.start()
    ended = run.end()
    assert ended.code == 0, ended.err
    assert "is gone: trying again for 60 s" in ended.err
    assert exports(folder) == exports(calm)
    assert "Everything that could be checked agrees" in printed(folder, "verify", "league.toml")


@pytest.mark.slow
@pytest.mark.slow
def test_ctrl_c_is_heard_while_the_server_is_gone(tmp_path: Path, doomed: Server) -> None:
    league = on_server(tmp_path, doomed.database(), slow=SLOW)
    run = Run(league)
    run.wait_for(lambda: stored(tmp_path) >= 3)
    doomed.stop(signal.SIGKILL)
    try:
        run.wait_for(lambda: "is gone: trying again" in run.said())
        run.process.send_signal(signal.SIGINT)
        ended = run.end()
    finally:
        doomed.start()
    assert ended.code == 130, ended.err
    assert "stopped while the server of the database" in ended.err
    assert "What was stored is kept" in ended.err
    assert "Traceback" not in ended.err
    assert_nothing_runs(tmp_path)
    assert play(league).code == 0


@pytest.mark.slow
def test_a_password_in_the_league_file_is_refused_and_not_repeated(tmp_path: Path) -> None:
    on_server(tmp_path, "postgresql+psycopg://ada:hidden-4711@host/spring")
    for words in (
        ("run", "league.toml"),
        ("status", "postgresql+psycopg://ada:hidden-4711@host/spring"),
        ("status", "postgresql+psycopg://ada@host/spring?password=hidden-4711"),
    ):
        done = arena(tmp_path, *words)
        assert done.code == 2
        assert "leave the password out" in done.err
        assert "hidden-4711" not in done.err + done.out


@pytest.mark.slow
def test_the_password_gets_nowhere(tmp_path: Path, postgres: Server) -> None:
    address = postgres.database().replace("arena@", f"{LOCKED}@")
    league = on_server(tmp_path, address)
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
    assert arena(tmp_path, "archive", "league.toml", "-o", "all.tar", env=env).code == 0
    copied = arena(tmp_path, "export", "league.toml", "--what", "plays", env=env)
    assert PASSWORD not in copied.out
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert PASSWORD.encode() not in path.read_bytes(), path
