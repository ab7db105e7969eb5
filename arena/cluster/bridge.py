"""The bridge: the process of a run that takes part in its cluster, and carries frames to and from the hosts.

It finds hosts, sends them what they are to make ready, renews the lease of the run there, and notices who is
lost. It decides nothing about sessions and holds neither secret nor database. The end of its input means that
its coordinator is gone, or wants no more: then it tells the hosts to end.
"""

from __future__ import annotations

import asyncio
import base64
import os
import secrets
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from arena.cluster import worker as on_worker
from arena.cluster.bundles import pieces
from arena.cluster.engine import ERRORS, engine, security_of, why_nobody_answers
from arena.cluster.frames import (
    ALIVE_SECONDS,
    CLUSTER_LINES,
    LEASE_SECONDS,
    Connect,
    Frame,
    read_frame,
    say_frame,
    write_frame,
)
from arena.errors import BotFolderError, UsageError

_CONNECT_SECONDS = 10.0
_ANSWER_SECONDS = 20.0
"""The longest time that a scheduler may take to say which workers it has. Then it is taken for gone."""
_LOOK_SECONDS = 1.0
_MISSING_SECONDS = 5.0
"""The time without a host after which that is said."""
_AGAIN_SECONDS = 60.0
"""After this time a host is asked again that was busy with another league, or that was lost and is there."""
_TRIES = 3
"""How often in a row a worker may fail before it is ready; then it is left out."""
_LOST = frozenset({"CancelledError", "CommClosedError", "FutureCancelledError", "KilledWorker"})
"""The errors of Dask that say that a worker was lost: by name, because Dask is loaded late."""
_PIECE_BYTES = 1 << 20
_END_SECONDS = 1.5
"""The longest time in which a bridge leaves the cluster. Then its coordinator would soon kill it."""
_LONGEST_LINE = 1 << 30


class NoClusterError(Exception):
    """There is no scheduler, it does not let us in, or it is gone. The text is for people."""


@dataclass(eq=False)
class _Host:
    """A worker that was asked to play. `run`: by which it tells this asking from every other.

    `sent`, `heard`: how many lines have gone there, and have come from there. `alive_at`: when one came last.
    """

    number: int
    worker: str
    run: str
    unsent: list[bytes] = field(default_factory=list)
    more: asyncio.Event = field(default_factory=asyncio.Event)
    all_sent: asyncio.Event = field(default_factory=asyncio.Event)
    sent: int = 0
    heard: int = 0
    alive_at: float = field(default_factory=lambda: _now())
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def put(self, frame: Frame) -> None:
        """Have a frame sent, together with others."""
        self.unsent.append(write_frame(Frame(0, frame.kind, frame.number, frame.body)).rstrip(b"\n"))
        self.more.set()
        self.all_sent.clear()


class Bridge:
    """The hosts of one run. `tell` takes frames for the coordinator."""

    def __init__(self, connect: Connect, tell: Callable[[Frame], None]) -> None:
        self._connect = connect
        self._tell = tell
        self._numbers = count(1)
        self._client: Any = None
        self._hosts: dict[int, _Host] = {}
        self._again: dict[str, float] = {}
        """When workers are asked again that do not play now."""
        self._left_out: dict[str, str] = {}
        """Why workers are not asked again."""
        self._failures: Counter[str] = Counter()
        """How often in a row workers have failed before they were ready."""
        self._has_played = connect.was_there
        self._idle_since = _now()
        self._said: set[str] = set()

    async def run(self) -> None:
        """Keep hosts until there is no cluster for too long, which is told as `lost`."""
        ticking = asyncio.create_task(self._keep_alive())
        try:
            while True:
                try:
                    await self._keep_hosts()
                except NoClusterError as error:
                    for host in list(self._hosts.values()):
                        self._gone(host, str(error))
                    await self._leave_cluster()
                    if not self._has_played or self._idle_for() >= self._connect.patience:
                        self._tell(say_frame("lost", str(error)))
                        return
                    self._say(f"{error}; it is waited for at most {self._connect.patience:g} s")
                    await asyncio.sleep(_LOOK_SECONDS)
        finally:
            ticking.cancel()

    def take(self, frame: Frame) -> None:
        """Take a frame of the coordinator. A host that is gone was reported, and gets nothing more."""
        host = self._hosts.get(frame.host)
        if host is not None and frame.kind == "leave":
            self._left_out[host.worker] = frame.text
            host.put(Frame(0, "end"))
        elif host is not None:
            host.put(frame)

    async def close(self) -> None:
        """Tell all hosts to end, and leave the cluster."""
        hosts = list(self._hosts.values())
        for host in hosts:
            host.put(Frame(0, "end"))
        with suppress(TimeoutError):
            async with asyncio.timeout(_END_SECONDS / 2):
                for host in hosts:
                    await host.all_sent.wait()
        for host in hosts:
            self._forget(host)
        await self._leave_cluster()

    # The cluster

    async def _keep_hosts(self) -> None:
        """Ask every worker that comes to play, and notice who is lost. Raises NoClusterError."""
        self._client = await self._connected()
        # A client of Dask connects anew by itself, but hears of nothing any more: so that is a cluster lost.
        connection = self._client.scheduler_comm
        self._client.subscribe_topic(on_worker.topic_of(self._connect.league), self._heard)
        self._left_out.clear()
        while True:
            if self._client.status != "running" or self._client.scheduler_comm is not connection:
                raise NoClusterError("the scheduler is gone")
            try:
                here = frozenset(await asyncio.wait_for(self._client.nthreads(), _ANSWER_SECONDS))
            except (OSError, TimeoutError, RuntimeError) as error:
                raise NoClusterError(f"the scheduler is gone ({type(error).__name__})") from error
            self._look_at(here)
            await asyncio.sleep(_LOOK_SECONDS)

    def _look_at(self, here: frozenset[str]) -> None:
        """Look who has come and gone. Raises NoClusterError when nobody can play, and none is hoped for."""
        now = _now()
        for host in list(self._hosts.values()):
            if host.worker not in here:
                self._gone(host, "it has left the cluster")
            elif now - host.alive_at > LEASE_SECONDS:
                self._again[host.worker] = now + _AGAIN_SECONDS
                self._gone(host, "it says nothing any more")
        for known in (self._again, self._left_out, self._failures):
            for worker in known.keys() - here:
                del known[worker]
        asked = {host.worker for host in self._hosts.values()} | self._left_out.keys()
        for worker in here - asked:
            if self._again.get(worker, now) <= now:
                self._begin(worker)
        self._look_for_hosts(here)

    def _look_for_hosts(self, here: frozenset[str]) -> None:
        if self._hosts or self._again:
            self._idle_since = _now()
            return
        address, patience = self._connect.address, self._connect.patience
        if here:
            reasons = "\n".join(sorted(set(self._left_out.values())))
            missing = f"no host of {address} can play:\n{reasons}"
            # Those that have played may come back. At the beginning others may be about to join.
            patience = patience if self._has_played else _MISSING_SECONDS
        else:
            missing = f"{address} has no workers. Start one on each host: arena worker {address}"
        if self._idle_for() >= patience:
            self._has_played = False  # it was waited for already
            raise NoClusterError(missing)
        if self._idle_for() >= _MISSING_SECONDS:
            self._say(f"{missing}\nOthers are waited for at most {patience:g} s")

    def _idle_for(self) -> float:
        return _now() - self._idle_since

    def _say(self, text: str) -> None:
        """Say something to the organiser, and not again before a host has become ready."""
        if text not in self._said:
            self._tell(say_frame("say", text))
        self._said.add(text)

    async def _keep_alive(self) -> None:
        """Renew the lease of the run on every host, and say to the coordinator that this process lives."""
        while True:
            self._tell(Frame(0, "alive"))
            for host in self._hosts.values():
                host.put(Frame(0, "lease"))
            await asyncio.sleep(ALIVE_SECONDS)

    async def _connected(self) -> Any:
        """Return the client of Dask. Raises NoClusterError with what to do."""
        address, tls = self._connect.address, self._connect.tls
        try:
            return await engine().Client(
                address,
                asynchronous=True,
                security=security_of(Path(tls) if tls else None),
                set_as_default=False,
                # The hosts need not be reached from here.
                direct_to_workers=False,
                timeout=_CONNECT_SECONDS,
                name="arena",
            )
        except UsageError as error:
            raise NoClusterError(error.message) from error
        except ERRORS as error:
            raise NoClusterError(why_nobody_answers(address, error)) from error

    async def _leave_cluster(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(OSError, TimeoutError, RuntimeError):
                await asyncio.wait_for(client.close(), _END_SECONDS / 2)

    # Hosts

    def _begin(self, worker: str) -> None:
        """Ask a worker to play for this run."""
        self._again.pop(worker, None)
        run = f"{self._connect.league}-{secrets.token_hex(8)}"
        host = _Host(next(self._numbers), worker, run)
        self._hosts[host.number] = host
        host.put(Frame(0, "order", 0, CLUSTER_LINES.write(self._connect.order)))
        self._start(host, self._send(host))

    def _start(self, host: _Host, work: Any) -> None:
        task = asyncio.ensure_future(work)
        host.tasks.add(task)
        task.add_done_callback(host.tasks.discard)

    async def _send(self, host: _Host) -> None:
        """Send what is put, in its order: one call after another."""
        while True:
            await host.more.wait()
            host.more.clear()
            lines = list(host.unsent)
            future = self._client.submit(
                on_worker.relay, host.run, host.sent, lines,
                key=f"arena-{host.run}-{host.sent}", workers=[host.worker], allow_other_workers=False,
                retries=0, pure=False,
            )  # fmt: skip
            try:
                error = await future.exception()
            finally:
                future.release()
            if error is not None and type(error).__name__ in _LOST:
                return self._gone(host, "it was lost")
            if error is not None:
                return self._failed(host, f"its arena does not work: {type(error).__name__}: {error}")
            host.sent += len(lines)
            del host.unsent[: len(lines)]
            if not host.unsent:
                host.all_sent.set()

    async def _feed(self, host: _Host, digest: str) -> None:
        """Send a bot's copy to a host piece by piece, so that never more than one piece is held for it."""
        try:
            for piece in pieces(Path(self._connect.bundles[digest]), _PIECE_BYTES):
                host.put(Frame(0, "piece", 1, base64.b64encode(piece)))
                await host.all_sent.wait()
            host.put(Frame(0, "piece", 0))
        except (BotFolderError, OSError, KeyError) as error:
            self._leave_out(host, f"a bot cannot be sent: {error}")
            host.put(Frame(0, "end"))

    def _heard(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Take an event: lines of a host."""
        _, told = event
        host = next((one for one in self._hosts.values() if one.run == told["run"]), None)
        if host is None:
            return None
        if told["first"] != host.heard:
            # It is asked anew, and ends what it plays then.
            return self._gone(host, "what it said was lost on the way")
        host.heard += len(told["lines"])
        host.alive_at = _now()
        try:
            for line in told["lines"]:
                self._take_of_host(host, read_frame(line))
        except ValueError as error:
            self._leave_out(host, f"it says what no host says: {error}")
            self._gone(host, "it says what no host says")
        return None

    def _take_of_host(self, host: _Host, frame: Frame) -> None:
        match frame.kind:
            case "alive":
                return
            case "need":
                self._start(host, self._feed(host, frame.body.decode()))
            case "busy":
                self._say(f"{frame.text} plays for another league; it is asked again every minute")
                self._again[host.worker] = _now() + _AGAIN_SECONDS
                self._forget(host)
            case "unready":
                self._leave_out(host, frame.text)
                host.put(Frame(0, "end"))
            case "ended":
                self._failed(host, frame.text)
            case kind:
                if kind == "ready":
                    self._has_played = True
                    self._said.clear()
                    del self._failures[host.worker]
                self._tell(Frame(host.number, kind, frame.number, frame.body))

    def _leave_out(self, host: _Host, why: str) -> None:
        """Ask a worker no more."""
        self._left_out[host.worker] = why
        self._tell(say_frame("unready", why, host.number))

    def _failed(self, host: _Host, why: str) -> None:
        """Report a host as gone. The next look asks it again, unless that was tried too often in a row."""
        self._failures[host.worker] += 1
        if self._failures[host.worker] >= _TRIES and host.worker not in self._left_out:
            self._leave_out(host, f"it fails again and again: {why}")
        self._gone(host, why)

    def _gone(self, host: _Host, why: str) -> None:
        """Report a host as gone, with all that it was playing."""
        if self._hosts.get(host.number) is host:
            self._tell(say_frame("gone", why, host.number))
            self._forget(host)

    def _forget(self, host: _Host) -> None:
        self._hosts.pop(host.number, None)
        for task in host.tasks:
            task.cancel()


def _now() -> float:
    return asyncio.get_running_loop().time()


async def _serve(reading: int, writing: int) -> None:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=_LONGEST_LINE)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(reading, "rb", 0))
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(writing, "wb", 0))
    line = await reader.readline()
    if not line:
        return
    connect = CLUSTER_LINES.read(line)
    assert isinstance(connect, Connect), "the first line says where to connect"
    bridge = Bridge(connect, lambda frame: transport.write(write_frame(frame)))
    running = asyncio.create_task(bridge.run())

    async def read() -> None:
        while line := await reader.readline():
            bridge.take(read_frame(line))

    reading_task = asyncio.create_task(read())
    await asyncio.wait({running, reading_task}, return_when=asyncio.FIRST_COMPLETED)
    running.cancel()
    with suppress(TimeoutError):
        await asyncio.wait_for(bridge.close(), _END_SECONDS)
    if not running.cancelled() and running.done():
        running.result()
    transport.close()


def main() -> None:
    """Run a bridge, as `python -m arena.cluster bridge` does, until its input ends."""
    # The descriptors are moved away from 0 and 1, so that nothing printed by mistake mixes in.
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    asyncio.run(_serve(reading, writing))
