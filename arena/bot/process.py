"""One bot process: started, shaken hands with, watched, drained, ended. Plays nothing.

Started with `subprocess.Popen` on the main thread: trio's own spawning uses a worker thread, and
what asks the kernel to die with its parent (setpriv, bubblewrap) would die with that thread. The
exit is watched through a pidfd besides the end of its output, for a child of the bot's can hold
that open.
"""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import trio

from arena.bot.answers import Wrong
from arena.bot.channel import READ_SIZE, Channel, PipeChannel
from arena.bot.launch import BotCommand, Launch, plan_launch
from arena.bot.link import Reply
from arena.bot.off_turn import BotOffTurn
from arena.bot.shared_link import SharedLink
from arena.bot.stderr_log import FLOOD_BYTES, StderrLog
from arena.bot.watchdog import Meter, Sitting, Usage, Watchdog
from arena.linux.reaper import end_strays, hold_descendants, kill_held, mine, not_mine
from arena.linux.scheduling import interrupting, placed
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.match.question_ids import QuestionIds, new_key
from protocol.messages import Ready

__all__ = ["BotProcess", "Place", "StartFailure", "Tap"]

GRACE_SECONDS = 0.2
"""Between closing a bot's standard input and killing it."""
_BATCH_BYTES = 1 << 18
"""Room for the questions of 64 tables in the pipe to a bot; as a rule there is a quarter of that."""
_POLL_SECONDS = 0.005
_KILL_SECONDS = 5.0
"""How long to wait for the kernel to end a killed process before leaving it to itself."""
_SIGNALLED = 128
"""What bubblewrap adds to the number of a signal that has ended the bot, for an exit code of its own."""
_DRAIN_AT_ONCE = 16
"""Reads of stderr before other tasks get their turn."""
_OUR_ERRORS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)
"""Why a process could not be started, when it is not the bot's doing: these are raised."""

Tap: TypeAlias = Callable[[Channel], Channel]
"""Puts something between the referee and a process's pipes that sees every byte; the channel to use."""


@dataclass(frozen=True, slots=True)
class StartFailure:
    """A bot that did not get as far as `ready`: why, and what it said on standard error (see `StderrLog`)."""

    reason: str
    sent: str = ""
    stderr_head: str = ""
    stderr_tail: str = ""
    stderr_bytes: int = 0

    @property
    def stderr(self) -> str:
        """What was kept of standard error, as one text."""
        return self.stderr_head + self.stderr_tail


@dataclass(frozen=True, slots=True)
class Place:
    """A process at one table: the number the match has in the process, and what it says there on standard
    error. What a process says belongs to all matches that it is playing at that moment."""

    table: int
    stderr: StderrLog
    sitting: Sitting


class BotProcess:
    """A started process. Made by `start`; `end` must be called.

    It is waited for (reaped) only in `end`: until then the kernel gives its number to nobody else,
    so that no stranger is ever killed, and its processor time can still be read.
    """

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
        self.ready: Ready | None = None
        self.stderr = StderrLog()
        self.matches = 0
        """Matches that it has played, those of now not included."""
        self.seated = 0
        """Matches that it has begun since `matches` was last counted up."""
        self._places: list[Place] = []
        self.memory_at_ready = 0
        self._popen = popen
        pipes = PipeChannel(os.dup(popen.stdin.fileno()), os.dup(popen.stdout.fileno()))
        self._pipes = pipes
        self._channel: Channel = pipes if tap is None else tap(pipes)
        popen.stdin.close()
        popen.stdout.close()
        self._stderr_fd = popen.stderr.fileno()
        os.set_blocking(self._stderr_fd, False)
        self._pidfd = os.pidfd_open(popen.pid)
        self._ending = False
        self._ended = trio.Event()
        mine(popen.pid)
        self.watchdog = Watchdog(popen.pid, command, off_turn)
        self.link = SharedLink(self._channel, Meter(self.watchdog.cpu_us, self.watchdog.queued_us))

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
        """Start the command and wait until it is ready, or `start_ms` are over.

        `nursery` must outlive the process; `tap` sees what is said; `off_turn` is what it shares with
        the other processes of its bot, if there are any. Raises OSError when this machine has no room
        for another process or descriptor.
        """
        try:
            with placed(command.cores), interrupting():
                popen = _popen(plan_launch(command))
        except OSError as error:
            if error.errno in _OUR_ERRORS:
                raise
            program = command.argv[0].replace("{python}", sys.executable)
            what = command.folder if error.filename == command.folder else program
            return StartFailure(FaultSentence.CANNOT_START.say(what=what, why=error.strerror))
        try:
            process = cls(command, popen, tap, off_turn)
        except OSError:
            popen.kill()
            popen.wait()
            raise
        for task in (process._watch_exit, process._drain_stderr, process._watch_limits):
            nursery.start_soon(task)
        try:
            failure = await process._shake_hands(hello)
        except BaseException:
            await process.end("the start was given up")
            raise
        if failure is None:
            return process
        await process.end("not ready")
        log = process.stderr
        return StartFailure(failure.reason, failure.sent, log.head, log.tail, log.size)

    async def _shake_hands(self, hello: dict[str, object]) -> Wrong | None:
        question_id = next(QuestionIds(new_key()))
        message = {"type": "hello", "id": question_id, **hello}
        reply: Reply = await self.link.ask(message, question_id, Ready, self.command.start_ms * 1000)
        match reply.settled:
            case Ready() as ready:
                self.ready = ready
                if ready.tables > 1:
                    self._pipes.widen(_BATCH_BYTES)
                self.watchdog.is_ready()
                self.memory_at_ready = self.watchdog.memory_bytes
                return None
            case Wrong(FaultKind.CRASHED, reason, sent):
                return Wrong(FaultKind.START_FAILED, await self.how_it_ended() or reason, sent)
            case Wrong(FaultKind.TIMEOUT, reason, sent):
                seconds = f"{self.command.start_ms / 1000:g}"
                reason = FaultSentence.NOT_READY_IN_TIME.say(seconds=seconds, why=reason)
                return Wrong(FaultKind.START_FAILED, reason, sent)
            case Wrong(_, reason, sent):
                return Wrong(FaultKind.START_FAILED, FaultSentence.NOT_READY.say(why=reason), sent)
            case other:
                raise AssertionError(other)

    # Playing

    def sit_down(self) -> Place:
        """A match begins, maybe beside others that it plays."""
        log = StderrLog() if self._places else self.stderr
        place = Place(self.matches + self.seated, log, self.watchdog.sit_down())
        self._places.append(place)
        self.seated += 1
        return place

    def stand_up(self, place: Place) -> Usage:
        """That match is over for it; what it used for it."""
        self.read_stderr()
        self._places.remove(place)
        return self.watchdog.stand_up(place.sitting)

    @property
    def plays(self) -> bool:
        """Whether a match that it plays is not over."""
        return bool(self._places)

    # Watching

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._exit_status() is None

    @property
    def usable(self) -> bool:
        """Whether it can still be asked something: it has neither ended nor flooded standard error."""
        return self.alive and self.link.ended is None

    async def how_it_ended(self, patience: float = GRACE_SECONDS) -> str | None:
        """In words how the process ended; None when it has not, after waiting that many seconds."""
        code = await self._exit_code(patience)
        if code is None:
            return None
        if code < 0:
            return FaultSentence.KILLED.say(signal=_signal(-code))
        if self.command.sandbox is not None and code > _SIGNALLED:
            return FaultSentence.KILLED.say(signal=f"{_signal(code - _SIGNALLED)} (exit code {code})")
        return FaultSentence.EXITED.say(code=code)

    async def _exit_code(self, patience: float) -> int | None:
        deadline = trio.current_time() + patience
        while True:  # polled, for the task that watches the exit may be cancelled already
            code = self._exit_status()
            if code is not None or trio.current_time() >= deadline:
                return code
            await trio.sleep(_POLL_SECONDS)

    def _exit_status(self) -> int | None:
        """The exit code, or minus the signal; None while it runs. Leaves the process unreaped."""
        if self._popen.returncode is not None:
            return self._popen.returncode
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    async def _watch_exit(self) -> None:
        """Tell the link when the process has ended, as pidfd says, and end what it has left in its group."""
        if self._ended.is_set():
            return
        with contextlib.suppress(trio.ClosedResourceError):
            await trio.lowlevel.wait_readable(self._pidfd)
            self.kill()
        how = await self.how_it_ended()
        crashed = Wrong(FaultKind.CRASHED, how or FaultSentence.CLOSED.say())
        self.link.end(self.watchdog.out_of_memory() or crashed)

    async def _drain_stderr(self) -> None:
        with contextlib.suppress(trio.ClosedResourceError):
            more = not self._ended.is_set()
            while more:
                await trio.lowlevel.wait_readable(self._stderr_fd)
                more = self.read_stderr()
                if self.stderr.size > FLOOD_BYTES:
                    reason = FaultSentence.LOUD.say(limit=FLOOD_BYTES)
                    self.link.end(Wrong(FaultKind.FLOOD, reason, self.stderr.head[:80]))

    async def _watch_limits(self) -> None:
        """Look at what it uses, until it has ended; end it when that is too much."""
        while not self._ended.is_set() and not self._ending:
            wrong = self.watchdog.look()
            if wrong is not None:
                self.link.end(wrong)
                self.kill()
                return
            with trio.move_on_after(self.watchdog.interval):
                await self._ended.wait()

    def read_stderr(self) -> bool:
        """Take in what has come on standard error, a bounded amount; False when nothing more can come."""
        for _ in range(_DRAIN_AT_ONCE):
            try:
                data = os.read(self._stderr_fd, READ_SIZE)
            except BlockingIOError:
                return True
            except OSError:  # closed already
                return False
            if not data:
                return False
            self.stderr.add(data)
            for place in self._places:
                if place.stderr is not self.stderr:
                    place.stderr.add(data)
        return True

    # Ending

    async def end(self, reason: str) -> None:
        """Say bye, close its input, give it a moment, kill all that it started, wait until that is gone.

        A second call does nothing.
        """
        if self._ending:
            return
        self._ending = True
        with trio.CancelScope(shield=True):
            below = hold_descendants(self.pid)  # once it has ended they hang elsewhere
            self.watchdog.thaw()
            if self.alive:
                self.link.tell({"type": "bye", "reason": reason})
                self.link.flush()
                self._channel.close_write()
                await self._exit_code(GRACE_SECONDS)
            self.kill()
            kill_held(below)
            await self._exit_code(_KILL_SECONDS)
            self._close()
            await end_strays()
            self.watchdog.forget()

    def kill(self) -> None:
        """Kill the process, its whole group and all that hangs below it, at once."""
        if self._ended.is_set():
            return
        below = hold_descendants(self.pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        kill_held(below)
        self.watchdog.kill_group()

    def _close(self) -> None:
        """Take the last of standard error, reap the process and give its descriptors back."""
        self._ended.set()
        self.read_stderr()
        self._popen.poll()
        not_mine(self.pid)
        self._channel.close()
        for descriptor in (self._stderr_fd, self._pidfd):
            trio.lowlevel.notify_closing(descriptor)
        self._stderr_fd = -1
        assert self._popen.stderr is not None
        self._popen.stderr.close()
        os.close(self._pidfd)


def _popen(launch: Launch) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        launch.argv,
        cwd=launch.folder,
        env=launch.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        bufsize=0,
    )


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
