"""A run stops at once, with a sentence, when its database is taken away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.running import Run, make_league


def _replace(path: Path) -> None:
    other = path.with_suffix(".other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


@pytest.mark.slow
def test_a_run_whose_database_is_replaced_ends(tmp_path: Path) -> None:
    path = make_league(tmp_path, cycles=200, slow=0.02)
    database = tmp_path / "league.db"
    run = Run(path)
    run.wait_for_matches(1)
    _replace(database)
    ended = run.end()
    assert ended.code == 4
    assert "league.db was replaced by another file" in ended.err
    assert "everything" not in ended.err
    assert "Traceback" not in ended.err
