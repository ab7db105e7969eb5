"""An open league as its organiser sees it: a bot does not start, and a folder is refused."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.calling import Arena
from tests.running import enter, make_open_league

TRACEBACK = "ModuleNotFoundError: No module named 'nowhere'"


@pytest.mark.slow
def test_a_bot_that_does_not_start_leaves_its_traceback(tmp_path: Path, arena: Arena) -> None:
    league = make_open_league(tmp_path, bots=3)
    enter(league, "sad", 1)
    (tmp_path / "entries/sad/bot.py").write_text("import nowhere\n")
    (tmp_path / "entries/bad").mkdir()
    (tmp_path / "entries/bad/bot.toml").write_text('nane = "Bad"\n')

    assert TRACEBACK in arena("run", league).err
    attention, _, rows = arena("status", league).out.partition("\n\n")
    assert attention.startswith("needs attention\n")
    assert "bad does not play: entries/bad/bot.toml: nane: unknown key" in attention
    assert "sad@1 was not ready: the process ended by itself, with exit code 1" in attention
    assert TRACEBACK in attention
    assert TRACEBACK not in rows
    notices = json.loads(arena("status", league, "--json").out)["needs_attention"]
    assert [(one["kind"], one["subject"]) for one in notices][:2] == [
        ("refused", "bad"),
        ("start_failed", "sad@1"),
    ]
    with closing(sqlite3.connect(tmp_path / "league.db")) as database:
        log = [text for (text,) in database.execute("SELECT text FROM log WHERE level = 'warning'")]
    assert any(TRACEBACK in text for text in log)
