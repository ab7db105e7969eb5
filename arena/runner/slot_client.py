"""The coordinator's end of one slot of a cluster: a referee that is reached through the bridge.

It trusts nothing that comes from there: what no referee could say ends the slot. Decides nothing.
"""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Awaitable, Callable

import trio

from arena.cluster.bridge_lines import BridgeMessage, Deal, StopSlot
from arena.deals import MatchKey
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    Overran,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    read_message,
    write_message,
)
from arena.runner.child import CLOSE_SECONDS
from arena.runner.record_check import validate_record
from arena.runner.referees import End, RefereeEnd
from protocol.messages import MAX_TEXT

__all__ = ["LOG", "SlotClient"]

LOG = "the log of that worker"
"""Where more can be read of a slot's end."""

_LONGEST = 1 << 16
"""The characters of the longest line that is no record of a match. A traceback is the longest of them."""
_MOST_WAITING = 128 << 20
"""The characters that may wait to be taken in. A slot holds some hundred matches at most, of 5 KB each."""


class SlotClient:
    """A slot. `send_to_bridge` sends the bridge a message, and returns False when it is gone.

    `host`: the number of the row of its host. `setup`: of its referee. `has_finished`: whether it has
    finished a match.
    """

    ahead_seconds = 2.5
    """One batch on its way to the worker and the next one in the bridge, with time to store what came."""

    def __init__(
        self,
        number: int,
        place: str,
        host: int,
        setup: Setup,
        send_to_bridge: Callable[[BridgeMessage], Awaitable[bool]],
    ) -> None:
        self.number = number
        self.place = place
        self.host = host
        self.tables = setup.tables
        self._setup = setup
        self.session_seconds = 0.0
        self.has_finished = False
        self._to_bridge = send_to_bridge
        self._send, self._receive = trio.open_memory_channel[str](math.inf)
        self._jobs: dict[tuple[int, int], dict[MatchKey, MatchJob]] = {}
        self._bots: set[str] = set()
        """The bots of the matches that it was ever given."""
        self._ended: RefereeEnd | None = None
        self._waiting = 0
        """The characters of the lines that wait."""
        self._overflows = False

    @property
    def sessions(self) -> int:
        """Return how many sessions it holds."""
        return len(self._jobs)

    # Called by whoever hears the bridge

    def heard(self, lines: tuple[str, ...], session_seconds: float) -> None:
        """Take in lines of the slot's referee."""
        self.session_seconds = max(0.0, session_seconds)
        if self._ended is not None or self._overflows:
            return
        self._waiting += sum(map(len, lines))
        self._overflows = self._waiting > _MOST_WAITING
        # One line wakes whoever reads them, and then says so.
        for line in lines[:1] if self._overflows else lines:
            self._send.send_nowait(line)

    def ended(self, end: End, how: str, log: str) -> None:
        """Take note that the slot is no more. What was heard before counts."""
        if self._ended is None:
            self._ended = RefereeEnd(end, how, log)
            self._send.close()

    # Called by the coordinator

    async def send(self, message: JobMessage) -> bool:
        """Send one message, and return False when the slot is gone."""
        if self._ended is not None:
            return False
        match message:
            case SessionJob():
                self._jobs[message.cycle, message.index] = {job.key: job for job in message.matches}
                self._bots.update(bot for job in message.matches for bot in job.seats)
                return await self._to_bridge(Deal(self.number, write_message(message).decode().rstrip("\n")))
            case Stop():
                return await self._to_bridge(StopSlot(self.number))
        raise AssertionError(message)

    async def messages(self) -> AsyncGenerator[JobMessage, None]:
        """Yield the referee's messages until it ends, or says what no referee says."""
        async for line in self._receive:
            self._waiting -= len(line)
            try:
                if self._overflows:
                    raise ValueError("more than comes of what it was given to play")
                message = read_message(line.encode())
                if len(line) > _LONGEST and not isinstance(message, Finished):
                    raise ValueError(f"a {type(message).__name__} of {len(line)} characters")
                self._check(message)
            except ValueError as error:
                why = str(error).partition("\n")[0]
                how = f"{self.place} sent what no referee sends: {why}"
                self._ended = RefereeEnd(End.BROKE, how, LOG)
                await self._leave()
                return
            yield message

    async def close(self) -> RefereeEnd:
        """Return how the slot ended. One that has not ended is stopped."""
        if self._ended is None:
            self.ended(End.GONE, f"{self.place} was left", "")
            await self._leave()
        assert self._ended is not None, "it was ended just now"
        return self._ended

    async def _leave(self) -> None:
        # Not for ever: a bridge that hangs reads nothing, and is ended only after its slots.
        with trio.CancelScope(shield=True, deadline=trio.current_time() + CLOSE_SECONDS):
            await self._to_bridge(StopSlot(self.number, leave=True))

    def _check(self, message: JobMessage) -> None:
        """Check that a message is about what the slot was given. Raises ValueError."""
        match message:
            case Finished(record=record):
                job = self._held(record.key)
                if wrong := validate_record(record, self._setup, job.seats):
                    raise ValueError(f"a result of {record.key} with {wrong}")
                del self._jobs[record.key.cycle, record.key.index][record.key]
                self.has_finished = True
            case Aborted(key, reason):
                self._held(key)
                if not reason.strip():
                    raise ValueError(f"an abort of {key} without a reason")
                del self._jobs[key.cycle, key.index][key]
            case SessionDone(cycle, index):
                if self._jobs.pop((cycle, index), {None: None}):
                    raise ValueError(f"the end of session {cycle}.{index}, of which matches are missing")
            case Met() | Overran():
                if message.bot not in self._bots:
                    raise ValueError(f"something of {message.bot!r}, which plays in no match of its")
                if isinstance(message, Met):
                    said = (message.name, message.version, message.language or "", message.author or "")
                    if not all(len(text) <= MAX_TEXT and text.isprintable() for text in said):
                        raise ValueError(f"what no bot can say of itself ({message.bot})")
            case Begun():
                return
            case _:
                raise ValueError(f"{type(message).__name__}, which is for referees")

    def _held(self, key: MatchKey) -> MatchJob:
        """Return the match with this key. Raises ValueError when the slot was not given it."""
        job = self._jobs.get((key.cycle, key.index), {}).get(key)
        if job is None:
            raise ValueError(f"something of {key}, which it was not given")
        return job
