"""Reads seasons, and stores them with their entries: new ones, and those that begin anew, still unplayed.

It works inside the caller's transaction. Whether a season may begin anew is decided elsewhere; here only a
season that has a result is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, func, insert, select, update
from sqlmodel import col

from arena.errors import StoreError, UsageError
from arena.store.acts import rule_from_the_start
from arena.store.history import SeasonMark
from arena.store.inputs import NewSeason
from arena.store.models import (
    BotRow,
    ChoiceRow,
    DecisionRow,
    EntryRow,
    MatchRow,
    PhaseRow,
    ReviewRow,
    SeasonRow,
    SessionRow,
)
from arena.store.rows import entry_values, season_from, season_values
from arena.store.transaction import Transaction, reads, writes
from arena.store.views import Entry, MatchState, SeasonView

__all__ = [
    "close_season",
    "enter",
    "insert_season",
    "read_marks",
    "read_named",
    "read_season",
    "replace_season",
]


def read_season(db: Transaction, row: SeasonRow) -> SeasonView:
    """Return the season of a row of `season`, with its entries and phases."""
    entries = select(EntryRow).where(col(EntryRow.season) == row.number)
    phases = select(PhaseRow).where(col(PhaseRow.season) == row.number)
    return season_from(
        row,
        db.scalars(entries.order_by(col(EntryRow.number))).all(),
        db.scalars(phases.order_by(col(PhaseRow.number))).all(),
    )


@reads
def read_named(db: Transaction, number: int) -> SeasonView:
    """Return the season with that number. UsageError, which names the others, if there is none."""
    row = db.get(SeasonRow, number)
    if row is None:
        known = db.scalars(select(col(SeasonRow.number)).order_by(col(SeasonRow.number))).all()
        raise UsageError(f"There is no season {number}: {_known(known)}")
    return read_season(db, row)


def _known(numbers: Sequence[int]) -> str:
    if not numbers:
        return "no season has begun yet"
    if len(numbers) == 1:
        return f"the only one is season {numbers[0]}"
    return f"there are seasons {numbers[0]} {'and' if len(numbers) == 2 else 'to'} {numbers[-1]}"


@reads
def read_marks(db: Transaction) -> list[SeasonMark]:
    """Return what tells the seasons apart, oldest first, without reading any of them."""
    finished = (
        select(func.count())
        .where(
            col(MatchRow.season) == col(SeasonRow.number), col(MatchRow.state) == MatchState.FINISHED.value
        )
        .scalar_subquery()
    )
    reviewed = (
        select(func.coalesce(func.sum(col(ReviewRow.at)), 0))
        .where(col(ReviewRow.season) == col(SeasonRow.number))
        .scalar_subquery()
    )
    # A review of a single match stores decisions alone.
    decisions = (
        select(func.count())
        .select_from(ChoiceRow)
        .join(MatchRow, col(MatchRow.id) == col(ChoiceRow.match))
        .where(col(MatchRow.season) == col(SeasonRow.number))
        .scalar_subquery()
    )
    columns = (
        col(SeasonRow.number),
        col(SeasonRow.opened_at),
        col(SeasonRow.digest),
        finished,
        reviewed,
        decisions,
    )
    found = db.execute(select(*columns).order_by(col(SeasonRow.number)))
    # A server returns the sum of large numbers as a decimal.
    return [
        SeasonMark(number, opened_at, digest, matches, int(at) + count)
        for number, opened_at, digest, matches, at, count in found
    ]


def insert_season(db: Transaction, number: int, new: NewSeason) -> None:
    """Store a season under a number that is free, with its entries."""
    db.execute(insert(SeasonRow), season_values(number, new))
    enter(db, number, new.entries)


@writes
def enter(db: Transaction, season: int, entries: Sequence[Entry]) -> None:
    """Store entries of a season, and the ids that no season had before."""
    if not entries:
        return
    known = set(db.execute(select(col(BotRow.slug))).scalars())
    unknown = [{"slug": entry.bot} for entry in entries if entry.bot not in known]
    if unknown:
        db.execute(insert(BotRow), unknown)
    db.execute(insert(EntryRow), [entry_values(season, entry) for entry in entries])


def close_season(db: Transaction, number: int, at: int) -> None:
    """End what is open in a season because another one begins, at `at`."""
    reason = "a new season was begun"
    db.execute(
        update(MatchRow)
        .where(col(MatchRow.season) == number, col(MatchRow.state) == MatchState.BEGUN.value)
        .values(state=MatchState.INTERRUPTED.value, reason=reason)
    )
    db.execute(
        update(PhaseRow)
        .where(col(PhaseRow.season) == number, col(PhaseRow.ended_at).is_(None))
        .values(ended_at=at, end_reason=reason)
    )


def replace_season(db: Transaction, number: int, new: NewSeason) -> None:
    """Replace a season of which no match was finished by another one of the same number.

    Its phases, decisions, sessions and attempts are gone. What the organiser ruled on bots that still play
    stays in force, and in an open season on all. Raises StoreError if a match was finished.
    """
    of_season = col(MatchRow.season) == number
    finished = select(func.count()).where(of_season, col(MatchRow.state) == MatchState.FINISHED.value)
    if db.execute(finished).scalar():
        raise StoreError(f"Season {number} cannot begin anew, for matches of it were finished")
    for table in (MatchRow, SessionRow, DecisionRow, PhaseRow, EntryRow):
        db.execute(delete(table).where(col(table.season) == number))
    db.execute(delete(SeasonRow).where(col(SeasonRow.number) == number))
    insert_season(db, number, new)
    db.execute(delete(BotRow).where(col(BotRow.slug).not_in(select(col(EntryRow.bot)))))
    row = db.scalars(select(SeasonRow).where(col(SeasonRow.number) == number)).one()
    bots = None if season_from(row, (), ()).open else {entry.bot for entry in new.entries}
    rule_from_the_start(db, number, bots)
