"""The coordinator: gives sessions to referees, stores what they played, stops in order. No bot waits for it.

It alone writes to the database, and hears of signals through `stop`. A referee that is lost costs at
most the match it was playing, which is played again. What was finished is stored soon (`gathering`) and
always before it is reported. Who sits in a cycle and whether there is another is for the `Director` to say.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Protocol

import trio

from arena.deals import MatchKey
from arena.errors import InternalError, one_error
from arena.match.record import MatchRecord
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
from arena.run.gathering import Gathering
from arena.run.referee_client import AtWork, RefereeClient, how_it_ended
from arena.schedule import Session
from arena.season.agenda import Agenda, Work
from arena.season.bot_remarks import SUBJECT, Remarks
from arena.season.opening import now_ms
from arena.store.inputs import PlannedSession
from arena.store.views import LogLine, MatchState, Reported
from arena.store.writer import Writer

__all__ = ["Coordinator", "Director", "Ending", "Settings", "Watcher"]

_SILENT_ENDINGS = 3
"""Referees that end in a row without a word before that is taken for a mistake of ours."""
_LEFT_OUT_IN_A_ROW = 2
"""Sessions left out, with no match finished in between, before the league is stopped: then the cause is
not a match but this machine, and would take session after session out of the league."""


class Ending(Enum):
    """How a run ended."""

    COMPLETE = "everything that was asked for has been played"
    STOPPED = "stopped; running matches were finished"
    CUT_OFF = "stopped at once; finished matches are stored"
    IDLE = "stopped while no match was being played"
    PART = "this part of the league has been played"
    OUT_OF_TIME = "max_hours is reached; what was begun is finished"


class Watcher:
    """Who is told how the run goes; every method may be overridden. Nothing here may wait."""

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """A match was played and is stored."""

    def say(self, text: str) -> None:
        """Something that the organiser should know."""


class Director(Protocol):
    """Who sits in a cycle, and whether there is another one. Asked by the coordinator alone.

    `arena.season.director` has the one that leagues are played with.
    """

    def played(self, record: MatchRecord) -> None:
        """A match was finished; it is not stored yet."""

    def goes_on(self, cycles: int) -> bool:
        """Whether there is a cycle after the first `cycles`.

        Asked only if the agenda is held: all their matches are stored then, and none is being played.
        """

    def goes_on_early(self, cycle: int, playing: Sequence[Session]) -> bool:
        """Whether `cycle` is certain to be played, and by whom, although these sessions are not over."""

    def out(self, cycle: int) -> frozenset[str]:
        """The bots that do not play in a cycle: the stand-in has their seats."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How a stretch is played. `setups`: one a referee. `deals_key`: of its deals, in hex.

    `logs`: the folder for what referees write to standard error. `max_seconds`: no session is begun later
    than that after the beginning.
    """

    season: int
    stretch: int
    bots: tuple[str, ...]
    deals_key: str
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
        self._writer = writer
        self._watcher = watcher
        self._referees: list[AtWork] = []
        self._gathering = Gathering()
        self._everything = trio.CancelScope()
        self._background: trio.Nursery
        self._stopping = False
        self._until = math.inf
        self._reported: set[str] = set()
        self._left_out_in_a_row = 0
        self._remarks = Remarks()

    async def run(self) -> Ending:
        """Play; to be called once.

        Raises StoreError when results cannot be stored, InternalError when referees fail again and
        again; all that was stored stays.
        """
        self._until = trio.current_time() + self._settings.max_seconds
        with one_error(), self._everything:
            self._decide()
            async with trio.open_nursery() as self._background:
                self._background.start_soon(self._keep_saving)
                async with trio.open_nursery() as referees:
                    for number, setup in enumerate(self._settings.setups):
                        referees.start_soon(self._keep_referee, number, setup)
                self._background.cancel_scope.cancel()
        self._save()
        if self._everything.cancelled_caught:
            self._writer.interrupt_begun(self._settings.season, "the run was stopped at once")
            return Ending.CUT_OFF
        if not self._agenda.matches_left:
            return Ending.COMPLETE
        return Ending.STOPPED if self._stopping else Ending.OUT_OF_TIME

    async def stop(self) -> None:
        """Have the running matches finished and begin no more; the second time, stop at once."""
        if self._stopping:
            self._everything.cancel()
            return
        self._stopping = True
        self._watcher.say("stopping: running matches are being finished (once more to stop at once)")
        for referee in list(self._referees):
            await referee.client.send(Stop())

    # Referees

    async def _keep_referee(self, number: int, setup: Setup) -> None:
        """One referee at a time, started again when it is lost, until nothing is left to play."""
        silent = 0
        log = self._settings.logs / f"referee-{number}.log"
        while not self._closing and len(self._agenda):
            referee = AtWork(RefereeClient(log), setup.tables)
            try:
                await referee.client.send(setup)
                self._referees.append(referee)
                await self._top_up(referee)
                async with aclosing(referee.client.messages()) as messages:
                    async for message in messages:
                        await self._heard(referee, message)
            finally:
                self._referees = [one for one in self._referees if one is not referee]
                code = await referee.client.close()
            how = f"referee {number} {how_it_ended(code)}"
            self._take_back(referee, code, f"{how}; see {log}")
            await self._go_on()
            silent = 0 if referee.heard else silent + 1
            if silent >= _SILENT_ENDINGS and not self._stopping:
                last_words = referee.client.last_words()
                raise InternalError(f"{how} before it played anything; see {log}{last_words}")

    @property
    def _closing(self) -> bool:
        """Whether no further session is begun in this run."""
        return self._stopping or trio.current_time() >= self._until

    async def _top_up(self, referee: AtWork) -> None:
        """Give it what it may play; with nothing to play it waits for the next cycle, or is told to stop."""
        if referee.stopped:
            return
        if referee.is_low(self._share):
            self._hand_out()
        if not referee.open and (self._closing or not len(self._agenda)):
            referee.stopped = True
            await referee.client.send(Stop())

    def _hand_out(self) -> None:
        """Begin sessions for every referee that has room, in turn and who has least first, so that a short
        cycle is divided evenly. When any is begun, what is finished is stored in the same transaction."""
        share = self._share
        handed = [one for one in self._referees if not one.stopped and one.room(share) > 0]
        turns = deque(sorted(handed, key=lambda one: len(one.open)))
        works: list[Work] = []
        while turns and not self._closing and (work := self._next()) is not None:
            referee = turns.popleft()
            referee.open[work.session.cycle, work.session.index] = (work.session, list(work.keys))
            referee.unsent.append(work)
            works.append(work)
            if referee.room(share) > 0:
                turns.append(referee)
        if works:
            self._begin(works)
            for referee in handed:
                self._background.start_soon(self._send, referee)

    async def _send(self, referee: AtWork) -> None:
        """In the order in which they were begun. Nobody waits for a referee that does not read."""
        async with referee.sending:
            while referee.unsent and not self._stopping:
                await referee.client.send(self._job(referee.unsent.popleft()))

    @property
    def _share(self) -> int:
        """The sessions for each referee if what is not played yet were divided among all."""
        unplayed = len(self._agenda) + sum(len(one.open) for one in self._referees)
        return -(-unplayed // len(self._settings.setups))

    def _next(self) -> Work | None:
        """The next session; of the next cycle too when nothing can be decided any more in this one."""
        held = self._agenda.held
        if held is not None and self._director.goes_on_early(held, self._agenda.in_hand()):
            self._agenda.go_on()  # what makes it certain is stored with what is begun now
        return self._agenda.next()

    async def _go_on(self) -> None:
        """A session has come back: begin the next cycle if that was the last one, wake who waits for it."""
        self._decide()
        for referee in [idle for idle in self._referees if not idle.open]:
            await self._top_up(referee)

    def _decide(self) -> None:
        """When a cycle is over and the next is held, have it decided whether to go on."""
        while (cycles := self._agenda.waiting) is not None and not self._stopping:
            self._save()
            if self._director.goes_on(cycles):
                self._agenda.go_on()
            else:
                self._agenda.end()

    def _begin(self, works: Sequence[Work]) -> None:
        """Store what is finished and that these are begun, in one transaction; then tell of the former."""
        begun = [
            (
                PlannedSession(work.session.cycle, work.session.index, self._names(work.session.order)),
                work.keys,
            )
            for work in works
        ]
        records = self._gathering.take()
        season, stretch = self._settings.season, self._settings.stretch
        self._writer.begin_sessions(season, stretch, begun, now_ms(), finished=records)
        self._tell(records)

    def _job(self, work: Work) -> SessionJob:
        rows, out = work.session.rows, self._director.out(work.session.cycle)
        matches = tuple(MatchJob(key, self._names(rows[key.order], out)) for key in work.keys)
        return SessionJob(work.session.cycle, work.session.index, self._settings.deals_key, matches)

    def _names(self, numbers: tuple[int, ...], out: frozenset[str] = frozenset()) -> tuple[str, ...]:
        bots = (self._settings.bots[number] for number in numbers)
        return tuple(STAND_IN if bot in out else bot for bot in bots)

    async def _heard(self, referee: AtWork, message: JobMessage) -> None:
        referee.heard = True
        match message:
            case Finished(record=record):
                self._settle(referee, record.key)
                self._agenda.finished(record.key)
                self._director.played(record)
                self._left_out_in_a_row = 0
                self._gathering.add(record)
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
                self._met(message)
            case Overran(bot, reason):
                if said := self._remarks.overran(bot, reason):
                    self._say(said, SUBJECT)
            case other:
                raise AssertionError(other)

    def _settle(self, referee: AtWork, key: MatchKey) -> Session:
        session, keys = referee.open[key.cycle, key.index]
        keys.remove(key)
        return session

    def _met(self, met: Met) -> None:
        if met.bot not in self._reported:
            self._reported.add(met.bot)
            said = Reported(met.name, met.version, met.language or "", met.author or "")
            self._writer.reported(self._settings.season, met.bot, said)

    # What goes wrong on our side

    def _take_back(self, referee: AtWork, code: int, how: str) -> None:
        """The referee has ended: what it was playing is aborted, unless it had been told to stop and did
        so in order; what it had not begun is free again."""
        in_order = self._stopping and code == 0
        if referee.heard and not in_order:
            playing = referee.playing()
            self._abort([(self._settle(referee, key), key) for key in playing], how)
        for session, keys in reversed(referee.open.values()):
            self._writer.withdraw(self._settings.season, keys)
            self._agenda.withdraw(keys)
            self._agenda.give_back(session)

    def _abort(self, playing: Sequence[tuple[Session, MatchKey]], reason: str) -> None:
        """These matches were given up at one moment, for one reason."""
        self._save()
        summary = reason.strip().splitlines()[-1].strip()
        left_out = [self._abort_match(session, key, reason, summary) for session, key in playing]
        if any(left_out):
            self._left_out_in_a_row += 1
            if self._left_out_in_a_row >= _LEFT_OUT_IN_A_ROW:
                raise InternalError(f"session after session cannot be played; the last time: {summary}")

    def _abort_match(self, session: Session, key: MatchKey, reason: str, summary: str) -> bool:
        """Store that; whether its session is left out for it."""
        season = self._settings.season
        self._writer.abort(season, key, reason, MatchState.ABORTED)
        where = f"cycle {key.cycle}, session {key.index}, seat order {key.order}"
        self._say(f"a match was given up for a reason of the arena's own ({where}): {summary}")
        if not self._agenda.aborted(session, key):
            return False
        why = f"seat order {key.order} was given up too often; the last time: {summary}"
        self._writer.leave_out(season, (session.cycle, session.index), why)
        self._say(f"cycle {key.cycle}, session {key.index} is left out: {why}")
        return True

    # Saving

    async def _keep_saving(self) -> None:
        while True:
            await self._gathering.is_due()
            self._hand_out()
            self._save()  # if nothing was begun

    def _save(self) -> None:
        """Store what is finished, then tell of it."""
        if records := self._gathering.take():
            self._writer.save_matches(self._settings.season, records)
            self._tell(records)

    def _tell(self, saved: Sequence[MatchRecord]) -> None:
        """These matches are stored."""
        for record in saved:
            for remark in self._remarks.on(record):
                self._say(remark)
            self._watcher.finished(record, self._agenda.matches_left)

    def _say(self, text: str, subject: str = "run") -> None:
        self._writer.log(LogLine(now_ms(), "warning", subject, text))
        self._watcher.say(text)
