"""From which cycle on something new can hold: an act of the organiser, or another stretch.

It follows from what was begun and decided. It decides nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlmodel import col

from arena.store.acts import read_actions
from arena.store.deciding_looks import SETTLED, looks_from
from arena.store.history import Action
from arena.store.models import SessionRow
from arena.store.planned import stretch_blocks
from arena.store.seasons import read_named
from arena.store.transaction import Transaction, reads
from arena.store.views import SeasonView

__all__ = ["next_stretch_begins", "read_first_free"]


def next_stretch_begins(season: SeasonView, acts: Sequence[Action]) -> int:
    """Return the first cycle of a stretch that would follow the newest one, which has ended.

    `acts`: all of the database. A stretch that ended because it was settled is followed from the end of the
    block on that may have been played ahead, whether it was or not: so what follows does not depend on how
    many play at once.
    """
    if not season.stretches:
        return 0
    last = season.stretches[-1]
    looks = looks_from(acts, season.number)
    settled = any((look.what, look.cycles) == (SETTLED, last.cycles_planned) for _, look in looks)
    return stretch_blocks(last).beyond(last.cycles_planned) if settled else last.cycles_planned


@reads
def read_first_free(db: Transaction, number: int) -> int:
    """Return the first cycle of the first decision block of a season of which nothing was begun.

    An act of the organiser holds from there on. A run that is going to begin that block reads the rulings
    after it has stored the beginning, and before it hands anything out. So it knows every ruling that was
    stored before.
    """
    season = read_named(db, number)
    last = season.stretches[-1] if season.stretches else None
    if last is None or last.ended_at is not None:
        return next_stretch_begins(season, read_actions(db))
    of_stretch = (col(SessionRow.season) == number, col(SessionRow.stretch) == last.number)
    begun = db.execute(select(func.max(col(SessionRow.cycle))).where(*of_stretch)).scalar()
    return last.first_cycle if begun is None else stretch_blocks(last).end_of(int(begun))
