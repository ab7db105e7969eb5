"""Builds the page about the health of a league: what went wrong, and how bots and referees ran.

It says nothing that was not recorded, and writes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from arena.match.faults import FaultKind
from arena.store.views import Entry, MatchState, MatchView, SeatView
from reports.facts import LeagueFacts
from reports.pages.bars import percent
from reports.pages.health_words import figures, lateness, sentences
from reports.pages.listing import session_name
from reports.pages.match import KIND_WORDS
from reports.pages.words import bot_path
from reports.text import minute

_SHOWN = 50  # attempts, and lines of the log
_WORST = 10
_LEVELS = {
    "off": "no protection: play only programs that you trust",
    "bubblewrap": (
        "a bot sees its own folder only, has no network, and is limited in processes and files; "
        "bots that work together can signal to each other by locks"
    ),
    "own-files": "as bubblewrap, and bots share no files, devices or counters; all run as the same user",
    "own-users": "as bubblewrap, and bots share no files, devices or counters; each process has its own user",
}

_WHAT = {
    MatchState.ABORTED: "aborted",
    MatchState.INTERRUPTED: "interrupted",
    MatchState.BEGUN: "begun",
}
_PATH = re.compile(r"(?<!\S)(['\"(]?)/(?:[^\s/'\")]+/)+")


@dataclass(frozen=True, slots=True)
class FaultCounts:
    """The faults of a bot by kind, in the order of `HealthPage.kinds`.

    `replaced`: matches in which the stand-in took over; `late`: answers that came after their question was
    closed.
    """

    name: str
    path: str
    counts: tuple[int, ...]
    total: int
    replaced: int
    late: int


@dataclass(frozen=True, slots=True)
class ThinkingRow:
    """The time charged for a decision of a bot in microseconds, passes and plays together.

    `width`: the longest as a share of the limit, in percent of its cell.
    """

    name: str
    path: str
    decisions: int
    median_us: int
    p95_us: int
    longest_us: int
    width: str


@dataclass(frozen=True, slots=True)
class BotRun:
    """How the processes of a bot ran: how many were started and played, in how many matches.

    `cpu_us`: processor time a match; `off_turn`: the share of it used without a question; `queued_us`: the
    time a match in which the bot was asked, ready to run and had no core; None if it was not recorded.
    `extended_us`: by how much its deadlines moved for that, in all.
    `frozen`, `left_core`: matches in which that happened.
    """

    name: str
    path: str
    matches: int
    processes: int
    failed_starts: int
    crashes: int
    cpu_us: float | None
    queued_us: float | None
    extended_us: int
    off_turn: str
    frozen: int
    left_core: int


@dataclass(frozen=True, slots=True)
class LevelRow:
    """The number of matches played under a level of the sandbox, and what the level means."""

    level: str
    matches: int
    meaning: str


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An aborted or interrupted attempt at a match. `finished`: whether the match was played again."""

    match: int
    session: str
    attempt: int
    date: str
    what: str
    reason: str
    finished: bool


@dataclass(frozen=True, slots=True)
class HealthPage:
    """Everything on the page. `sentences`: what to know first; `facts`: terms with a text each.

    `kinds`: of faults that occurred; `attempts` and `log` (date and text): the newest, of `attempts_total`
    and `log_total`. `limit_us`: for a decision, None if the league file names none.
    """

    sentences: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    faults: tuple[FaultCounts, ...]
    thinking: tuple[ThinkingRow, ...]
    limit_us: int | None
    runs: tuple[BotRun, ...]
    lateness: str
    worst: Sequence[MatchView]
    levels: tuple[LevelRow, ...]
    attempts: tuple[AttemptRow, ...]
    attempts_total: int
    log: tuple[tuple[str, str], ...]
    log_total: int


def health_page(facts: LeagueFacts) -> HealthPage:
    """Build the whole page."""
    kinds = [kind for kind in FaultKind if any(kind in counts for counts in facts.fault_counts.values())]
    seats = _seats(facts.matches)
    played = [entry for entry in facts.season.entries if entry.bot in seats]
    late = [match for match in facts.matches if match.lateness_count]
    worst = sorted(late, key=lambda match: (-match.lateness_us, match.number))[:_WORST]
    levels = Counter(match.sandbox for match in facts.matches)
    moved = sum(match.lateness_count for match in late)
    return HealthPage(
        sentences=tuple(sentences(facts, levels["off"])),
        facts=tuple(figures(facts)),
        kinds=tuple(KIND_WORDS[kind] for kind in kinds),
        faults=tuple(_faults(facts, entry, kinds, seats[entry.bot]) for entry in played) if kinds else (),
        thinking=tuple(_thinking(facts, played)),
        limit_us=facts.move_us or None,
        runs=tuple(_run(facts, entry, seats[entry.bot]) for entry in played),
        lateness=lateness(moved, len(late)),
        worst=worst,
        levels=tuple(LevelRow(level, levels[level], _LEVELS.get(level, "")) for level in sorted(levels)),
        attempts=tuple(_attempts(facts)),
        attempts_total=len(facts.troubles),
        log=tuple(
            (minute(line.at), _without_paths(line.headline)) for line in facts.warnings[: -_SHOWN - 1 : -1]
        ),
        log_total=len(facts.warnings),
    )


def _seats(matches: Collection[MatchView]) -> dict[str, list[SeatView]]:
    """Return every seat that a bot had, by its id."""
    seats: dict[str, list[SeatView]] = {}
    for match in matches:
        for seat in match.seats:
            seats.setdefault(seat.bot, []).append(seat)
    return seats


def _faults(
    facts: LeagueFacts, entry: Entry, kinds: Sequence[FaultKind], seats: Collection[SeatView]
) -> FaultCounts:
    counts = facts.fault_counts.get(entry.bot, {})
    return FaultCounts(
        name=entry.name,
        path=bot_path(entry.bot),
        counts=tuple(counts.get(kind, 0) for kind in kinds),
        total=sum(counts.values()),
        replaced=sum(seat.hand_over is not None for seat in seats),
        late=sum(seat.late for seat in seats),
    )


def _thinking(facts: LeagueFacts, played: Collection[Entry]) -> Iterator[ThinkingRow]:
    for entry in played:
        own = facts.tallies.get(entry.bot)
        if own is not None and own.times.us:
            median, p95, longest = own.times.quantiles(0.5, 0.95, 1.0)
            share = min(100.0, 100 * longest / facts.move_us) if facts.move_us else 0.0
            width = f"{share:.1f}%"
            yield ThinkingRow(entry.name, bot_path(entry.bot), len(own.times.us), median, p95, longest, width)


def _run(facts: LeagueFacts, entry: Entry, seats: Collection[SeatView]) -> BotRun:
    counts = facts.fault_counts.get(entry.bot, {})
    cpu = [seat.cpu_us for seat in seats if seat.cpu_us is not None]
    queued = [seat.queued_us for seat in seats if seat.queued_us is not None]
    idle = [seat.off_turn_us for seat in seats if seat.off_turn_us is not None]
    return BotRun(
        name=entry.name,
        path=bot_path(entry.bot),
        matches=len(seats),
        processes=facts.processes.get(entry.bot, 0),
        failed_starts=counts.get(FaultKind.START_FAILED, 0),
        crashes=counts.get(FaultKind.CRASHED, 0),
        cpu_us=sum(cpu) / len(cpu) if cpu else None,
        queued_us=sum(queued) / len(queued) if queued else None,
        extended_us=sum(seat.extended_us for seat in seats),
        off_turn=percent(sum(idle), sum(cpu), 1) if idle and cpu else "–",
        frozen=sum(seat.frozen for seat in seats),
        left_core=sum(seat.left_core for seat in seats),
    )


def _attempts(facts: LeagueFacts) -> Iterator[AttemptRow]:
    finished = {match.number for match in facts.matches}
    newest = sorted(facts.troubles, key=lambda match: (match.finished_at or match.started_at, match.number))
    for match in newest[: -_SHOWN - 1 : -1]:
        over = match.number in finished
        yield AttemptRow(
            match=match.number,
            finished=over,
            session=session_name(match),
            attempt=match.attempt,
            date=minute(match.started_at),
            what=_WHAT[match.state],
            reason=_last_line(match.reason),
        )


def _last_line(text: str) -> str:
    """Return the last line of a text: of a traceback, the error itself."""
    lines = text.strip().splitlines()
    return _without_paths(lines[-1].strip()) if lines else ""


def _without_paths(text: str) -> str:
    """Return the text without the folders of absolute paths, which concern nobody but the organiser."""
    return _PATH.sub(r"\1…/", text)
