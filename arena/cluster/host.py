"""The host process: makes the bots of a run ready on its host, and starts and ends referees for the run.

It reads frames from standard input and writes frames to standard output. The end of its input means that its
worker is gone, and a lease that is not renewed that the run is: then it ends every referee with its bots, and
itself. It decides nothing about sessions, and stores nothing but its host's folder.
"""

from __future__ import annotations

import base64
import json
import math
import os
import platform
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile

import trio

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import call_the_roll, causes, not_ready
from arena.bot.snapshot import Snapshot, is_intact
from arena.cluster.bundles import unpack
from arena.cluster.frames import (
    ALIVE_SECONDS,
    CLUSTER_LINES,
    LEASE_SECONDS,
    Frame,
    Order,
    read_frame,
    say_frame,
    write_frame,
)
from arena.cluster.host_folder import FOLDER, HostFolder
from arena.errors import BotFolderError, UsageError
from arena.linux.endings import ENDING_SIGNALS, how_it_ended
from arena.linux.folders import remove_tree
from arena.linux.machine import this_host
from arena.linux.namespace import FULL
from arena.referee.child import Child
from arena.referee.jobs import JOB_VERSION, Setup, write_message
from arena.referee.line_stream import LineStream
from arena.referee.referee import serve
from arena.sandbox import NONE, Failure, Limits, Sandbox, home, probe

_LOCK_SECONDS = 10.0
"""How long the folder is waited for: the process before this one may still be ending."""
_POLL_SECONDS = 0.05


class _NotReadyError(Exception):
    """This host cannot play. The text is for people."""


class Host:
    """The host process of one run. `hide`: what bots must not see beside what they never see."""

    def __init__(self, stream: LineStream, folder: HostFolder, hide: Sequence[str]) -> None:
        self._stream = stream
        self._folder = folder
        self._hide = hide
        self._cores = sorted(os.sched_getaffinity(0))
        self._arena = version("papayoo-arena")
        self._setup: Setup
        self._heard_at = math.inf
        self._send_piece, self._pieces = trio.open_memory_channel[Frame](math.inf)
        self._referees: dict[int, trio.MemorySendChannel[bytes]] = {}
        self._nursery: trio.Nursery

    async def run(self) -> None:
        """Do what the frames ask for, until their end, a signal, or the end of the lease."""
        async with trio.open_nursery() as self._nursery:
            self._nursery.start_soon(self._stream.keep_flushing)
            self._nursery.start_soon(self._heed_signals)
            self._nursery.start_soon(self._keep_alive)
            async with aclosing(self._stream.lines()) as lines:
                async for line in lines:
                    self._heard_at = trio.current_time()
                    self._take(read_frame(line))
            self._nursery.cancel_scope.cancel()

    def _take(self, frame: Frame) -> None:
        match frame.kind:
            case "order":
                self._nursery.start_soon(self._make_ready, frame.body)
            case "piece":
                self._send_piece.send_nowait(frame)
            case "open":
                send, receive = trio.open_memory_channel[bytes](math.inf)
                self._referees[frame.number] = send
                self._nursery.start_soon(self._play, frame.number, receive)
            case "line" if frame.number in self._referees:
                self._referees[frame.number].send_nowait(frame.body + b"\n")
            case "close" if frame.number in self._referees:
                self._referees.pop(frame.number).close()
            case "end":
                self._nursery.cancel_scope.cancel()
            # A lease, or for a referee that has ended: nothing is to be done.

    def _tell(self, frame: Frame) -> None:
        self._stream.put(write_frame(frame))

    async def _heed_signals(self) -> None:
        with trio.open_signal_receiver(*ENDING_SIGNALS) as signals:
            async for _ in signals:
                self._nursery.cancel_scope.cancel()

    async def _keep_alive(self) -> None:
        """Say that this host is alive, and end it when the run is not."""
        while trio.current_time() - self._heard_at < LEASE_SECONDS:
            self._tell(Frame(0, "alive"))
            await trio.sleep(ALIVE_SECONDS)
        self._nursery.cancel_scope.cancel()

    # Referees

    async def _play(self, number: int, lines: trio.MemoryReceiveChannel[bytes]) -> None:
        """Be the coordinator of one referee process, as far as lines go."""
        log = self._folder.path / f"referee-{number % len(self._cores)}.log"
        # What stands there was told when it was new.
        log.unlink(missing_ok=True)
        child = Child(log, "arena", "referee")
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._feed, child, number, lines, nursery.cancel_scope)
                async with aclosing(child.lines()) as said:
                    async for line in said:
                        self._tell(Frame(0, "line", number, line))
                nursery.cancel_scope.cancel()
        finally:
            self._referees.pop(number, None)
            code = await child.close()
        ended = json.dumps([code, f"{how_it_ended(code)}{child.last_words()}"])
        self._tell(Frame(0, "closed", number, ended.encode()))

    async def _feed(
        self, child: Child, number: int, lines: trio.MemoryReceiveChannel[bytes], playing: trio.CancelScope
    ) -> None:
        core = self._cores[number % len(self._cores)]
        await child.send(write_message(replace(self._setup, core=core)))
        async for line in lines:
            await child.send(line)
        # The coordinator has closed it.
        playing.cancel()

    # Making ready

    async def _make_ready(self, line: bytes) -> None:
        try:
            self._setup = await self._prepare(line)
        except _NotReadyError as error:
            self._tell(say_frame("unready", str(error)))
        except OSError as error:
            where = error.filename or self._folder.path
            why = f"{where}: {error.strerror}; make room there, or name another folder with {FOLDER}"
            if error.errno in FULL:
                why = f"this host has no room for another process or open file: {error.strerror}"
            self._tell(say_frame("unready", why))
        else:
            self._tell(Frame(0, "ready"))

    async def _prepare(self, line: bytes) -> Setup:
        """Make everything ready for an order. Raises _NotReadyError, OSError."""
        if foreign := _foreign(line, self._arena):
            self._tell_facts(NONE)
            raise _NotReadyError(foreign)
        order = CLUSTER_LINES.read(line)
        assert isinstance(order, Order), "the first line is the order"

        self._folder.make()
        await self._lock()

        found = await self._sandbox(order)
        sandbox = found if isinstance(found, Sandbox) else None
        level = NONE if sandbox is None else sandbox.level.value
        self._tell_facts(level)
        if said := _checked(found, order):
            self._tell(say_frame("say", said))
        for digest in dict.fromkeys(command.folder for command in order.setup.commands):
            await self._fetch(digest)
        placed = [self._placed(command, sandbox) for command in order.setup.commands]
        builder = Builder(self._folder.built, lambda said: self._tell(say_frame("say", said)))
        built, unbuilt = await builder.build_all(placed)
        used = [Path(command.folder) for command in (*placed, *built)]
        await trio.to_thread.run_sync(self._folder.tidy, used)
        roll = await call_the_roll(built, self._arena, unbuilt, order.setup.tables)
        if roll.failed:
            self._tell_failed(built, roll.failed, order.allow_broken)
        return replace(order.setup, commands=tuple(built), sandbox=level)

    async def _lock(self) -> None:
        with trio.move_on_after(_LOCK_SECONDS):
            while True:
                if self._folder.lock():
                    return
                await trio.sleep(_POLL_SECONDS)
        raise _NotReadyError(
            f"another worker plays on this host with the folder {self._folder.path}: one worker takes all "
            f"cores; for a second one on other cores name another folder with {FOLDER}"
        )

    def _tell_facts(self, sandbox: str) -> None:
        facts = this_host(sandbox, platform.node(), self._folder.id)
        self._tell(Frame(0, "facts", 0, CLUSTER_LINES.write(facts)))

    async def _sandbox(self, order: Order) -> Sandbox | Failure | None:
        """Return the sandbox, why there is none, or None if none is wished. This process holds the guards."""
        if order.sandbox == "off":
            return None
        hidden = dict.fromkeys([str(home()), str(self._folder.path), *_own_folder(), *self._hide])
        look = partial(probe, Limits(order.processes), order.read_only, tuple(hidden))
        try:
            return await trio.to_thread.run_sync(look, abandon_on_cancel=True)
        except UsageError as error:
            raise _NotReadyError(error.message) from None

    async def _fetch(self, digest: str) -> None:
        """Have the copy of a bot sent here, unless a good one is here."""
        snapshot = Snapshot(digest, self._folder.bundle(digest))
        if await trio.to_thread.run_sync(is_intact, snapshot):
            return
        remove_tree(snapshot.path)
        self._tell(Frame(0, "need", 0, digest.encode()))
        with TemporaryFile(dir=self._folder.path) as bundle:
            async for piece in self._pieces:
                if not piece.number:  # the end
                    break
                bundle.write(base64.b64decode(piece.body))
            bundle.flush()
            try:
                await trio.to_thread.run_sync(unpack, bundle, snapshot)
            except BotFolderError as error:
                raise _NotReadyError(error.message) from None

    def _placed(self, command: BotCommand, sandbox: Sandbox | None) -> BotCommand:
        """Return a command as it is started on this host."""
        return replace(
            command,
            folder=str(self._folder.bundle(command.folder)),
            cores=tuple(self._cores) if command.threads > 1 else (),
            sandbox=sandbox,
        )

    def _tell_failed(
        self, built: Sequence[BotCommand], failed: Mapping[str, StartFailure], allowed: bool
    ) -> None:
        """Say which bots are not ready here. Raises _NotReadyError where all must be."""
        told = f"{not_ready(len(failed), len(built))}:\n{causes(built, failed)}"
        if not allowed:
            raise _NotReadyError(told)
        self._tell(say_frame("say", told))


def _foreign(line: bytes, arena: str) -> str:
    """Return what is foreign to this arena in the line of an order, or ""."""
    try:
        setup = json.loads(line.removeprefix(b"Order "))["setup"]
        theirs = (setup["version"], setup["arena"])
    except (ValueError, KeyError, TypeError):
        return f"the run's arena says what this host's arena {arena} cannot read; install the same"
    if theirs == (JOB_VERSION, arena):
        return ""
    return f"the run's arena is {theirs[1]}, this host's is {arena}; install the same"


def _own_folder() -> list[str]:
    """Return the folder that this process was started in, unless it is the root or was removed."""
    try:
        own = Path.cwd()
    except OSError:
        return []
    return [] if own == Path("/") else [str(own)]


def _checked(found: Sandbox | Failure | None, order: Order) -> str:
    """Return what is to be said of the sandbox. Raises _NotReadyError where one is needed and missing."""
    if isinstance(found, Sandbox):
        return found.warning
    if isinstance(found, Failure):
        if order.far or order.sandbox == "require":
            raise _NotReadyError(f"no sandbox works there: {found.why}; {found.cure}; see docs/sandbox.md")
        return found.warning
    if order.far:
        raise _NotReadyError("the league plays without a sandbox, and not on this machine alone")
    return ""


def main(hide: Sequence[str] = ()) -> None:
    """Run a host process, as `python -m arena.cluster host` does, until its input or its lease ends."""

    async def work(stream: LineStream) -> None:
        await Host(stream, HostFolder.here(), hide).run()

    serve(work)
