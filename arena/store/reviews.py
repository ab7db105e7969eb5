"""Stores and reads the reviews of decisions and bots, which are texts to it. It finds nothing itself.

It works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import Connection, bindparam, delete, func, select

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.store import models
from arena.store.models import table_of
from arena.store.session import reads, reads_on
from arena.store.views import MatchSlot, MatchState, StoredDecision, StoredReview

__all__ = [
    "delete_reviews",
    "read_review_marks",
    "read_review_summaries",
    "read_reviews",
    "store_review_summary",
    "store_reviews",
]

_DECISION = table_of(models.Decision)
_REVIEW = table_of(models.Review)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_PLACE = ("match", "seat", "round", "question")
_KEY = tuple(_MATCH.c[name] for name in ("cycle", "index", "order", "attempt"))


def store_reviews(connection: Connection, season: int, found: Collection[StoredDecision], at: int) -> None:
    """Store what decisions cost, found at `at`; what was found of the same ones before is replaced.

    Raises StoreError for a match that is not finished.
    """
    ids = _finished(connection, season, {one.match for one in found})
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
        same = [_DECISION.c[name] == bindparam(f"of_{name}") for name in _PLACE]
        places = [{f"of_{name}": row[name] for name in _PLACE} for row in rows]
        connection.execute(delete(_DECISION).where(*same), places)
        connection.execute(_DECISION.insert(), rows)


@reads_on
def read_reviews(
    connection: Connection, season: int, bot: str | None = None, match: MatchSlot | None = None
) -> Iterator[StoredDecision]:
    """Yield what decisions of a season cost, or of a bot or match, as far as they were reviewed."""
    asked = (
        select(*_KEY, *(_DECISION.c[name] for name in (*_PLACE[1:], "document")))
        .join(_MATCH, _MATCH.c.id == _DECISION.c.match)
        .where(_MATCH.c.season == season)
        .order_by(*_KEY, _DECISION.c.round, _DECISION.c.question, _DECISION.c.seat)
    )
    if bot is not None:
        asked = asked.join(
            _SEAT, (_SEAT.c.match == _DECISION.c.match) & (_SEAT.c.seat == _DECISION.c.seat)
        ).where(_SEAT.c.bot == bot)
    if match is not None:
        asked = asked.where(*(column == value for column, value in zip(_KEY, match, strict=False)))
    for *key, seat, round_, question, text in connection.execute(asked):
        yield StoredDecision(MatchKey(*key), seat, round_, question, text)


@reads
def read_review_marks(connection: Connection, season: int) -> dict[MatchSlot, tuple[int, int]]:
    """Return, for each match with reviewed decisions, a mark that is another when their reviews are.

    The mark is how many there are, and the sum of the times at which they were stored.
    """
    slot = _KEY[:3]
    asked = (
        select(*slot, func.count(), func.sum(_DECISION.c.at))
        .join(_MATCH, _MATCH.c.id == _DECISION.c.match)
        .where(_MATCH.c.season == season)
        .group_by(*slot)
        .order_by(*slot)
    )
    rows = connection.execute(asked).all()
    return {(row[0], row[1], row[2]): (row[3], int(row[4])) for row in rows}


def store_review_summary(connection: Connection, season: int, review: StoredReview) -> None:
    """Store the review of a bot in the place of the one before."""
    _forget_summary(connection, season, review.bot)
    row = {"season": season, "bot": review.bot, "at": review.at, "document": review.text}
    connection.execute(_REVIEW.insert(), row)


@reads
def read_review_summaries(connection: Connection, season: int) -> list[StoredReview]:
    """Return the reviews of a season's bots, by bot id."""
    columns = (_REVIEW.c.bot, _REVIEW.c.at, _REVIEW.c.document)
    here = select(*columns).where(_REVIEW.c.season == season).order_by(_REVIEW.c.bot)
    return [StoredReview(*row) for row in connection.execute(here)]


def delete_reviews(connection: Connection, season: int, bot: str) -> int:
    """Remove all that is stored of the reviews of a bot. Return the number of its decisions that were."""
    _forget_summary(connection, season, bot)
    own = (
        select(_SEAT.c.seat)
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .where(_MATCH.c.season == season, _SEAT.c.bot == bot)
        .where(_SEAT.c.match == _DECISION.c.match, _SEAT.c.seat == _DECISION.c.seat)
    )
    return connection.execute(delete(_DECISION).where(own.exists())).rowcount


def _forget_summary(connection: Connection, season: int, bot: str) -> None:
    connection.execute(delete(_REVIEW).where(_REVIEW.c.season == season, _REVIEW.c.bot == bot))


def _finished(connection: Connection, season: int, keys: Collection[MatchKey]) -> dict[MatchKey, int]:
    """Return the ids of these matches. Raises StoreError for one that is not finished."""
    here = select(_MATCH.c.id, *_KEY).where(
        _MATCH.c.season == season,
        _MATCH.c.state == MatchState.FINISHED.value,
        _MATCH.c.cycle.in_({key.cycle for key in keys}),
    )
    known = {MatchKey(*key): int(identity) for identity, *key in connection.execute(here)}
    for key in keys:
        if key not in known:
            raise StoreError(f"{key} is not finished, so no review of it can be stored")
    return known
