"""What the tests of the commands share: `arena` itself, and a finished and a stopped league."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.calling import Arena, caller
from tests.cli.leagues import make
from tests.reports.played import League
from tests.shared import once


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    """Runs `arena` with the arguments it is given."""
    return caller(capsys)


@pytest.fixture(scope="session")
def _finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def played(folder: Path) -> None:
        make(folder / "spring.db", League(cycles=1))

    return once(tmp_path_factory, "finished", played) / "spring.db"


@pytest.fixture(scope="session")
def _stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def played(folder: Path) -> None:
        make(folder / "spring.db", League(cycles=2, matches=9))

    return once(tmp_path_factory, "stopped", played) / "spring.db"


@pytest.fixture
def finished(_finished: Path, tmp_path: Path) -> Path:
    """The database of a league whose phase has ended: 5 bots, 5 sessions, 20 matches."""
    return Path(shutil.copy(_finished, tmp_path / "spring.db"))


@pytest.fixture
def stopped(_stopped: Path, tmp_path: Path) -> Path:
    """The database of a league that was stopped after 9 of 40 matches."""
    return Path(shutil.copy(_stopped, tmp_path / "spring.db"))
