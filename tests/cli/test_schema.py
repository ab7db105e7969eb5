"""`arena schema`: printed from the code that reads the files."""

from __future__ import annotations

import json

from arena.league.describe import all_keys
from arena.league.schema import schema_markdown
from tests.cli.calling import Arena


def test_the_keys_of_a_league_file(arena: Arena) -> None:
    called = arena("schema", "league")
    assert called.code == 0
    assert called.out == schema_markdown()


def test_the_same_as_json(arena: Arena) -> None:
    told = json.loads(arena("schema", "league", "--json").out)
    keys = {f"{section}.{row['key']}" for section, rows in told.items() for row in rows}
    assert keys == set(all_keys())
    assert told["league"][2]["key"] == "seats"
    assert told["league"][2]["class"] == "S"
