"""Stores and reads what decisions cost. It works inside the caller's transaction. It finds nothing itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields

from sqlalchemy import Connection, bindparam, delete, select

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.papayoo import mask_of
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.store import models
from arena.store.models import table_of
from arena.store.rows import Cells, shaped
from arena.store.texts import plays_from, sets_text
from arena.store.views import MatchState

__all__ = ["read_reviews", "store_reviews"]

_REVIEW = table_of(models.Review)
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


def read_reviews(connection: Connection, season: int, bot: str | None = None) -> Iterator[Reviewed]:
    """Yield what is stored of the decisions of a season, or of one bot in it, in the schedule's order."""
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
    for row in connection.execute(asked).mappings():
        yield shaped(
            Reviewed,
            row,
            match=shaped(MatchKey, row),
            phase=Phase(row["phase"]),
            chosen=mask_of(plays_from(row["chosen"])),
            best=mask_of(plays_from(row["best"])),
        )


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
