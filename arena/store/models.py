"""Defines the tables of the database: what their columns mean and which values they refuse.

The tables are made to be read in any SQLite browser: singular names, bots by their ids. The view `round`
shows the cards of each record as text ("S1 S3 P20"), seats side by side joined with " | ". All times are
milliseconds since 1970 (UTC) unless the name ends in `_us` (microseconds). The models do not check values
that are stored: `inputs` checks first, the constraints here check last. Nothing here reads or writes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Dialect,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    text,
)
from sqlalchemy.types import TypeEngine
from sqlmodel import Field, SQLModel
from sqlmodel.sql.sqltypes import AutoString

from arena.match.faults import FaultKind, HandOver
from arena.store.views import MatchState, Role, SessionState

SCHEMA_VERSION = 1
"""The version of these tables. A database that has another one is refused."""


class Row(SQLModel):
    """The base of all tables. It has a catalogue of its own, not shared with other users of SQLModel."""

    metadata = MetaData()

    @classmethod
    def table(cls) -> Table:
        """Return the table of this class, for statements that name its columns by texts."""
        return cls.metadata.tables[str(cls.__tablename__)]


class _Flag(TypeDecorator[bool]):
    """True or false: a whole number in SQLite, whose strict tables have no type for it."""

    impl = Boolean
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type of a column in a kind of database."""
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else Boolean())

    def process_result_value(self, value: Any, dialect: Dialect) -> bool | None:
        """Return what is stored as true or false."""
        return None if value is None else bool(value)


def _make_strict(tables: MetaData) -> None:
    """Have SQLite refuse a value of another kind than its column's, as every other database does.

    Its strict tables (https://www.sqlite.org/stricttables.html) know TEXT, INTEGER and REAL only.
    """
    for table in tables.sorted_tables:
        table.dialect_options["sqlite"]["strict"] = True
        for column in table.columns:
            if isinstance(column.type, String | AutoString):
                column.type = Text()
            elif isinstance(column.type, BigInteger):
                column.type = BigInteger().with_variant(Integer(), "sqlite")
            elif isinstance(column.type, Boolean):
                column.type = _Flag()


def _check(name: str, condition: str) -> CheckConstraint:
    """Return a constraint that holds a condition, which is SQL. `name`: under which an error names it."""
    return CheckConstraint(condition, name=name)


def _one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """Return a constraint that a column holds one of the values."""
    # Not `IN`: SQLite would build a table of the values for each row first.
    known = " OR ".join(f"{column} = '{value}'" for value in values)
    return _check(f"{column}_known", known)


class MetaRow(Row, table=True):
    """A fact about the file itself: `schema_version`, and as `run` the token of the run that may write."""

    __tablename__ = "meta"

    key: str = Field(primary_key=True)
    value: str


class SeasonRow(Row, table=True):
    """A season: fixed rules and a fixed field. `document`: the keys that make the season, as JSON text.

    The field of an open season changes from phase to phase; `field_size` and `sessions_per_cycle` are the
    least that it can have. `chain_end`: there, with a public draw, the secret from which those of all
    phases follow (hexadecimal); else empty. It is never shown.
    """

    __tablename__ = "season"
    __table_args__ = (
        _one_of("line_ups", ("all", "balanced", "gauntlet")),
        _check("seats_range", "seats BETWEEN 3 AND 8"),
        _check(
            "sizes", "rounds > 0 AND field_size > 0 AND sessions_per_cycle > 0 AND matches_per_session > 0"
        ),
        _check("chain_end_bytes", "length(chain_end) IN (0, 64)"),
    )

    number: int = Field(primary_key=True)
    opened_at: int = Field(sa_type=BigInteger)
    document: str
    digest: str
    league_text: str
    line_ups: str
    seats: int
    rounds: int
    field_size: int
    sessions_per_cycle: int
    matches_per_session: int
    opened_by: str
    reason: str
    chain_end: str = ""


class PhaseRow(Row, table=True):
    """Sessions under one secret. The secret is stored before the first match and published after the last.

    `cycles_at_most`: the `cycles_planned` of its beginning. In an open season also: `entries`, who plays in
    the phase, and `owed`, which of them catch up with how many sessions, as JSON lists; `first_match`, the
    number of its first match; `acts`, how many acts had been made when it began.
    """

    __tablename__ = "phase"
    __table_args__ = (
        _check("counts_from_0", "number >= 0 AND first_cycle >= 0 AND acts >= 0 AND first_match >= 1"),
        _check("secret_bytes", "length(secret) = 64"),
    )

    season: int = Field(primary_key=True, foreign_key="season.number")
    number: int = Field(primary_key=True)
    secret: str
    commitment: str
    public_draw: str | None = None
    predictable: bool
    committed_at: int = Field(sa_type=BigInteger)
    ended_at: int | None = Field(default=None, sa_type=BigInteger)
    end_reason: str = ""
    league_digest: str
    cycles_planned: int
    first_cycle: int
    cycles_at_most: int
    entries: str = "[]"
    owed: str = "[]"
    first_match: int = 1
    acts: int = 0


class BotRow(Row, table=True):
    """A bot that ever entered a season, by its id, which is the same in all seasons.

    In an open season each version of a bot is an entry with an id of its own, "duck@2".
    """

    __tablename__ = "bot"
    __table_args__ = (_check("slug_not_empty", "slug <> ''"),)

    slug: str = Field(primary_key=True)


class EntryRow(Row, table=True):
    """A bot in a season: its files, its command (a JSON list), and what `ready` reported (NULL before).

    `version`: in an open season what makes the version, as JSON text; else empty. `entered_at`: when it came;
    0 in a closed season, whose bots are there from its beginning.
    """

    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("season", "number"),
        _one_of("role", Role),
        _check("number_from_0", "number >= 0"),
    )

    season: int = Field(primary_key=True, foreign_key="season.number")
    bot: str = Field(primary_key=True, foreign_key="bot.slug")
    number: int
    name: str
    digest: str
    folder: str
    command: str
    author: str
    role: str
    reported_name: str | None = None
    reported_version: str | None = None
    reported_language: str | None = None
    reported_author: str | None = None
    version: str = ""
    entered_at: int = Field(default=0, sa_type=BigInteger)


class SessionRow(Row, table=True):
    """The set of matches of one line-up. `line_up`: bot ids in neighbour order, separated by spaces."""

    __tablename__ = "session"
    __table_args__ = (
        UniqueConstraint("season", "cycle", "index"),
        ForeignKeyConstraint(["season", "phase"], ["phase.season", "phase.number"]),
        _one_of("state", SessionState),
        _check("counts_from_0", 'cycle >= 0 AND "index" >= 0'),
        _check("complete_has_time", "state <> 'complete' OR completed_at IS NOT NULL"),
    )

    id: int = Field(primary_key=True)
    season: int
    phase: int
    cycle: int
    index: int
    line_up: str
    state: str
    reason: str = ""
    completed_at: int | None = Field(default=None, sa_type=BigInteger)


class HostRow(Row, table=True):
    """A machine that matches were played on, as it was then: the same one with other versions is another row.

    `name`: its own name, and `machine` tells it from others of that name; both are empty for the machine that
    a run without a cluster was on. `compiled`: whether its referee is. `sandbox`: its level, or "off".
    """

    __tablename__ = "host"
    __table_args__ = (_check("amounts", "cores >= 0"),)

    id: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    name: str
    machine: str
    processor: str
    cores: int
    compiled: bool
    sandbox: str
    arena: str
    python: str
    first_seen_at: int = Field(sa_type=BigInteger)


class MatchRow(Row, table=True):
    """One attempt at a match. `number` follows from the schedule and is the same for every attempt.

    `record`: the whole match as JSON (`arena.match.record_json`), NULL until it is finished. What is summed
    and filtered stands beside it, and in the tables `seat` and `fault`. `host`: where it was finished.
    """

    __tablename__ = "match"
    __table_args__ = (
        UniqueConstraint("season", "cycle", "index", "order", "attempt"),
        # Even if a match is saved twice, or by two referees, it has only one result.
        Index(
            "one_finished_attempt",
            "season",
            "cycle",
            "index",
            "order",
            unique=True,
            sqlite_where=text("state = 'finished'"),
            postgresql_where=text("state = 'finished'"),
        ),
        Index("match_number", "season", "number"),
        _one_of("state", MatchState),
        _check("counts_from_0", 'cycle >= 0 AND "index" >= 0 AND "order" >= 0 AND attempt >= 0'),
        _check("number_from_1", "number > 0"),
        _check("amounts", "rounds >= 0 AND lateness_count >= 0 AND lateness_us >= 0"),
        _check("finished_whole", "state <> 'finished' OR (finished_at IS NOT NULL AND record IS NOT NULL)"),
    )

    id: int = Field(primary_key=True)
    session: int = Field(foreign_key="session.id", index=True)
    season: int
    cycle: int
    index: int
    order: int
    attempt: int
    number: int
    state: str
    reason: str = ""
    suits: str = ""
    started_at: int = Field(sa_type=BigInteger)
    finished_at: int | None = Field(default=None, sa_type=BigInteger)
    rounds: int = 0
    lateness_count: int = 0
    lateness_us: int = Field(default=0, sa_type=BigInteger)
    sandbox: str = ""
    fault_points: int = 0
    host: int | None = Field(default=None, foreign_key="host.id")
    record: str | None = None


class SeatRow(Row, table=True):
    """One seat of a finished match: what of it is summed and filtered.

    `decisions`, `took_total_us`, `took_max_us`: the questions put to the bot and the time charged.
    `extended_us`: by how much its deadlines moved in all, because it had no core.
    `cpu_us`: its processor time; `off_turn_us`: the part of it used without a question. For `queued_us`,
    `frozen` and `left_core` see `arena.match.record`.
    """

    __tablename__ = "seat"
    __table_args__ = (
        _check("seat_range", "seat BETWEEN 0 AND 7"),
        _check("amounts", "points >= 0 AND charge >= 0 AND faults >= 0 AND late >= 0 AND decisions >= 0"),
        _check("place_range", "place BETWEEN 1 AND 8"),
        _check("hand_over_known", f"hand_over IS NULL OR {_one_of('hand_over', HandOver).sqltext}"),
        _check("hand_over_at_whole", "(hand_over_round IS NULL) = (hand_over_question IS NULL)"),
        Index("seat_bot", "bot"),
    )

    match: int = Field(primary_key=True, foreign_key="match.id")
    seat: int = Field(primary_key=True)
    bot: str = Field(foreign_key="bot.slug")
    points: int
    charge: int
    place: int
    faults: int
    hand_over: str | None
    hand_over_round: int | None
    hand_over_question: int | None
    late: int
    decisions: int
    took_total_us: int = Field(sa_type=BigInteger)
    took_max_us: int = Field(sa_type=BigInteger)
    cpu_us: int | None = Field(sa_type=BigInteger)
    off_turn_us: int | None = Field(sa_type=BigInteger)
    queued_us: int | None = Field(sa_type=BigInteger)
    frozen: bool
    left_core: bool
    pid: int
    bot_table: int
    stderr_bytes: int = Field(sa_type=BigInteger)
    extended_us: int = Field(default=0, sa_type=BigInteger)


class FaultRow(Row, table=True):
    """One fault of one seat.

    `question`: 0 is the pass, t + 1 the play to trick t; NULL outside any question. `last_words`: the end of
    what the bot wrote to standard error in that match.
    """

    __tablename__ = "fault"
    __table_args__ = (
        _one_of("kind", FaultKind),
        _check("seat_range", "seat BETWEEN 0 AND 7"),
        _check("number_from_0", "number >= 0"),
    )

    match: int = Field(primary_key=True, foreign_key="match.id")
    number: int = Field(primary_key=True)
    seat: int
    kind: str
    reason: str
    round: int | None
    question: int | None
    sent: str
    wall_us: int = Field(sa_type=BigInteger)
    cpu_us: int | None = Field(sa_type=BigInteger)
    queued_us: int | None = Field(sa_type=BigInteger)
    last_words: str


class DecisionRow(Row, table=True):
    """What was decided after so many `cycles` of a season, as JSON text (`arena.store.acts`)."""

    __tablename__ = "decision"

    season: int = Field(primary_key=True, foreign_key="season.number")
    cycles: int = Field(primary_key=True)
    document: str


class LogRow(Row, table=True):
    """An event of the league as a whole: a start, a stop, a warning."""

    __tablename__ = "log"
    __table_args__ = (_one_of("level", ("info", "warning", "error")),)

    id: int = Field(primary_key=True)
    at: int = Field(sa_type=BigInteger)
    level: str
    subject: str
    text: str


class ActionRow(Row, table=True):
    """An act of the organiser that changes what counts: who did what, when and why."""

    __tablename__ = "action"

    id: int = Field(primary_key=True)
    at: int = Field(sa_type=BigInteger)
    who: str
    what: str
    subject: str
    reason: str
    detail: str


_make_strict(Row.metadata)
