"""What a match costs a coordinator, and its pages: a league whose matches were played beforehand.

The coordinator, its director and its database are the real ones, in a temporary folder. The slots are those
of a cluster, but nobody plays there: each session that they are given is answered at once with the lines of
matches that were played out by the rules alone. So what is measured is the coordinator's own work.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import AsyncGenerator, Iterator
from itertools import cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import trio

from arena.cluster.frames import Frame, read_frame, write_frame
from arena.deals import MatchKey, PhaseDeals
from arena.league.reader import LoadedLeague, read_league
from arena.match.game import Match
from arena.match.record import MatchRecord, MatchSetup, SeatRecord, Terms
from arena.match.stand_in import from_deals
from arena.papayoo import hand_size
from arena.referee.jobs import Finished, SessionDone, Setup, write_message
from arena.runner.coordinator import Coordinator, Ending, Settings
from arena.runner.director import Director
from arena.runner.referees import End, More, Play, RefereeClient, RefereeEnd
from arena.runner.results import RunWatcher
from arena.runner.seasons import open_phase, open_season
from arena.season.agenda import Agenda
from arena.store.database import Database
from arena.store.stored_season import SoFar
from reports import ReportOptions, write_site

_BOTS = 40
"""A field for which one machine may be too small."""
_SEATS = 4
_CANNED = 16
"""The matches that are played out beforehand. Slots answer with one after another."""
_HOLE = "to be filled in"
TERMS = Terms(move_ms=1000, bank_ms=0, fault_points=40, max_faults=3)
_DEALS = PhaseDeals(bytes(32))
_TOOK_US = 20
"""The time that every answer is said to have taken: two digits, as with quick bots, so that records have
their usual length."""


class Coordinated:
    """A league of so many cycles that a coordinator of so many slots plays, and whose pages are written."""

    def __init__(self, slots: int, cycles: int) -> None:
        self._slots = slots
        self._cycles = cycles

    def sample(self) -> dict[str, float]:
        """Play the league to its end, with exclusion as a league has it by default, and write its pages."""
        referees = _Slots(self._slots)
        with TemporaryDirectory(prefix="arena-bench-") as folder:
            loaded = _league(Path(folder), self._cycles)
            with Database.open(loaded.database, create=True) as database:
                coordinator, matches = _coordinator(loaded, database, referees)
                cpu, wall = time.process_time(), time.perf_counter()
                ending = trio.run(coordinator.run)
                cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
                assert ending is Ending.COMPLETE, ending
            with Database.open(loaded.database, read_only=True) as database:
                of_pages = time.process_time()
                write_site(database, loaded.report_folder, ReportOptions())
                of_pages = time.process_time() - of_pages
        return {
            "matches": matches,
            "matches a second": matches / wall,
            "coordinator's CPU a match, us": cpu * 1e6 / matches,
            "CPU of the pages a match, us": of_pages * 1e6 / matches,
        }


def _league(folder: Path, cycles: int) -> LoadedLeague:
    """Write a league of bots that nobody starts."""
    (folder / "bot").mkdir()
    (folder / "bot" / "bot.py").write_text("# Nobody starts it.\n")
    file = folder / "league.toml"
    head = f'[league]\nname = "Canned"\nseats = {_SEATS}\n[schedule]\ncycles = {cycles}\n'
    bot = '[[bots]]\nname = "Bot {}"\nfolder = "bot"\ncommand = ["{{python}}", "bot.py"]\n'
    file.write_text(head + "".join(bot.format(number) for number in range(_BOTS)))
    return read_league(file)


def _coordinator(loaded: LoadedLeague, database: Database, referees: _Slots) -> tuple[Coordinator, int]:
    """Return the coordinator of a new league, and the number of its matches."""
    season = open_season(loaded, database)
    found = open_phase(season, database)
    assert found is not None, "nothing of it is played yet"
    phase, deals = found
    director = Director(season, database, _ignore, _ignore)
    decisions = director.begin(phase)
    # Nothing of it is played yet.
    agenda = Agenda(director.plan, phase.cycles_planned, SoFar(), decisions)
    settings = Settings(phase.season, phase.number, season.bots, deals, referees)
    return Coordinator(settings, agenda, director, database, RunWatcher()), agenda.matches_left


def _ignore(_: object) -> None:
    """Tell nobody."""


class _Slots:
    """Referees of a cluster that answer at once, as `Referees`."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._canned = cycle(list(_canned_lines()))

    @property
    def count(self) -> int:
        return self._count

    async def keep(self, play: Play, more: More) -> None:
        setup = Setup((), TERMS, _SEATS, None, arena="bench")
        async with trio.open_nursery() as nursery:
            for number in range(self._count):
                nursery.start_soon(play, RefereeClient(_Slot(number, self._canned), setup, 0))


class _Slot:
    """The lines of a referee that answers at once to what it is sent."""

    def __init__(self, number: int, canned: Iterator[list[str]]) -> None:
        self.name = f"slot {number}"
        self._canned = canned
        self._answer, self._answers = trio.open_memory_channel[bytes](math.inf)

    async def send(self, lines: bytes) -> bool:
        await trio.lowlevel.checkpoint()
        name, _, body = lines.decode().partition(" ")
        if name == "Stop":
            self._answer.close()
        else:
            for line in self._lines(json.loads(body)):
                # A frame as it comes from the bridge, so that the coordinator reads what it has to read.
                frame = read_frame(write_frame(Frame(1, "line", 1, line.encode())))
                self._answer.send_nowait(frame.body)
        return True

    async def lines(self) -> AsyncGenerator[bytes, None]:
        async for line in self._answers:
            yield line

    async def close(self) -> RefereeEnd:
        await trio.lowlevel.checkpoint()
        return RefereeEnd(End.IN_ORDER, "was stopped", "")

    def _lines(self, job: dict[str, Any]) -> tuple[str, ...]:
        done = write_message(SessionDone(job["cycle"], job["index"])).decode().rstrip("\n")
        return (*(self._finished(match) for match in job["matches"]), done)

    def _finished(self, match: dict[str, Any]) -> str:
        filled = [json.dumps(part) for part in (match["key"], *match["seats"])]
        pieces = next(self._canned)
        return "".join(part for pair in zip(pieces, [*filled, ""], strict=True) for part in pair)


def _canned_lines() -> Iterator[list[str]]:
    """Yield lines of finished matches in pieces: between these, the key and the bots' ids are missing."""
    for index in range(_CANNED):
        line = write_message(Finished(play_out(MatchKey(0, index, 0), (_HOLE,) * _SEATS))).decode()
        name, body = line.rstrip("\n").split(" ", 1)
        told = json.loads(body)
        told["key"] = _HOLE
        yield f"{name} {json.dumps(told, separators=(',', ':'))}".split(json.dumps(_HOLE))


def play_out(key: MatchKey, bots: tuple[str, ...]) -> MatchRecord:
    """Return a match of a round for each seat in which every seat chooses its first legal cards."""
    deals, seats = _DEALS.session(key.cycle, key.index), len(bots)
    boards = tuple(deals.board(number, seats) for number in range(seats))
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(seats))
    setup = MatchSetup(boards, deals.suits(key), seeds, TERMS)
    match = Match(setup, from_deals(deals, key))
    match.begin()
    while not match.over:
        match.take_news()
        question = match.ask(match.waiting()[0])
        legal = question.message.get("legal", question.message["hand"])
        match.answer(question.seat, legal[: question.message.get("count", 1)], _TOOK_US)
    result = match.result()
    sat = tuple(
        SeatRecord(
            bot,
            seat.points,
            seat.charge,
            seat.place,
            seat.faults,
            id_key="00" * 16,
            cpu_us=seats * (1 + hand_size(seats)) * _TOOK_US,
            off_turn_us=0,
            queued_us=0,
        )
        for bot, seat in zip(bots, result.seats, strict=True)
    )
    return MatchRecord(key, setup, sat, result.rounds, result.faults, started_at=0, finished_at=1)
