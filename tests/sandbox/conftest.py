"""What the tests of the sandbox share: a cell, started by root and by an ordinary user."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sandbox.starting import STARTERS, Cell, needs_sandbox


@pytest.fixture(params=STARTERS)
def cell(request: pytest.FixtureRequest, tmp_path: Path) -> Cell:
    """An empty folder for a program that is started in the real sandbox."""
    needs_sandbox(request.param)
    folder = tmp_path / "bot"
    folder.mkdir()
    folder.chmod(0o755)
    return Cell(request.param, folder)
