"""The stage: performs scripts on a real process, started and ended as a referee does it. Judges nothing.

The handshake is the referee's own (`arena.bot.process`). After it the stage itself writes and reads the
bytes, since a script may want them in pieces or together.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import trio

from arena.bot.channel import Channel
from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess, StartFailure
from arena.bot.waits import UNKNOWN, Used
from arena.linux.process_tree import below, queued_us, resident_bytes
from arena.workbench.check.script import (
    Action,
    Evidence,
    Failed,
    Heard,
    Leave,
    Look,
    Receive,
    Rest,
    Restart,
    Script,
    Send,
)
from arena.workbench.tap import TappedChannel
from protocol.codec import MAX_LINE

__all__ = ["Stage"]

_WRITE_SECONDS = 2.0
_STDERR_LINES = 12
_NOT_READ = f"it has not read its standard input for {_WRITE_SECONDS:g} s"
_READY = "one line: `ready`, with the id of the question"

Result = TypeVar("Result")


class Stage:
    """The processes of one bot under check, one at a time. `close` must be called at the end.

    `starts`: the seconds of every start. `memory`: the most resident bytes that were seen.
    """

    def __init__(self, command: BotCommand, nursery: trio.Nursery, hello: Mapping[str, object]) -> None:
        self.process: BotProcess | None = None
        self.starts: list[float] = []
        self.memory = 0
        self._command = command
        self._nursery = nursery
        self._hello = dict(hello)
        self._channel: TappedChannel | None = None
        self._lines: deque[bytes] = deque()
        self._hello_line = b""
        self._asked_at = 0.0
        self._queued_at_us = 0
        self._before = UNKNOWN

    # A process

    async def start(self) -> None:
        """End the process, if there is one, and start another. Raises Failed unless it becomes ready."""
        await self.close()
        self._lines.clear()
        self._channel, self._hello_line = None, b""
        began = trio.current_time()
        started = await BotProcess.start(self._command, self._nursery, self._hello, self._tapped)
        if isinstance(started, StartFailure):
            said = self._lines[0] if self._lines else self._partial() or None
            found, stderr = started.reason, _tail(started.stderr)
            raise Failed(Evidence(_READY, found, self._hello_line, said, stderr))
        self.starts.append(trio.current_time() - began)
        self.process = started
        # `ready`, which the handshake has read already.
        self._lines.popleft()
        self._look()

    def _tapped(self, channel: Channel) -> Channel:
        self._channel = TappedChannel(channel, self._overheard)
        return self._channel

    def _overheard(self, from_bot: bool, line: bytes) -> None:
        if from_bot:
            self._lines.append(line)
        elif not self._hello_line:
            # The only question before `ready`. Only the first line counts, for `bye` may follow it.
            self._hello_line = line + b"\n"

    async def close(self) -> None:
        """End the process, if there is one."""
        process, self.process = self.process, None
        if process is not None:
            await process.end("the check is over")

    @property
    def usable(self) -> bool:
        """Return whether there is a process that can be used further."""
        return self.process is not None and self.process.usable

    def stderr(self) -> str:
        """Return the last lines that the process wrote to standard error since `forget_stderr`."""
        if self.process is None:
            return ""
        self.process.read_stderr()
        return _tail(self.process.stderr.head + self.process.stderr.tail)

    def forget_stderr(self) -> None:
        """Forget the standard error so far: what comes from now on belongs to the next step."""
        if self.process is not None:
            self.process.read_stderr()
            self.process.stderr.clear()

    # Scripts

    async def perform(self, script: Script[Result]) -> Result:
        """Perform the script to its end and return its result. Raises Failed, with the standard error."""
        try:
            try:
                action = next(script)
                while True:
                    action = script.send(await self._done(action))
            except StopIteration as end:
                result: Result = end.value
                return result
        except Failed as failed:
            evidence = failed.evidence
            with_stderr = replace(evidence, stderr=evidence.stderr or self.stderr())
            raise Failed(with_stderr, ended=failed.ended) from None

    async def _done(self, action: Action) -> Heard:
        match action:
            case Send():
                return await self._send(action)
            case Receive(seconds):
                return await self._receive(seconds)
            case Rest(seconds):
                return await self._rest(seconds)
            case Look():
                return Heard(memory=self._look(), stderr=self.stderr())
            case Leave():
                return await self._leave(action)
            case Restart():
                await self.start()
                return Heard()

    def _at_work(self) -> tuple[BotProcess, Channel]:
        assert self.process is not None, "a script is performed on a process"
        assert self._channel is not None, "which was started here"
        return self.process, self._channel

    async def _send(self, action: Send) -> Heard:
        process, channel = self._at_work()
        self._read(channel)
        if self._lines:
            return Heard(line=self._lines.popleft())
        process.watchdog.turn_begins()
        self._queued_at_us = _queued_us(process)
        self._before = Used(process.watchdog.cpu_us(), process.watchdog.queued_us())
        self._asked_at = trio.current_time()
        for number, piece in enumerate(action.pieces):
            if number:
                await trio.sleep(action.pause)
            ended = await self._write(channel, piece)
            if ended is not None:
                return Heard(ended=ended)
        return Heard()

    async def _write(self, channel: Channel, data: bytes) -> str | None:
        """Write everything. Returns why that was impossible, or None."""
        with trio.move_on_after(_WRITE_SECONDS):
            while data:
                try:
                    data = data[channel.write_nowait(data) :]
                except BrokenPipeError:
                    return await self._ending()
                if data:
                    # A bot that cannot write its own output does not read: both would wait for each other.
                    self._read(channel)
                    await channel.wait_writable()
            return None
        return _NOT_READ

    def _read(self, channel: Channel) -> bool:
        """Read what has come, a bounded amount. Returns False at the end of the output."""
        data = channel.read_nowait()
        return data != b""

    async def _receive(self, seconds: float) -> Heard:
        process, channel = self._at_work()
        deadline = self._asked_at + seconds
        open_ = True
        while not self._lines and open_ and trio.current_time() < deadline and not self._too_long():
            open_ = self._read(channel)
            if open_ and not self._lines:
                with trio.CancelScope(deadline=deadline):
                    await channel.wait_readable()
        after = trio.current_time() - self._asked_at
        process.watchdog.turn_ends(round(after * 1e6))
        if self._lines:
            queued = max(0, _queued_us(process) - self._queued_at_us) / 1e6
            return Heard(line=self._lines.popleft(), after=after, queued=queued)
        if self._too_long():
            return Heard(partial=self._partial(), ended=f"a line of more than {MAX_LINE} bytes")
        ended, used = None if open_ else await self._ending(), self._used_since(process)
        return Heard(partial=self._partial(), ended=ended, after=after, used=used)

    def _used_since(self, process: BotProcess) -> Used:
        """Return what the bot has used since the last `Send`."""
        cpu, queued = process.watchdog.cpu_us(), process.watchdog.queued_us()
        before_cpu, before_queued = self._before.cpu_us or 0, self._before.queued_us or 0
        return Used(cpu - before_cpu, None if queued is None else max(0, queued - before_queued))

    def _partial(self) -> bytes:
        return b"" if self._channel is None else self._channel.partial

    def _too_long(self) -> bool:
        return len(self._partial()) >= MAX_LINE

    async def _ending(self) -> str:
        process, _ = self._at_work()
        how = await process.how_it_ended()
        wrong = process.link.ended
        if wrong is not None:
            return wrong.reason
        return how or "the process closed its standard output"

    async def _rest(self, seconds: float) -> Heard:
        process, channel = self._at_work()
        before = process.watchdog.cpu_us()
        await trio.sleep(seconds)
        used = process.watchdog.cpu_us() - before
        open_ = self._read(channel)
        line = self._lines.popleft() if self._lines else None
        ended = None if open_ or line is not None else await self._ending()
        return Heard(line=line, partial=self._partial(), ended=ended, cpu_us=used)

    async def _leave(self, action: Leave) -> Heard:
        process, channel = self._at_work()
        queued_before, began = _queued_us(process), trio.current_time()
        await self._write(channel, action.lines)
        if action.close:
            channel.close_write()
        how = await process.how_it_ended(action.seconds)
        after = trio.current_time() - began
        queued = max(0, _queued_us(process) - queued_before) / 1e6
        self._read(channel)
        line = self._lines.popleft() if self._lines else None
        return Heard(line=line, ended=how, after=after, queued=queued)

    def _look(self) -> int:
        process, _ = self._at_work()
        memory = resident_bytes(member.pid for member in below(process.pid))
        self.memory = max(self.memory, memory)
        return memory


def _queued_us(process: BotProcess) -> int:
    """Return the microseconds that the bot and this process together have waited for a core.

    The result is 0 where the kernel does not tell.
    """
    return (process.watchdog.queued_us() or 0) + (queued_us([os.getpid()]) or 0)


def _tail(text: str) -> str:
    return "\n".join(text.rstrip().splitlines()[-_STDERR_LINES:])
