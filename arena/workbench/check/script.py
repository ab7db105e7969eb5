"""What a check is written in: scripts that say what to do with a bot, are told what came, and judge it.

A script is a generator. It yields actions and is sent what was heard; it knows no process, no clock and
no pipe, so that a test can play the bot. `stage` performs scripts on real processes.

    Exception
      Failed      the bot has not done what it should; carries the evidence
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypeVar

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
    """Write these pieces, `pause` seconds apart; the clock of what is asked in them starts before the first.

    What the bot had said by then without being asked is heard.
    """

    pieces: tuple[bytes, ...]
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class Receive:
    """Wait for one line, until so many seconds after the last `Send` began."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Rest:
    """Do nothing for so many seconds; what the bot says meanwhile is heard."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Look:
    """Find out what the bot uses."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Write these lines, close the bot's input if that is wanted, and wait so many seconds for its end."""

    lines: bytes
    close: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class Restart:
    """Go on with a new process, which is ready."""


Action: TypeAlias = Send | Receive | Rest | Look | Leave | Restart


@dataclass(frozen=True, slots=True)
class Heard:
    """What an action came to. All may be absent: then nothing happened in the time that was given.

    `line`: what the bot said, without its newline; `partial`: the beginning of a line that did not end.
    `ended`: why nothing more can come, in words. `after`: seconds since the last `Send` began, or that
    a `Leave` took; `queued`: for how many of them the bot, or who listens to it, was ready to run and had no
    core. `cpu_us`: processor time used during a `Rest`. At a `Look`, `memory`: resident bytes, and `stderr`:
    the last lines on standard error.
    """

    line: bytes | None = None
    partial: bytes = b""
    ended: str | None = None
    after: float = 0.0
    queued: float = 0.0
    cpu_us: int = 0
    memory: int = 0
    stderr: str = ""


Result = TypeVar("Result")
Script: TypeAlias = Generator[Action, Heard, Result]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a failure looks like: what was sent (exact bytes), what was expected, and what came instead."""

    expected: str
    found: str
    sent: bytes = b""
    came: bytes | None = None
    stderr: str = ""


class Failed(Exception):  # noqa: N818 - it says what happened
    """The bot has not done what it should; its process is not used further. `ended`: that has ended."""

    def __init__(self, evidence: Evidence, *, ended: bool = False) -> None:
        super().__init__(evidence.found)
        self.evidence = evidence
        self.ended = ended


class Verdict(StrEnum):
    """How a step came out; the values stand in JSON."""

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
    """How a step came out, in a few words, with the evidence of a failure or a warning."""

    verdict: Verdict
    text: str
    evidence: Evidence | None = None

    @classmethod
    def passed(cls, text: str) -> Finding:
        """All is well."""
        return cls(Verdict.PASSED, text)

    @classmethod
    def warned(cls, text: str, evidence: Evidence | None = None) -> Finding:
        """Allowed, but worth knowing."""
        return cls(Verdict.WARNED, text, evidence)

    @classmethod
    def failed(cls, evidence: Evidence) -> Finding:
        """Not as it should be."""
        return cls(Verdict.FAILED, evidence.found, evidence)

    @classmethod
    def skipped(cls, why: str) -> Finding:
        """Not tried."""
        return cls(Verdict.SKIPPED, why)
