"""Ends the process of a bot, and says in words how it ended. Does not decide when a bot has to go.

The process is asked to go, is given a moment's grace, and is killed with all that it started (see
`arena.linux.family`). `watch` is the only place that waits for that end and tells of it. Questions and
matches are not known here.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Final

import trio

from arena.bot.answers import Wrong
from arena.bot.limits import Watchdog
from arena.linux.family import Family
from arena.linux.process_tree import signal_name
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind

__all__ = ["GRACE_SECONDS", "Ending"]

GRACE_SECONDS: Final = 0.2
"""The time between asking a process to go and killing it. A process that has closed its output may take as
long to end, because its exit code says more than the closed output."""


class Ending:
    """The end of one process. `popen` is the first process of its family, see there for `namespace`.

    `begun`: it has been told to go. `over`: it is gone.
    """

    def __init__(self, popen: subprocess.Popen[bytes], watchdog: Watchdog, *, namespace: bool) -> None:
        self.begun = False
        self.over = trio.Event()
        self._family = Family(popen, namespace=namespace)
        self._watchdog = watchdog

    async def watch(self, tell: Callable[[Wrong], None]) -> None:
        """Wait until the process has ended with all that it started, and tell how it ended."""
        # The end of the output is not enough to go by: a child of the bot can hold it open.
        await self._family.wait_until_gone()
        tell(self.cause())

    def cause(self) -> Wrong:
        """Return why the process gives no more answers, as far as that is known now. Does not wait."""
        status = self._family.status()
        reason = FaultSentence.CLOSED.say() if status is None else self._in_words(status)
        return self._watchdog.out_of_memory() or Wrong(FaultKind.CRASHED, reason)

    @property
    def has_come(self) -> bool:
        """Return whether the process has ended. It may still have to be reaped."""
        return self._family.status() is not None

    async def how(self, patience: float) -> str | None:
        """Return in words how the process ended, or None if it has not after `patience` seconds."""
        status = await self._family.wait(patience)
        return None if status is None else self._in_words(status)

    def _in_words(self, status: int) -> str:
        number = self._family.signal_in(status)
        if number is None:
            return FaultSentence.EXITED.say(code=status)
        told = "" if status < 0 else f" (exit code {status})"
        return FaultSentence.KILLED.say(signal=f"{signal_name(number)}{told}")

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
                await self._family.wait(GRACE_SECONDS)
            self._watchdog.kill_group()
            await self._family.end()
            self.over.set()
            close()
            # Last: a control group can be removed only when no process is left in it.
            self._watchdog.forget()

    def kill(self) -> None:
        """Have the process killed at once, and all that it started."""
        self._family.kill()
        if not self.over.is_set():
            self._watchdog.kill_group()
