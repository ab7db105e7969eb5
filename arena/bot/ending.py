"""How the process of a bot ends: asked to go, given a moment's grace, killed with all that it started. And
in what words its end is told.

Whoever waits for the process is told here, by `watch`, and nowhere else. Knows no questions and no matches,
and does not decide when a bot has to go.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Callable
from typing import Final

import trio

from arena.bot.answers import Wrong
from arena.bot.watchdog import Watchdog
from arena.linux.reaper import end_strays, hold_descendants, kill_held, mine, not_mine
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind

__all__ = ["GRACE_SECONDS", "Ending"]

GRACE_SECONDS: Final = 0.2
"""Between asking a process to go and killing it. So long, too, one that has closed its output may take to
end, for its exit code says more than that."""
_KILL_SECONDS: Final = 5.0
"""How long to wait for the kernel to end a killed process before leaving it to itself."""
_POLL_SECONDS: Final = 0.005
_SIGNALLED: Final = 128
"""What bubblewrap adds to the number of a signal that has ended the bot, for an exit code of its own."""


class Ending:
    """Of one process, the leader of its session. `begun`: it has been told to go; `over`: it is gone.

    It is waited for (reaped) only at the end of `carry_out`: until then the kernel gives its number to
    nobody else, so that no stranger is ever killed, and its processor time can still be read.
    """

    def __init__(self, popen: subprocess.Popen[bytes], watchdog: Watchdog, *, sandboxed: bool) -> None:
        self.begun = False
        self.over = trio.Event()
        self._popen = popen
        self._pid = popen.pid
        self._watchdog = watchdog
        self._sandboxed = sandboxed
        # Its exit is watched besides the end of its output, for a child of the bot's can hold that open.
        self._pidfd = os.pidfd_open(popen.pid)
        mine(popen.pid)

    async def watch(self, tell: Callable[[Wrong], None]) -> None:
        """When the process ends, end what it has left in its group, and tell how it ended."""
        if self.over.is_set():
            return
        with contextlib.suppress(trio.ClosedResourceError):
            await trio.lowlevel.wait_readable(self._pidfd)
            self.kill()
        await self._exit_code(GRACE_SECONDS)
        tell(self.cause())

    def cause(self) -> Wrong:
        """Return why the process gives no more answers, as far as that is known now. Does not wait."""
        code = self._exit_status()
        reason = FaultSentence.CLOSED.say() if code is None else self._in_words(code)
        return self._watchdog.out_of_memory() or Wrong(FaultKind.CRASHED, reason)

    @property
    def has_come(self) -> bool:
        """Whether the process has ended; it may still have to be reaped."""
        return self._exit_status() is not None

    async def how(self, patience: float) -> str | None:
        """In words how the process ended; None when it has not, after waiting that many seconds."""
        code = await self._exit_code(patience)
        return None if code is None else self._in_words(code)

    def _in_words(self, code: int) -> str:
        if code < 0:
            return FaultSentence.KILLED.say(signal=_signal(-code))
        if self._sandboxed and code > _SIGNALLED:
            return FaultSentence.KILLED.say(signal=f"{_signal(code - _SIGNALLED)} (exit code {code})")
        return FaultSentence.EXITED.say(code=code)

    async def carry_out(self, ask_to_go: Callable[[], None], close: Callable[[], None]) -> None:
        """Ask it to go, give it a moment, kill all that it started, wait until that is gone, and `close`
        what is left of it here. A second call does nothing."""
        if self.begun:
            return
        self.begun = True
        with trio.CancelScope(shield=True):
            below = hold_descendants(self._pid)  # once it has ended they hang elsewhere
            self._watchdog.thaw()
            if not self.has_come:
                ask_to_go()
                await self._exit_code(GRACE_SECONDS)
            self.kill()
            kill_held(below)
            await self._exit_code(_KILL_SECONDS)
            self.over.set()
            close()
            self._reap()
            await end_strays()
            self._watchdog.forget()

    def kill(self) -> None:
        """Kill the process, its whole group and all that hangs below it, at once."""
        if self.over.is_set():
            return
        below = hold_descendants(self._pid)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)
        kill_held(below)
        self._watchdog.kill_group()

    def _reap(self) -> None:
        self._popen.poll()
        not_mine(self._pid)
        trio.lowlevel.notify_closing(self._pidfd)
        os.close(self._pidfd)

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
        found = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
