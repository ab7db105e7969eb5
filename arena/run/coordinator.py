"""The coordinator: gives sessions to referees, stores what they played, stops in order. No bot waits for it.

It hears of signals through `stop`. A lost referee costs at most the matches that it was playing, and these
are played again. `Results` stores and reports what the referees send. The `Director` decides who sits in a
cycle and whether there is another cycle.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import trio

from arena.deals import MatchKey, StretchDeals
from arena.errors import InternalError, one_error
from arena.linux.endings import how_it_ended
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    Overran,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
)
from arena.run.referee_client import RefereeClient
from arena.run.results import Results, Watcher
from arena.run.workload import Workload
from arena.schedule import Session
from arena.season.agenda import Agenda, Work
from arena.season.director import Director
from arena.store.inputs import PlannedSession
from arena.store.writer import Writer

__all__ = ["Coordinator", "Ending", "Settings"]

_SILENT_ENDINGS = 3
"""Referees that may end in a row without having sent a message; then the cause is a mistake of ours."""
_LEFT_OUT_IN_A_ROW = 2
"""Sessions left out, with no match finished in between, before the run ends with an error. The cause is
then this machine rather than a match, and would take session after session out of the league."""


class Ending(Enum):
    """The way in which a run ended, with a phrase for people."""

    COMPLETE = "everything that was asked for has been played"
    STOPPED = "stopped; running matches were finished"
    CUT_OFF = "stopped at once; finished matches are stored"
    IDLE = "stopped while no match was being played"
    PART = "this part of the league has been played"
    OUT_OF_TIME = "max_hours is reached; sessions that were begun are finished"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings by which a stretch is played.

    `bots`: the ids by their numbers in the schedule. `setups`: one for each referee. `logs`: the folder for
    what referees write to standard error. `max_seconds`: no session is begun later than so many seconds
    after the start of the run.
    """

    season: int
    stretch: int
    bots: tuple[str, ...]
    deals: StretchDeals
    setups: tuple[Setup, ...]
    logs: Path
    max_seconds: float = math.inf


class Coordinator:
    """Plays an agenda to its end, or until it is stopped."""

    def __init__(
        self, settings: Settings, agenda: Agenda, director: Director, writer: Writer, watcher: Watcher
    ) -> None:
        self._settings = settings
        self._agenda = agenda
        self._director = director
        self._watcher = watcher
        self._results = Results(settings.season, writer, watcher, agenda)
        self._referees: list[Workload] = []
        self._everything = trio.CancelScope()
        self._background: trio.Nursery
        self._stopping = False
        self._until = math.inf
        self._left_out_in_a_row = 0
        self._begun_cycle = -1

    async def run(self) -> Ending:
        """Play the agenda and return how the run ended. May be called once.

        Raises StoreError when results cannot be stored, and InternalError when referees fail again and
        again. Whatever was stored before stays stored.
        """
        self._until = trio.current_time() + self._settings.max_seconds
        with one_error(), self._everything:
            self._decide()
            # Around the nursery of the referees: saving and sending go on until the last referee has ended.
            async with trio.open_nursery() as self._background:
                self._background.start_soon(self._keep_saving)
                async with trio.open_nursery() as referees:
                    for number, setup in enumerate(self._settings.setups):
                        referees.start_soon(self._keep_referee, number, setup)
                self._background.cancel_scope.cancel()
        # Also after a stop at once, so that no finished match has to be played again.
        self._results.save()
        if self._everything.cancelled_caught:
            self._results.interrupt_begun("the run was stopped at once")
            return Ending.CUT_OFF
        if not self._agenda.matches_left:
            return Ending.COMPLETE
        return Ending.STOPPED if self._stopping else Ending.OUT_OF_TIME

    async def stop(self) -> None:
        """Let the running matches finish and begin no more; the second call stops the run at once."""
        if self._stopping:
            self._everything.cancel()
            return
        self._stopping = True
        self._watcher.say("stopping: running matches are being finished (repeat to stop at once)")
        # A copy: the list changes while this task waits, whenever a referee ends or begins.
        for referee in list(self._referees):
            await referee.client.send(Stop())

    # Referees

    async def _keep_referee(self, number: int, setup: Setup) -> None:
        """Run one referee, and start another when it is lost, until nothing is left to play."""
        silent = 0
        log = self._settings.logs / f"referee-{number}.log"
        while not self._closing and len(self._agenda):
            referee = Workload(RefereeClient(log), setup.tables)
            try:
                await referee.client.send(setup)
                # Only now: any task may hand out sessions to a listed referee, and it needs its setup first.
                self._referees.append(referee)
                await self._top_up(referee)
                async with aclosing(referee.client.messages()) as messages:
                    async for message in messages:
                        await self._heard(referee, message)
            finally:
                # It is not listed if its setup could not be sent.
                if referee in self._referees:
                    self._referees.remove(referee)
                code = await referee.client.close()
            how = f"referee {number} {how_it_ended(code)}"
            self._take_back(referee, code, f"{how}; see {log}")
            # The other referees may be idle, and waiting for just the sessions that came back.
            await self._go_on()
            silent = 0 if referee.heard else silent + 1
            if silent >= _SILENT_ENDINGS and not self._stopping:
                last_words = referee.client.last_words()
                raise InternalError(f"{how} before it played anything; see {log}{last_words}")

    @property
    def _closing(self) -> bool:
        """Return whether no further session is begun in this run."""
        return self._stopping or trio.current_time() >= self._until

    async def _top_up(self, referee: Workload) -> None:
        """Give a referee more sessions if it is low on them, or tell it to stop when none will come.

        A referee without a session stays idle while the next cycle is held.
        """
        if referee.stopped:
            return
        if referee.is_low(self._share):
            self._hand_out()
        if not referee.open and (self._closing or not len(self._agenda)):
            referee.stopped = True
            await referee.client.send(Stop())

    def _hand_out(self) -> None:
        """Begin sessions for every referee that has room.

        The referees take turns, the one with the fewest sessions first, so that a short cycle is divided
        evenly. The begun sessions are stored in one transaction, together with the finished matches.
        """
        share = self._share
        handed = [one for one in self._referees if not one.stopped and one.room(share) > 0]
        # Stored before it is sent: after a power cut no attempt's number can be used again, so an attempt
        # that somebody has seen is known to have been made.
        while (given := self._deal_out(handed, share)) and not self._begin([work for _, work in given]):
            # Until a cycle was begun, the organiser could still rule who plays in it.
            self._recall(given)
        # In the background, for a referee that does not read must not keep the others waiting.
        for referee in handed if given else ():
            self._background.start_soon(self._send, referee)

    def _deal_out(self, referees: Sequence[Workload], share: int) -> list[tuple[Workload, Work]]:
        """Give the referees in turn the sessions that come next, and return who has got which."""
        turns = deque(sorted(referees, key=lambda one: len(one.open)))
        given: list[tuple[Workload, Work]] = []
        while turns and not self._closing and (work := self._next()) is not None:
            referee = turns.popleft()
            referee.open[work.session.cycle, work.session.index] = (work.session, list(work.keys))
            referee.unsent.append(work)
            given.append((referee, work))
            if referee.room(share) > 0:
                turns.append(referee)
        return given

    def _recall(self, given: Sequence[tuple[Workload, Work]]) -> None:
        """Take back sessions that could not be begun, because who plays was ruled anew meanwhile."""
        for referee, work in reversed(given):
            del referee.open[work.session.cycle, work.session.index]
            referee.unsent.remove(work)
            self._agenda.unbegin(work.keys)
            self._agenda.give_back(work.session)
        self._director.read_again()
        self._agenda.follow(self._director.plan)

    async def _send(self, referee: Workload) -> None:
        """Send a referee its sessions, in the order in which they were begun."""
        # Several tasks may send to one referee. The lock keeps the order, from which `Workload.playing` knows
        # what a lost referee was playing.
        async with referee.sending:
            while referee.unsent and not self._stopping:
                await referee.client.send(self._job(referee.unsent.popleft()))

    @property
    def _share(self) -> int:
        """Return the sessions for each referee if the unplayed ones were divided evenly among the referees.

        So at the end of a league no referee hoards sessions while another one is idle.
        """
        unplayed = len(self._agenda) + sum(len(one.open) for one in self._referees)
        return -(-unplayed // len(self._settings.setups))

    def _next(self) -> Work | None:
        """Return the next session, or None when all are given out or held.

        The session may belong to the next cycle, once nothing in this cycle can decide anything any more.
        """
        held = self._agenda.held
        if held is not None and self._director.goes_on_early(held, self._agenda.in_hand()):
            # The matches that make it certain need not be saved first: `_begin` stores them in the same
            # transaction as the sessions that are begun because of them.
            self._agenda.follow(self._director.plan)
            self._agenda.go_on()
        return self._agenda.next()

    async def _go_on(self) -> None:
        """Begin the next cycle if the session that came back was the last one, and wake idle referees."""
        self._decide()
        for referee in [idle for idle in self._referees if not idle.open]:
            await self._top_up(referee)

    def _decide(self) -> None:
        """Ask the director whether to go on, when a cycle is over and the next one is held."""
        while (cycles := self._agenda.waiting) is not None and not self._stopping:
            # The director reads the results of the whole cycle from the database.
            self._results.save()
            if self._director.goes_on(cycles):
                self._agenda.follow(self._director.plan)
                self._agenda.go_on()
            else:
                self._agenda.end()

    def _begin(self, works: Sequence[Work]) -> bool:
        """Store that sessions are begun. Return False if who plays in them was ruled anew meanwhile."""
        # A session's row has the line-up of the schedule; `_job` seats the stand-in where it sits for others.
        cycle = max(work.session.cycle for work in works)
        rulings = self._director.rulings if cycle > self._begun_cycle else None
        begun = [
            (
                PlannedSession(work.session.cycle, work.session.index, self._names(work.session.order)),
                work.keys,
            )
            for work in works
        ]
        if not self._results.begin(self._settings.stretch, begun, rulings):
            return False
        self._begun_cycle = max(cycle, self._begun_cycle)
        return True

    def _job(self, work: Work) -> SessionJob:
        rows, out = work.session.rows, self._director.out(work.session.cycle)
        matches = tuple(MatchJob(key, self._names(rows[key.order], out)) for key in work.keys)
        cycle, index = work.session.cycle, work.session.index
        deals = self._settings.deals.session(cycle, index)
        return SessionJob(cycle, index, deals.derivation, deals.key.hex(), matches)

    def _names(self, numbers: tuple[int, ...], out: frozenset[str] = frozenset()) -> tuple[str, ...]:
        bots = (self._settings.bots[number] for number in numbers)
        return tuple(STAND_IN if bot in out else bot for bot in bots)

    async def _heard(self, referee: Workload, message: JobMessage) -> None:
        referee.heard = True
        match message:
            case Finished(record=record):
                self._settle(referee, record.key)
                # Agenda and director work in memory and know it at once; the database and the watcher
                # learn of it when it is saved.
                self._agenda.finished(record.key)
                self._director.played(record)
                self._left_out_in_a_row = 0
                self._results.add(record)
            case SessionDone(cycle, index):
                session, _ = referee.open.pop((cycle, index))
                referee.session_done(trio.current_time())
                self._agenda.give_back(session)
                await self._top_up(referee)
                await self._go_on()
            case Aborted(key, reason):
                session = self._settle(referee, key)
                self._abort([(session, key)], reason)
            case Begun(keys):
                referee.begun = list(keys)
            case Met():
                self._results.met(message)
            case Overran(bot, reason):
                self._results.overran(bot, reason)
            case other:
                raise AssertionError(other)

    def _settle(self, referee: Workload, key: MatchKey) -> Session:
        """Note that the referee holds this attempt no longer, and return its session."""
        session, keys = referee.open[key.cycle, key.index]
        keys.remove(key)
        return session

    # What goes wrong on our side

    def _take_back(self, referee: Workload, code: int, how: str) -> None:
        """Take back the sessions of a referee that has ended.

        The matches it was playing are aborted, unless it ended in order after it was told to stop. What it
        had not begun is withdrawn.
        """
        in_order = self._stopping and code == 0
        if referee.heard and not in_order:
            playing = referee.playing()
            self._abort([(self._settle(referee, key), key) for key in playing], how)
        # Last begun first: `give_back` puts each session in front, so the order of the schedule returns.
        for session, keys in reversed(referee.open.values()):
            # A match that no bot has seen needs no new attempt, and does not count as interrupted.
            self._results.unbegin(keys)
            self._agenda.unbegin(keys)
            self._agenda.give_back(session)

    def _abort(self, playing: Sequence[tuple[Session, MatchKey]], reason: str) -> None:
        """Abort matches that were given up at one moment, for one reason."""
        summary = reason.strip().splitlines()[-1].strip()
        left_out = False
        for session, key in playing:
            self._results.abort(key, reason, summary)
            if self._agenda.aborted(session, key):
                self._results.leave_out(key, summary)
                left_out = True
        if left_out:
            self._left_out_in_a_row += 1
            if self._left_out_in_a_row >= _LEFT_OUT_IN_A_ROW:
                raise InternalError(f"one session after another cannot be played; the last cause: {summary}")

    async def _keep_saving(self) -> None:
        while True:
            await self._results.is_due()
            # First give out sessions: that stores the finished matches too, and one transaction costs less
            # than two. When nothing was begun, the matches still have to be saved.
            self._hand_out()
            self._results.save()
