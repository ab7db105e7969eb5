"""`arena worker`: takes part in a cluster of Dask for its host, and carries frames between it and the host.

It plays for one run at a time, which has a host process (`host`) of its own. It dials out to the scheduler,
and again whenever that comes back; nobody dials it. The bridge calls `relay` on it as a task, and hears it by
events of the scheduler. Reads no frame, and decides nothing but whom it plays for.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import signal
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from arena.cluster.engine import ERRORS, engine, note, security_of, until_a_signal, why_not_let_in
from arena.linux.endings import how_it_ended, last_lines
from arena.linux.installation import same_python

_GATHER_SECONDS = 0.2
"""Lines are gathered for so long before they are sent: each sending costs the scheduler some milliseconds."""
_BUFFER = 4 << 20
_CONNECT_SECONDS = "15s"
_RETRY_SECONDS = 2.0
_DRAIN_SECONDS = 20.0
_END_SECONDS = 4.0
"""The time that a host process has to end its referees and itself before it is killed."""


def league_of(run: str) -> str:
    """Return the part of a run's name that all runs of its league have in common."""
    return run.partition("-")[0]


def topic_of(run: str) -> str:
    """Return the topic of the events that are for a run."""
    return f"arena-{league_of(run)}"


class Link:
    """The host process of the run that this worker plays for. `hide`: what bots must not see."""

    def __init__(self, hide: Iterable[str]) -> None:
        self._argv = ["-m", "arena.cluster", "host", *(f"--hide={path}" for path in hide)]
        self._run = ""
        self._process: asyncio.subprocess.Process | None = None
        self._carrying: asyncio.Task[None] | None = None
        self._taken = self._told = 0
        self._changing = asyncio.Lock()
        """Held by who changes the run: two that come at the same moment must not both begin."""
        self.log_event: Callable[[str, object], object] = lambda topic, said: None
        """How the scheduler is told something, while there is one."""

    async def relay(self, run: str, first: int, lines: list[bytes]) -> None:
        """Hand on the lines of a run, of which so many came before."""
        async with self._changing:
            if run != self._run:
                if first:
                    why = "its worker does not play for this run any more"
                    return self._say(run, 0, [_frame("ended", why)])
                # Only one run of a league can live: what an earlier one has left is ended.
                if self._process is not None and league_of(run) != league_of(self._run):
                    return self._say(run, 0, [_frame("busy", platform.node())])
                await self.end()
                await self._begin(run)
        if first > self._taken:
            return await self.end()  # something was lost: whatever follows would be of no use
        lines = lines[self._taken - first :]
        self._taken += len(lines)
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(b"".join(line + b"\n" for line in lines))
            try:
                await asyncio.wait_for(self._process.stdin.drain(), _DRAIN_SECONDS)
            except TimeoutError:  # it hangs, and nothing else could be done meanwhile
                await self.end()
            except ConnectionError:
                return None  # it has ended, which is told
        return None

    async def _begin(self, run: str) -> None:
        self._run, self._taken, self._told = run, 0, 0
        argv, environment = same_python(*self._argv)
        errors = os.memfd_create("host-errors")  # in memory, because the disk may be what is wrong
        self._process = process = await asyncio.create_subprocess_exec(
            *argv,
            env=environment,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=_BUFFER,
            start_new_session=True,
        )
        self._carrying = asyncio.create_task(self._carry(run, process, errors))
        note(f"playing for the run {run}")

    async def _carry(self, run: str, process: asyncio.subprocess.Process, errors: int) -> None:
        """Tell the run what its host process says, and how it has ended."""
        assert process.stdout is not None, "it has a pipe"
        rest = b""
        while data := await process.stdout.read(_BUFFER):
            whole, newline, rest = (rest + data).rpartition(b"\n")
            if newline:
                self._say(run, self._told, whole.split(b"\n"))
                self._told += whole.count(b"\n") + 1
            await asyncio.sleep(_GATHER_SECONDS)
        code = await process.wait()
        words = last_lines(os.pread(errors, os.fstat(errors).st_size, 0)) if code else ""
        os.close(errors)
        how = f"its host process {how_it_ended(code)}{words}" if code else "it was told to end"
        self._say(run, self._told, [_frame("ended", how)])
        if self._process is process:
            self._run, self._process = "", None
        note(f"the run {run} is over here")

    def _say(self, run: str, first: int, lines: list[bytes]) -> None:
        self.log_event(topic_of(run), {"run": run, "first": first, "lines": lines})

    async def end(self) -> None:
        """End what is being played, and wait until it has ended."""
        process, carrying = self._process, self._carrying
        if process is None or carrying is None:
            return
        assert process.stdin is not None, "it has a pipe"
        process.stdin.close()
        done, _ = await asyncio.wait({carrying}, timeout=_END_SECONDS)
        if not done:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await carrying


_link: Link | None = None
"""Of this process, if it is `arena worker`."""


def _frame(kind: str, text: str) -> bytes:
    """Return a frame, as `frames` writes it, without what that module loads."""
    return f"0 {kind} 0 {json.dumps(text)}".encode()


async def relay(run: str, first: int, lines: list[bytes]) -> None:
    """Hand on lines to the host process of a run, of which so many came before. Called by the engine.

    With the first ones a host process is started, unless this worker plays for another league.
    """
    if _link is not None:
        return await _link.relay(run, first, lines)
    dask: Any = import_module("distributed")
    foreign = [_frame("unready", f"{platform.node()}: start it with `arena worker`")]
    return dask.get_worker().log_event(topic_of(run), {"run": run, "first": 0, "lines": foreign})  # type: ignore[no-any-return]


def main(address: str, tls: Path | None) -> None:
    """Be the worker of this host, until a signal ends it. Raises UsageError where Dask is missing."""
    engine()
    asyncio.run(until_a_signal(_keep_working(address, tls)))


async def _keep_working(address: str, tls: Path | None) -> None:
    """Work for a scheduler, and again when it has come back."""
    global _link
    dask = engine()
    _link = link = Link([] if tls is None else _places(tls))
    security = security_of(tls)
    said = ""
    with tempfile.TemporaryDirectory(prefix="arena-worker-") as folder:
        while True:
            try:
                worker = await dask.Worker(
                    address,
                    nthreads=1,
                    name=f"arena-{os.getpid()}-{os.urandom(4).hex()}",
                    # Nobody dials it: whoever wants something of it asks the scheduler, which it has dialled.
                    host="127.0.0.1",
                    dashboard=False,
                    memory_limit=0,
                    local_directory=folder,
                    security=security,
                    death_timeout=_CONNECT_SECONDS,
                )
            except ERRORS as error:
                why = await why_not_let_in(address, tls, error)
                if why != said:
                    note(f"{why}\nIt is tried again every few seconds")
                said = why
            else:
                cores = len(os.sched_getaffinity(0))
                note(f"{'1 core works' if cores == 1 else f'{cores} cores work'} for {address}")
                said = ""
                link.log_event = worker.log_event
                try:
                    await worker.finished()
                    note(f"the scheduler {address} is gone; it is waited for")
                finally:
                    await link.end()
                    with suppress(Exception):
                        await asyncio.wait_for(worker.close(nanny=False), _RETRY_SECONDS)
            await asyncio.sleep(_RETRY_SECONDS)


def _places(folder: Path) -> list[str]:
    """Return the paths of a folder: as it is named, and where links lead."""
    return list(dict.fromkeys([str(folder.absolute()), str(folder.resolve())]))
