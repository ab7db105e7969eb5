"""A probe of the store: results written to a database file in batches, as the coordinator does."""

from __future__ import annotations

import time
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.bench.figures import Measure, Sample
from arena.bench.played import decisions, lines_of, match_keys, play_out, record_of, setup_of
from arena.errors import UsageError
from arena.match.record import MatchRecord
from arena.store import write
from arena.store.database import Database, is_there
from arena.store.history import Host
from arena.store.inputs import NewPhase, NewSeason, PlannedSession
from arena.store.playing import Begun
from arena.store.views import Entry

__all__ = ["STORE", "STORE_CPU", "Stored"]

STORE: Final = Measure("store_us", "a match, begun and saved, in a batch with its commit", "us")
STORE_CPU: Final = Measure("store_cpu_us", "coordinator's CPU for it, a decision", "us")
_BATCHES: Final = 4
"""The batches of a sample: a single one depends too much on what the disk is doing."""


class Stored:
    """The store with a new database in a file, or in the empty one at an address.

    A sample is several batches. A batch is what a transaction is filled with: the sessions begun before are
    stored, and as many are begun. `title`: who fills it, for people.
    """

    measures = (STORE, STORE_CPU)

    def __init__(self, name: str, seats: int, sessions: int, where: Path | str, title: str = "") -> None:
        self.name = f"store_{name}"
        self._seats = seats
        self._sessions = sessions
        matches = self._sessions * seats
        self.title = f"Store (SQLite, {matches} matches a commit, as with {title} bots)"
        self._bots = tuple(f"bot{number}" for number in range(seats))
        self._next_session = 0
        if is_there(where):
            raise UsageError(f"{where}: there is a league in it; name an empty database")
        self._database = Database.open(where, create=True)
        self._database = self._database
        self._season = write.open_season(self._database, _season(self._bots))
        write.open_phase(self._database, NewPhase(self._season, 0, bytes(32), "", 0, "", 1))
        self._host = write.note_host(self._database, Host("", "", "", 1, False, "", "", ""), 0)
        write.begin_sessions(self._database, self._season, 0, self._planned(), 0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()

    def sample(self) -> Sample:
        """See `Probe`."""
        wall = cpu = matches = 0
        for _ in range(_BATCHES):
            records = self._records()
            self._next_session += self._sessions
            planned = self._planned()
            cpu_before, before = time.process_time_ns(), time.perf_counter_ns()
            hosts = {record.key: self._host for record in records}
            write.begin_sessions(self._database, self._season, 0, planned, 0, records=records, hosts=hosts)
            wall += time.perf_counter_ns() - before
            cpu += time.process_time_ns() - cpu_before
            matches += len(records)
        made = matches * decisions(self._seats)
        return {STORE.key: wall / 1000 / matches, STORE_CPU.key: cpu / 1000 / made}

    def _planned(self) -> list[Begun]:
        """Return the next sessions with all their matches."""
        indices = range(self._next_session, self._next_session + self._sessions)
        return [
            (
                PlannedSession(0, index, self._bots, 1 + index * self._seats),
                list(islice(match_keys(self._seats, index), self._seats)),
            )
            for index in indices
        ]

    def _records(self) -> list[MatchRecord]:
        keys = islice(match_keys(self._seats, self._next_session), self._sessions * self._seats)
        setups = ((key, setup_of(key, self._seats)) for key in keys)
        return [
            record_of(key, setup, play_out(key, setup, lines_of(key, setup).answers), self._bots)
            for key, setup in setups
        ]


def _season(bots: tuple[str, ...]) -> NewSeason:
    seats = len(bots)
    return NewSeason(
        opened_at=0,
        document="{}",
        digest="",
        league_text="",
        line_ups="all",
        seats=seats,
        rounds=seats,
        field_size=seats,
        sessions_per_cycle=20_000,  # the most that there can be
        matches_per_session=seats,
        entries=tuple(Entry(bot, number, bot, "", "", ()) for number, bot in enumerate(bots)),
    )
