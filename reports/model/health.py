"""What the page about the health of a league shows: what went wrong, and how bots and referees ran."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.common import MatchLink

__all__ = [
    "AttemptRow",
    "BotRun",
    "FaultCounts",
    "HealthPage",
    "LateMatch",
    "LevelRow",
    "LogRow",
    "ThinkingRow",
]


@dataclass(frozen=True, slots=True)
class FaultCounts:
    """The faults of a bot by kind, in the order of `HealthPage.kinds`.

    `replaced`: matches that the stand-in played to the end for it; `late`: answers that came after
    their question was closed.
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

    `cpu_us`: processor time a match, `off_turn`: what share of it was used without a question;
    `queued_us`: time a match in which it was asked, ready to run and had no core; None where it was not
    recorded. `frozen`, `left_core`: matches in which that was seen.
    """

    name: str
    path: str
    matches: int
    processes: int
    failed_starts: int
    crashes: int
    cpu_us: float | None
    queued_us: float | None
    off_turn: str
    frozen: int
    left_core: int


@dataclass(frozen=True, slots=True)
class LateMatch:
    """A match in which the referee was late: how many deadlines it moved, by how much at most."""

    link: MatchLink
    deadlines: int
    worst_us: int


@dataclass(frozen=True, slots=True)
class LevelRow:
    """How many matches were played under a level of the sandbox, and what that means."""

    level: str
    matches: int
    meaning: str


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt at a match that came to nothing. `then`: what became of the match."""

    match: MatchLink
    session: str
    attempt: int
    date: str
    what: str
    reason: str
    then: str


@dataclass(frozen=True, slots=True)
class LogRow:
    """A warning from the log of the league."""

    date: str
    text: str


@dataclass(frozen=True, slots=True)
class HealthPage:
    """Everything on the page. `sentences`: what to know first; `facts`: terms with what is said.

    `kinds`: of fault that occurred; `attempts` and `log`: the newest, of `attempts_total` and
    `log_total`. `limit_us`: for a decision, None if the league's file names none.
    """

    sentences: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    faults: tuple[FaultCounts, ...]
    thinking: tuple[ThinkingRow, ...]
    limit_us: int | None
    runs: tuple[BotRun, ...]
    late_matches: int
    deadlines: int
    worst: tuple[LateMatch, ...]
    levels: tuple[LevelRow, ...]
    attempts: tuple[AttemptRow, ...]
    attempts_total: int
    log: tuple[LogRow, ...]
    log_total: int
