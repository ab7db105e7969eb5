"""One bot process: started, shaken hands with, watched, drained, ended. Plays nothing.

Started with `subprocess.Popen` on the main thread: trio's own spawning uses a worker thread, and
what asks the kernel to die with its parent (setpriv, bubblewrap) would die with that thread. The
exit is watched through a pidfd besides the end of its output, for a child of the bot's can hold
that open.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import trio

from arena.channel import READ_SIZE, PipeChannel
from arena.faults import FaultKind
from arena.inbox import Wrong
from arena.launch import BotCommand, plan_launch
from arena.link import Link, Reply
from arena.question_ids import QuestionIds, new_key
from arena.stderr_log import FLOOD_BYTES, StderrLog
from protocol.messages import PROTOCOL, Ready

__all__ = ["BotProcess", "StartFailure"]

GRACE_SECONDS = 0.2
"""Between closing a bot's standard input and killing it."""
_POLL_SECONDS = 0.005
_KILL_SECONDS = 5.0
"""How long to wait for the kernel to end a killed process before leaving it to itself."""
_WHOLE_PROCESS = 2
"""Linux's clock number for the processor time of all threads of a process (see clock_getcpuclockid(3))."""
_DRAIN_AT_ONCE = 16
"""Reads of stderr before other tasks get their turn."""


@dataclass(frozen=True, slots=True)
class StartFailure:
    """A bot that did not get as far as `ready`: why, and what it said on standard error."""

    reason: str
    sent: str = ""
    stderr: str = ""


class BotProcess:
    """A started process. Made by `start`; `end` must be called once."""

    def __init__(self, command: BotCommand, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self.command = command
        self.pid = popen.pid
        self.ready: Ready | None = None
        self.stderr = StderrLog()
        self.matches = 0
        self.memory_at_ready = 0
        self._popen = popen
        self._channel = PipeChannel(os.dup(popen.stdin.fileno()), os.dup(popen.stdout.fileno()))
        popen.stdin.close()
        popen.stdout.close()
        self._stderr_fd = popen.stderr.fileno()
        os.set_blocking(self._stderr_fd, False)
        self._cpu_clock = (~popen.pid << 3) | _WHOLE_PROCESS
        self.link = Link(self._channel, self.cpu_us)

    # Starting

    @classmethod
    async def start(
        cls, command: BotCommand, nursery: trio.Nursery, hello: dict[str, object]
    ) -> BotProcess | StartFailure:
        """Start the command and wait until it is ready, or `start_ms` are over."""
        launch = plan_launch(command)
        try:
            popen = subprocess.Popen(
                launch.argv,
                cwd=launch.folder,
                env=launch.env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            return StartFailure(f"cannot be started: {launch.argv[0]}: {error.strerror}")
        _lower_priority(popen.pid, command.nice)
        process = cls(command, popen)
        nursery.start_soon(process._watch_exit)
        nursery.start_soon(process._drain_stderr)
        failure = await process._shake_hands(hello)
        if failure is None:
            return process
        await process.end("not ready")
        return StartFailure(failure.reason, failure.sent, process.stderr.head + process.stderr.tail)

    async def _shake_hands(self, hello: dict[str, object]) -> Wrong | None:
        question_id = QuestionIds(new_key(), 1).next()
        message = {"type": "hello", "id": question_id, **hello}
        reply: Reply = await self.link.ask(message, question_id, Ready, self.command.start_ms * 1000)
        match reply.settled:
            case Ready() as ready:
                self.ready = ready
                self.memory_at_ready = self.memory_bytes()
                return None
            case Wrong(FaultKind.CRASHED, reason, sent):
                return Wrong(FaultKind.START_FAILED, await self.how_it_ended() or reason, sent)
            case Wrong(FaultKind.TIMEOUT, reason, sent):
                seconds = self.command.start_ms / 1000
                return Wrong(FaultKind.START_FAILED, f"not ready within {seconds:g} s: {reason}", sent)
            case Wrong(_, reason, sent):
                return Wrong(FaultKind.START_FAILED, f"not ready: {reason}", sent)
            case other:
                raise AssertionError(other)

    # Watching

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self._popen.poll() is None

    def cpu_us(self) -> int | None:
        """Processor time of the whole process so far, in microseconds; None once it is gone."""
        try:
            return time.clock_gettime_ns(self._cpu_clock) // 1000
        except OSError:
            return None

    def memory_bytes(self) -> int:
        """Resident memory now; 0 where it cannot be read."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_bytes().split()[1])
        except (OSError, IndexError):
            return 0
        return pages * os.sysconf("SC_PAGE_SIZE")

    async def how_it_ended(self, patience: float = GRACE_SECONDS) -> str | None:
        """In words how the process ended; None when it has not, after waiting that many seconds."""
        code = await self._exit_code(patience)
        if code is None:
            return None
        if code < 0:
            return f"the process was killed by {_signal(-code)}"
        return f"the process ended by itself, with exit code {code}"

    async def _exit_code(self, patience: float) -> int | None:
        deadline = trio.current_time() + patience
        while (code := self._popen.poll()) is None and trio.current_time() < deadline:
            await trio.sleep(_POLL_SECONDS)
        return code

    async def _watch_exit(self) -> None:
        """Tell the link when the process has ended, as pidfd says."""
        pidfd = os.pidfd_open(self.pid)
        try:
            await trio.lowlevel.wait_readable(pidfd)
        finally:
            os.close(pidfd)
        how = await self.how_it_ended()
        self.link.end(Wrong(FaultKind.CRASHED, how or "the process ended"))

    async def _drain_stderr(self) -> None:
        with contextlib.suppress(trio.ClosedResourceError):
            more = True
            while more:
                await trio.lowlevel.wait_readable(self._stderr_fd)
                more = self.read_stderr()
                if self.stderr.size > FLOOD_BYTES:
                    reason = f"more than {FLOOD_BYTES} bytes on standard error in one match"
                    self.link.end(Wrong(FaultKind.FLOOD, reason, self.stderr.head[:80]))

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
        return True

    # Ending

    async def end(self, reason: str) -> None:
        """Say bye, close its input, give it a moment, kill its whole group, and wait until it is gone."""
        with trio.CancelScope(shield=True):
            if self.alive:
                self.link.tell({"type": "bye", "reason": reason})
                self.link.flush()
                self._channel.close_write()
                await self._exit_code(GRACE_SECONDS)
            self.kill()
            await self._exit_code(_KILL_SECONDS)
            self._close()

    def kill(self) -> None:
        """Kill the process and all of its group at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _close(self) -> None:
        self._channel.close()
        assert self._popen.stderr is not None
        trio.lowlevel.notify_closing(self._stderr_fd)
        self._popen.stderr.close()


def _lower_priority(pid: int, nice: int) -> None:
    """nice alone does nothing for a session of its own where autogroup is on: its group needs it too."""
    if nice <= 0:
        return
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, nice)
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/autogroup").write_text(str(nice), encoding="ascii")


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
