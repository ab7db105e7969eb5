"""Open leagues played without processes: real folders, arrivals, plans, deals, rules and store.

Everything but times and drawn secrets follows from what a test does.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Self

from arena.deals import MatchKey, PhaseDeals
from arena.errors import BotFolderError
from arena.league.entries import Waiting
from arena.league.reader import read_league
from arena.match.game import Match
from arena.match.record import MatchRecord, MatchSetup, SeatRecord, Terms
from arena.match.stand_in import from_deals
from arena.runner.arrivals import Arrivals
from arena.runner.director import Director
from arena.runner.seasons import OpenSeason, open_season, unfinished_phase
from arena.schedule import Session
from arena.score.entry_ids import bot_of
from arena.season.open_field import look
from arena.season.opening import now_ms
from arena.store import write
from arena.store.acts import FailedStart
from arena.store.database import Database
from arena.store.playing import PlannedSession
from tests.reports.played import Bot, play_out

LAST_WORDS = "stderr: ImportError: of what it needs"
"""What bots that do not start have written."""


class OpenPlay:
    """An open league, by the path of its file. `fault_rates`: of bots that do not play well, by their ids."""

    def __init__(self, league: Path, fault_rates: Mapping[str, float] | None = None) -> None:
        self.said: list[str] = []
        self.fault_rates = dict(fault_rates or {})
        self.loaded = read_league(league)
        self._stack = ExitStack()
        self.database = self._stack.enter_context(Database.open(self.loaded.database, create=True))
        # Of a league with stages, its first one.
        self.loaded = open_season(self.loaded, self.database).loaded
        self.arrivals = Arrivals(self.loaded, self.database, self.said.append)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def changes(self) -> str:
        """Why the field changes after the first cycle of the newest phase."""
        stored = self.arrivals.stored
        changed = self.arrivals.changes(stored, stored.view.phases[-1].first_cycle + 1)
        return "" if changed is None else changed[1]

    def begin(self, failed: Collection[str] = ()) -> bool:
        """Begin a phase with the bots that are there now. `failed`: the versions that do not start."""
        self.look()
        found = self.arrivals.field()
        self.arrivals.failed(dict.fromkeys(failed, FailedStart("it exits at once", (LAST_WORDS,))))
        return self.arrivals.begin(found.without(failed))

    def look(self) -> None:
        """Look at the folders, and make ready what is there."""
        self.arrivals.saw(look(self.loaded, self.arrivals.view))
        for entry in self.arrivals.wanted():
            try:
                self.arrivals.copy(entry)
            except BotFolderError as error:
                self.arrivals.tell([Waiting(entry.bot, str(error))])
            else:
                self.arrivals.is_ready(entry)

    def season(self) -> OpenSeason:
        """The season that is played."""
        return self.arrivals.season()

    def play(self, sessions: int | None = None) -> None:
        """Play the phase that was begun, to its end or so many sessions of it."""
        opened = unfinished_phase(self.database)
        assert opened is not None
        phase, deals = opened
        season = self.season()
        changes = self.arrivals.changes if season.view.open else None
        director = Director(season, self.database, self.said.append, lambda answer: None, changes)
        blocks = director.begin(phase)
        for cycle in range(phase.first_cycle, phase.cycles_planned):
            if cycle >= director.ends():
                break
            for session in season.plan.cycle(cycle):
                if sessions == 0:
                    return
                sessions = None if sessions is None else sessions - 1
                for record in self._session(season, session, phase.number, deals):
                    director.played(record)
            if blocks is not None and cycle + 1 in blocks.ends:
                director.decide(cycle + 1)
        end = director.end()
        write.end_phase(self.database, phase.season, phase.number, end.reason, now_ms(), end.cycles)

    def phase(self, failed: Collection[str] = ()) -> None:
        """Begin a phase and play it to its end."""
        assert self.begin(failed), self.said
        self.play()

    def _session(
        self, season: OpenSeason, session: Session, phase: int, deals: PhaseDeals
    ) -> list[MatchRecord]:
        ids = tuple(season.bots[number] for number in session.order)
        keys = [MatchKey(session.cycle, session.index, order) for order in range(len(session.rows))]
        planned = PlannedSession(
            session.cycle, session.index, ids, season.plan.match_number(session.cycle, session.index, 0)
        )
        write.begin_sessions(self.database, season.view.number, phase, [(planned, keys)], now_ms())
        records = [self._match(season, key, row, deals) for key, row in zip(keys, session.rows, strict=True)]
        write.save_matches(self.database, season.view.number, records)
        return records

    def _match(
        self, season: OpenSeason, key: MatchKey, row: tuple[int, ...], of_phase: PhaseDeals
    ) -> MatchRecord:
        league, deals = self.loaded.league, of_phase.session(key.cycle, key.index)
        boards = tuple(deals.board(number, len(row)) for number in range(league.league.rounds))
        terms = Terms(
            league.time.move_ms, league.time.bank_ms, league.faults.fault_points, league.faults.max_faults
        )
        seeds = tuple(deals.bot_seed(key, seat) for seat in range(len(row)))
        ids = [season.bots[number] for number in row]
        setup = MatchSetup(boards, deals.suits(key), seeds, terms)
        match = Match(setup, from_deals(deals, key))
        rates = [self.fault_rates.get(one, self.fault_rates.get(bot_of(one), 0.0)) for one in ids]
        bots = [Bot(one, fault_rate=rate) for one, rate in zip(ids, rates, strict=True)]
        play_out(match, bots, Random(f"{key}"))
        result, at = match.result(), now_ms()
        seats = tuple(
            SeatRecord(
                bot, seat.points, seat.charge, seat.place, seat.faults, seat.hand_over,
                seat.hand_over_at, seat.late, f"{number:032x}", key.cycle, 4000 + number, 1_000_000,
            )
            for number, (bot, seat) in enumerate(zip(ids, result.seats, strict=True))
        )  # fmt: skip
        return MatchRecord(key, setup, seats, result.rounds, result.faults, at, at, sandbox="")
