"""The referees of a cluster with a bridge in memory: hosts and bridges that break, and bridges that lie."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.cluster.bridge_lines import (
    ALIVE_SECONDS,
    BRIDGE_LINES,
    Alive,
    BridgeMessage,
    Broke,
    Connect,
    Heard,
    Joined,
    Left,
    StopSlot,
)
from arena.cluster.orders import Facts, Order, SandboxWish
from arena.deals import MatchKey
from arena.errors import ClusterUnusable
from arena.referee.jobs import Finished, MatchJob, Met, SessionDone, SessionJob, Setup, write_message
from arena.runner import cluster_referees as module
from arena.runner.child import Wrap
from arena.runner.cluster_referees import ClusterReferees, ClusterSoFar, ClusterWatcher
from arena.runner.referees import End, Referee, RefereeEnd
from arena.sandbox import Limits
from tests.store.samples import BOTS, TERMS, played

BOTS4 = BOTS[:4]
KEY = MatchKey(0, 0, 0, 0)
JOB = SessionJob(0, 0, "00" * 32, (MatchJob(KEY, BOTS4),))
MET = write_message(Met(BOTS4[0], "Name", "1", None, None)).decode().rstrip("\n")
DONE = tuple(write_message(one).decode().rstrip("\n") for one in (
    Finished(played(KEY, bots=BOTS4), 1), SessionDone(0, 0),
))  # fmt: skip
FACTS = Facts("h1", "red", "1", "3.11", "fast", 2, False, "off")
OTHER = replace(FACTS, host="h2", name="blue")
WISH = SandboxWish("off", False, Limits(), "nobody")
CONNECT = Connect("tls://far:1", None, Order("run", Setup((), TERMS, 4, None, False, "1"), WISH), {}, 1)

Life = Callable[["Bridge"], AsyncGenerator[BridgeMessage | bytes, None]]


class Bridge:
    """A bridge that says what a test has it say, and then ends. `lives`: how many have ended."""

    life: Life
    lives = 0

    def __init__(self, log: Path, *command: str, wrap: Wrap | None = None) -> None:
        self.sent: list[BridgeMessage] = []

    async def send(self, lines: bytes) -> bool:
        await trio.lowlevel.checkpoint()
        self.sent += [BRIDGE_LINES.read(line) for line in lines.splitlines()]
        return True

    async def lines(self, longest: float) -> AsyncGenerator[bytes, None]:
        async with aclosing(type(self).life(self)) as life:
            async for said in life:
                await trio.testing.wait_all_tasks_blocked()
                yield said if isinstance(said, bytes) else BRIDGE_LINES.write(said).rstrip(b"\n")

    async def close(self) -> int:
        await trio.lowlevel.checkpoint()
        Bridge.lives += 1
        return 0

    def last_words(self) -> str:
        return ""


class Told(ClusterWatcher):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)


class League:
    """Gives each slot one session. `lives`: how many bridges are wanted. `ends`: how slots ended."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, life: Life) -> None:
        monkeypatch.setattr(module, "Child", Bridge)
        monkeypatch.setattr(Bridge, "life", life, raising=False)
        monkeypatch.setattr(Bridge, "lives", 0)
        self.told = Told()
        self.ends: list[RefereeEnd] = []
        self.so_far = ClusterSoFar()
        self._log = tmp_path / "log"
        self.next_phase()

    def next_phase(self) -> None:
        """Go on with another phase of the same run."""
        self._referees = ClusterReferees(CONNECT, self._log, self.told, so_far=self.so_far)

    async def play(self, lives: int, patience: float = 60) -> None:
        with trio.fail_after(patience):
            await self._referees.keep(self._play, lambda: Bridge.lives < lives)

    async def _play(self, slot: Referee) -> RefereeEnd | None:
        await slot.send(JOB)
        was_heard = bool([message async for message in slot.messages()])
        self.ends.append(await slot.close())
        return None if was_heard else self.ends[-1]


def breaking(*said: str, facts: Facts = FACTS, times: int = 99) -> Life:
    """The life of a bridge one of whose referees breaks as often, each after it has said this."""

    async def life(bridge: Bridge) -> AsyncGenerator[BridgeMessage | bytes, None]:
        yield Joined(1000, "tls://blue:1", OTHER, ())
        for slot in range(times):
            yield Joined(slot, "tls://red:1", facts, ())
            if StopSlot(slot, leave=True) in bridge.sent:
                return
            yield Heard(slot, said, 0.1)
            yield Broke(slot, "its process was killed", in_order=False)

    return life


async def test_a_host_whose_referees_break_before_they_finish_a_match_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(tmp_path, monkeypatch, breaking(MET, times=5))
    await league.play(lives=1)
    [left_out] = [said for said in league.told.said if "is left out" in said]
    assert left_out.startswith("red is left out: its referees end again and again: red (tls://red:1): its")
    assert [end.end for end in league.ends].count(End.BROKE) == 3


async def test_a_host_that_finishes_matches_is_not_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(tmp_path, monkeypatch, breaking(MET, *DONE, times=5))
    await league.play(lives=1)
    assert not [said for said in league.told.said if "is left out" in said]


async def test_the_only_host_ends_the_run_when_its_referees_play_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is aborted there, so nothing else would end this."""
    league = League(tmp_path, monkeypatch, breaking(facts=OTHER))
    with pytest.raises(ClusterUnusable, match="blue: its referees end again and again"):
        await league.play(lives=99)


async def test_bridges_that_are_lost_again_and_again_while_they_have_slots_end_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[BridgeMessage | bytes, None]:
        yield Joined(0, "tls://red:1", FACTS, ())

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=6)
    assert [end.end for end in league.ends] == [End.GONE] * 6


@pytest.mark.parametrize(
    "said",
    [
        b"rm -rf /",
        b"Heard {",
        BRIDGE_LINES.write(StopSlot(0)),
        BRIDGE_LINES.write(Joined(0, "tls://red:2", FACTS, ())),
    ],
)
async def test_a_bridge_that_says_what_no_bridge_says_is_a_bridge_lost(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[BridgeMessage | bytes, None]:
        yield Joined(0, "tls://red:1", FACTS, ())
        yield said.rstrip(b"\n")
        yield Broke(0, "is not heard", in_order=True)

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=2)
    assert [end.end for end in league.ends] == [End.GONE] * 2
    assert league.told.said[0].startswith("the bridge to the cluster says what no bridge says: ")


async def test_a_bridge_that_hangs_is_ended_and_its_slots_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[BridgeMessage | bytes, None]:
        yield Joined(0, "tls://red:1", FACTS, ())
        for _ in range(30):
            await trio.sleep(ALIVE_SECONDS)
            yield Alive()
        await trio.sleep_forever()

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=2, patience=600)
    assert [end.end for end in league.ends] == [End.GONE] * 2
    assert league.told.said == ["the bridge to the cluster says nothing any more; another one is started"] * 2


async def test_a_cluster_that_was_there_in_one_phase_is_waited_for_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    were_there: list[bool] = []

    async def life(bridge: Bridge) -> AsyncGenerator[BridgeMessage | bytes, None]:
        await trio.testing.wait_all_tasks_blocked()
        [connect] = [said for said in bridge.sent if isinstance(said, Connect)]
        were_there.append(connect.was_there)
        yield Joined(0, "tls://red:1", FACTS, ())
        yield Left(0, "it has left the cluster")

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=1)
    league.next_phase()
    await league.play(lives=3)
    assert were_there == [False, True, True]
    assert league.so_far.lost == 3
