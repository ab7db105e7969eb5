"""The coordinator with referees in memory: what is stored, told, tried again, left out, and how it stops."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, cast

import pytest
import trio
import trio.testing

from arena.conduct.exclusion import Ruling, disqualified, out_in
from arena.deals import MatchKey, PhaseDeals
from arena.errors import ClusterUnusable, InternalError, StoreError
from arena.linux.endings import how_it_ended
from arena.linux.machine import Host
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import (  # fmt: skip
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
)
from arena.runner import coordinator as module
from arena.runner import referees
from arena.runner.coordinator import Coordinator, Ending, Settings
from arena.runner.director import Director
from arena.runner.referees import End, LocalReferees, RefereeEnd
from arena.runner.results import SAVE_SECONDS, RunWatcher
from arena.schedule import DecisionCycles, Field, LineUps, Plan, plan_decisions
from arena.season.agenda import Agenda
from arena.store import read, write
from arena.store.database import Database
from arena.store.stored_season import SoFar
from arena.store.views import MatchState, SessionState
from tests.store.samples import BOTS, TERMS, new_phase, new_season, played

PLAN = Plan(Field(4, 4, "0" * 64, LineUps.ALL))
"""One session of four matches a cycle."""
SETUP = Setup((), TERMS, 4, None, "test")
HOST = Host("", "", "fast", 2, False, "off", "1", "3.11")
PATIENCE = 60
"""Seconds to wait for what comes at once unless something is broken."""

Play = Callable[["Referee", MatchJob], Awaitable[None]]


class Referee:
    """A referee in memory that does what `play` says for each match, and is lost where that sets a code."""

    play: ClassVar[Play]
    started: ClassVar[list[Referee]]
    nursery: ClassVar[trio.Nursery]
    host = 0
    ahead_seconds = 0.5

    def __init__(self, log: Path, number: int, setup: Setup, host: int) -> None:
        self.log = log
        self.number = number
        self.tables = setup.tables
        self.code = 0
        self.stopped = trio.Event()
        self.closed = False
        self._life = trio.CancelScope()
        self._jobs, self._next_job = trio.open_memory_channel[SessionJob](99)
        self._told, self._heard = trio.open_memory_channel[JobMessage](99)
        self.started.append(self)

    async def send(self, message: JobMessage) -> bool:
        await trio.lowlevel.checkpoint()
        match message:
            case SessionJob():
                self._jobs.send_nowait(message)
            case Stop():
                self.stopped.set()
                self._jobs.close()
        return True

    async def messages(self) -> AsyncGenerator[JobMessage, None]:
        self.nursery.start_soon(self._work)
        async for message in self._heard:
            yield message

    async def _work(self) -> None:
        with self._life, self._told:
            async for job in self._next_job:
                for match in job.matches:
                    if self.stopped.is_set():
                        return
                    await type(self).play(self, match)
                    if self.code:
                        return
                await self.tell(SessionDone(job.cycle, job.index))

    async def tell(self, message: JobMessage) -> None:
        await self._told.send(message)

    async def finish(self, match: MatchJob) -> None:
        await trio.sleep(0.01)
        await self.tell(Finished(played(match.key, bots=match.seats)))

    async def close(self) -> RefereeEnd:
        self.closed = True
        self._life.cancel()
        end = End.IN_ORDER if self.stopped.is_set() and self.code == 0 else End.BROKE
        return RefereeEnd(end, f"referee {self.number} {how_it_ended(self.code)}", str(self.log))


class Told(RunWatcher):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.records: list[MatchRecord] = []
        self.left: list[int] = []
        self.texts: list[str] = []
        self.sessions_left_out = 0
        self._something = trio.Event()

    async def wait_for(self, told: Callable[[], bool]) -> None:
        """Until what was told of matches is so."""
        with trio.fail_after(PATIENCE):
            while not told():
                await self._something.wait()

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        self.records.append(record)
        self.left.append(matches_left)
        self._something.set()
        self._something = trio.Event()

    def left_out(self) -> None:
        self.sessions_left_out += 1

    def say(self, text: str) -> None:
        self.texts.append(text)


@dataclass(frozen=True)
class Directing:
    """A director that says what the test has it say."""

    played: Callable[[MatchRecord], None]
    decide: Callable[[int], None] = lambda cycles: None
    ends: Callable[[], int] = lambda: 1000
    out: Callable[[int], frozenset[str]] = lambda cycle: frozenset()
    known: list[tuple[Ruling, ...]] = field(default_factory=lambda: [()])
    database: Database | None = None
    plan: Plan = PLAN

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        return self.known[-1]

    def read_again(self) -> None:
        assert self.database is not None
        self.known.append(read.rulings(self.database, 1))


def one_ahead(cycles: int) -> DecisionCycles:
    """The decisions of so many cycles, of which one may be begun while a decision is open."""
    return plan_decisions(0, cycles, sessions=8)


class League:
    """A database with a season, and a coordinator for so many cycles of it."""

    def __init__(self, database: Database, folder: Path, cycles: int = 99) -> None:
        self.database, self.told, self.folder = database, Told(), folder
        self.played: list[MatchRecord] = []
        write.open_season(self.database, replace(new_season(sessions=1), line_ups="gauntlet"))
        write.open_phase(self.database, new_phase(cycles=cycles))

    def coordinator(
        self, cycles: int = 1, jobs: int = 1, tables: int = 1, longest_silence: float = inf, **said: Any
    ) -> Coordinator:
        """`said`: the agenda's `decisions`; a `director`, or what it says by the names of its methods."""
        settings = Settings(
            season=1,
            phase=0,
            bots=BOTS[:4],
            deals=PhaseDeals(bytes(32)),
            referees=LocalReferees((replace(SETUP, tables=tables),) * jobs, self.folder, host=0),
            longest_silence=longest_silence,
        )
        agenda = Agenda(PLAN, cycles, SoFar(), said.pop("decisions", None))
        director: Any = said.pop("director", None)
        director = director or Directing(self.played.append, database=self.database, **said)
        director.read_again()
        return Coordinator(settings, agenda, director, self.database, self.told)

    async def ends(self, cycles: int = 1, jobs: int = 1, **said: Any) -> Ending:
        with trio.fail_after(1000):
            return await self.coordinator(cycles, jobs, **said).run()

    def states(self) -> list[tuple[int, int, int, str]]:
        return sorted(
            (match.cycle, match.order, match.attempt, match.state.value)
            for match in read.matches(self.database, 1, state=None)
        )

    def all_states(self) -> set[str]:
        return {state for *_, state in self.states()}

    def sessions(self) -> list[SessionState]:
        return list(read.session_states(self.database, 1).values())


@pytest.fixture
def league(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery) -> Iterator[League]:
    Referee.started, Referee.nursery = [], nursery
    monkeypatch.setattr(Referee, "play", Referee.finish, raising=False)
    monkeypatch.setattr(referees, "local_referee", Referee)
    with Database.open(tmp_path / "league.db", create=True) as database:
        yield League(database, tmp_path)


@pytest.fixture
def playing(monkeypatch: pytest.MonkeyPatch) -> Callable[[Play], None]:
    """Have referees play so."""
    return lambda play: monkeypatch.setattr(Referee, "play", play)


Playing = Callable[[Play], None]
COMPLETE, LEFT_OUT = SessionState.COMPLETE, SessionState.LEFT_OUT

# What is stored and told


async def test_a_match_is_stored_before_it_is_told_and_soon(
    league: League, playing: Playing, autojump_clock: trio.testing.MockClock
) -> None:
    delays: list[float] = []

    async def play(referee: Referee, match: MatchJob) -> None:
        await referee.finish(match)
        begun = trio.current_time()
        await league.told.wait_for(lambda: any(one.key == match.key for one in league.told.records))
        assert (0, match.key.order, 0, "finished") in league.states()
        delays.append(trio.current_time() - begun)

    playing(play)
    await league.ends()
    assert len(delays) == 4
    assert 0 < max(delays) <= SAVE_SECONDS
    assert league.told.left == [3, 2, 1, 0]


async def test_what_is_finished_is_stored_with_the_sessions_that_are_begun(
    league: League, playing: Playing, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """One transaction for both, however long a match without such company may wait."""
    monkeypatch.setattr(module, "SAVE_SECONDS", 3600)
    monkeypatch.setattr(Referee, "ahead_seconds", 0)  # two sessions at a time, however quick

    async def play(referee: Referee, match: MatchJob) -> None:
        await referee.finish(match)
        if match.key.order == 2:  # what was begun after the session before has been begun by now
            stored = {(cycle, order) for cycle, order, _, state in league.states() if state == "finished"}
            with_them = min(match.key.cycle, 2)  # the last two of four cycles are followed by none
            assert stored == {(cycle, order) for cycle in range(with_them) for order in range(4)}
            assert len(league.told.records) == len(stored)

    playing(play)
    assert await league.ends(cycles=4) is Ending.COMPLETE
    assert len(league.told.records) == 16


async def test_what_was_played_is_stored_when_the_cluster_is_lost(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def keep(referees: LocalReferees, play: Any, more: Callable[[], bool]) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keep_them, referees, play, more)
            while not league.played:
                await trio.testing.wait_all_tasks_blocked()
                await trio.sleep(0.001)
            raise ClusterUnusable("there is nobody")

    keep_them = LocalReferees.keep
    monkeypatch.setattr(LocalReferees, "keep", keep)
    monkeypatch.setattr(module, "SAVE_SECONDS", PATIENCE)
    with pytest.raises(ClusterUnusable):
        await league.ends(cycles=4)
    assert (0, 0, 0, "finished") in league.states()


@pytest.mark.parametrize(("statement", "cycles"), [("save_matches", 4), ("begin_sessions", 12)])
async def test_results_that_cannot_be_stored_are_not_told_and_end_the_run(
    league: League, monkeypatch: pytest.MonkeyPatch, statement: str, cycles: int
) -> None:
    """One error by itself, even when two tasks meet it."""
    store = getattr(write, statement)

    def full(*said: Any) -> object:
        if statement == "save_matches" or said[6]:  # matches that are finished before sessions are begun
            raise StoreError("the disk is full")
        return store(*said)

    monkeypatch.setattr(write, statement, full)
    if statement == "begin_sessions":
        monkeypatch.setattr(module, "SAVE_SECONDS", 3600)  # all are stored with what is begun
    with pytest.raises(StoreError, match="the disk is full"):
        await league.ends(cycles, jobs=2)
    assert all(referee.closed for referee in Referee.started)
    assert league.told.records == []


# Matches that are aborted, and referees that are lost


async def test_an_aborted_match_is_told_and_played_again_and_the_others_of_its_session_once(
    league: League, playing: Playing
) -> None:
    """Also while a second referee has nothing else to do."""
    seen: list[tuple[int, int, int]] = []

    async def play(referee: Referee, match: MatchJob) -> None:
        seen.append((match.key.cycle, match.key.order, match.key.attempt))
        if (match.key.order, match.key.attempt) == (0, 0):
            await referee.tell(Aborted(match.key, "Trace\n  KeyError: 'x'\n"))
        else:
            await referee.finish(match)

    playing(play)
    assert await league.ends(cycles=4, jobs=2) is Ending.COMPLETE
    first = [(cycle, order, 0) for cycle in range(4) for order in range(4)]
    assert sorted(seen) == sorted(first + [(cycle, 0, 1) for cycle in range(4)])
    said = "a match was aborted; no bot caused it (cycle {}, session 0, seat order 0): KeyError: 'x'"
    assert sorted(league.told.texts) == [said.format(cycle) for cycle in range(4)]
    assert [line.text for line in read.logs(league.database)] == league.told.texts


async def test_a_session_that_was_aborted_on_one_host_goes_to_another_one(
    league: League, playing: Playing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often the first host asks for more: what fails there may be the host's fault."""
    aborted: list[int] = []

    async def play(referee: Referee, match: MatchJob) -> None:
        if referee.number == 0:
            aborted.append(match.key.cycle)
            await referee.tell(Aborted(match.key, "OSError: no more processes"))
        else:
            await trio.sleep(0.02)
            await referee.finish(match)

    hosts = [write.note_host(league.database, replace(HOST, name=name), 0) for name in ("red", "blue")]
    monkeypatch.setattr(Referee, "host", property(lambda self: hosts[self.number]))
    playing(play)
    assert await league.ends(cycles=6, jobs=2) is Ending.COMPLETE
    assert set(league.sessions()) == {COMPLETE}
    assert aborted, "the first host had its turn"
    assert all(aborted.count(cycle) <= 4 for cycle in aborted), "each match once"


async def test_matches_that_are_aborted_three_times_leave_only_their_sessions_out(
    league: League, playing: Playing
) -> None:
    """With matches finished in between, the cause is with each of them, not with this machine."""

    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key.cycle % 2 and match.key.order == 2:
            await referee.tell(Aborted(match.key, "no"))
        else:
            await referee.finish(match)

    playing(play)
    assert await league.ends(cycles=7, decisions=one_ahead(7)) is Ending.COMPLETE
    assert league.sessions() == [LEFT_OUT if cycle % 2 else COMPLETE for cycle in range(7)]
    said = "cycle 1, session 0 is left out: seat order 2 was aborted too often; the last cause: no"
    assert said in league.told.texts
    assert league.told.sessions_left_out == 3


async def test_sessions_that_all_fail_end_the_league(league: League, playing: Playing) -> None:
    async def play(referee: Referee, match: MatchJob) -> None:
        await referee.tell(Aborted(match.key, "OSError: no more processes"))

    playing(play)
    with pytest.raises(InternalError, match="no more processes"):
        await league.ends(cycles=2, jobs=2)


async def test_a_lost_referee_costs_the_match_it_was_playing(league: League, playing: Playing) -> None:
    async def play(referee: Referee, match: MatchJob) -> None:
        await referee.tell(Met("ant", "Ant", "1", None, None))
        if (match.key.cycle, match.key.order, match.key.attempt) == (0, 1, 0):
            referee.code = -9
        else:
            await referee.finish(match)

    playing(play)
    assert await league.ends(cycles=2) is Ending.COMPLETE
    assert len(Referee.started) == 2
    assert [state for state in league.states() if state[3] != "finished"] == [(0, 1, 0, "aborted")]
    (aborted,) = read.matches(league.database, 1, state=MatchState.ABORTED)
    assert aborted.reason == f"referee 0 was killed by signal 9; see {league.folder / 'referee-0.log'}"
    entry = read.seasons(league.database)[0].entries[0]
    assert entry.reported is not None
    assert entry.reported.version == "1"


async def test_sessions_that_are_lost_at_one_moment_are_one_reason_to_stop(
    league: League, playing: Playing
) -> None:
    """Three times two matches are lost together: both sessions are left out, and the league goes on."""

    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key.cycle < 2:
            await referee.tell(Begun(tuple(MatchKey(cycle, 0, 0, match.key.attempt) for cycle in (0, 1))))
            referee.code = -9
        else:
            await referee.finish(match)

    playing(play)
    assert await league.ends(cycles=3, tables=2) is Ending.COMPLETE
    assert league.sessions() == [LEFT_OUT, LEFT_OUT, COMPLETE]


async def test_a_referee_that_hangs_is_ended_and_nobody_is_blamed(
    league: League, playing: Playing, autojump_clock: trio.testing.MockClock
) -> None:
    """However long the others play, and one that says something in time is spared."""

    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key == MatchKey(1, 0, 2, 0):
            await trio.sleep_forever()
        await trio.sleep(99)
        await referee.finish(match)

    playing(play)
    assert await league.coordinator(cycles=4, longest_silence=100).run() is Ending.COMPLETE
    assert len(Referee.started) == 2
    assert {(1, 2, 0, "interrupted"), (1, 2, 1, "finished")} <= set(league.states())
    assert league.all_states() == {"finished", "interrupted"}
    said = (
        "referee 0 ended with exit code 0, for it said nothing for 100 seconds, "
        "more than its matches can take by their clocks; they are played again"
    )
    assert [line.text for line in read.logs(league.database)] == league.told.texts == [said]
    reasons = {match.reason for match in read.matches(league.database, 1, state=MatchState.INTERRUPTED)}
    assert reasons == {said.partition(", more")[0]}


async def test_a_machine_that_stood_still_ends_no_referee(
    league: League, playing: Playing, autojump_clock: trio.testing.MockClock
) -> None:
    """A laptop is closed for a day. What a referee says when it is opened again comes late by the clock."""

    async def play(referee: Referee, match: MatchJob) -> None:
        autojump_clock.jump(86_400)
        await referee.finish(match)

    playing(play)
    assert await league.coordinator(cycles=2, longest_silence=100).run() is Ending.COMPLETE
    assert (len(Referee.started), league.told.texts) == (1, [])


# How a run stops


async def test_stopping_finishes_what_is_played_and_forgets_what_was_planned(
    league: League, playing: Playing
) -> None:
    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key.order == 1:
            coordinator.stop()
        await referee.finish(match)

    playing(play)
    coordinator = league.coordinator(cycles=3)
    assert await coordinator.run() is Ending.STOPPED
    assert league.states() == [(0, 0, 0, "finished"), (0, 1, 0, "finished")]
    assert len(league.told.records) == 2


async def test_a_stop_while_sessions_are_given_out_costs_no_match(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A referee that is told to stop takes no more sessions; those are forgotten again."""
    begin, calls = write.begin_sessions, [0]

    def begin_and_stop(*said: Any) -> bool:
        begun = begin(*said)
        calls[0] += 1
        if calls[0] == 4:
            coordinator.stop()
        return begun

    monkeypatch.setattr(write, "begin_sessions", begin_and_stop)
    monkeypatch.setattr(Referee, "ahead_seconds", 0.1)  # so that sessions are given out often
    coordinator = league.coordinator(cycles=40, jobs=2)
    assert await coordinator.run() is Ending.STOPPED
    assert league.all_states() == {"finished"}
    assert len(league.states()) == len(league.told.records)


async def test_nobody_waits_for_a_referee_that_reads_nothing_not_even_a_run_that_is_stopped_twice(
    league: League, playing: Playing, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[int] = []
    send = Referee.send

    async def send_to_others(referee: Referee, message: JobMessage) -> bool:
        if referee.number == 1:
            await trio.sleep_forever()
        if isinstance(message, SessionJob):
            told.append(message.cycle)
        return await send(referee, message)

    async def play(referee: Referee, match: MatchJob) -> None:
        await referee.finish(match)
        if len(told) == 10 and (match.key.cycle, match.key.order) == (told[-1], 3):
            # All but the two sessions that the other one was given.
            await league.told.wait_for(lambda: len(league.told.records) == 40)
            coordinator.stop()
            await referee.stopped.wait()
            coordinator.stop()

    monkeypatch.setattr(Referee, "send", send_to_others)
    monkeypatch.setattr(Referee, "ahead_seconds", 0)
    playing(play)
    coordinator = league.coordinator(cycles=12, jobs=2)
    with trio.fail_after(PATIENCE):
        assert await coordinator.run() is Ending.CUT_OFF
    assert told == sorted(told)
    assert league.all_states() == {"finished", "interrupted"}
    assert all(referee.closed for referee in Referee.started)


async def test_a_referee_that_hangs_while_the_run_is_stopped_holds_it_up_for_a_while_only(
    league: League, playing: Playing, autojump_clock: trio.testing.MockClock
) -> None:
    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key.order == 1:
            coordinator.stop()
            await trio.sleep_forever()
        await referee.finish(match)

    playing(play)
    coordinator = league.coordinator(longest_silence=100)
    assert await coordinator.run() is Ending.STOPPED
    assert trio.current_time() == pytest.approx(100, abs=5)
    assert len(Referee.started) == 1


# Decisions, and who plays


async def test_when_a_block_is_decided_all_of_it_is_stored_and_the_next_one_is_played(
    league: League, playing: Playing
) -> None:
    """One session a cycle and two referees. The league ends after the third, while the fourth is played."""
    decided: list[int] = []

    async def play(referee: Referee, match: MatchJob) -> None:
        assert match.key.cycle < len(decided) + 2, "one cycle may be begun meanwhile"
        await referee.finish(match)

    def decide(cycles: int) -> None:
        decided.append(cycles)
        stored = [match.cycle for match in read.matches(league.database, 1) if match.cycle < cycles]
        assert len(stored) == 4 * cycles

    def ends() -> int:
        return 3 if decided[-1:] == [3] else 5

    playing(play)
    ending = await league.ends(cycles=5, jobs=2, decide=decide, ends=ends, decisions=one_ahead(5))
    assert (ending, decided) == (Ending.COMPLETE, [1, 2, 3])
    assert {0, 1, 2} <= {match.cycle for match in read.matches(league.database, 1)} <= {0, 1, 2, 3}
    assert set(league.sessions()) == {COMPLETE}
    assert len(Referee.started) == 2


async def test_what_a_lost_referee_played_ahead_is_played_again_although_the_end_is_known(
    league: League, playing: Playing
) -> None:
    decided: list[int] = []

    async def play(referee: Referee, match: MatchJob) -> None:
        if (match.key.cycle, match.key.order, match.key.attempt) == (1, 1, 0):
            while not decided:
                await trio.lowlevel.checkpoint()
            referee.code = -9  # with the matches that it had not begun
            return
        await referee.finish(match)

    playing(play)
    ends = lambda: 2 if decided else 5  # noqa: E731
    ending = await league.ends(cycles=5, jobs=2, decide=decided.append, ends=ends, decisions=one_ahead(5))
    assert (ending, decided) == (Ending.COMPLETE, [1, 2])
    finished = [(cycle, order) for cycle, order, _, state in league.states() if state == "finished"]
    assert sorted(finished) == [(cycle, order) for cycle in (0, 1) for order in range(4)]


async def test_the_last_cycle_is_decided_although_the_run_is_being_stopped(
    league: League, playing: Playing
) -> None:
    decided: list[int] = []

    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key == MatchKey(1, 0, 3, 0):
            coordinator.stop()
        await referee.finish(match)

    playing(play)
    coordinator = league.coordinator(cycles=2, decide=decided.append, decisions=one_ahead(2))
    assert await coordinator.run() is Ending.COMPLETE
    assert decided == [1, 2]


async def test_a_referee_lost_at_the_end_of_a_cycle_wakes_the_others(
    league: League, playing: Playing
) -> None:
    async def play(referee: Referee, match: MatchJob) -> None:
        if match.key == MatchKey(0, 0, 3, 0):
            referee.code = -9
        else:
            await referee.finish(match)

    playing(play)
    assert await league.ends(cycles=2, jobs=2, decisions=one_ahead(2)) is Ending.COMPLETE
    assert len(read.matches(league.database, 1)) == 8


async def test_a_bot_is_out_of_a_cycle_if_the_organiser_was_quicker_than_its_beginning(
    league: League,
) -> None:
    """The organiser acts while cycles are played: it holds from the first one of which nothing is begun."""
    known: list[tuple[Ruling, ...]] = []

    def take_out(bot: str) -> None:
        if disqualified(read.rulings(league.database, 1)).get(bot) is None:
            write.exclude(league.database, 1, bot, "a copy", (1, "ann"))

    def decide(cycles: int) -> None:
        if cycles == 1:  # the second block is begun
            take_out("ant")

    def out(cycle: int) -> frozenset[str]:
        if cycle == 2:  # it is begun
            take_out("cat")
        return out_in(known[-1], cycle)

    ending = await league.ends(cycles=4, decide=decide, known=known, out=out, decisions=one_ahead(4))
    assert ending is Ending.COMPLETE
    assert [(ruling.bot, ruling.from_cycle) for ruling in read.rulings(league.database, 1)] == [
        ("ant", 2),
        ("cat", 3),
    ]
    seated = {match.cycle: {seat.bot for seat in match.seats} for match in read.matches(league.database, 1)}
    everyone = set(BOTS[:4])
    without = everyone - {"ant"} | {STAND_IN}
    assert seated == {0: everyone, 1: everyone, 2: without, 3: without - {"cat"}}
    assert {bot for session in read.sessions(league.database, 1) for bot in session.line_up} == everyone


# How much work it is


def director_of(league: League) -> Director:
    """A director that disqualifies."""
    (view,) = read.seasons(league.database)
    view = replace(view, document='{"faults": {"disqualify_share": 0.1}}')
    of_file = SimpleNamespace(schedule=SimpleNamespace(stop="cycles", margin=0.0))
    season = SimpleNamespace(loaded=SimpleNamespace(league=of_file), view=view, bots=BOTS[:4], plan=PLAN)
    return Director(cast(Any, season), league.database, pytest.fail, pytest.fail)


async def calls_a_match(folder: Path, cycles: int) -> float:
    """Return how many functions are called for each match of a league of so many cycles."""
    calls = 0

    def count(frame: object, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    Referee.started = []
    with Database.open(folder / f"{cycles}.db", create=True) as database:
        league = League(database, folder, cycles)
        director = director_of(league)
        decisions = director.begin(read.seasons(league.database)[0].phases[0])
        coordinator = league.coordinator(cycles=cycles, jobs=10, director=director, decisions=decisions)
        sys.setprofile(count)
        try:
            assert await coordinator.run() is Ending.COMPLETE
        finally:
            sys.setprofile(None)
        assert len(league.told.records) == 4 * cycles
    return calls / (4 * cycles)


@pytest.mark.slow
async def test_the_work_for_a_match_does_not_grow_with_what_was_played(
    league: League, playing: Playing, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    """Disqualification is on. Calls of functions are counted: no clock has a part in it."""

    async def play(referee: Referee, match: MatchJob) -> None:
        await referee.tell(Finished(played(match.key, bots=match.seats)))

    playing(play)
    few = await calls_a_match(tmp_path, 30)
    many = await calls_a_match(tmp_path, 150)
    assert many < 1.5 * few
