"""Open seasons: `arena verify` finds what was changed in entries, documents of stretches and secrets."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.deals import commitment
from arena.store.models import Row
from tests.open_played import OpenPlay
from tests.running import enter, leave, make_open_league
from tests.shared import once
from tests.verify.test_tampering import difference, tamper

TRUSTED = {
    "season": "opened_at league_text opened_by reason",
    "stretch": "committed_at ended_at end_reason league_digest",
    # Bots of an open season come and go, so its document does not name them.
    "entry": "folder role author language url entered_at reported_name reported_version reported_language"
    " reported_author",
}
"""As in `test_tampering`."""
CHECKED = [
    (table, column.name)
    for table, trusted in TRUSTED.items()
    for column in Row.metadata.tables[table].columns
    if column.name not in trusted.split()
]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three stretches with a public draw: newcomers catch up, one is improved, one leaves and comes back."""
    return once(tmp_path_factory, "open-season", _play) / "tiny.db"


def _play(folder: Path) -> None:
    league = make_open_league(folder, bots=5, schedule='version_hours = 0\npublic_draw = "7 11 13"\n')
    text = (
        league.read_text()
        .replace('seed = "tests"\n', "")
        .replace("rounds = 3", "rounds = 3\nshow_names = true")
    )
    league.write_text(text.replace("[process]", "[faults]\ndisqualify_share = 1\n[process]"))
    with OpenPlay(league, {"b0": 0.05}) as played:
        played.stretch()
        enter(league, "b5", 0)
        leave(league, "b3")
        played.stretch()
        enter(league, "b1", 3)
        enter(league, "b3", 3)
        played.stretch()


def test_nothing_is_found_in_the_original(original: Path) -> None:
    assert difference(original) == ""


@pytest.mark.parametrize(
    ("table", "column"),
    [pytest.param(*at, marks=[pytest.mark.slow] if number % 4 else []) for number, at in enumerate(CHECKED)],
)
def test_a_changed_value_is_found(table: str, column: str, original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    tamper(path, table, column)
    assert difference(path)


def changed(original: Path, folder: Path, stretch: int, change: Callable[[dict[str, object]], object]) -> str:
    """What is found after a change in the document of a stretch."""
    path = Path(shutil.copy(original, folder / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        ((text,),) = database.execute("SELECT document FROM stretch WHERE number = ?", (stretch,))
        document = json.loads(text)
        change(document)
        again = json.dumps(document, sort_keys=True, separators=(",", ":"))
        database.execute("UPDATE stretch SET document = ? WHERE number = ?", (again, stretch))
    return difference(path)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"rules": "0" * 64}, "the document of stretch 1 says rules 0000"),
        ({"first_match": 7}, "the document of stretch 1 says first match 7, it is 31"),
        ({"first_cycle": 0}, "the document of stretch 1 says first cycle 0, it is 1"),
        ({"cycles": 1}, "stretch 1 has 3 cycles, its document 2"),
        ({"entries": ["b0@1"]}, "season 1: there is no schedule for this season"),
        ({"entries": ["nobody@1"]}, "names the entry 'nobody@1', which is not there"),
        ({"entries": ["b2@1", "b0@1", "b1@1", "b4@1", "b5@1"]}, "its entries are not in ascending order"),
        ({"entries": ["b0@1", "b1@1", "b2@1", "b3@1", "b5@1"]}, "its line-up is"),
        ({"entries": ["b0@1", "b1@1", "b2@1", "b5@1", "b1@2"]}, "two versions of b1 play in stretch 1"),
        ({"owed": [["b9@1", 3]]}, "names the entry 'b9@1', which is not there"),
        ({"owed": [["b0@1", 1000]]}, "owed.0.1: Input should be less than or equal to 32"),
        ({"owed": 1}, "owed: Input should be a valid"),
        ({"more": 1}, "the document of stretch 1 is not as an arena writes it"),
    ],
)
def test_a_changed_document_is_found_and_said(
    change: dict[str, object], said: str, original: Path, tmp_path: Path
) -> None:
    assert said in changed(original, tmp_path, 1, lambda document: document.update(change))


@pytest.mark.parametrize("text", ["", "{", "null", "[" * 100_000, '{"entries": null}', "7"])
@pytest.mark.parametrize(("table", "column"), [("stretch", "document"), ("entry", "version")])
def test_what_is_no_document_is_a_sentence(
    table: str, column: str, text: str, original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE {table} SET {column} = ? WHERE number = 1", (text,))
    found = difference(path)
    what = "The document of a stretch" if table == "stretch" else "the version of b1@1"
    assert f"{what} cannot be read" in found or "is JSON nested too deeply" in found
    assert "\n" not in found


def test_a_secret_that_is_no_link_of_the_chain_is_found(original: Path, tmp_path: Path) -> None:
    """Also if somebody changes secret and commitment of a stretch together, as an organiser could."""
    secret = b"\x11" * 32
    committed = commitment(secret)
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE stretch SET secret = ?, commitment = ? WHERE number = 1", (secret.hex(), committed)
        )
    found = difference(path)
    assert f"stretch 1 was committed to {committed}; by the chain of secrets" in found


def test_a_version_that_was_disqualified_may_not_play_later(original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        detail = json.dumps({"season": 1, "from_cycle": 1})
        act = (1, "arena", "disqualify", "b2@1", "replaced in 9 of 9 matches", detail)
        database.execute(
            "INSERT INTO action (at, who, what, subject, reason, detail) VALUES (?,?,?,?,?,?)", act
        )
    assert "b2@1 plays in stretch 1, and was disqualified before" in difference(path)
