"""The agenda: what is still to be played, in the order of the schedule.

Pure: the agenda is told what happened, and plays nothing.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass

from arena.deals import MatchKey
from arena.schedule import DecisionCycles, Schedule, Session
from arena.store.stored_season import SoFar
from arena.store.views import MatchSlot, SessionKey, SessionState

MAX_TRIES = 3
"""Aborted attempts at one match after which its session is left out."""

OVER = (SessionState.COMPLETE, SessionState.VOIDED, SessionState.LEFT_OUT)
"""The states of a session that has nothing left to play."""


@dataclass(frozen=True, slots=True)
class Work:
    """A session and the attempts at its matches that are to be begun now, in order."""

    session: Session
    keys: tuple[MatchKey, ...]


class Agenda:
    """The sessions of the cycles below `cycles` that are not over.

    Only one referee has a session at a time, so that no match is ever played twice: `next` hands the session
    out, and `give_back` takes it back. In between each of its keys is finished, aborted or withdrawn.

    `decisions`: those of the phase; None where nothing is decided. What may be begun while a decision is
    open is handed out; no more before `decided` is told that it is made. `undecided` says when it can be. So
    decisions rest on whole cycles, whichever referees played them. What was begun before this run was open
    then.
    """

    def __init__(
        self, plan: Schedule, cycles: int, played: SoFar, decisions: DecisionCycles | None = None
    ) -> None:
        self._plan = plan
        self._end = cycles
        self._attempts = dict(played.attempts)
        self._aborted = dict(played.aborted)
        self._finished = set(played.finished)
        self._left_out: set[SessionKey] = set()
        self._orders = range(plan.matches_per_session)
        sessions = self._from(0)
        self.planned = len(sessions) * plan.matches_per_session
        """The matches of all sessions of the agenda, also of those that are over."""
        self._queue = deque(session for session in sessions if played.states.get(_key(session)) not in OVER)
        self.matches_left = sum(len(self._missing(session)) for session in self._queue)
        """The matches that are neither finished nor left out."""
        self._given: dict[SessionKey, Session] = {}
        self._open = cycles
        self._decisions = decisions
        self._left: Counter[int] = Counter()
        """The sessions that are not over, by the decisions that wait for them."""
        if decisions is not None:
            begun = [*played.states, *((cycle, index) for cycle, index, _ in played.attempts)]
            first = decisions.first
            last = max((cycle for cycle, _ in begun if first <= cycle < cycles), default=first)
            self._decided = decisions.decided_before(last)
            self._open = decisions.open_until(self._decided)
            self._left.update(decisions.end_after(session.cycle) for session in self._queue)

    @property
    def cycles(self) -> frozenset[int]:
        """Return the cycles of the sessions that are not handed out."""
        return frozenset(session.cycle for session in self._queue)

    def follow(self, plan: Schedule) -> None:
        """Go on by another plan of the season, which differs only in cycles of which nothing was begun."""
        first = self._plan.first_difference(plan)
        self._plan = plan
        if first is None:
            return
        kept = [session for session in self._queue if session.cycle < first]
        dropped = [session for session in self._queue if session.cycle >= first]
        new = self._from(first)
        self._queue = deque([*kept, *new])
        for session in dropped:
            self._count(-1, session)
        for session in new:
            self._count(1, session)

    def _from(self, first: int) -> list[Session]:
        """Return the sessions of the cycles from `first` on."""
        return [session for cycle in range(first, self._end) for session in self._plan.cycle(cycle)]

    def _count(self, sign: int, session: Session) -> None:
        self.planned += sign * len(self._orders)
        self.matches_left += sign * len(self._missing(session))
        self._count_for_decision(sign, session)

    def _count_for_decision(self, sign: int, session: Session) -> None:
        if self._decisions is not None:
            self._left[self._decisions.end_after(session.cycle)] += sign

    def __len__(self) -> int:
        """Return the number of sessions that are not handed out."""
        return len(self._queue)

    @property
    def unplayed(self) -> int:
        """Return the number of sessions that are handed out or still to be."""
        return len(self._queue) + len(self._given)

    @property
    def is_open(self) -> bool:
        """Return whether there is a session to hand out now: one that is not held."""
        return bool(self._queue) and self._queue[0].cycle < self._open

    def next(self) -> Work | None:
        """Hand out the next session, with new attempts at its missing matches.

        Returns None when all sessions are handed out or held.
        """
        if not self.is_open:
            return None
        session = self._queue.popleft()
        self._given[_key(session)] = session
        return Work(session, tuple(self._new_attempt(session, order) for order in self._missing(session)))

    @property
    def undecided(self) -> int | None:
        """Return the end of the next decision cycle, if all sessions up to it are over, else None."""
        if self._decisions is None or self._decided >= self._end:
            return None
        end = self._decisions.end_after(self._decided)
        return None if end > self._end or self._left[end] else end

    def decided(self, end: int) -> None:
        """Note that the decision after `end` cycles is made, so that more may be played."""
        assert self._decisions is not None, "there are decisions, or nothing is undecided"
        self._decided = end
        self._open = self._decisions.open_until(end)

    def end(self, cycles: int) -> None:
        """Hand out nothing from the cycle `cycles` on: the phase ends there, and nothing of it is begun."""
        if cycles >= self._end:
            return
        self._end = cycles
        self.matches_left -= sum(len(self._missing(one)) for one in self._queue if one.cycle >= cycles)
        self._queue = deque(session for session in self._queue if session.cycle < cycles)

    def finished(self, key: MatchKey) -> None:
        """Note that a match has its result."""
        slot = _slot(key)
        if slot not in self._finished:
            self._finished.add(slot)
            # The matches of a session that was left out were taken from the count then.
            self.matches_left -= (key.cycle, key.index) not in self._left_out

    def aborted(self, session: Session, key: MatchKey) -> bool:
        """Note that an attempt failed for a reason of the arena's own.

        Returns True when that was one attempt too many and the session is now left out.
        """
        slot = _slot(key)
        self._aborted[slot] = self._aborted.get(slot, 0) + 1
        # A session is left out only once, although several of its matches may be aborted together.
        if self._aborted[slot] < MAX_TRIES or _key(session) in self._left_out:
            return False
        self.matches_left -= len(self._missing(session))
        self._left_out.add(_key(session))
        return True

    def unbegin(self, keys: Iterable[MatchKey]) -> None:
        """Note that these attempts were not begun after all: their numbers are free again."""
        for key in keys:
            self._attempts[_slot(key)] = key.attempt - 1

    def give_back(self, session: Session) -> bool:
        """Take back a session that nobody plays any longer. Its missing matches are played next.

        Return whether there is something new to do: to hand out the session again, or to decide.
        """
        del self._given[_key(session)]
        if not self._missing(session):
            self._count_for_decision(-1, session)
            return self.undecided is not None
        self._queue.appendleft(session)
        return True

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
