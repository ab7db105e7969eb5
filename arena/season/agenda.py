"""What is still to be played, in the order of the schedule. Pure: is told what happened, plays nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from arena.deals import MatchKey
from arena.schedule import Plan, Session
from arena.season.shards import Shard
from arena.store.views import MatchSlot, SessionKey, SessionState

__all__ = ["MAX_TRIES", "OVER", "Agenda", "Played", "Work"]

MAX_TRIES = 3
"""Aborted attempts at one match after which its session is left out."""

OVER = (SessionState.COMPLETE, SessionState.VOIDED, SessionState.LEFT_OUT)
"""What a session is when nothing of it remains to be played."""


@dataclass(frozen=True, slots=True)
class Played:
    """What the database knows at the beginning of a run."""

    states: Mapping[SessionKey, SessionState] = field(default_factory=dict)
    finished: Set[MatchSlot] = frozenset()
    attempts: Mapping[MatchSlot, int] = field(default_factory=dict)
    aborted: Mapping[MatchSlot, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Work:
    """A session and the attempts at its matches that are to be begun now, in order."""

    session: Session
    keys: tuple[MatchKey, ...]


class Agenda:
    """The sessions of the cycles below `cycles` that are not over.

    A session is in one pair of hands at a time, so that no match is ever played twice: `next` hands
    it out, and `give_back` ends that. In between each of its keys is finished, aborted or withdrawn.

    `held`: no session of a cycle is handed out before all earlier cycles are over and `go_on` was
    called (see `waiting`). So what is decided between two cycles rests on whole cycles, whoever
    played them and how many at a time; who knows the decision before (see `held` and `in_hand`) may
    call `go_on` at once. A cycle that was begun before this run is not held.

    `shard`: only the sessions of this part of the league.
    """

    def __init__(
        self, plan: Plan, cycles: int, played: Played, held: bool = False, shard: Shard | None = None
    ) -> None:
        self._attempts = dict(played.attempts)
        self._aborted = dict(played.aborted)
        self._finished = set(played.finished)
        self._left_out: set[SessionKey] = set()
        self._orders = range(plan.matches_per_session)
        ours = [
            session
            for cycle in range(cycles)
            for session in plan.cycle(cycle)
            if shard is None or shard.has(_key(session), plan.sessions_per_cycle)
        ]
        self.planned = len(ours) * plan.matches_per_session
        """Matches of all its sessions, those that are over included."""
        self._queue = deque(session for session in ours if played.states.get(_key(session)) not in OVER)
        self.matches_left = sum(len(self._missing(session)) for session in self._queue)
        """Matches that are neither finished nor left out."""
        begun = [*played.states, *((cycle, index) for cycle, index, _ in played.attempts)]
        self._open = max((cycle + 1 for cycle, _ in begun), default=1) if held else cycles
        self._given: dict[SessionKey, Session] = {}

    def __len__(self) -> int:
        """Sessions that nobody has been given."""
        return len(self._queue)

    def next(self) -> Work | None:
        """The next session, with new attempts at its missing matches; None when all are given or held."""
        if not self._queue or self._queue[0].cycle >= self._open:
            return None
        session = self._queue.popleft()
        self._given[_key(session)] = session
        return Work(session, tuple(self._new_attempt(session, order) for order in self._missing(session)))

    @property
    def held(self) -> int | None:
        """The cycle that is held and would be played next, while earlier ones are in hand or over."""
        return self._queue[0].cycle if self._queue and self._queue[0].cycle >= self._open else None

    def in_hand(self) -> list[Session]:
        """The sessions that are being played, and are not over."""
        return [session for session in self._given.values() if self._missing(session)]

    @property
    def waiting(self) -> int | None:
        """How many cycles are over, when the next is held until `go_on` or `end`; else None."""
        return None if self._given else self.held

    def go_on(self) -> None:
        """The next cycle may be played."""
        if self._queue:
            self._open = max(self._open, self._queue[0].cycle + 1)

    def end(self) -> None:
        """What nobody has been given is not to be played after all."""
        self.matches_left -= sum(len(self._missing(session)) for session in self._queue)
        self._queue.clear()

    def finished(self, key: MatchKey) -> None:
        """A match has its result."""
        slot = _slot(key)
        if slot not in self._finished:
            self._finished.add(slot)
            self.matches_left -= (key.cycle, key.index) not in self._left_out

    def aborted(self, session: Session, key: MatchKey) -> bool:
        """An attempt failed for a reason of ours. True when that leaves the session out: one too many."""
        slot = _slot(key)
        self._aborted[slot] = self._aborted.get(slot, 0) + 1
        if self._aborted[slot] < MAX_TRIES or _key(session) in self._left_out:
            return False
        self.matches_left -= len(self._missing(session))
        self._left_out.add(_key(session))
        return True

    def withdraw(self, keys: Iterable[MatchKey]) -> None:
        """These attempts were not begun after all: their numbers are free again."""
        for key in keys:
            self._attempts[_slot(key)] = key.attempt - 1

    def give_back(self, session: Session) -> None:
        """Nobody plays this session any longer; what it still misses is played next."""
        del self._given[_key(session)]
        if self._missing(session):
            self._queue.appendleft(session)

    def _missing(self, session: Session) -> list[int]:
        if _key(session) in self._left_out:
            return []
        cycle, index = _key(session)
        return [order for order in self._orders if (cycle, index, order) not in self._finished]

    def _new_attempt(self, session: Session, order: int) -> MatchKey:
        slot = (session.cycle, session.index, order)
        self._attempts[slot] = self._attempts.get(slot, -1) + 1
        return MatchKey(*slot, self._attempts[slot])


def _slot(key: MatchKey) -> MatchSlot:
    return key.cycle, key.index, key.order


def _key(session: Session) -> SessionKey:
    return session.cycle, session.index
