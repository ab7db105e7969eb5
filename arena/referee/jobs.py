"""What a coordinator and a referee tell each other: plain frozen data, one line of JSON each.

    coordinator -> referee   Setup once, then SessionJob ..., then Stop; the stream's end means "give up now"
    referee -> coordinator   Met, Begun, Finished, Aborted, Overran, SessionDone

A line is the name of the message, a space, and its fields as JSON. What is played and what came of it
(Setup, SessionJob, and the MatchRecord in Finished) says its version, and another version is refused: so
an engine that knows nothing of the arena can carry these lines between machines. Decides nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from pydantic import TypeAdapter

from arena.bot.launch import BotCommand
from arena.deals import MatchKey
from arena.match.record import RECORD_VERSION, MatchRecord, Terms

__all__ = [
    "JOB_VERSION",
    "Aborted",
    "Begun",
    "Finished",
    "JobMessage",
    "MatchJob",
    "Met",
    "Overran",
    "SessionDone",
    "SessionJob",
    "Setup",
    "Stop",
    "read_message",
    "write_message",
]

JOB_VERSION = 1
"""Raised with every change of Setup or SessionJob that an older referee would misread."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All that stays the same for a referee.

    `names`: display name by bot id when bots are told names, else None. `core`: the core to be
    pinned to, with all bots, or None. `together`: whether several bots may be asked at once.
    `sandbox`: the level in force, as it is stored with each match. `tables`: matches played at the same
    time, of different sessions.
    """

    commands: tuple[BotCommand, ...]
    terms: Terms
    rounds: int
    names: dict[str, str] | None
    core: int | None
    together: bool
    arena: str
    sandbox: str = "off"
    tables: int = 1
    version: int = JOB_VERSION


@dataclass(frozen=True, slots=True)
class MatchJob:
    """One match to play: which, and the bot ids by seat."""

    key: MatchKey
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionJob:
    """The matches of one session that are still to be played. `deals_key` is hexadecimal."""

    cycle: int
    index: int
    deals_key: str
    matches: tuple[MatchJob, ...]
    version: int = JOB_VERSION


@dataclass(frozen=True, slots=True)
class Stop:
    """Finish what is being played and begin no other match."""


@dataclass(frozen=True, slots=True)
class Met:
    """A bot said who it is, for the first time in this referee."""

    bot: str
    name: str
    version: str
    language: str | None
    author: str | None


@dataclass(frozen=True, slots=True)
class Begun:
    """These matches are being played now, at the same time; said only where `tables` is above 1."""

    keys: tuple[MatchKey, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """A match was played out; `cpu_us`: the referee's own processor time for it, in microseconds."""

    record: MatchRecord
    cpu_us: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """A match was given up for a reason of ours."""

    key: MatchKey
    reason: str


@dataclass(frozen=True, slots=True)
class Overran:
    """A process of a bot was ended for a limit while it waited for its next match: `reason`, a sentence.

    No record of a match tells of it.
    """

    bot: str
    reason: str


@dataclass(frozen=True, slots=True)
class SessionDone:
    """All matches of a session job were played or given up."""

    cycle: int
    index: int


JobMessage: TypeAlias = Setup | SessionJob | Stop | Met | Begun | Finished | Aborted | Overran | SessionDone

_ADAPTERS: Final[dict[str, TypeAdapter[JobMessage]]] = {
    kind.__name__: TypeAdapter(kind)
    for kind in (Setup, SessionJob, Stop, Met, Begun, Finished, Aborted, Overran, SessionDone)
}


def write_message(message: JobMessage) -> bytes:
    """The line of a message, with its newline."""
    name = type(message).__name__
    return name.encode() + b" " + _ADAPTERS[name].dump_json(message) + b"\n"


def read_message(line: bytes) -> JobMessage:
    """The message of a line.

    Raises ValueError when it is none, has a field missing or ill-typed, or is of another version.
    """
    name, _, body = line.partition(b" ")
    adapter = _ADAPTERS.get(name.decode("ascii", "replace"))
    if adapter is None:
        raise ValueError(f"not a message between coordinator and referee: {line[:60]!r}")
    message = adapter.validate_json(body, strict=True)
    match message:
        case Setup(version=found) | SessionJob(version=found):
            known = JOB_VERSION
        case Finished(record=record):
            found, known = record.version, RECORD_VERSION
        case _:
            return message
    if found != known:
        raise ValueError(f"{type(message).__name__}: version {found}, this arena knows {known}")
    return message
