"""The referees of a cluster: as many on each host as it has cores, for as long as it is there.

The bridge is a process of its own. If it is lost, all referees are, and another bridge is started. A remote
referee is, like a local one, lines to and from a process.
"""

from __future__ import annotations

import json
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import trio

from arena.cluster.frames import CLUSTER_LINES, Connect, Frame, read_frame, say_frame, write_frame
from arena.errors import ClusterUnusable, InternalError, one_error
from arena.linux.endings import how_it_ended
from arena.linux.machine import Host
from arena.referee.child import CLOSE_SECONDS, Child
from arena.runner.cluster import ClusterState
from arena.runner.referees import End, More, Play, RefereeClient, RefereeEnd

_SILENT_BRIDGES = 3
"""Bridges that may end in a row without a host; then the cause is a mistake of ours."""
_FAILURES_IN_A_ROW = 3
"""Referees of one host that may break in a row before they finish a match; then the host is left out."""
_LOOK_SECONDS = 0.5
"""How often the state is told, and how late it may be noticed that nothing is left to play."""
_SILENT_LOOKS = 120
"""Looks in a row between which a bridge may say nothing, not even that it is alive; then it is ended."""
_AHEAD_SECONDS = 2.5
"""Lines take their time through the cluster: what a referee is to play meanwhile is there beforehand."""
_LOG = "the machine of that worker"


@dataclass(frozen=True, slots=True)
class ClusterNews:
    """Who is told of a cluster. None of these may block.

    `store_host`: stores a host, and returns the number of its row. `say`: tells the organiser a sentence.
    `show`: takes the state whenever it changes, and None when the run needs the cluster no longer.
    """

    store_host: Callable[[Host], int]
    say: Callable[[str], None]
    show: Callable[[ClusterState | None], None]


@dataclass(slots=True)
class _Known:
    """What a run knows of a host: its row, and how many of its referees broke in a row."""

    row: int
    name: str
    failures: int = 0
    left_out: bool = False


@dataclass(slots=True)
class ClusterSoFar:
    """What a run knows of its cluster from its earlier phases: hosts, by what they say they are, and how
    many were lost."""

    hosts: dict[str, _Known] = field(default_factory=dict)
    lost: int = 0


class _Lines:
    """The lines to and from a referee of a host. `tell` sends the bridge a frame."""

    def __init__(self, name: str, host: int, number: int, tell: Callable[[Frame], Awaitable[bool]]) -> None:
        self.name = name
        self._host = host
        self._number = number
        self._tell = tell
        self._heard, self._lines = trio.open_memory_channel[bytes](math.inf)
        self._ended: RefereeEnd | None = None

    def heard(self, line: bytes) -> None:
        """Take a line of the referee."""
        if self._ended is None:
            self._heard.send_nowait(line)

    def end(self, code: int | None, how: str) -> None:
        """Take note that the referee has ended. What was heard before counts."""
        if self._ended is None:
            self._ended = RefereeEnd(End.of(code), f"{self.name}: {how}", _LOG)
            self._heard.close()

    async def send(self, lines: bytes) -> bool:
        """Send a line, and return False when the referee is gone."""
        return self._ended is None and await self._tell(Frame(self._host, "line", self._number, lines))

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the referee's lines until it ends."""
        async for line in self._lines:
            yield line

    async def close(self) -> RefereeEnd:
        """Return how the referee ended. One that has not ended is told to, and not waited for."""
        if self._ended is None:
            self.end(None, "it was left")
            # Not for ever: a bridge that hangs reads nothing, and is ended only after its referees.
            with trio.CancelScope(shield=True, deadline=trio.current_time() + CLOSE_SECONDS):
                await self._tell(Frame(self._host, "close", self._number))
        assert self._ended is not None, "it was ended just now"
        return self._ended


@dataclass(slots=True)
class _Host:
    """A host that plays for this bridge."""

    number: int
    facts: Host
    known: _Known
    referees: dict[int, tuple[_Lines, RefereeClient]] = field(default_factory=dict)
    gone: trio.Event = field(default_factory=trio.Event)


class ClusterReferees:
    """The referees of a cluster. `log`: the file for what the bridge writes to standard error.

    `so_far`: of the run, which may have several phases; it is added to.
    """

    def __init__(
        self, connect: Connect, log: Path, news: ClusterNews, so_far: ClusterSoFar | None = None
    ) -> None:
        self._connect = connect
        self._log = log
        self._news = news
        self._so_far = ClusterSoFar() if so_far is None else so_far
        self._hosts: dict[int, _Host] = {}
        self._bridge: Child
        self._had_hosts = False
        self._was_heard = False

    @property
    def count(self) -> int:
        """Return how many referees share what is left to play."""
        return max(1, sum(host.facts.cores for host in self._hosts.values()))

    async def keep(self, play: Play, more: More) -> None:
        """Have referees play on hosts as they come, until no more is wanted.

        Raises ClusterUnusable when there is no cluster, or nobody in it can play; InternalError when bridges
        fail again and again.
        """
        silent = 0
        try:
            while more():
                had_hosts = await self._with_bridge(play, more)
                silent = 0 if had_hosts else silent + 1
                if silent >= _SILENT_BRIDGES and more():
                    raise InternalError(
                        f"the bridge to the cluster ends again and again; see {self._log}"
                        f"{self._bridge.last_words()}"
                    )
        finally:
            self._news.show(None)

    async def _with_bridge(self, play: Play, more: More) -> bool:
        """Have referees play for as long as one bridge lives. Return whether there was any host."""
        self._bridge = bridge = Child(self._log, "arena.cluster", "bridge")
        self._had_hosts = was_lost = False
        with one_error():
            async with trio.open_nursery() as playing:
                try:
                    connect = replace(self._connect, was_there=bool(self._so_far.hosts))
                    playing.start_soon(bridge.send, CLUSTER_LINES.write(connect))
                    async with trio.open_nursery() as hearing:
                        hearing.start_soon(self._end_when_over, more, hearing.cancel_scope)
                        await self._hear(bridge, playing, play, more)
                        was_lost = True
                        hearing.cancel_scope.cancel()
                    for host in list(self._hosts.values()):
                        self._gone(host, "the bridge to the cluster was lost")
                finally:
                    # At once, for whoever still sends to a bridge that reads nothing waits until then.
                    code = await bridge.close()
        if was_lost and more():
            self._news.say(f"the bridge to the cluster {how_it_ended(code)}; another one is started")
        return self._had_hosts

    async def _end_when_over(self, more: More, hearing: trio.CancelScope) -> None:
        """End the hearing when nothing is left to play and nobody plays any more, or the bridge hangs."""
        told: ClusterState | None = None
        silent = 0
        while more() or any(host.referees for host in self._hosts.values()):
            if (now := self._state()) != told:
                self._news.show(now)
                told = now
            self._was_heard = False
            await trio.sleep(_LOOK_SECONDS)
            # Looks are counted, not seconds: in a time in which this process stood still it heard nothing.
            silent = 0 if self._was_heard else silent + 1
            if silent >= _SILENT_LOOKS:
                self._news.say("the bridge to the cluster says nothing any more; another one is started")
                break
        hearing.cancel()

    def _state(self) -> ClusterState:
        clients = [client for host in self._hosts.values() for _, client in host.referees.values()]
        sessions = sum(client.sessions for client in clients)
        playing = sum(bool(host.referees) for host in self._hosts.values())
        return ClusterState(self._connect.address, playing, self._so_far.lost, sessions)

    async def _hear(self, bridge: Child, playing: trio.Nursery, play: Play, more: More) -> None:
        async with aclosing(bridge.lines()) as lines:
            async for line in lines:
                # Referees take in what was heard before, however quickly the lines come.
                await trio.lowlevel.checkpoint()
                self._was_heard = True
                frame = read_frame(line)
                try:
                    self._take(frame, playing, play, more)
                except ValueError as error:
                    why = f"it says what no host says: {str(error).partition(chr(10))[0]}"
                    self._news.say(f"a host is left out: {why}")
                    playing.start_soon(self._tell, say_frame("leave", why, frame.host))

    def _take(self, frame: Frame, playing: trio.Nursery, play: Play, more: More) -> None:
        """Take a frame. Raises ValueError for what no host says, as one of another version may."""
        if (host := self._hosts.get(frame.host)) is not None:
            self._heard(host, frame, playing, play, more)
        elif frame.kind == "say":
            self._news.say(frame.text)
        elif frame.kind == "lost":
            raise ClusterUnusable(frame.text)
        elif frame.kind == "facts":
            self._met(frame)
        elif frame.kind == "unready":
            self._news.say(f"a host is left out: {frame.text}")

    def _met(self, frame: Frame) -> None:
        """Take note of a host that is being made ready."""
        facts = CLUSTER_LINES.read(frame.body)
        assert isinstance(facts, Host), "a host says of itself what it is"
        # It may have come back with other cores, another sandbox or another Python.
        row = self._news.store_host(facts)
        known = self._so_far.hosts.setdefault(facts.machine, _Known(row, facts.name))
        known.row = row
        self._had_hosts = True
        self._hosts[frame.host] = _Host(frame.host, facts, known)

    def _heard(self, host: _Host, frame: Frame, playing: trio.Nursery, play: Play, more: More) -> None:
        """Take a frame of a host. Nothing here waits: a bridge that waits for its reader reads nothing."""
        match frame.kind:
            case "say":
                self._news.say(f"{host.facts.name}: {frame.text}")
            case "unready":
                self._news.say(f"{host.facts.name} is left out: {frame.text}")
            case "ready":
                # It may be the last one that is there.
                host.known.left_out, host.known.failures = False, 0
                for slot in range(host.facts.cores):
                    playing.start_soon(self._keep, host, slot, play, more)
            case "line" if frame.number in host.referees:
                host.referees[frame.number][0].heard(frame.body)
            case "closed" if frame.number in host.referees:
                code, how = json.loads(frame.body)
                host.referees[frame.number][0].end(int(code), str(how))
            case "gone":
                self._gone(host, frame.text)

    # Referees

    async def _keep(self, host: _Host, slot: int, play: Play, more: More) -> None:
        """Have a referee play on one core of a host, and another one when it is lost."""
        for turn in count():
            # Another host may be lost with what it holds after nothing was left for this one.
            while not more() and not host.gone.is_set():
                with trio.move_on_after(_LOOK_SECONDS):
                    await host.gone.wait()
            if host.gone.is_set() or host.known.left_out:
                return
            number = slot + turn * host.facts.cores
            lines = _Lines(f"referee {slot} of {host.facts.name}", host.number, number, self._tell)
            client = RefereeClient(lines, self._connect.order.setup, host.known.row, _AHEAD_SECONDS)
            host.referees[number] = (lines, client)
            await self._tell(Frame(host.number, "open", number))
            try:
                unheard = await play(client)
            finally:
                host.referees.pop(number, None)
            if client.has_finished:
                host.known.failures = 0
            if client.ended is not None and client.ended.end is End.BROKE:
                await self._broke(host, client.ended.how, unheard is not None)

    async def _broke(self, host: _Host, how: str, unheard: bool) -> None:
        """Count a referee that broke, and give up its host when it is one of too many.

        Raises ClusterUnusable where there is no other host, and no match that would be aborted for it.
        """
        known = host.known
        known.failures += 1
        if known.failures < _FAILURES_IN_A_ROW or known.left_out:
            return
        why = f"its referees end again and again: {how}"
        if any(other.known is not known and other.referees for other in self._hosts.values()):
            known.left_out = True
            self._news.say(f"{known.name} is left out: {why}")
            await self._tell(say_frame("leave", why, host.number))
        elif unheard:
            raise ClusterUnusable(f"{known.name}: {why}")

    def _gone(self, host: _Host, why: str) -> None:
        """Take note that a host is gone. What its referees were playing is lost, and nobody's fault."""
        host.gone.set()
        self._hosts.pop(host.number, None)
        if not host.referees:
            return
        sessions = sum(client.sessions for _, client in host.referees.values())
        if not host.known.left_out:
            self._so_far.lost += 1
            again = "; what it was playing is played again" if sessions else ""
            self._news.say(f"{host.facts.name}: {why}{again}")
        for lines, _ in host.referees.values():
            lines.end(None, why)

    async def _tell(self, frame: Frame) -> bool:
        return await self._bridge.send(write_frame(frame))
