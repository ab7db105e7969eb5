"""The messages between a coordinator and a referee: frozen data, one line of JSON each. Decides nothing.

    coordinator -> referee   Setup once, then SessionJob ..., then Stop; the stream's end means "give up now"
    referee -> coordinator   Met, Begun, Finished, Aborted, Overran, SessionDone

A line is the name of the message, a space, and its fields as JSON; in Finished the record comes last, as the
same text that is stored and that a file of a match holds (`arena.match.record_json`). What is played and what
came of it (Setup, SessionJob, and the MatchRecord in Finished) says its version, and any other version is
refused. So an engine that knows nothing of the arena can carry these lines between machines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from arena.bot.launch import BotCommand
from arena.deals import MatchKey
from arena.match.record import MatchRecord, Terms
from arena.match.record_json import record_from_json, record_to_json
from arena.referee.message_lines import MessageLines

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
"""The version of Setup and SessionJob. Every change of them that an older referee would misread raises it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All that stays the same for a referee.

    `core`: the core that the referee
    is pinned to with all bots, or None. `together`: whether several bots may be asked at once. `sandbox`: the
    level in force, as it is stored with each match. `tables`: the number of matches, of different sessions,
    that are played at the same time.
    """

    commands: tuple[BotCommand, ...]
    terms: Terms
    rounds: int
    core: int | None
    together: bool
    arena: str
    sandbox: str = "off"
    tables: int = 1
    version: int = JOB_VERSION


@dataclass(frozen=True, slots=True)
class MatchJob:
    """One match to play: its key, and the bot ids by seat."""

    key: MatchKey
    seats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionJob:
    """The matches of one session that are still to be played.

    `deals_key`: the key of its `Deals`, in hexadecimal. It tells of this session alone.
    """

    cycle: int
    index: int
    deals_key: str
    matches: tuple[MatchJob, ...]
    version: int = JOB_VERSION


@dataclass(frozen=True, slots=True)
class Stop:
    """The order to finish what is being played and to begin no other match."""


@dataclass(frozen=True, slots=True)
class Met:
    """What a bot said of itself, for the first time in this referee."""

    bot: str
    name: str
    version: str
    language: str | None
    author: str | None


@dataclass(frozen=True, slots=True)
class Begun:
    """The matches that are being played now, at the same time. It is sent only where `tables` is above 1."""

    keys: tuple[MatchKey, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The record of a match that was played out.

    `cpu_us`: the referee's own processor time for the match, in microseconds. `text`: the record as the line
    had it, so that nobody has to write it down again.
    """

    record: MatchRecord
    cpu_us: int
    text: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Aborted:
    """The end of a match that was given up for a reason of the arena's own."""

    key: MatchKey
    reason: str


@dataclass(frozen=True, slots=True)
class Overran:
    """The news that a process of a bot was ended for a limit while it waited for its next match.

    `reason`: a sentence. No record of a match tells of it.
    """

    bot: str
    reason: str


@dataclass(frozen=True, slots=True)
class SessionDone:
    """The news that all matches of a session job were played or given up."""

    cycle: int
    index: int


JobMessage: TypeAlias = Setup | SessionJob | Stop | Met | Begun | Finished | Aborted | Overran | SessionDone

_LINES: Final[MessageLines[JobMessage]] = MessageLines(
    "coordinator and referee",
    Setup, SessionJob, Stop, Met, Begun, Aborted, Overran, SessionDone,
)  # fmt: skip
_FINISHED: Final = b"Finished"


def write_message(message: JobMessage) -> bytes:
    """Return the line of a message, with its newline."""
    if isinstance(message, Finished):
        text = message.text or record_to_json(message.record)
        return b"%b %d %b\n" % (_FINISHED, message.cpu_us, text.encode())
    return _LINES.write(message)


def read_message(line: bytes) -> JobMessage:
    """Return the message of a line.

    Raises ValueError when the line is no message, lacks a field or has one of a wrong type, or is of another
    version.
    """
    name, _, body = line.partition(b" ")
    if name == _FINISHED:
        cpu_us, _, text = body.decode().partition(" ")
        return Finished(record_from_json(text), int(cpu_us), text)
    message = _LINES.read(line)
    if isinstance(message, Setup | SessionJob) and message.version != JOB_VERSION:
        raise ValueError(
            f"{type(message).__name__}: version {message.version}, this arena knows {JOB_VERSION}"
        )
    return message
