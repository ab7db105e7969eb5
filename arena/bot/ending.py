"""Ends the process of a bot, and says in words how it ended. Does not decide when a bot has to go.

The process is asked to go, is given a moment's grace, and is killed with all that it started: by its keeper,
whose end is the end of all of it, and which ends as the bot has ended. `watch` is the only place that waits
for that end and tells of it. Questions and matches are not known here.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from typing import Final

import trio

from arena.bot.answers import Wrong
from arena.bot.limits import Watchdog
from arena.linux.keeper import dismiss
from arena.linux.process_tree import signal_name
from arena.linux.strays import end_strays, mine, not_mine
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind

__all__ = ["GRACE_SECONDS", "Ending"]

GRACE_SECONDS: Final = 0.2
"""The time between asking a process to go and killing it. A process that has closed its output may take as
long to end, because its exit code says more than the closed output."""
_KILL_SECONDS: Final = 5.0
"""The longest wait for a keeper to end all that it keeps. Then it is killed, and what it kept is stray."""
_POLL_SECONDS: Final = 0.005
_SIGNALLED: Final = 128
"""The number that bubblewrap adds to that of the signal that has ended the bot, for its own exit code."""


class Ending:
    """The end of one process. `popen` is its keeper.

    `begun`: it has been told to go. `over`: it is gone. The process is waited for (reaped) only at the end of
    `carry_out`. Until then the kernel gives its number to no other process, so that no stranger is ever
    killed, and its processor time can still be read.
    """

    def __init__(self, popen: subprocess.Popen[bytes], watchdog: Watchdog, *, sandboxed: bool) -> None:
        self.begun = False
        self.over = trio.Event()
        self._popen = popen
        self._pid = popen.pid
        self._watchdog = watchdog
        self._sandboxed = sandboxed
        # The end of the output is not enough to go by: a child of the bot can hold it open. So the exit is
        # watched too.
        self._pidfd = os.pidfd_open(popen.pid)
        mine(popen.pid)

    async def watch(self, tell: Callable[[Wrong], None]) -> None:
        """Wait until the process has ended with all that it started, and tell how it ended."""
        if self.over.is_set():
            return
        with contextlib.suppress(trio.ClosedResourceError):
            await trio.lowlevel.wait_readable(self._pidfd)
        # A bot that has killed its keeper has left others behind.
        await end_strays()
        await self._exit_code(GRACE_SECONDS)
        tell(self.cause())

    def cause(self) -> Wrong:
        """Return why the process gives no more answers, as far as that is known now. Does not wait."""
        code = self._exit_status()
        reason = FaultSentence.CLOSED.say() if code is None else self._in_words(code)
        return self._watchdog.out_of_memory() or Wrong(FaultKind.CRASHED, reason)

    @property
    def has_come(self) -> bool:
        """Return whether the process has ended. It may still have to be reaped."""
        return self._exit_status() is not None

    async def how(self, patience: float) -> str | None:
        """Return in words how the process ended, or None if it has not after `patience` seconds."""
        code = await self._exit_code(patience)
        return None if code is None else self._in_words(code)

    def _in_words(self, code: int) -> str:
        if code < 0:
            return FaultSentence.KILLED.say(signal=signal_name(-code))
        if self._sandboxed and code > _SIGNALLED:
            return FaultSentence.KILLED.say(signal=f"{signal_name(code - _SIGNALLED)} (exit code {code})")
        return FaultSentence.EXITED.say(code=code)

    async def carry_out(self, ask_to_go: Callable[[], None], close: Callable[[], None]) -> None:
        """End the process and all that it started, and wait until they are gone.

        `ask_to_go` asks the process to end. After GRACE_SECONDS all is killed. `close` gives back what this
        process holds of it, such as descriptors. A second call does nothing.
        """
        if self.begun:
            return
        self.begun = True
        # Shielded: also when the run is cancelled, nothing that the bot started may be left behind.
        with trio.CancelScope(shield=True):
            # A stopped process could not end itself.
            self._watchdog.let_go_on()
            if not self.has_come:
                ask_to_go()
                await self._exit_code(GRACE_SECONDS)
            self.kill()
            if await self._exit_code(_KILL_SECONDS) is None:
                self._popen.kill()
                await self._exit_code(_KILL_SECONDS)
            # Before the reaping: from then on its number may belong to a stranger, whom nobody may kill.
            self.over.set()
            close()
            self._reap()
            await end_strays()
            # Last: a control group can be removed only when no process is left in it.
            self._watchdog.forget()

    def kill(self) -> None:
        """Have the process killed at once, and all that it started."""
        if not self.over.is_set():
            dismiss(self._pid)
            self._watchdog.kill_group()

    def _reap(self) -> None:
        self._popen.poll()
        not_mine(self._pid)
        trio.lowlevel.notify_closing(self._pidfd)
        os.close(self._pidfd)

    async def _exit_code(self, patience: float) -> int | None:
        deadline = trio.current_time() + patience
        # Polled, because the task that watches the exit may be cancelled already.
        while True:
            code = self._exit_status()
            if code is not None or trio.current_time() >= deadline:
                return code
            await trio.sleep(_POLL_SECONDS)

    def _exit_status(self) -> int | None:
        """Return the exit code, or minus the signal's number, or None while it runs. Does not reap it."""
        if self._popen.returncode is not None:
            return self._popen.returncode
        found = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
