"""Stores and reads the reviews of decisions and bots, which are texts to it. It finds nothing itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import delete, func, insert, select, tuple_
from sqlmodel import col

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.store.models import ChoiceRow, MatchRow, ReviewRow, SeatRow
from arena.store.transaction import Transaction, changed, reads, reads_on, writes
from arena.store.views import MatchSlot, MatchState, StoredChoice, StoredReview

_KEY = (col(MatchRow.cycle), col(MatchRow.index), col(MatchRow.order), col(MatchRow.attempt))
_PLACE = (col(ChoiceRow.match), col(ChoiceRow.seat), col(ChoiceRow.round), col(ChoiceRow.question))


@writes
def save_reviews(db: Transaction, season: int, found: Collection[StoredChoice], at: int) -> None:
    """Store at `at` what decisions cost; what was stored of the same ones is replaced.

    Raises StoreError for a match that is not finished.
    """
    ids = _finished(db, season, {one.match for one in found})
    rows = [
        {
            "match": ids[one.match],
            "seat": one.seat,
            "round": one.round,
            "question": one.question,
            "at": at,
            "document": one.text,
        }
        for one in found
    ]
    if rows:
        places = [(row["match"], row["seat"], row["round"], row["question"]) for row in rows]
        db.execute(delete(ChoiceRow).where(tuple_(*_PLACE).in_(places)))
        db.execute(insert(ChoiceRow), rows)


@reads_on
def read_reviews(
    db: Transaction, season: int, bot: str | None = None, match: MatchSlot | None = None
) -> Iterator[StoredChoice]:
    """Yield what decisions of a season cost, or of a bot or match, as far as they were reviewed."""
    asked = (
        select(*_KEY, *_PLACE[1:], col(ChoiceRow.document))
        .join(MatchRow, col(MatchRow.id) == col(ChoiceRow.match))
        .where(col(MatchRow.season) == season)
        .order_by(*_KEY, col(ChoiceRow.round), col(ChoiceRow.question), col(ChoiceRow.seat))
    )
    if bot is not None:
        asked = asked.join(
            SeatRow,
            (col(SeatRow.match) == col(ChoiceRow.match)) & (col(SeatRow.seat) == col(ChoiceRow.seat)),
        ).where(col(SeatRow.bot) == bot)
    if match is not None:
        asked = asked.where(*(column == value for column, value in zip(_KEY, match, strict=False)))
    for *key, seat, round_, question, text in db.execute(asked):
        yield StoredChoice(MatchKey(*key), seat, round_, question, text)


@reads
def read_review_marks(db: Transaction, season: int) -> dict[MatchSlot, tuple[int, int]]:
    """Return, for each match with reviewed decisions, a mark that is another when their reviews are.

    The mark is how many there are, and the sum of the times at which they were stored.
    """
    slot = _KEY[:3]
    asked = (
        select(*slot, func.count(), func.sum(col(ChoiceRow.at)))
        .join(MatchRow, col(MatchRow.id) == col(ChoiceRow.match))
        .where(col(MatchRow.season) == season)
        .group_by(*slot)
        .order_by(*slot)
    )
    rows = db.execute(asked).all()
    return {(row[0], row[1], row[2]): (row[3], int(row[4])) for row in rows}


@writes
def save_review_summary(db: Transaction, season: int, review: StoredReview) -> None:
    """Store the review of a bot in the place of the one before."""
    _forget_summary(db, season, review.bot)
    row = {"season": season, "bot": review.bot, "at": review.at, "document": review.text}
    db.execute(insert(ReviewRow), row)


@reads
def read_review_summaries(db: Transaction, season: int) -> list[StoredReview]:
    """Return the reviews of a season's bots, by bot id."""
    columns = (col(ReviewRow.bot), col(ReviewRow.at), col(ReviewRow.document))
    here = select(*columns).where(col(ReviewRow.season) == season).order_by(col(ReviewRow.bot))
    return [StoredReview(*row) for row in db.execute(here)]


@writes
def forget_reviews(db: Transaction, season: int, bot: str) -> int:
    """Remove all that is stored of the reviews of a bot. Return the number of its decisions that were."""
    _forget_summary(db, season, bot)
    own = (
        select(col(SeatRow.seat))
        .join(MatchRow, col(MatchRow.id) == col(SeatRow.match))
        .where(col(MatchRow.season) == season, col(SeatRow.bot) == bot)
        .where(col(SeatRow.match) == col(ChoiceRow.match), col(SeatRow.seat) == col(ChoiceRow.seat))
    )
    return changed(db, delete(ChoiceRow).where(own.exists()))


def _forget_summary(db: Transaction, season: int, bot: str) -> None:
    db.execute(delete(ReviewRow).where(col(ReviewRow.season) == season, col(ReviewRow.bot) == bot))


def _finished(db: Transaction, season: int, keys: Collection[MatchKey]) -> dict[MatchKey, int]:
    """Return the ids of these matches. Raises StoreError for one that is not finished."""
    here = select(col(MatchRow.id), *_KEY).where(
        col(MatchRow.season) == season,
        col(MatchRow.state) == MatchState.FINISHED.value,
        col(MatchRow.cycle).in_({key.cycle for key in keys}),
    )
    known = {MatchKey(*key): identity for identity, *key in db.execute(here)}
    for key in keys:
        if key not in known:
            raise StoreError(f"{key} is not finished, so no review of it can be stored")
    return known
