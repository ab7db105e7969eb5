"""The coordinator: gives sessions to referees, stores what they played, stops in order. No bot waits for it.

It hears of signals through `stop`. A lost referee costs at most the matches that it was playing, and these
are played again. `Results` stores and reports what the referees send. The `Director` decides who sits in a
cycle and whether there is another cycle.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence, Set
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path

import trio

from arena.deals import MatchKey, PhaseDeals
from arena.errors import ClusterUnusable, InternalError, StoreError, one_error
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Stop,
)
from arena.runner.director import Director
from arena.runner.referees import SILENT_LOOKS, End, RefereeClient, RefereeEnd, Referees, Workload
from arena.runner.results import SAVE_SECONDS, Remarks, Results, RunWatcher
from arena.schedule import Session
from arena.season.agenda import Agenda, Work
from arena.store.database import Database
from arena.store.playing import PlannedSession
from arena.store.views import SessionKey

_LEFT_OUT_IN_A_ROW = 2
"""Sessions left out, with no match finished in between, before the run ends with an error. The cause is
then this machine rather than a match, and would take session after session out of the league."""


class Ending(Enum):
    """The way in which a run ended, with a phrase for people."""

    COMPLETE = "everything that was asked for has been played"
    STOPPED = "stopped; running matches were finished"
    CUT_OFF = "stopped at once; finished matches are stored"
    IDLE = "stopped while no match was being played"


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings by which a phase is played.

    `bots`: the ids by their numbers in the schedule. `longest_silence`: for how many seconds a referee that
    has something to do may say nothing before it is ended, see `arena.runner.season_run`. `copies`: the
    folder that each bot is started in on this machine. `remarks`: those of the run, which may have several
    phases.
    """

    season: int
    phase: int
    bots: tuple[str, ...]
    deals: PhaseDeals
    referees: Referees
    longest_silence: float = math.inf
    copies: Mapping[str, str] = field(default_factory=dict)
    remarks: Remarks = field(default_factory=Remarks)


class Coordinator:
    """Plays an agenda to its end, or until it is stopped."""

    def __init__(
        self, settings: Settings, agenda: Agenda, director: Director, database: Database, watcher: RunWatcher
    ) -> None:
        self._settings = settings
        self._agenda = agenda
        self._director = director
        self._watcher = watcher
        self._results = Results(settings.season, database, watcher, agenda, settings.remarks)
        self._referees: list[Workload] = []
        self._everything = trio.CancelScope()
        self._background: trio.Nursery
        self._stopping = False
        self._left_out_in_a_row = 0
        self._failed_on: defaultdict[SessionKey, set[int]] = defaultdict(set)
        """The hosts on which a match of a session was aborted in this run."""
        self._begun_cycle = -1
        self._changed = trio.Event()
        """Somebody may be given more, or is needed no longer."""

    async def run(self) -> Ending:
        """Play the agenda and return how the run ended. May be called once.

        Raises StoreError when results cannot be stored, InternalError when referees fail again and again,
        and ClusterUnusable when there are none. Whatever was stored before stays stored.
        """
        try:
            await self._play_all()
        except ClusterUnusable:
            # Whoever is told of it is told that what was played is stored.
            self._results.save()
            raise
        # Also after a stop at once, so that no finished match has to be played again.
        self._results.save()
        if self._everything.cancelled_caught:
            self._results.interrupt_begun("the run was stopped at once")
            return Ending.CUT_OFF
        return Ending.STOPPED if self._agenda.matches_left else Ending.COMPLETE

    async def _play_all(self) -> None:
        with one_error(), self._everything:
            self._decide()
            # Around the referees: saving and sending go on until the last referee has ended.
            async with trio.open_nursery() as self._background:
                self._background.start_soon(self._keep_saving)
                self._background.start_soon(self._keep_going_on)
                self._background.start_soon(self._keep_listening)
                await self._settings.referees.keep(self._play_with, self._wanted)
                # The last referee may have ended with what completes a block.
                self._decide()
                self._background.cancel_scope.cancel()

    def stop(self) -> None:
        """Let the running matches finish and begin no more; the second call stops the run at once."""
        if self._stopping:
            self._everything.cancel()
            return
        self._stopping = True
        self._watcher.say("stopping: running matches are being finished (repeat to stop at once)")
        self._changed.set()

    # Referees

    async def _play_with(self, client: RefereeClient) -> RefereeEnd | None:
        """Have a referee play until it ends. Return how it ended if it was never heard of, else None."""
        referee = Workload(client)
        self._referees.append(referee)
        try:
            self._changed.set()
            with referee.hearing:
                async with aclosing(client.messages()) as messages:
                    async for message in messages:
                        self._heard(referee, message)
        finally:
            self._referees.remove(referee)
            ended = await client.close()
        if referee.hearing.cancelled_caught:
            ended = self._fell_silent(referee, ended)
        self._take_back(referee, ended)
        # The other referees may be idle, and waiting for just the sessions that came back.
        self._changed.set()
        return None if referee.heard else ended

    def _wanted(self) -> bool:
        """Return whether a further referee would find something to play, now or later."""
        return not self._stopping and self._agenda.unplayed > 0

    async def _keep_going_on(self) -> None:
        """Go on whenever something has changed: once for all that has changed at one moment.

        With a thousand referees it would take most of the time to look at all of them for each of them.
        """
        while True:
            await self._changed.wait()
            self._changed = trio.Event()
            self._decide()
            self._hand_out()
            if not self._wanted():
                self._stop_referees()

    def _stop_referees(self) -> None:
        """Tell referees without a session to stop, and all of them if the run is being stopped.

        As long as more is wanted they stay: further cycles may be held, and another referee may be lost with
        what it holds.
        """
        for referee in self._referees:
            if not referee.stopped and (self._stopping or not referee.open):
                referee.stopped = True
                # In the background, for a referee that does not read must not keep the others waiting.
                self._background.start_soon(referee.client.send, Stop())

    async def _keep_listening(self) -> None:
        """Give up referees that say nothing any more, although they have something to do."""
        while True:
            await trio.sleep(self._settings.longest_silence / SILENT_LOOKS)
            for referee in self._referees:
                if referee.is_silent():
                    referee.hearing.cancel()

    def _fell_silent(self, referee: Workload, ended: RefereeEnd) -> RefereeEnd:
        """Tell of a referee that was ended because it hung. Return its end: no match of it is the cause."""
        how = f"{ended.how}, for it said nothing for {self._settings.longest_silence:,.0f} seconds"
        again = "; they are played again" if referee.open else ""
        self._results.say(f"{how}, more than its matches can take by their clocks{again}")
        return replace(ended, end=End.GONE, how=how)

    def _hand_out(self) -> None:
        """Begin sessions for every referee that has room.

        The referees take turns, the one with the fewest sessions first, so that a short cycle is divided
        evenly. The begun sessions are stored in one transaction, together with the finished matches.
        """
        if self._stopping or not self._agenda.is_open:
            return
        share = self._share
        handed = [one for one in self._referees if not one.stopped and one.room(share) > 0]
        # Stored before it is sent: after a power cut no attempt's number can be used again, so an attempt
        # that somebody has seen is known to have been made.
        while (given := self._deal_out(handed, share)) and not self._begin([work for _, work in given]):
            # Until a cycle was begun, the organiser could still rule who plays in it.
            self._recall(given)
        for referee in dict.fromkeys(one for one, _ in given):
            self._background.start_soon(self._send, referee)

    def _deal_out(self, referees: Sequence[Workload], share: int) -> list[tuple[Workload, Work]]:
        """Give the referees in turn the sessions that come next, and return who has got which."""
        turns = deque(sorted(referees, key=lambda one: len(one.open)))
        given: list[tuple[Workload, Work]] = []
        while turns and not self._stopping and (work := self._agenda.next()) is not None:
            if (referee := self._taker(turns, work.session)) is None:
                self._agenda.unbegin(work.keys)
                self._agenda.give_back(work.session)
                break
            referee.open[work.session.cycle, work.session.index] = (work.session, list(work.keys))
            referee.unsent.append(work)
            given.append((referee, work))
            if referee.room(share) > 0:
                turns.append(referee)
        return given

    def _taker(self, turns: deque[Workload], session: Session) -> Workload | None:
        """Take the next of these referees for a session out of the turns.

        If a match of it was aborted, it is one of another host, for the host may have been the cause. Returns
        None if the referees of other hosts have no room now.
        """
        failed: Set[int] = self._failed_on.get((session.cycle, session.index), frozenset())
        found = next((one for one in turns if one.client.host not in failed), None)
        if found is None and all(one.client.host in failed for one in self._referees):
            found = turns[0]
        if found is not None:
            turns.remove(found)
        return found

    def _recall(self, given: Sequence[tuple[Workload, Work]]) -> None:
        """Take back sessions that could not be begun, because who plays was ruled anew meanwhile."""
        for referee, work in reversed(given):
            del referee.open[work.session.cycle, work.session.index]
            referee.unsent.remove(work)
            self._agenda.unbegin(work.keys)
            self._agenda.give_back(work.session)
        self._director.read_again()
        self._follow()

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
        return -(-self._agenda.unplayed // self._settings.referees.count)

    def _decide(self) -> None:
        """Have the director decide on each block that is over."""
        while (cycles := self._agenda.undecided) is not None:
            # The director reads the results of the whole block from the database.
            self._results.save()
            self._director.decide(cycles)
            self._agenda.decided(cycles)
            self._follow()

    def _follow(self) -> None:
        """Go on by what the director knows now."""
        self._agenda.follow(self._director.plan)
        self._agenda.end(self._director.ends())

    def _begin(self, works: Sequence[Work]) -> bool:
        """Store that sessions are begun. Return False if who plays in them was ruled anew meanwhile."""
        # A session's row has the line-up of the schedule; `_job` seats the stand-in where it sits for others.
        cycle = max(work.session.cycle for work in works)
        rulings = self._director.rulings if cycle > self._begun_cycle else None
        begun = [(self._planned(work.session), work.keys) for work in works]
        if not self._results.begin(self._settings.phase, begun, rulings):
            return False
        self._begun_cycle = max(cycle, self._begun_cycle)
        return True

    def _planned(self, session: Session) -> PlannedSession:
        first = self._director.plan.match_number(session.cycle, session.index, 0)
        return PlannedSession(session.cycle, session.index, self._names(session.order), first)

    def _job(self, work: Work) -> SessionJob:
        rows, out = work.session.rows, self._director.out(work.session.cycle)
        matches = tuple(MatchJob(key, self._names(rows[key.order], out)) for key in work.keys)
        cycle, index = work.session.cycle, work.session.index
        deals = self._settings.deals.session(cycle, index)
        return SessionJob(cycle, index, deals.key.hex(), matches)

    def _names(self, numbers: tuple[int, ...], out: frozenset[str] = frozenset()) -> tuple[str, ...]:
        bots = (self._settings.bots[number] for number in numbers)
        return tuple(STAND_IN if bot in out else bot for bot in bots)

    def _heard(self, referee: Workload, message: JobMessage) -> None:
        referee.was_heard()
        match message:
            case Finished(record=record, text=text):
                self._settle(referee, record.key)
                # Agenda and director work in memory and know it at once; the database and the watcher
                # learn of it when it is saved.
                self._agenda.finished(record.key)
                self._director.played(record)
                self._left_out_in_a_row = 0
                self._results.add(record, referee.client.host, text)
            case SessionDone(cycle, index):
                session, _ = referee.open.pop((cycle, index))
                referee.session_done(trio.current_time())
                if self._agenda.give_back(session) or referee.is_low(self._share):
                    self._changed.set()
            case Aborted(key, reason):
                session = self._settle(referee, key)
                self._abort(referee, [(session, key)], reason)
            case Begun(keys):
                referee.begun = list(keys)
            case Met():
                self._results.met(message)
            case other:
                raise AssertionError(other)

    def _settle(self, referee: Workload, key: MatchKey) -> Session:
        """Note that the referee holds this attempt no longer, and return its session."""
        session, keys = referee.open[key.cycle, key.index]
        keys.remove(key)
        return session

    # What goes wrong on our side

    def _take_back(self, referee: Workload, ended: RefereeEnd) -> None:
        """Take back the sessions of a referee that has ended.

        The matches it was playing are aborted if it broke, and interrupted if it hung or was lost with its
        host. What it had not begun is withdrawn.
        """
        if ended.end is End.BROKE and referee.heard:
            playing = [(self._settle(referee, key), key) for key in referee.playing()]
            self._abort(referee, playing, str(ended))
        elif ended.end is End.GONE:
            # Any match that it was told of may have been begun: a bot may have seen it.
            for key in referee.told():
                self._settle(referee, key)
                self._results.interrupt(key, ended.how)
        # Last begun first: `give_back` puts each session in front, so the order of the schedule returns.
        for session, keys in reversed(referee.open.values()):
            # A match that no bot has seen needs no new attempt, and does not count as interrupted.
            self._results.unbegin(keys)
            self._agenda.unbegin(keys)
            self._agenda.give_back(session)

    def _abort(self, referee: Workload, playing: Sequence[tuple[Session, MatchKey]], reason: str) -> None:
        """Abort matches that a referee has given up at one moment, for one reason."""
        for bot, folder in self._settings.copies.items():
            if not Path(folder).is_dir():
                self._results.save()
                raise StoreError(
                    f"{folder}: this folder was removed while the league was played, and {bot} starts in it; "
                    "what was played is stored, and the next run makes the folder anew"
                )
        summary = reason.strip().splitlines()[-1].strip()
        left_out = False
        for session, key in playing:
            self._results.abort(key, reason, summary)
            self._failed_on[key.cycle, key.index].add(referee.client.host)
            if self._agenda.aborted(session, key):
                self._results.leave_out(key, summary)
                left_out = True
        if left_out:
            self._left_out_in_a_row += 1
            if self._left_out_in_a_row >= _LEFT_OUT_IN_A_ROW:
                raise InternalError(f"one session after another cannot be played; the last cause: {summary}")

    async def _keep_saving(self) -> None:
        while True:
            await trio.sleep(SAVE_SECONDS)
            if self._results.are_waiting:
                # First give out sessions: that stores the finished matches too, and one transaction costs
                # less than two. When nothing was begun, the matches still have to be saved.
                self._hand_out()
                self._results.save()
