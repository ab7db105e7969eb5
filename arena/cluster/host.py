"""The host process: makes the bots of an order ready on its host, and then is the referee of its worker.

It reads lines from standard input and writes lines to standard output (`orders`, then `jobs`). The end of its
input means that its worker is gone. Then it ends every bot and itself. Stores nothing but its host's folder.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import trio

from arena.bot.launch import BotCommand
from arena.bot.roll_call import causes, not_ready
from arena.cluster.host_folder import HostFolder, host_id
from arena.cluster.orders import ORDER_LINES, ORDER_VERSION, Facts, Order, Ready, SandboxWish, Unready, Why
from arena.cluster.readiness import Readied, make_ready
from arena.errors import UsageError
from arena.linux.cgroups import open_home
from arena.linux.cores import CoreClaim, claim_core
from arena.linux.installation import is_compiled
from arena.linux.leftovers import MARK
from arena.linux.machine import processor
from arena.referee.jobs import JOB_VERSION, Setup
from arena.referee.line_stream import LineStream
from arena.referee.referee import play_lines, serve
from arena.sandbox import NONE, Failure, Sandbox, home, probe

__all__ = ["main"]

CORE_SECONDS = 5.0
"""How long a core is waited for: the process before this one may still be ending."""
_POLL_SECONDS = 0.05
_NOTE_SECONDS = 3600.0


_Error = TypeVar("_Error", bound=Exception)


class _NotReadyError(Exception):
    """This host is left out."""

    def __init__(self, why: Why, text: str) -> None:
        super().__init__(text)
        self.why = why
        self.text = text


class Host:
    """One host process. `hide`: what bots must not see beside."""

    def __init__(self, stream: LineStream, hide: Sequence[str]) -> None:
        self._stream = stream
        self._hide = hide
        self._folder = HostFolder.here()
        self._cores = sorted(os.sched_getaffinity(0))
        self._arena = version("papayoo-arena")
        self._claim: CoreClaim | None = None
        self._groups: Path | None = None
        self._used: list[Path] = []

    async def ready(self, line: bytes) -> Setup | None:
        """Make everything ready for an order, and say so. Returns None when this host is left out."""
        try:
            return await self._make_ready(line)
        except* _NotReadyError as group:
            error = next(_leaves(group))
            self._tell(Unready(error.why, error.text))
        except* OSError as group:
            self._tell(Unready(Why.ROOM, self._folder.no_room(next(_leaves(group)))))
        return None

    async def keep_in_use(self) -> None:
        """Note from time to time that what is played with is in use, so that nobody removes it."""
        while True:
            await trio.sleep(_NOTE_SECONDS)
            await trio.to_thread.run_sync(self._folder.note_use, self._used)

    def _tell(self, message: Facts | Ready | Unready) -> None:
        self._stream.put(ORDER_LINES.write(message))

    async def _make_ready(self, line: bytes) -> Setup:
        if foreign := _foreign(line, self._arena):
            self._tell(await self._facts(NONE))
            raise _NotReadyError(Why.ARENA, foreign)
        order = ORDER_LINES.read(line)
        assert isinstance(order, Order), "the first line is the order"
        # Control groups have to be prepared before any other process is started.
        self._groups = open_home()
        found = await self._sandbox(order.sandbox)
        sandbox = found if isinstance(found, Sandbox) else None
        level = NONE if sandbox is None else sandbox.level.value
        self._tell(await self._facts(level))
        said = _checked(found, order.sandbox)
        self._folder.make()
        core = await self._core(order)
        readied = await self._make_bots_ready(line, order, sandbox)
        if readied.failed:
            said = (*said, _checked_bots(readied, order))
        self._tell(Ready(core, said))
        return replace(
            order.setup, commands=readied.commands, core=core, together=core is None, sandbox=level
        )

    async def _make_bots_ready(self, line: bytes, order: Order, sandbox: Sandbox | None) -> Readied:
        commands = [self._placed(command, sandbox) for command in order.setup.commands]
        self._used = [Path(command.folder) for command in commands]
        readied = await make_ready(self._folder, line, commands, self._arena, order.setup.tables)
        self._used += [Path(command.folder) for command in readied.commands]
        return readied

    async def _facts(self, sandbox: str) -> Facts:
        return Facts(
            host=host_id(),
            name=platform.node(),
            arena=self._arena,
            python=platform.python_version(),
            processor=processor(),
            cores=len(self._cores),
            compiled=is_compiled(),
            sandbox=sandbox,
        )

    async def _sandbox(self, wish: SandboxWish) -> Sandbox | Failure | str:
        """Return the sandbox, why there is none, or what is wrong with the wish; "" if none is wished."""
        if wish.mode == "off":
            return ""
        hidden = dict.fromkeys(map(str, (home(), self._folder.path, *_own_folder(), *self._hide)))
        look = partial(probe, wish.limits, wish.user, wish.read_only, hidden)
        try:
            return await trio.to_thread.run_sync(look, abandon_on_cancel=True)
        except UsageError as error:
            return error.message

    async def _core(self, order: Order) -> int | None:
        """Return the core of this process, claimed for as long as it lives, or None for any."""
        if not order.pinned:
            return None
        with trio.move_on_after(CORE_SECONDS):
            while True:
                if (claim := claim_core(self._cores)) is not None:
                    self._claim = claim
                    return claim.core
                await trio.sleep(_POLL_SECONDS)
        cores = "1 core" if len(self._cores) == 1 else f"{len(self._cores)} cores"
        raise _NotReadyError(
            Why.CORE,
            f"all of its {cores} are claimed by other workers; start at most one worker for each core",
        )

    def _placed(self, command: BotCommand, sandbox: Sandbox | None) -> BotCommand:
        """Return a command as it is started on this host."""
        env = dict(command.env)
        # Bots are ended as leftovers by this worker or its successor, and by nobody else.
        env.pop(MARK, None)
        if MARK in os.environ:
            env[MARK] = os.environ[MARK]
        return replace(
            command,
            folder=str(self._folder.bundle(Path(command.folder).name)),
            env=tuple(sorted(env.items())),
            cores=tuple(self._cores) if command.threads > 1 else (),
            cgroup=None if self._groups is None else str(self._groups),
            sandbox=sandbox,
        )


def _leaves(group: BaseExceptionGroup[_Error]) -> Iterator[_Error]:
    """Yield the errors of a group."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from _leaves(error)
        else:
            yield error


def _foreign(line: bytes, arena: str) -> str:
    """Return what is foreign to this arena in the line of an order, or ""."""
    try:
        order = json.loads(line.removeprefix(b"Order "))
        setup = order["setup"]
        theirs = (order["version"], setup["version"], setup["arena"])
    except (ValueError, KeyError, TypeError):
        return f"the run's arena says what this host's arena {arena} cannot read"
    ours = (ORDER_VERSION, JOB_VERSION, arena)
    if theirs == ours:
        return ""
    return (
        f"the run's arena is {theirs[2]} (orders {theirs[0]}, jobs {theirs[1]}), "
        f"this host's is {arena} (orders {ORDER_VERSION}, jobs {JOB_VERSION}); install the same"
    )


def _checked(found: Sandbox | Failure | str, wish: SandboxWish) -> tuple[str, ...]:
    """Return what is to be said of the sandbox. Raises _NotReadyError where one is needed and missing."""
    if isinstance(found, Sandbox):
        return (found.warning,) if found.warning else ()
    if isinstance(found, Failure):
        if wish.needed or wish.mode == "require":
            raise _NotReadyError(Why.SANDBOX, f"{found.why}; {found.cure}; see docs/sandbox.md")
        return (found.warning,)
    if found:
        raise _NotReadyError(Why.SANDBOX, found)
    if wish.needed:
        raise _NotReadyError(Why.SANDBOX, "the league plays without one, and not on this machine alone")
    return ()


def _checked_bots(readied: Readied, order: Order) -> str:
    """Return what is to be said of bots that are not ready. Raises _NotReadyError where all must be."""
    table = causes(readied.commands, readied.failed)
    told = f"{not_ready(len(readied.failed), len(order.setup.commands))}:\n{table}"
    if not order.allow_broken:
        raise _NotReadyError(Why.BOT, told)
    return told


def _own_folder() -> list[Path]:
    """Return the folder that this process was started in, unless somebody has removed it."""
    try:
        return [Path.cwd()]
    except OSError:
        return []


async def _serve(stream: LineStream, hide: Sequence[str]) -> None:
    lines = stream.lines()
    line = await anext(lines)
    host = Host(stream, hide)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host.keep_in_use)
        await play_lines(stream, lines, partial(host.ready, line))
        nursery.cancel_scope.cancel()


def main(hide: Sequence[str] = ()) -> None:
    """Run a host process, as the command `arena host` does, until it is stopped or its input ends."""
    serve(partial(_serve, hide=hide))
