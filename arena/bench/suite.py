"""The benchmark of the arena: real matches through a real referee, beside the parts that they consist of.

Each language has a table of its bots as in a league, a raw ping-pong with lines of the same sizes, both on
one core, and many tables at once: pinned and not, with processes of their own and with one process a bot.
Then come two referees against one, the parts of the referee alone, and the store. The ratios compare figures
of the same turn, so they change less between machines and between minutes than the figures themselves.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from arena.bench import live, parts, raw
from arena.bench.driven import Seated
from arena.bench.figures import Figure, Measure, Probe, Section, ratio, sections
from arena.bench.live import Crowd, Live, Pair, Shared
from arena.bench.machine import Machine, highest_core, this_machine
from arena.bench.parts import Parts
from arena.bench.profile import profile_of
from arena.bench.programs import Programs, find_programs
from arena.bench.raw import RoundTrips
from arena.bench.stored import Stored
from arena.errors import UsageError
from arena.papayoo import MAX_PLAYERS, MIN_PLAYERS

__all__ = ["Options", "Report", "run"]

_Start: TypeAlias = Callable[[], AbstractContextManager[Probe]]
_SESSIONS_OF_PAIR = 4
"""The sessions of one turn of `Pair`. Their records fit into a referee's pipe, so that neither referee waits
while the other one is read."""


@dataclass(frozen=True, slots=True)
class Options:
    """The extent of a benchmark.

    `repeats`: the samples of each figure. `sessions`: the sessions of a sample at a table. `round_trips`:
    those of a sample of ping-pong. `core`: the core that all share; None leaves the choice to the system.
    `tables`: the numbers of tables at once, ascending; with none that part is left out.

    Raises UsageError for what cannot be measured.
    """

    seats: int = 4
    repeats: int = 7
    sessions: int = 4
    round_trips: int = 4000
    core: int | None = None
    tables: tuple[int, ...] = (1, 2, 4, 8, 32)

    def __post_init__(self) -> None:
        """Refuse values that no run can have."""
        if not MIN_PLAYERS <= self.seats <= MAX_PLAYERS:
            raise UsageError(f"{self.seats} seats: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
        for name in ("repeats", "sessions", "round_trips"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}: expected at least 1")
        if any(tables < 1 for tables in self.tables) or list(self.tables) != sorted(set(self.tables)):
            raise UsageError(f"tables are {self.tables}: expected ascending numbers from 1 on")


@dataclass(frozen=True, slots=True)
class Report:
    """The results of a benchmark.

    `sections`: the figures of each probe. `crowds`: those of many tables. `profiles`: a decision's cost by
    part. `ratios`: figures beside a raw round trip. `missing` says what could not be measured, and why.
    """

    machine: Machine
    options: Options
    sections: tuple[Section, ...]
    crowds: tuple[Section, ...]
    profiles: tuple[Section, ...]
    ratios: Section
    missing: tuple[str, ...]


def run(options: Options, progress: Callable[[float], None] = lambda part: None) -> Report:
    """Measure and return the report; `progress` receives the share that is done, up to 1.

    Raises UsageError where the arena cannot be measured, and InternalError when a part of it fails.
    """
    if sys.platform != "linux":
        raise UsageError("arena bench needs Linux: it keeps processes on one core and reads their clocks")
    if options.core is not None and options.core not in os.sched_getaffinity(0):
        usable = ", ".join(map(str, sorted(os.sched_getaffinity(0))))
        raise UsageError(f"core {options.core} cannot be used here; these can: {usable}")
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        programs = find_programs(Path(folder))
        of_parts = Parts(options.seats, options.sessions, options.core)
        crowds = _crowds(options, programs, of_parts)
        passes = 1 + len(crowds)
        with ExitStack() as stack:
            probes = _probes(options, programs, of_parts, Path(folder), stack)
            alone = sections(probes, options.repeats, _told(progress, 0, passes, options.repeats))
        many: tuple[Section, ...] = ()
        # After the rest and one kind at a time: bots that wait have to be looked after by their referee, and
        # that takes time from the probes on the same core.
        for done, crowd in enumerate(crowds, start=1):
            with ExitStack() as stack:
                probes = [stack.enter_context(start()) for start in crowd]
                many += sections(probes, options.repeats, _told(progress, done, passes, options.repeats))
    missing = programs.missing
    if not any(section.name == Pair.name for section in alone):
        missing += ("Only one core can be used, so two referees were not compared with one.",)
    profiles = tuple(_profile(alone, language.name) for language in programs.languages)
    return Report(machine, options, alone, many, profiles, _ratios(alone, programs), missing)


def _probes(
    options: Options, programs: Programs, of_parts: Parts, folder: Path, stack: ExitStack
) -> list[Probe]:
    seats, sessions = options.seats, options.sessions
    probes: list[Probe] = []
    for language in programs.languages:
        trips = RoundTrips(language, of_parts.sizes, options.round_trips, options.core)
        table = Live(Seated(language, seats, options.core), sessions)
        probes += [stack.enter_context(table), stack.enter_context(trips)]
    cores = sorted(os.sched_getaffinity(0))[-2:]
    if len(cores) > 1:
        one, other = (Seated(programs.languages[-1], seats, core) for core in cores)
        probes.append(stack.enter_context(Pair(one, other, _SESSIONS_OF_PAIR)))
    stores = [
        stack.enter_context(
            Stored(one.name, seats, one.sessions_a_commit, folder / f"store_{one.name}.db", one.title)
        )
        for one in programs.languages
    ]
    return [*probes, of_parts, *stores]


def _told(progress: Callable[[float], None], done: int, passes: int, repeats: int) -> Callable[[int], None]:
    """Return what reports each turn of a pass as progress, after `done` of the passes."""
    return lambda turn: progress((done + (turn + 1) / repeats) / passes)


def _crowds(options: Options, programs: Programs, of_parts: Parts) -> list[list[_Start]]:
    """Return how to start the probes of many tables, grouped by those that are compared."""

    def start(probe: type[Crowd] | type[Shared], seated: Seated) -> AbstractContextManager[Probe]:
        trips = RoundTrips(seated.language, of_parts.sizes, options.round_trips, seated.core)
        return probe(seated, options.tables, options.sessions, trips)

    kinds: list[list[_Start]] = []
    for language in programs.languages if options.tables else ():
        for core in (highest_core() if options.core is None else options.core, None):
            seated = Seated(language, options.seats, core, tables=options.tables[-1])
            classes = (Crowd, Shared) if language.shares else (Crowd,)
            kinds.append([partial(start, probe, seated) for probe in classes])
    return kinds


def _profile(measured: tuple[Section, ...], language: str) -> Section:
    by_name = {section.name: section for section in measured}
    names = (f"table_{language}", f"raw_{language}", "parts", f"store_{language}")
    return profile_of(*(by_name[name] for name in names))


def _ratios(measured: tuple[Section, ...], programs: Programs) -> Section:
    by_name = {section.name: section for section in measured}
    figures: list[Figure] = []
    for language in programs.languages:
        name = language.name
        table, trips = by_name[f"table_{name}"], by_name[f"raw_{name}"]
        label = f"{name.title()}: round trips a second / decisions a second"
        speed = Measure(f"{name}_speed", label, "x")
        figures.append(ratio(speed, trips.figure(raw.RATE.key), table.figure(live.RATE.key)))
        label = f"{name.title()}: referee's CPU / CPU of the asking end"
        cost = Measure(f"{name}_cpu", label, "x")
        figures.append(ratio(cost, table.figure(live.REFEREE_CPU.key), trips.figure(raw.CPU.key)))
    for measure in (parts.MATCH, parts.CODEC):
        label = f"{measure.label} / CPU of the asking end"
        share = Measure(f"{measure.key.removesuffix('_us')}_cpu", label, "x")
        trips = by_name[f"raw_{programs.languages[0].name}"]
        figures.append(ratio(share, by_name["parts"].figure(measure.key), trips.figure(raw.CPU.key)))
    return Section("ratios", "A decision beside a raw round trip", tuple(figures))
