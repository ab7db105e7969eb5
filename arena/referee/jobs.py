"""The messages between a coordinator and a referee: frozen data, one line of JSON each. Decides nothing.

    coordinator -> referee   Setup once, then SessionJob ..., then Stop; the stream's end means "give up now"
    referee -> coordinator   Met, Begun, Finished, Aborted, SessionDone

A line is the name of the message, a space, and its fields as JSON; in Finished the record comes last, as the
same text that is stored and that a file of a match holds (`arena.match.record_json`). What is played and what
came of it (Setup, SessionJob, and the MatchRecord in Finished) says its version, and any other version is
refused. So an engine that knows nothing of the arena can carry these lines between machines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Generic, TypeAlias, TypeVar

from pydantic import TypeAdapter

from arena.bot.launch import BotCommand
from arena.deals import Deals, MatchKey
from arena.match.record import MOST_TABLES, MatchRecord, MatchSetup, Terms
from arena.match.record_json import record_from_json, record_to_json
from arena.papayoo import Board

JOB_VERSION = 1
"""The version of Setup and SessionJob. Every change of them that an older referee would misread raises it."""


@dataclass(frozen=True, slots=True)
class Setup:
    """All that stays the same for a referee.

    `core`: the core that the referee is pinned to with all bots, or None. `sandbox`: the level in force, as
    it is stored with each match. `tables`: the number of matches, of different sessions, that are played at
    the same time.
    """

    commands: tuple[BotCommand, ...]
    terms: Terms
    rounds: int
    core: int | None
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

    `text`: the record as the line had it, so that nobody has to write it down again.
    """

    record: MatchRecord
    text: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Aborted:
    """The end of a match that was given up for a reason of the arena's own."""

    key: MatchKey
    reason: str


@dataclass(frozen=True, slots=True)
class SessionDone:
    """The news that all matches of a session job were played or given up."""

    cycle: int
    index: int


# As lines


_Message = TypeVar("_Message")


class MessageLines(Generic[_Message]):
    """Messages as lines: the name of the message, a space, its fields as JSON.

    Its kinds are dataclasses. `between`: whose messages they are. Other pairs of processes have messages of
    their own, which they write in the same way.
    """

    def __init__(self, between: str, *kinds: type[_Message]) -> None:
        self._between = between
        self._adapters = {kind.__name__: TypeAdapter(kind) for kind in kinds}

    def write(self, message: _Message) -> bytes:
        """Return the line of a message, with its newline."""
        name = type(message).__name__
        return name.encode() + b" " + self._adapters[name].dump_json(message) + b"\n"

    def read(self, line: bytes) -> _Message:
        """Return the message of a line.

        Raises ValueError when the line is no message, lacks a field or has one of a wrong type.
        """
        name, _, body = line.partition(b" ")
        adapter = self._adapters.get(name.decode("ascii", "replace"))
        if adapter is None:
            raise ValueError(f"not a message between {self._between}: {line[:60]!r}")
        return adapter.validate_json(body, strict=True)


JobMessage: TypeAlias = Setup | SessionJob | Stop | Met | Begun | Finished | Aborted | SessionDone

_LINES: Final[MessageLines[JobMessage]] = MessageLines(
    "coordinator and referee",
    Setup, SessionJob, Stop, Met, Begun, Aborted, SessionDone,
)  # fmt: skip
_FINISHED: Final = b"Finished"


def write_message(message: JobMessage) -> bytes:
    """Return the line of a message, with its newline."""
    if isinstance(message, Finished):
        text = message.text or record_to_json(message.record)
        return b"%b %b\n" % (_FINISHED, text.encode())
    return _LINES.write(message)


def read_message(line: bytes) -> JobMessage:
    """Return the message of a line.

    Raises ValueError when the line is no message, lacks a field or has one of a wrong type, or is of another
    version.
    """
    name, _, body = line.partition(b" ")
    if name == _FINISHED:
        text = body.decode()
        return Finished(record_from_json(text), text)
    message = _LINES.read(line)
    if isinstance(message, Setup | SessionJob) and message.version != JOB_VERSION:
        raise ValueError(
            f"{type(message).__name__}: version {message.version}, this arena knows {JOB_VERSION}"
        )
    return message


# What is played


def match_setup(setup: Setup, deals: Deals, job: MatchJob) -> MatchSetup:
    """Return the setup of a match, with the deals of its session."""
    players = len(job.seats)
    key = job.key
    boards = _session_boards(deals, setup.rounds, players)
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(players))
    return MatchSetup(boards, deals.suits(key), seeds, setup.terms)


@lru_cache(maxsize=MOST_TABLES)
def _session_boards(deals: Deals, rounds: int, players: int) -> tuple[Board, ...]:
    """Return the boards of a session.

    They are dealt once for all its matches, because dealing one takes 0.06 ms, as long as four decisions.
    """
    return tuple(deals.board(number, players) for number in range(rounds))
