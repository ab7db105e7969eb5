"""A database that this arena cannot read: every command says so in one sentence and changes nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.database import Database
from tests.cli.calling import Arena
from tests.cli.leagues import change
from tests.running import make_league

COMMANDS = (
    "run",
    "run --dry-run",
    "status",
    "standings",
    "report",
    "export",
    "verify",
    "void 1 --reason why",
    "exclude b0 --reason why",
    "reinstate b0 --reason why",
)


def of_another_schema(path: Path) -> None:
    Database.open(path, create=True).close()
    change(path, "UPDATE meta SET value = '2'")


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("CREATE TABLE song (title TEXT)")


def of_no_kind(path: Path) -> None:
    path.write_text("seats,rounds\n4,3\n")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (
            of_another_schema,
            "was made by another version of the arena (it has schema 2, this one reads schema 1)",
        ),
        (of_another_program, "belongs to another program"),
        (of_no_kind, "is not a database"),
    ],
)
def test_no_command_reads_it(arena: Arena, tmp_path: Path, make: Callable[[Path], None], why: str) -> None:
    league, database = make_league(tmp_path), tmp_path / "league.db"
    make(database)
    before = database.read_bytes()
    for command in COMMANDS:
        name, *more = command.split()
        called = arena(name, league, *more)
        assert (called.code, called.out) == (4, ""), command
        assert why in called.err, command
        assert called.err.count("\n") == 1, called.err
    assert database.read_bytes() == before
