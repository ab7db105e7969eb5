"""The referees of a cluster: the slots that the bridge finds, as long as they are there. Decides nothing.

The bridge is a process of its own. If it is lost, all slots are, and another bridge is started.
"""

from __future__ import annotations

import secrets
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

import trio

from arena.cluster.bridge_lines import (
    BRIDGE_LINES,
    Alive,
    BridgeMessage,
    Broke,
    Connect,
    Heard,
    Joined,
    Left,
    Lost,
    Refused,
    Said,
    StopSlot,
)
from arena.cluster.orders import Facts
from arena.errors import ClusterUnusable, InternalError, one_error
from arena.linux.endings import how_it_ended
from arena.runner.child import Child, Wrap
from arena.runner.cluster_state import ClusterState
from arena.runner.referees import End, More, Play
from arena.runner.slot_client import LOG, SlotClient

__all__ = ["ClusterReferees", "ClusterSoFar", "ClusterWatcher"]

_SILENT_BRIDGES = 3
"""Bridges that may end in a row without a slot; then the cause is a mistake of ours."""
_FAILURES_IN_A_ROW = 3
"""Referees of one host that may break in a row before they finish a match; then the host is left out."""
_LOOK_SECONDS = 0.5
"""How often the state is told, and how late it may be noticed that nothing is left to play."""
_LONGEST_LINE = 64 << 20
"""Bytes. The bridge passes on what it hears of a slot in pieces far smaller than that."""
_MOST_SAID, _MOST_CHARACTERS = 20, 2_000
"""What a host may say to people when it joins: each is a line in the league's log."""
_SILENT_LOOKS = 120
"""Looks in a row between which a bridge may say nothing, not even that it is alive; then it is ended."""


class ClusterWatcher:
    """What is told of a cluster. Every method may be overridden; none may block."""

    def host(self, facts: Facts) -> int:
        """Store a host, and return the number of its row."""
        return 0

    def say(self, text: str) -> None:
        """Tell the organiser a sentence."""

    def state(self, state: ClusterState | None) -> None:
        """Take note of how the cluster is, or that the run needs it no longer."""


@dataclass(slots=True)
class _Host:
    """A host of the run: its row, and how many of its referees broke in a row."""

    row: int
    name: str
    failures: int = 0
    left_out: bool = False


@dataclass(slots=True)
class ClusterSoFar:
    """What a run knows of its cluster from its earlier phases: hosts, by what they say they are, and how
    many workers were lost."""

    hosts: dict[str, _Host] = field(default_factory=dict)
    lost: int = 0


class ClusterReferees:
    """The slots of a cluster. `log`: the file for what the bridge writes to standard error.

    `wrap`: in what the bridge is started, or None. `so_far`: of the run, which may have several phases; it is
    added to.
    """

    def __init__(
        self,
        connect: Connect,
        log: Path,
        watcher: ClusterWatcher,
        wrap: Wrap | None = None,
        so_far: ClusterSoFar | None = None,
    ) -> None:
        self._connect = connect
        self._log = log
        self._watcher = watcher
        self._wrap = wrap
        self._so_far = ClusterSoFar() if so_far is None else so_far
        self._slots: dict[int, SlotClient] = {}
        self._host_of: dict[int, _Host] = {}
        self._bridge: Child | None = None
        self._was_heard = False

    @property
    def count(self) -> int:
        """Return how many referees share what is left to play."""
        return max(1, len(self._slots))

    async def keep(self, play: Play, more: More) -> None:
        """Have slots play as they come, until no more is wanted.

        Raises ClusterUnusable when there is no cluster, or nobody in it can play; InternalError when bridges
        fail again and again.
        """
        try:
            await self._keep(play, more)
        finally:
            self._watcher.state(None)

    async def _keep(self, play: Play, more: More) -> None:
        silent = 0
        while more():
            had_slots = await self._with_bridge(play, more)
            silent = 0 if had_slots else silent + 1
            if silent >= _SILENT_BRIDGES and more():
                assert self._bridge is not None
                raise InternalError(
                    f"the bridge to the cluster ends again and again; see {self._log}"
                    f"{self._bridge.last_words()}"
                )

    async def _with_bridge(self, play: Play, more: More) -> bool:
        """Have slots play for as long as one bridge lives. Return whether there was any."""
        self._bridge = bridge = Child(self._log, "bridge", wrap=self._wrap)
        # Each bridge numbers its slots from 0.
        self._host_of.clear()
        order = self._connect.order
        # A name of its own for each bridge: what an earlier one has left in hand is not to be heard.
        order = replace(order, run=f"{order.run}-{secrets.token_hex(8)}")
        connect = replace(self._connect, order=order, was_there=bool(self._so_far.hosts))
        was_lost = False
        with one_error():
            async with trio.open_nursery() as playing:
                try:
                    playing.start_soon(self._tell, connect)
                    async with trio.open_nursery() as hearing:
                        hearing.start_soon(self._end_when_over, more, hearing.cancel_scope)
                        await self._hear(bridge, playing, play)
                        was_lost = True
                        hearing.cancel_scope.cancel()
                    for slot in list(self._slots.values()):
                        self._end(slot.number, End.GONE, "the bridge to the cluster was lost")
                finally:
                    # At once, for whoever still sends to a bridge that reads nothing waits until then.
                    code = await bridge.close()
        if was_lost and more():
            self._watcher.say(f"the bridge to the cluster {how_it_ended(code)}; another one is started")
        return bool(self._host_of)

    async def _end_when_over(self, more: More, hearing: trio.CancelScope) -> None:
        """End the hearing when nothing is left to play and no slot plays any more, or the bridge hangs."""
        told: ClusterState | None = None
        silent = 0
        while more() or self._slots:
            if (now := self._state()) != told:
                self._watcher.state(now)
                told = now
            self._was_heard = False
            await trio.sleep(_LOOK_SECONDS)
            # Looks are counted, not seconds: in a time in which this process stood still it heard nothing.
            silent = 0 if self._was_heard else silent + 1
            if silent >= _SILENT_LOOKS:
                self._watcher.say("the bridge to the cluster says nothing any more; another one is started")
                break
        hearing.cancel()

    def _state(self) -> ClusterState:
        sessions = sum(slot.sessions for slot in self._slots.values())
        return ClusterState(self._connect.address, len(self._slots), self._so_far.lost, sessions)

    async def _hear(self, bridge: Child, playing: trio.Nursery, play: Play) -> None:
        async with aclosing(bridge.lines(_LONGEST_LINE)) as lines:
            try:
                async for line in lines:
                    # Slots take in what was heard before, however quickly the lines come.
                    await trio.lowlevel.checkpoint()
                    self._was_heard = True
                    self._heard(BRIDGE_LINES.read(line), playing, play)
            except ValueError as error:
                # Whoever controls the cluster may control the bridge: that is a bridge lost, no more.
                why = str(error).partition("\n")[0]
                self._watcher.say(f"the bridge to the cluster says what no bridge says: {why}")

    def _heard(self, message: BridgeMessage, playing: trio.Nursery, play: Play) -> None:
        """Take in what the bridge says. Raises ValueError for what no bridge says.

        Nothing here waits: a bridge that waits for its lines to be read reads none itself.
        """
        match message:
            case Joined() as joined:
                self._joined(joined, playing, play)
            case Heard(number, said, seconds):
                if (slot := self._slots.get(number)) is not None:
                    slot.heard(said, seconds)
            case Broke(number, how, in_order):
                self._end(number, End.IN_ORDER if in_order else End.BROKE, how)
            case Left(number, why):
                self._left(number, why)
            case Refused(where, why, text):
                self._watcher.say(f"{where} is left out ({why}): {text}")
            case Said(text):
                self._watcher.say(text)
            case Lost(text):
                raise ClusterUnusable(text)
            case Alive():
                return
            case _:
                raise ValueError(f"{type(message).__name__}, which is for bridges")

    # Slots

    def _joined(self, joined: Joined, playing: trio.Nursery, play: Play) -> None:
        if joined.slot in self._host_of:
            raise ValueError(f"there was a slot {joined.slot} before")
        facts = joined.facts
        host = self._so_far.hosts.get(facts.host)
        if host is None:
            host = _Host(self._watcher.host(facts), facts.name)
            self._so_far.hosts[facts.host] = host
        if host.left_out:
            playing.start_soon(self._tell, StopSlot(joined.slot, leave=True))
            return
        place = f"{facts.name} ({joined.worker})"
        slot = SlotClient(joined.slot, place, host.row, self._connect.order.setup, self._tell)
        self._slots[joined.slot], self._host_of[joined.slot] = slot, host
        if len(self._slots) == 1:  # otherwise its first match could be told of before it is
            self._watcher.state(self._state())
        for said in joined.said[:_MOST_SAID]:
            self._watcher.say(f"{place}: {said[:_MOST_CHARACTERS]}")
        playing.start_soon(self._play, slot, host, play, playing)

    async def _play(self, slot: SlotClient, host: _Host, play: Play, playing: trio.Nursery) -> None:
        unheard = await play(slot)
        self._slots.pop(slot.number, None)
        ended = await slot.close()
        if slot.has_finished:
            host.failures = 0
        if ended.end is not End.BROKE:
            return
        host.failures += 1
        if host.failures >= _FAILURES_IN_A_ROW and not host.left_out:
            why = f"its referees end again and again: {ended.how}"
            if any(self._host_of[number] is not host for number in self._slots):
                self._leave_out(host, why, playing)
            elif unheard is not None:
                # No match of it counts as aborted, so nothing else would ever end this.
                raise ClusterUnusable(f"{host.name}: {why}")

    def _leave_out(self, host: _Host, why: str, playing: trio.Nursery) -> None:
        """Give a host nothing more to play. What it is playing is finished."""
        host.left_out = True
        self._watcher.say(f"{host.name} is left out: {why}")
        for number in [number for number in self._slots if self._host_of[number] is host]:
            playing.start_soon(self._tell, StopSlot(number))

    def _left(self, number: int, why: str) -> None:
        if (slot := self._slots.get(number)) is not None:
            self._so_far.lost += 1
            again = "; what it was playing is played again" if slot.sessions else ""
            self._watcher.say(f"{slot.place}: {why}{again}")
        self._end(number, End.GONE, why)

    def _end(self, number: int, end: End, how: str) -> None:
        if (slot := self._slots.pop(number, None)) is not None:
            slot.ended(end, f"{slot.place}: {how}", LOG)

    async def _tell(self, message: BridgeMessage) -> bool:
        assert self._bridge is not None, "there are slots only while there is a bridge"
        return await self._bridge.send(BRIDGE_LINES.write(message))
