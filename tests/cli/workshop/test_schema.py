"""`arena schema`: printed from the code that reads the files."""

from __future__ import annotations

import json
from pathlib import Path

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


PAGE = Path(__file__).parents[3] / "protocol" / "SPEC.md"


def test_the_tables_of_the_specification_are_up_to_date(arena: Arena, tmp_path: Path) -> None:
    copy = tmp_path / "SPEC.md"
    copy.write_bytes(PAGE.read_bytes())
    called = arena("schema", "protocol", "--fill", str(copy))
    assert (called.code, "was up to date" in called.err) == (0, True), called.err
    copy.write_text(PAGE.read_text("utf-8").replace("| `table` ", "| `tabel` "), encoding="utf-8")
    assert "brought up to date" in arena("schema", "protocol", "--fill", str(copy)).err
    assert copy.read_bytes() == PAGE.read_bytes()


def test_the_messages_as_tables_and_as_json_schema(arena: Arena) -> None:
    text = arena("schema", "protocol").out
    assert "\n## play\n" in text
    assert "is standard output flushed" in text
    assert json.loads(arena("schema", "protocol", "--json").out)["$defs"]["play"]["x-answer"] == "card"


def test_a_page_without_the_marks_is_refused(arena: Arena, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("nothing\n", encoding="utf-8")
    called = arena("schema", "protocol", "--fill", str(other))
    assert called.code == 2
    assert str(other) in called.err
    assert other.read_text(encoding="utf-8") == "nothing\n"
    assert arena("schema", "protocol", "--fill", str(tmp_path / "none")).code == 2
