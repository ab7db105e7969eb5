"""The language of checks: a script says what to do with a bot, is told what came, and judges it.

A script is a generator. It yields actions and is sent what was heard. It knows no process, no clock and
no pipe, so that a test can play the bot. `stage` performs scripts on real processes.

    Exception
      Failed      the bot has not done what it should; carries the evidence
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

from arena.bot.waits import UNKNOWN, Used

__all__ = [
    "Action",
    "Evidence",
    "Failed",
    "Finding",
    "Heard",
    "Leave",
    "Look",
    "Receive",
    "Rest",
    "Restart",
    "Script",
    "Send",
    "Step",
    "Verdict",
]


@dataclass(frozen=True, slots=True)
class Send:
    """Write these pieces, `pause` seconds apart. The clock of their questions starts before the first piece.

    `Heard` then has what the bot had said before without being asked.
    """

    pieces: tuple[bytes, ...]
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for one line, until so many seconds after the last `Send` began."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Rest:
    """Do nothing for so many seconds. `Heard` then has what the bot says meanwhile."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Look:
    """Measure the bot's memory and read its standard error."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Write these lines, close the bot's input if `close`, and wait up to `seconds` seconds for its end."""

    lines: bytes
    close: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Restart:
    """Start a new process and continue when it is ready."""


Action: TypeAlias = Send | Receive | Rest | Look | Leave | Restart


@dataclass(frozen=True, slots=True)
class Heard:
    """The result of an action. When all fields are empty, nothing happened in the given time.

    `line`: what the bot said, without its newline. `partial`: the beginning of a line that did not end.
    `ended`: why nothing more can come, in words. `used`: what the bot used where nothing came. `after`: the
    seconds since the last `Send` began, or the duration of a `Leave`. `queued`: the seconds of these in which
    the bot, or who listens to it, was ready to run and had no core. `cpu_us`: processor time in microseconds
    during a `Rest`. After a `Look`, `memory`: resident bytes, and `stderr`: the last lines on standard error.
    """

    line: bytes | None = None
    partial: bytes = b""
    ended: str | None = None
    after: float = 0.0
    queued: float = 0.0
    cpu_us: int = 0
    used: Used = UNKNOWN
    memory: int = 0
    stderr: str = ""


Result = TypeVar("Result")
Script: TypeAlias = Generator[Action, Heard, Result]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of a failure: what was sent (exact bytes), what was expected, and what came instead."""

    expected: str
    found: str
    sent: bytes = b""
    came: bytes | None = None
    stderr: str = ""


class Failed(Exception):  # noqa: N818 - it says what happened
    """The bot has not done what it should. Its process is not used any more; `ended`: it has ended."""

    def __init__(self, evidence: Evidence, *, ended: bool = False) -> None:
        super().__init__(evidence.found)
        self.evidence = evidence
        self.ended = ended


class Verdict(StrEnum):
    """The verdict on a step. The values appear in JSON."""

    PASSED = "passed"
    WARNED = "warned"
    """Allowed, but worth knowing."""
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that is checked. `name` is the key in JSON, `title` for people."""

    name: str
    title: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The verdict on a step and a short text, with the evidence of a failure or a warning."""

    verdict: Verdict
    text: str
    evidence: Evidence | None = None

    @classmethod
    def passed(cls, text: str) -> Finding:
        """Return the finding that the step is passed."""
        return cls(Verdict.PASSED, text)

    @classmethod
    def warned(cls, text: str, evidence: Evidence | None = None) -> Finding:
        """Return the finding of something allowed but worth knowing."""
        return cls(Verdict.WARNED, text, evidence)

    @classmethod
    def failed(cls, evidence: Evidence) -> Finding:
        """Return the finding that the bot has not done what it should."""
        return cls(Verdict.FAILED, evidence.found, evidence)

    @classmethod
    def skipped(cls, why: str) -> Finding:
        """Return the finding that the step was not taken, and why."""
        return cls(Verdict.SKIPPED, why)
