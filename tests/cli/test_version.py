"""`arena version`."""

from __future__ import annotations

import json
import platform
import sqlite3
from importlib.metadata import version

from tests.cli.calling import Arena


def test_it_says_what_runs_here(arena: Arena) -> None:
    told = json.loads(arena("version", "--json").out)
    assert told == {
        "arena": version("papayoo-arena"),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "platform": platform.platform(),
    }
    lines = dict(line.split(None, 1) for line in arena("version").out.splitlines())
    assert lines == told
