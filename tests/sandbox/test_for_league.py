"""How a whole league deals with the sandbox: where it works, and where there is none."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import assert_nothing_runs, make_league, play
from tests.sandbox.start import strongest
from tests.sandbox.starting import needs_sandbox, weak_bubblewrap


@pytest.fixture
def without(tmp_path: Path) -> dict[str, str]:
    """An environment in which there is no bubblewrap."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "setpriv"):
        (tools / name).symlink_to(f"/usr/bin/{name}")
    return {"PATH": str(tools)}


def levels(league: Path) -> set[str]:
    with closing(sqlite3.connect(league.parent / "league.db")) as database:
        return {row[0] for row in database.execute("SELECT DISTINCT sandbox FROM match")}


def _one_cycle(folder: Path, sandbox: str) -> Path:
    return make_league(folder, bots=3, sandbox=sandbox)


@pytest.mark.slow
def test_a_league_is_played_in_the_sandbox(tmp_path: Path) -> None:
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    league = _one_cycle(tmp_path, "require")
    ran = play(league)
    assert ran.code == 0, ran.err
    assert levels(league) == {strongest()}
    assert "WITHOUT A SANDBOX" not in ran.err
    assert_nothing_runs(tmp_path)


@pytest.mark.slow
def test_a_weaker_level_is_played_with_a_warning(tmp_path: Path, without: dict[str, str]) -> None:
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    weak_bubblewrap(tmp_path / "tools" / "bwrap")
    league = _one_cycle(tmp_path, "require")
    ran = play(league, env=without)
    assert ran.code == 0, ran.err
    assert levels(league) == {"bubblewrap"}
    assert (
        "WARNING: bots that work together can signal to each other: sandbox at level bubblewrap." in ran.err
    )
    assert _logged(league) == [("warning", "sandbox")]
    assert "can signal to each other" in (tmp_path / "league-report" / "health.html").read_text()


@pytest.mark.slow
def test_required_and_not_to_be_had(tmp_path: Path, without: dict[str, str]) -> None:
    """The option goes before the file."""
    league = _one_cycle(tmp_path, "off")
    ran = play(league, "--sandbox", "require", env=without)
    assert ran.code == 2
    assert "A sandbox is required, but does not work here; no match was played." in ran.err
    assert "why:  bubblewrap is not installed" in ran.err
    assert "cure: install it: apt install bubblewrap" in ran.err
    assert list(tmp_path.glob("league.[!t]*")) == [], "no season was opened"


@pytest.mark.slow
def test_without_one_a_league_is_played_with_a_warning(tmp_path: Path, without: dict[str, str]) -> None:
    league = _one_cycle(tmp_path, "auto")
    ran = play(league, env=without)
    assert ran.code == 0, ran.err
    assert "WARNING: bots run WITHOUT A SANDBOX" in ran.err
    assert levels(league) == {"off"}
    assert "No sandbox" in (tmp_path / "league-report" / "index.html").read_text()
    assert _logged(league) == [("warning", "sandbox")]


def _logged(league: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(league.parent / "league.db")) as database:
        return list(database.execute("SELECT level, subject FROM log WHERE subject = 'sandbox'"))
