"""A database in which cells were changed at random: every command says it in a sentence, or does not mind."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from arena.store.models import Row
from tests.cli.calling import Arena
from tests.verify.test_tampering import original

__all__ = ["original"]

COMMANDS = ("status", "standings", "export", "report", "verify")
NUMBERS = (-1, 0, 7, 2**31, 2**62)
TEXTS = ("", "x", "\x1b[2J", "{}", "[1]", '{"a": ' * 400, "0.1", "finished", "2026-01-01", "é" * 2_000)


def spoil(path: Path, table: str, rng: Random) -> str:
    """Change one to three cells of a table. Returns what was changed."""
    done = []
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute("PRAGMA synchronous = OFF")
        rows = [row for (row,) in database.execute(f'SELECT rowid FROM "{table}"')]
        for _ in range(rng.randint(1, 3)):
            column = rng.choice(list(Row.metadata.tables[table].columns))
            values = TEXTS if column.type.python_type is str else NUMBERS
            value, row = rng.choice(values), rng.choice(rows)
            change = f'UPDATE "{table}" SET "{column.name}" = ? WHERE rowid = ?'
            try:
                database.execute(change, (value, row))
            except sqlite3.IntegrityError:  # a key that is there already
                continue
            done.append(f"{column.name} of row {row} = {value!r:.30}")
    return f"{table}: {'; '.join(done)}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("table", [table.name for table in Row.metadata.sorted_tables])
def test_every_command_says_it_in_a_sentence(
    table: str, seed: int, arena: Arena, original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    done = spoil(path, table, Random(f"{table} {seed}"))
    for command in COMMANDS:
        called = arena(command, path)
        assert called.code in ((0, 1, 4) if command == "verify" else (0, 2, 4)), f"{done}\n{called.err}"
        assert "internal error" not in called.err, f"{done}\n{called.err}"
        assert called.code == 0 or len(called.err.splitlines()) <= 2 or command == "verify", called.err
