"""A season as it is stored at one moment, with all that was done to it.

It is read at once, as plain data. What is decided of a season rests on this; `arena.season` does that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field

from sqlalchemy import func, select
from sqlmodel import col

from arena.conduct.exclusion import Ruling
from arena.store.acts import FailedStart, closing, failed_starts, read_actions, rulings_from
from arena.store.counts import read_session_states
from arena.store.decisions import Decision, read_decisions
from arena.store.history import Action
from arena.store.models import MatchRow, SeasonRow
from arena.store.seasons import read_season
from arena.store.transaction import Transaction, reads
from arena.store.views import MatchSlot, MatchState, SeasonView, SessionKey, SessionState

__all__ = ["SoFar", "StoredSeason", "read_so_far", "read_stored_season"]


@dataclass(frozen=True, slots=True)
class StoredSeason:
    """A season with its decisions, earliest first, and the acts of all seasons, oldest first.

    `is_played`: whether a match of it was finished.
    """

    view: SeasonView
    acts: Sequence[Action]
    decisions: Sequence[Decision] = ()
    is_played: bool = True

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return who is out and who is back, in the order of time."""
        return rulings_from(self.acts, self.decisions, self.view.number)

    @property
    def failures(self) -> Mapping[str, Sequence[FailedStart]]:
        """Return how each version failed to start, each time in a row; see `failed_starts`."""
        return failed_starts(self.view, self.acts)

    @property
    def closed(self) -> str:
        """Return that the organiser closed the season and why; empty as long as bots may come."""
        act = closing(self.acts, self.view.number)
        return "" if act is None else f"season {act.subject} is closed: {act.reason}"


@dataclass(frozen=True, slots=True)
class SoFar:
    """What was begun of a season so far.

    `states`: each stored session's state. `finished`: the matches that have a result. `attempts`: the number
    of the last attempt at each match. `aborted`: how many attempts at each match were aborted; interrupted
    ones do not count.
    """

    states: Mapping[SessionKey, SessionState] = field(default_factory=dict)
    finished: Set[MatchSlot] = frozenset()
    attempts: Mapping[MatchSlot, int] = field(default_factory=dict)
    aborted: Mapping[MatchSlot, int] = field(default_factory=dict)


@reads
def read_stored_season(db: Transaction) -> StoredSeason | None:
    """Return the newest season, None before the first."""
    newest = db.scalars(select(SeasonRow).order_by(col(SeasonRow.number).desc()).limit(1)).first()
    if newest is None:
        return None
    view = read_season(db, newest)
    finished = (col(MatchRow.season) == view.number, col(MatchRow.state) == MatchState.FINISHED.value)
    is_played = db.execute(select(col(MatchRow.id)).where(*finished).limit(1)).first() is not None
    return StoredSeason(view, read_actions(db), read_decisions(db, view.number), is_played)


@reads
def read_so_far(db: Transaction, season: int) -> SoFar:
    """Return what was begun of a season."""
    slot = (col(MatchRow.cycle), col(MatchRow.index), col(MatchRow.order))
    counted = select(*slot, col(MatchRow.state), func.max(col(MatchRow.attempt)), func.count())
    found = db.execute(counted.where(col(MatchRow.season) == season).group_by(*slot, col(MatchRow.state)))
    finished: set[MatchSlot] = set()
    attempts: dict[MatchSlot, int] = {}
    aborted: dict[MatchSlot, int] = {}
    for cycle, index, order, state, last, count in found:
        key = (cycle, index, order)
        attempts[key] = max(last, attempts.get(key, last))
        if state == MatchState.FINISHED.value:
            finished.add(key)
        elif state == MatchState.ABORTED.value:
            aborted[key] = count
    return SoFar(read_session_states(db, season), finished, attempts, aborted)
