"""Stores and reads what decisions cost, and the review of each bot. It finds nothing itself.

It works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields

from sqlalchemy import BigInteger, Connection, bindparam, cast, delete, func, select

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.match.texts import plays_from, sets_text
from arena.papayoo import mask_of
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview
from arena.store import models
from arena.store.models import table_of
from arena.store.review_document import StoredReview, review_from, text_of_review
from arena.store.row import stored
from arena.store.rows import Cells, shaped
from arena.store.session import reads, reads_on
from arena.store.views import MatchSlot, MatchState

__all__ = [
    "delete_reviews",
    "read_review_marks",
    "read_review_summaries",
    "read_reviews",
    "store_review_summary",
    "store_reviews",
]

_REVIEW = table_of(models.Review)
_SUMMARY = table_of(models.ReviewSummary)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_PLACE = ("match", "seat", "round", "question")


def store_reviews(connection: Connection, season: int, found: Collection[Reviewed]) -> None:
    """Store what decisions cost; what was found of the same decisions before is replaced.

    Raises StoreError for a match that is not finished.
    """
    ids = _finished(connection, season, {one.match for one in found})
    rows = [_cells(ids, one) for one in found]
    if rows:
        same = [_REVIEW.c[name] == bindparam(f"of_{name}") for name in _PLACE]
        places = [{f"of_{name}": row[name] for name in _PLACE} for row in rows]
        connection.execute(delete(_REVIEW).where(*same), places)
        connection.execute(_REVIEW.insert(), rows)


@reads_on
def read_reviews(
    connection: Connection, season: int, bot: str | None = None, match: MatchSlot | None = None
) -> Iterator[Reviewed]:
    """Yield what decisions of a season cost, or of a bot or match, as far as they were reviewed."""
    key = [_MATCH.c[name] for name in ("cycle", "index", "order", "attempt")]
    here = (_SEAT.c.match == _REVIEW.c.match) & (_SEAT.c.seat == _REVIEW.c.seat)
    asked = (
        select(_REVIEW, _SEAT.c.bot, *key)
        .join(_MATCH, _MATCH.c.id == _REVIEW.c.match)
        .join(_SEAT, here)
        .where(_MATCH.c.season == season)
        .order_by(*key, _REVIEW.c.round, _REVIEW.c.question, _REVIEW.c.seat)
    )
    if bot is not None:
        asked = asked.where(_SEAT.c.bot == bot)
    if match is not None:
        asked = asked.where(*(column == value for column, value in zip(key, match, strict=False)))
    for row in connection.execute(asked).mappings():
        yield shaped(
            Reviewed,
            row,
            match=shaped(MatchKey, row),
            phase=stored(Phase, row["phase"]),
            chosen=mask_of(stored(plays_from, row["chosen"])),
            best=mask_of(stored(plays_from, row["best"])),
        )


@reads
def read_review_marks(connection: Connection, season: int) -> dict[MatchSlot, tuple[int, int]]:
    """Return, for each match with reviewed decisions, a mark that is another when their reviews are.

    The mark is how many there are, and the sum of what was found: the database adds up, so no decision
    is read.
    """
    key = [_MATCH.c[name] for name in ("cycle", "index", "order")]
    # A sum of whole numbers is the same in any order.
    amounts = (_REVIEW.c.cost + _REVIEW.c.error + _REVIEW.c.expected + _REVIEW.c.true_cost) * 1_000_000
    total = func.sum(cast(amounts, BigInteger))
    asked = (
        select(*key, func.count(), total)
        .join(_MATCH, _MATCH.c.id == _REVIEW.c.match)
        .where(_MATCH.c.season == season)
        .group_by(*key)
        .order_by(*key)
    )
    rows = connection.execute(asked).all()
    return {(row[0], row[1], row[2]): (row[3], int(row[4])) for row in rows}


def store_review_summary(connection: Connection, season: int, review: BotReview, at: int) -> None:
    """Store the review of a bot in the place of the one before."""
    _forget_summary(connection, season, review.bot)
    row = {"season": season, "bot": review.bot, "at": at, "document": text_of_review(review)}
    connection.execute(_SUMMARY.insert(), row)


@reads
def read_review_summaries(connection: Connection, season: int) -> list[StoredReview]:
    """Return the reviews of a season's bots, by bot id."""
    here = select(_SUMMARY).where(_SUMMARY.c.season == season).order_by(_SUMMARY.c.bot)
    return [
        StoredReview(row["bot"], row["at"], _readable(row["document"], row["bot"]))
        for row in connection.execute(here).mappings()
    ]


def _readable(document: str, bot: str) -> BotReview | None:
    try:
        return review_from(document, bot)
    except StoreError:
        return None


def delete_reviews(connection: Connection, season: int, bot: str) -> int:
    """Remove all that is stored of the reviews of a bot. Return the number of its decisions that were."""
    _forget_summary(connection, season, bot)
    own = (
        select(_SEAT.c.seat)
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .where(_MATCH.c.season == season, _SEAT.c.bot == bot)
        .where(_SEAT.c.match == _REVIEW.c.match, _SEAT.c.seat == _REVIEW.c.seat)
    )
    return connection.execute(delete(_REVIEW).where(own.exists())).rowcount


def _forget_summary(connection: Connection, season: int, bot: str) -> None:
    connection.execute(delete(_SUMMARY).where(_SUMMARY.c.season == season, _SUMMARY.c.bot == bot))


def _finished(connection: Connection, season: int, keys: Iterable[MatchKey]) -> dict[MatchKey, int]:
    """Return the ids of these matches. Raises StoreError for one that is not finished."""
    here = select(_MATCH).where(_MATCH.c.season == season, _MATCH.c.state == MatchState.FINISHED.value)
    of_cycles = here.where(_MATCH.c.cycle.in_({key.cycle for key in keys}))
    known = {shaped(MatchKey, row): int(row["id"]) for row in connection.execute(of_cycles).mappings()}
    for key in keys:
        if key not in known:
            raise StoreError(f"{key} is not finished, so no review of it can be stored")
    return known


def _cells(ids: dict[MatchKey, int], one: Reviewed) -> Cells:
    cells = {each.name: getattr(one, each.name) for each in fields(one) if each.name != "bot"}
    sets = {name: sets_text([cells[name]]) for name in ("chosen", "best")}
    return {**cells, **sets, "match": ids[one.match], "phase": one.phase.value}
