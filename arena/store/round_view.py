"""The view `round`: the rounds of all finished matches, read out of their records, for people and their SQL.

The arena itself reads the records. A database browser, Datasette or a notebook sees one row for each round:
`match` (the id of a row of that table), `round` and `dealer` from 0, the card that costs 40 ("D7"), hands as
dealt and passes by seat ("S1 S3 | P20"), plays in order of play, and as JSON lists the points by seat, the
decisions of the stand-in, microseconds by decision, and [decision, microseconds] for each that got more time.
Decisions count from 0: first the passes by seat, then the plays.
"""

from __future__ import annotations

from sqlalchemy import Connection

__all__ = ["ROUND_VIEW", "make_views", "view_of"]

ROUND_VIEW = "round"
"""The name of the view."""

_TEXTS = ("papayoo", "hands", "passes", "plays", "points", "stand_in", "took_us", "extended")
_SQLITE = """CREATE VIEW "round" AS
SELECT "match".id AS "match", played.key AS "round",
    played.key % json_array_length("match".record, '$.seats') AS dealer,
    {columns}
FROM "match", json_each("match".record, '$.rounds') AS played
WHERE "match".record IS NOT NULL"""
_POSTGRES = """CREATE VIEW "round" AS
SELECT "match".id AS "match", played.number - 1 AS "round",
    mod(played.number - 1, json_array_length("match".record::json -> 'seats')) AS dealer,
    {columns}
FROM "match", json_array_elements("match".record::json -> 'rounds') WITH ORDINALITY AS played(value, number)
WHERE "match".record IS NOT NULL"""


def make_views(connection: Connection) -> None:
    """Make the view in a database that has the tables."""
    connection.exec_driver_sql(view_of(connection.dialect.name))


def view_of(dialect: str) -> str:
    """Return the statement that makes the view, which SQLite keeps word for word."""
    if dialect == "sqlite":
        columns = ", ".join(f"json_extract(played.value, '$.{name}') AS {name}" for name in _TEXTS)
        return _SQLITE.format(columns=columns)
    return _POSTGRES.format(columns=", ".join(f"played.value ->> '{name}' AS {name}" for name in _TEXTS))
