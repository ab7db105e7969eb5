"""Databases that `arena verify` finds nothing wrong with: small leagues with real digests."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from arena.schedule import Plan, season_digest
from arena.store.views import NewSeason
from tests.reports import played

DAY = 86_400_000
"""Milliseconds between the beginnings of two seasons."""
DOCUMENT: Mapping[str, object] = {
    "league": {"seats": 4, "rounds": 4},
    "time": {"move_seconds": 1.0, "bank_seconds": 0.0},
    "faults": {"fault_points": 40, "max_faults": 3},
}


def make(path: Path, league: played.League, document: Mapping[str, object] = DOCUMENT) -> Path:
    """Play a league into the database at `path`, under the rules of a document; returns the path."""
    digest = season_digest(document)
    season = played._season

    def with_document(league: played.League, plan: Plan) -> NewSeason:
        return replace(season(league, plan), document=json.dumps(document), digest=digest)

    with patch.multiple(played, DIGEST=digest, _season=with_document):
        played.play(path, league).close()
    return path


def make_seasons(path: Path, *leagues: played.League) -> Path:
    """Play seasons one after another into one database, each a day after the one before; return its path.

    A season that is not the first says why it was begun.
    """
    for number, league in enumerate(leagues):
        why = league.why or ("" if number == 0 else f"reason {number}")
        make(path, replace(league, began=played.START + number * DAY, why=why))
    return path


def change(path: Path, *statements: str) -> Path:
    """Tamper with a database; returns its path."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA synchronous = OFF")  # a test's database need not outlive a power cut
        for statement in statements:
            connection.execute(statement)
    return path


def in_record(number: int, place: str, value: str) -> str:
    """The statement that puts a value of SQL at a place of the record of a match, such as "seats[2].seed"."""
    return f"UPDATE match SET record = json_set(record, '$.{place}', {value}) WHERE number = {number}"


def value(path: Path, query: str) -> object:
    """The first cell of a query."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchone()[0]
