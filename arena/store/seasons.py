"""Reads seasons, and stores them with their entries: new ones, and those that begin anew, still unplayed.

It works inside the caller's transaction. Whether a season may begin anew is decided elsewhere; here only a
season that has a result is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, RowMapping, delete, func, select, update

from arena.errors import StoreError, UsageError
from arena.store import models
from arena.store.acts import rule_from_the_start
from arena.store.history import SeasonMark
from arena.store.inputs import NewSeason
from arena.store.models import table_of
from arena.store.rows import entry_cells, season_cells, season_from
from arena.store.session import reads
from arena.store.views import Entry, MatchState, SeasonView

__all__ = [
    "close_season",
    "insert_entries",
    "insert_season",
    "read_marks",
    "read_named",
    "read_season",
    "replace_season",
]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_BOT = table_of(models.Bot)
_ENTRY = table_of(models.Entry)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_DECISION = table_of(models.Decision)
_REVIEW = table_of(models.Review)


def read_season(connection: Connection, row: RowMapping) -> SeasonView:
    """Return the season of a row of `season`, with its entries and stretches."""
    entries = select(_ENTRY).where(_ENTRY.c.season == row["number"]).order_by(_ENTRY.c.number)
    stretches = select(_STRETCH).where(_STRETCH.c.season == row["number"]).order_by(_STRETCH.c.number)
    return season_from(
        row, connection.execute(entries).mappings().all(), connection.execute(stretches).mappings().all()
    )


@reads
def read_named(connection: Connection, number: int) -> SeasonView:
    """Return the season with that number. UsageError, which names the others, if there is none."""
    row = connection.execute(select(_SEASON).where(_SEASON.c.number == number)).mappings().first()
    if row is None:
        known = connection.execute(select(_SEASON.c.number).order_by(_SEASON.c.number)).scalars().all()
        raise UsageError(f"There is no season {number}: {_known(known)}")
    return read_season(connection, row)


def _known(numbers: Sequence[int]) -> str:
    if not numbers:
        return "no season has begun yet"
    if len(numbers) == 1:
        return f"the only one is season {numbers[0]}"
    return f"there are seasons {numbers[0]} {'and' if len(numbers) == 2 else 'to'} {numbers[-1]}"


@reads
def read_marks(connection: Connection) -> list[SeasonMark]:
    """Return what tells the seasons apart, oldest first, without reading any of them."""
    finished = (
        select(func.count())
        .where(_MATCH.c.season == _SEASON.c.number, _MATCH.c.state == MatchState.FINISHED.value)
        .scalar_subquery()
    )
    reviewed = (
        select(func.coalesce(func.sum(_REVIEW.c.at), 0))
        .where(_REVIEW.c.season == _SEASON.c.number)
        .scalar_subquery()
    )
    # A review of a single match stores decisions alone.
    decisions = (
        select(func.count())
        .select_from(_DECISION)
        .join(_MATCH, _MATCH.c.id == _DECISION.c.match)
        .where(_MATCH.c.season == _SEASON.c.number)
        .scalar_subquery()
    )
    columns = (_SEASON.c.number, _SEASON.c.opened_at, _SEASON.c.digest, finished, reviewed, decisions)
    found = connection.execute(select(*columns).order_by(_SEASON.c.number))
    # A server returns the sum of large numbers as a decimal.
    return [SeasonMark(*row[:-2], int(row[-2]) + row[-1]) for row in found]


def insert_season(connection: Connection, number: int, new: NewSeason) -> None:
    """Store a season under a number that is free, with its entries."""
    connection.execute(_SEASON.insert(), season_cells(number, new))
    insert_entries(connection, number, new.entries)


def insert_entries(connection: Connection, season: int, entries: Sequence[Entry]) -> None:
    """Store entries of a season, and the ids that no season had before."""
    if not entries:
        return
    known = set(connection.execute(select(_BOT.c.slug)).scalars())
    unknown = [{"slug": entry.bot} for entry in entries if entry.bot not in known]
    if unknown:
        connection.execute(_BOT.insert(), unknown)
    connection.execute(_ENTRY.insert(), [entry_cells(season, entry) for entry in entries])


def close_season(connection: Connection, number: int, at: int) -> None:
    """End what is open in a season because another one begins, at `at`."""
    reason = "a new season was begun"
    connection.execute(
        update(_MATCH)
        .where(_MATCH.c.season == number, _MATCH.c.state == MatchState.BEGUN.value)
        .values(state=MatchState.INTERRUPTED.value, reason=reason)
    )
    connection.execute(
        update(_STRETCH)
        .where(_STRETCH.c.season == number, _STRETCH.c.ended_at.is_(None))
        .values(ended_at=at, end_reason=reason)
    )


def replace_season(connection: Connection, number: int, new: NewSeason) -> None:
    """Replace a season of which no match was finished by another one of the same number.

    Its stretches, sessions and attempts are gone. What the organiser ruled on bots that still play stays in
    force, and in an open season on all. Raises StoreError if a match was finished.
    """
    of_season = _MATCH.c.season == number
    finished = select(func.count()).where(of_season, _MATCH.c.state == MatchState.FINISHED.value)
    if connection.execute(finished).scalar():
        raise StoreError(f"Season {number} cannot begin anew, for matches of it were finished")
    for table in (_MATCH, _SESSION, _STRETCH, _ENTRY):
        connection.execute(delete(table).where(table.c.season == number))
    connection.execute(delete(_SEASON).where(_SEASON.c.number == number))
    insert_season(connection, number, new)
    connection.execute(delete(_BOT).where(_BOT.c.slug.not_in(select(_ENTRY.c.bot))))
    row = connection.execute(select(_SEASON).where(_SEASON.c.number == number)).mappings().one()
    bots = None if season_from(row, (), ()).open else {entry.bot for entry in new.entries}
    rule_from_the_start(connection, number, bots)
