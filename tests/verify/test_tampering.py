"""Values of every table: `arena verify` finds a changed one, or its column is listed as taken on trust.

What is listed is what nobody but the arena that played could know: times, processes, what bots wrote,
and what people said.
"""

from __future__ import annotations

import resource
import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Boolean

from arena.deals import MatchKey
from arena.errors import SchemaChanged, StoreError
from arena.league import parse_league
from arena.league.season import season_document
from arena.store import read, write
from arena.store.acts import Decision, void_act
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.models import Row
from arena.store.playing import PlannedSession
from arena.store.views import MatchState
from arena.verify.verify import verify
from tests.cli.leagues import make
from tests.reports.played import FIVE, START, League, bot_id
from tests.shared import once
from tests.store.children import outcome

TRUSTED: Mapping[str, str] = {
    "season": "opened_at league_text opened_by reason",
    "phase": "committed_at ended_at end_reason league_digest",
    "entry": "author reported_name reported_version reported_language reported_author",
    "session": "completed_at",
    "match": "reason",
    "host": "name machine processor cores compiled sandbox arena python first_seen_at",
    "log": "id at level subject text",
    "action": "id at who",
}
"""Columns by table. `ended_at`: without it a phase is open, and verify says that deals were not checked."""

BOTS = (FIVE[0], replace(FIVE[3], fault_rate=0.02), FIVE[4])
LEAGUE = League(bots=BOTS, seats=3, rounds=3, cycles=3, matches=13)

CHECKED: Mapping[str, str] = {
    "meta": "value",
    "bot": "slug",
    "season": "seats sessions_per_cycle document digest line_ups chain_end",
    "phase": "cycles_planned cycles_at_most first_cycle secret commitment public_draw predictable "
    "entries owed first_match acts",
    "entry": "bot name digest command role version",
    "session": "phase cycle index line_up state",
    "match": "number order attempt rounds state suits record started_at sandbox fault_points",
    "seat": "bot points charge place faults hand_over hand_over_round took_total_us pid late cpu_us frozen",
    "fault": "seat kind round question reason wall_us last_words",
    "action": "what subject reason detail",
    "host": "id",
    "decision": "cycles document",
}
"""Columns of which a changed value is found. Of each table some of every kind."""

QUICK = "season.digest phase.secret session.line_up match.record seat.points seat.pid action.detail"


def cases(columns: Mapping[str, str]) -> list[object]:
    """Every table with each of its columns; those that are not among the quick ones are slow."""
    return [
        pytest.param(table, column, marks=[] if f"{table}.{column}" in QUICK.split() else [pytest.mark.slow])
        for table, names in columns.items()
        for column in names.split()
    ]


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with all that a database can hold: complete, void and left out sessions, attempts, faults."""
    bots = "".join(
        f'[[bots]]\nname = "{bot.name}"\nfolder = "bots/x"\ncommand = ["{{python}}", "bot.py"]\n'
        for bot in BOTS
    )
    rules = '[league]\nname = "Spring"\nseats = 3\n[faults]\ndisqualify_share = 1.0\n'
    model = parse_league(rules + bots, Path("spring.toml"))
    document = season_document(model, {bot_id(bot): f"{number:064x}" for number, bot in enumerate(BOTS)})
    return (
        once(tmp_path_factory, "original", lambda folder: _play(folder / "spring.db", document)) / "spring.db"
    )


def _play(path: Path, document: Mapping[str, object]) -> None:
    with Database.open(make(path, LEAGUE, document)) as database:
        line_up = read.sessions(database, 1)[2].line_up
        season = read.seasons(database)[0]
        first = 1 + 2 * season.matches_per_session * season.sessions_per_cycle
        for attempt in range(3):
            key = MatchKey(2, 0, 1, attempt)
            write.begin_sessions(database, 1, 0, [(PlannedSession(2, 0, line_up, first), [key])], START)
            write.abort(database, 1, key, "a reason of ours", MatchState.ABORTED)
        write.leave_out(database, 1, (2, 0), "too often")
        for cycles in (1, 2):
            assert write.decision(database, 1, Decision(cycles, 3, (), False, (), 0, (), (), 0, START))
        write.void(database, 1, (1, 0), void_act(1, (1, 0), "noise", (START, "ann")))
        write.end_phase(database, 1, 0, "its cycles were played", START)
        for level in ("info", "warning"):
            write.log(database, LogLine(START, level, "run", f"an {level}"))


def difference(path: Path) -> str:
    """What is found; also what the store refuses to read."""
    try:
        with Database.open(path, read_only=True) as database:
            found = verify(database, read.seasons(database)).difference
    except StoreError as error:
        return str(error)
    return "" if found is None else str(found)


def tamper(path: Path, table: str, name: str) -> None:
    """Change one value of a column to another that could stand there, if need be against the constraints."""
    column = Row.metadata.tables[table].columns[name]
    rng = Random(f"{table}.{name}")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        database.execute("PRAGMA synchronous = OFF")
        row, old = rng.choice(database.execute(f'SELECT rowid, "{name}" FROM "{table}"').fetchall())
        query = f'SELECT "{name}" FROM "{table}" WHERE "{name}" <> ? ORDER BY rowid'
        others = [value for (value,) in database.execute(query, (old,))]
        if isinstance(old, str) and others and not column.primary_key:
            new = rng.choice(others)
        else:
            new = 1 - old if isinstance(column.type, Boolean) else other(old)
        database.execute(f'UPDATE "{table}" SET "{name}" = ? WHERE rowid = ?', (new, row))


def other(value: object) -> object:
    """Another value of the same kind."""
    if isinstance(value, int):
        return value + 1000
    text = "" if value is None else str(value)
    words = {"finished": "interrupted", "entrant": "house", "all": "balanced", "lead": "follow"}
    return words.get(text) or text[:-1] + ("1" if text.endswith("0") else "0")


def test_nothing_is_found_in_the_original_nor_in_what_sqlite_adds_itself_and_an_index_of_columns(
    original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "more.db"))
    with closing(sqlite3.connect(path)) as database:
        database.executescript("CREATE INDEX own ON log (at); ANALYZE")
    assert difference(path) == ""
    with closing(sqlite3.connect(original)) as database:
        for table in Row.metadata.sorted_tables:
            assert database.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0], table.name


@pytest.mark.parametrize(("table", "column"), cases(CHECKED))
def test_a_changed_value_is_found(table: str, column: str, original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    tamper(path, table, column)
    assert difference(path)


RECURSIVE = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id FROM n"
SCHEMAS = {
    "a trigger": (
        "CREATE TRIGGER quiet AFTER INSERT ON log BEGIN DELETE FROM action; END",
        "there is a trigger quiet on the table log",
    ),
    "a view without end": (f"DROP TABLE log; CREATE VIEW log AS {RECURSIVE}", "log is a view, not a table"),
    "one more table": ("CREATE TABLE notes (text)", "there is a table notes, which no arena makes"),
    "a missing table": ("DROP TABLE fault", "the table fault is missing"),
    "a renamed column": ("ALTER TABLE seat RENAME COLUMN pid TO pod", "the table seat has no column pid"),
    "one more column": (
        "ALTER TABLE seat ADD COLUMN more TEXT",
        "the table seat has a column more, which no arena makes",
    ),
    "a computed column": (
        "ALTER TABLE log DROP COLUMN text; ALTER TABLE log ADD COLUMN text TEXT AS (subject)",
        "the column text of the table log is computed",
    ),
    "an index that computes": (
        "CREATE INDEX slow ON log (length(text))",
        "the index slow of the table log is computed",
    ),
    "a condition between comments": (
        "CREATE INDEX slow ON log (at) /**/WHERE/**/ length(text) > 1",
        "the index slow of the table log is computed",
    ),
}


@pytest.mark.parametrize(("change", "said"), SCHEMAS.values(), ids=SCHEMAS.keys())
def test_another_schema_is_found_and_named_before_anything_is_read(
    change: str, said: str, original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database:
        database.executescript(f"PRAGMA synchronous = OFF; {change}")
    with pytest.raises(SchemaChanged) as caught:
        Database.open(path, read_only=True)
    assert caught.value.why == said
    assert str(caught.value).startswith(f"The database {path} is not as an arena makes it: {said};")


def test_a_view_without_end_in_the_place_of_the_version_is_not_asked(original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database:
        database.executescript(f"DROP TABLE meta; CREATE VIEW meta AS {RECURSIVE}")
    with pytest.raises(StoreError, match="belongs to another program"):
        Database.open(path)


def test_the_names_of_a_stranger_are_read_in_no_time_and_shown_in_short(
    original: Path, tmp_path: Path
) -> None:
    """Each `/*` in a name looks like a comment, whose end is not there."""
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database:
        database.execute(f'CREATE INDEX "{"/* " * 200_000}" ON log (at)')

    def look() -> str:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))  # processor time: a busy machine changes nothing
        with Database.open(path, read_only=True) as database:
            return read.damage(database)

    assert outcome(look) == ""
    with closing(sqlite3.connect(path)) as database:
        database.execute(f'CREATE TABLE "\x1b[2J{"x" * 1000}" (y)')
    with pytest.raises(SchemaChanged) as caught:
        Database.open(path, read_only=True)
    assert caught.value.why == f"there is a table '\\x1b[2J{'x' * 56}', which no arena makes"


DEEP = "[" * 100_000 + "]" * 100_000
VALUES: Mapping[str, tuple[str, str, object, str]] = {
    "no UTF-8 that is read": ("match", "record", b"S1\xff", "is no UTF-8 from byte 2 on"),
    "no UTF-8 that is not": ("log", "text", b"\xc3", "is no UTF-8 from byte 0 on"),
    "no UTF-8 in the season": ("season", "document", b"{}\xff", "is no UTF-8 from byte 2 on"),
    "a deep document": ("season", "document", DEEP, "its document gives"),
    "a deep command": ("entry", "command", DEEP, "command is [[["),
    "a deep act": ("action", "detail", DEEP, "does not say which session of which season"),
}


@pytest.mark.parametrize(("table", "column", "value", "said"), VALUES.values(), ids=VALUES.keys())
def test_a_value_that_nothing_can_read_is_named(
    table: str, column: str, value: object, said: str, original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    stored = "CAST(? AS TEXT)" if "UTF-8" in said else "?"
    with closing(sqlite3.connect(path)) as database, database:
        (row,) = database.execute(f'SELECT max(rowid) FROM "{table}"').fetchone()
        database.execute(f'UPDATE "{table}" SET "{column}" = {stored} WHERE rowid = ?', (value, row))
    assert (f"{column} in row {row} of the table {table} {said}" if "UTF-8" in said else said) in difference(
        path
    )


def test_other_terms_of_one_match_are_found_where_the_season_does_not_say(tmp_path: Path) -> None:
    path = make(tmp_path / "plain.db", replace(LEAGUE, cycles=1, matches=2), {})
    assert difference(path) == ""
    with closing(sqlite3.connect(path)) as database, database:
        terms = "json_set(record, '$.terms.max_faults', 9)"
        database.execute(f"UPDATE match SET record = {terms} WHERE number = 2")
    assert "season 1, match 2: it was played under" in difference(path)


def test_what_is_listed_is_what_cannot_be_checked(original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    for table, columns in TRUSTED.items():
        for column in columns.split():
            tamper(path, table, column)
    assert difference(path) == ""
