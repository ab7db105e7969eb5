"""One bot process: its start, its handshake, its limits, its standard error, its end. Plays nothing.

The process is started with `subprocess.Popen` on the main thread. Trio's own spawning uses a worker thread.
A family ends with its parent, and for the kernel that is the end of the thread.

To end it, it is asked to go, is given a moment's grace, and is killed with all that it started (see
`arena.linux.family`).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import trio

from arena.bot.answers import Wrong
from arena.bot.channel import READ_SIZE, Channel, PipeChannel
from arena.bot.launch import BotCommand, check_room, plan_launch
from arena.bot.limits import BotOffTurn, Sitting, Usage, Watchdog
from arena.bot.link import GRACE_SECONDS, Lateness, Link, Reply, ask
from arena.bot.output_log import FLOOD_BYTES, OutputLog
from arena.bot.waits import UNKNOWN, Meter, Used
from arena.linux.family import Family
from arena.linux.namespace import FULL, error_of_full, program_of
from arena.linux.process_tree import signal_name
from arena.linux.scheduling import interrupting, placed
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.match.question_ids import QuestionIds, new_key
from arena.match.record import MOST_TABLES
from protocol.messages import Ready

_BATCH_BYTES = MOST_TABLES << 12
"""The size of the pipe to a bot that plays at several tables: room for the questions of all tables. As a rule
a pipe has a quarter of that."""
_DRAIN_AT_ONCE = 16
"""The reads of standard error before other tasks get their turn."""

Tap: TypeAlias = Callable[[Channel], Channel]
"""A function that puts something which sees every byte between the referee and a process's pipes, and returns
the channel to use."""


@dataclass(frozen=True, slots=True)
class StartFailure:
    """The failure of a bot to become ready: why, and what it said on standard error (see `OutputLog`).

    `wall_us`: how long that took, in microseconds; `used`: what the bot used in it.
    """

    reason: str
    sent: str = ""
    stderr_head: str = ""
    stderr_tail: str = ""
    stderr_bytes: int = 0
    wall_us: int = 0
    used: Used = UNKNOWN

    @property
    def stderr(self) -> str:
        """Return what was kept of standard error, as one text."""
        return self.stderr_head + self.stderr_tail


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a process at one table.

    `table`: the number that the match has in the process. `stderr`: what the process says meanwhile on
    standard error. That belongs to all matches that it is playing at that moment.
    """

    table: int
    stderr: OutputLog
    sitting: Sitting


class BotProcess:
    """A started process. `start` makes it, and `end` must be called."""

    def __init__(
        self,
        command: BotCommand,
        popen: subprocess.Popen[bytes],
        tap: Tap | None = None,
        off_turn: BotOffTurn | None = None,
    ) -> None:
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self.command = command
        self.pid = popen.pid
        """The number of the first process of its family, by which all of it is known."""
        self.ready: Ready | None = None
        self.stderr = OutputLog()
        self.matches = 0
        """The matches that it has played, without those of now."""
        self.seated = 0
        """The matches that it has begun since `matches` was last counted up."""
        self._places: list[Place] = []
        self.memory_at_ready = 0
        self.last_words = b""
        """What it wrote to standard output after its last question: `READ_SIZE` bytes at most."""
        self._popen = popen
        pipes = PipeChannel(os.dup(popen.stdin.fileno()), os.dup(popen.stdout.fileno()))
        self._pipes = pipes
        self._channel: Channel = pipes if tap is None else tap(pipes)
        popen.stdin.close()
        popen.stdout.close()
        self._stderr_fd = popen.stderr.fileno()
        os.set_blocking(self._stderr_fd, False)
        self._family = Family(popen, namespace=command.in_namespace)
        self.watchdog = Watchdog(popen.pid, command, off_turn)
        self._ends = False
        self._gone = trio.Event()
        meter = Meter(self.watchdog.cpu_us, self.watchdog.threads, self.watchdog.find_all)
        self.link = Link(self._channel, meter, self._cause)

    # Starting

    @classmethod
    async def start(
        cls,
        command: BotCommand,
        nursery: trio.Nursery,
        hello: dict[str, object],
        tap: Tap | None = None,
        off_turn: BotOffTurn | None = None,
    ) -> BotProcess | StartFailure:
        """Start the command, and return the process when it is ready, or why it does not become so.

        It has `start_ms` for that. `nursery` must outlive the process. `tap` sees what is said. `off_turn` is
        the account that the process shares with the other processes of its bot, if there are any. Raises
        OSError when this machine has no room for another process or descriptor, or has lost the bot's copy.
        """
        started = await cls._start(command, nursery, hello, tap, off_turn)
        if isinstance(started, StartFailure):
            os.stat(command.folder)  # noqa: PTH116 - it raises where somebody has removed the copy
            # What stands around a bot says so when there is no room for it. So may the bot: hence it is tried
            # without the bot.
            if error_of_full(started.stderr_head) is not None:
                check_room(command)
                started = await cls._start(command, nursery, hello, tap, off_turn)
        return started

    @classmethod
    async def _start(
        cls,
        command: BotCommand,
        nursery: trio.Nursery,
        hello: dict[str, object],
        tap: Tap | None,
        off_turn: BotOffTurn | None,
    ) -> BotProcess | StartFailure:
        try:
            # The process inherits the cores and the scheduling policy of the thread that starts it.
            with placed(command.cores), interrupting():
                popen = _popen(command)
        except OSError as error:
            if error.errno in FULL:  # which is not the bot's doing
                raise
            program = command.argv[0].replace("{python}", sys.executable)
            return StartFailure(FaultSentence.CANNOT_START.say(what=program, why=error.strerror))
        try:
            process = cls(command, popen, tap, off_turn)
        except OSError:
            popen.kill()
            popen.wait()
            raise
        nursery.start_soon(process._watch_end)
        nursery.start_soon(process._drain_stderr)
        nursery.start_soon(process._watch_limits)
        try:
            failure = await process._shake_hands(hello)
        except BaseException:
            await process.end("the start was given up")
            raise
        if failure is None:
            return process
        await process.end("not ready")
        log, (wrong, reply) = process.stderr, failure
        reason = process._kept_back(reply) or wrong.reason
        return StartFailure(
            reason, wrong.sent, log.head, log.tail, log.size, wall_us=reply.wall_us, used=reply.used
        )

    async def _shake_hands(self, hello: dict[str, object]) -> tuple[Wrong, Reply] | None:
        """Say hello. Return None when the bot is ready, else what was wrong and the reply itself."""
        question_id = next(QuestionIds(new_key()))
        message = {"type": "hello", "id": question_id, **hello}
        start_ms = self.command.start_ms
        lateness = Lateness(grace=start_ms / 1000)
        reply = await ask(self.link, message, question_id, Ready, start_ms * 1000, lateness)
        wrong = self._why_not_ready(reply)
        return None if wrong is None else (wrong, reply)

    def _why_not_ready(self, reply: Reply) -> Wrong | None:
        match reply.settled:
            case Ready() as ready:
                self.ready = ready
                if ready.tables > 1:
                    self._pipes.widen(_BATCH_BYTES)
                self.watchdog.is_ready()
                self.memory_at_ready = self.watchdog.memory_bytes
                return None
            case Wrong(FaultKind.CRASHED, reason, sent):
                return Wrong(FaultKind.START_FAILED, reason, sent)
            case Wrong(FaultKind.TIMEOUT, reason, sent):
                seconds = f"{self.command.start_ms / 1000:g}"
                reason = FaultSentence.NOT_READY_IN_TIME.say(seconds=seconds, why=reason)
                return Wrong(FaultKind.START_FAILED, reason, sent)
            case Wrong(_, reason, sent):
                return Wrong(FaultKind.START_FAILED, FaultSentence.NOT_READY.say(why=reason), sent)
            case other:
                raise AssertionError(other)

    def _kept_back(self, reply: Reply) -> str:
        """Return why it was not ready if its line came when its input had ended; else an empty text."""
        late = isinstance(reply.settled, Wrong) and reply.settled.kind is FaultKind.TIMEOUT
        # A bot that was at work may only have been slow.
        if not late or not reply.used.at_rest(reply.wall_us / 1e6) or b"\n" not in self.last_words:
            return ""
        why = FaultSentence.KEPT_BACK.say(count=len(self.last_words))
        return FaultSentence.NOT_READY_IN_TIME.say(seconds=f"{self.command.start_ms / 1000:g}", why=why)

    # Playing

    def sit_down(self) -> Place:
        """Begin a match, maybe beside others that it plays, and return its place there."""
        log = OutputLog() if self._places else self.stderr
        place = Place(self.matches + self.seated, log, self.watchdog.sit_down())
        self._places.append(place)
        self.seated += 1
        return place

    def stand_up(self, place: Place) -> Usage:
        """End the match at this place for the process, and return what it used for that match."""
        self.read_stderr()
        self._places.remove(place)
        return self.watchdog.stand_up(place.sitting)

    @property
    def plays(self) -> bool:
        """Return whether it plays a match that is not over."""
        return bool(self._places)

    # Watching

    @property
    def alive(self) -> bool:
        """Return whether the process has not ended."""
        return self._family.status() is None

    @property
    def usable(self) -> bool:
        """Return whether the process can still be asked: it has not ended, and its link expects answers."""
        return self.alive and self.link.ended is None

    @property
    def program(self) -> int:
        """Return the number of the bot's own process, behind what stands between it and the arena."""
        return program_of(self.pid)

    async def _drain_stderr(self) -> None:
        with contextlib.suppress(trio.ClosedResourceError):
            more = not self._gone.is_set()
            while more:
                await trio.lowlevel.wait_readable(self._stderr_fd)
                more = self.read_stderr()
                logs = (self.stderr, *(place.stderr for place in self._places))
                if max(log.size for log in logs) > FLOOD_BYTES:
                    reason = FaultSentence.LOUD.say(limit=FLOOD_BYTES)
                    self.link.end(Wrong(FaultKind.FLOOD, reason, self.stderr.head[:80]))

    async def _watch_limits(self) -> None:
        """Look at what the process uses until it has ended. Kill it when that is too much."""
        while not self._ends:
            wrong = self.watchdog.look()
            if wrong is not None:
                self.link.end(wrong)
                self._family.kill()
                return
            with trio.move_on_after(self.watchdog.interval):
                await self._gone.wait()

    def read_stderr(self) -> bool:
        """Take in a bounded amount of what has come on standard error.

        Returns False when nothing more can come.
        """
        for _ in range(_DRAIN_AT_ONCE):
            try:
                data = os.read(self._stderr_fd, READ_SIZE)
            except BlockingIOError:
                return True
            # It is closed already.
            except OSError:
                return False
            if not data:
                return False
            self.stderr.add(data)
            for place in self._places:
                if place.stderr is not self.stderr:
                    place.stderr.add(data)
        return True

    # Ending

    async def _watch_end(self) -> None:
        """Wait until the process has ended with all that it started, and tell the link how it ended."""
        # The end of the output is not enough to go by: a child of the bot can hold it open.
        await self._family.wait_until_gone()
        self.link.end(self._cause())

    def _cause(self) -> Wrong:
        """Return why the process gives no more answers, as far as that is known now. Does not wait."""
        status = self._family.status()
        return Wrong(
            FaultKind.CRASHED, FaultSentence.CLOSED.say() if status is None else self._in_words(status)
        )

    async def how_it_ended(self, patience: float = GRACE_SECONDS) -> str | None:
        """Return in words how the process ended, or None if it has not after `patience` seconds."""
        status = await self._family.wait(patience)
        return None if status is None else self._in_words(status)

    def _in_words(self, status: int) -> str:
        number = self._family.signal_in(status)
        if number is None:
            return FaultSentence.EXITED.say(code=status)
        told = "" if status < 0 else f" (exit code {status})"
        return FaultSentence.KILLED.say(signal=f"{signal_name(number)}{told}")

    async def end(self, reason: str) -> None:
        """Say bye and close the bot's input, give it a moment, kill all that it started, and wait for that.

        A second call does nothing.
        """
        if self._ends:
            return
        self._ends = True
        # Shielded: also when the run is cancelled, nothing that the bot started may be left behind.
        with trio.CancelScope(shield=True):
            # A stopped process could not end itself.
            self.watchdog.let_go_on()
            if self.alive:
                self._say_bye(reason)
                await self._family.wait(GRACE_SECONDS)
            await self._family.end()
            self._gone.set()
            self._close()
            self.watchdog.forget()

    async def gone(self) -> None:
        """Wait until `end` has ended the process and all that it started."""
        await self._gone.wait()

    def _say_bye(self, reason: str) -> None:
        self.link.tell({"type": "bye", "reason": reason})
        self.link.flush()
        self._channel.close_write()

    def _close(self) -> None:
        """Take in the last of what it wrote, and close the descriptors."""
        self.read_stderr()
        self.last_words = self._pipes.read_nowait() or b""
        self._channel.close()
        trio.lowlevel.notify_closing(self._stderr_fd)
        self._stderr_fd = -1
        assert self._popen.stderr is not None
        self._popen.stderr.close()


def _popen(command: BotCommand) -> subprocess.Popen[bytes]:
    argv, env = plan_launch(command)
    return subprocess.Popen(
        argv,
        cwd=command.folder,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is not for it
        bufsize=0,
    )
