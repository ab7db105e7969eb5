"""The referees of a cluster with a bridge in memory: hosts, referees and bridges that break."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.cluster.frames import (
    ALIVE_SECONDS,
    CLUSTER_LINES,
    Connect,
    Frame,
    Order,
    read_frame,
    say_frame,
    write_frame,
)
from arena.deals import MatchKey
from arena.errors import ClusterUnusable
from arena.linux.machine import Host
from arena.referee.jobs import (
    Finished,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Setup,
    write_message,
)
from arena.runner import cluster_referees as module
from arena.runner.cluster_referees import ClusterNews, ClusterReferees, ClusterSoFar
from arena.runner.referees import End, RefereeClient, RefereeEnd
from tests.store.samples import BOTS, TERMS, played

BOTS4 = BOTS[:4]
KEY = MatchKey(0, 0, 0, 0)
JOB = SessionJob(0, 0, "00" * 32, (MatchJob(KEY, BOTS4),))
MET = Met(BOTS4[0], "Name", "1", None, None)
DONE = (Finished(played(KEY, bots=BOTS4)), SessionDone(0, 0))
RED = Host("red", "h1", "fast", 2, False, "off", "1", "3.11")
BLUE = replace(RED, machine="h2", name="blue", cores=1)
CONNECT = Connect("tls://far:1", "", "l", Order(Setup((), TERMS, 4, None, "1"), "off", False, 64), {}, 1)

Life = Callable[["Bridge"], AsyncGenerator[Frame, None]]


def ready(host: int, facts: Host) -> tuple[Frame, Frame]:
    return Frame(host, "facts", 0, CLUSTER_LINES.write(facts)), Frame(host, "ready")


def closed(host: int, number: int, code: int = -9) -> Frame:
    return Frame(host, "closed", number, json.dumps([code, "was killed by signal 9"]).encode())


class Bridge:
    """A bridge that says what a test has it say, and then ends. `lives`: how many have ended."""

    life: Life
    lives = 0

    def __init__(self, log: Path, *command: str) -> None:
        assert command == ("arena.cluster", "bridge")
        self.connect: Connect
        self.sent: list[Frame] = []

    async def send(self, lines: bytes) -> bool:
        await trio.lowlevel.checkpoint()
        for line in lines.splitlines():
            if line.startswith(b"Connect "):
                connect = CLUSTER_LINES.read(line)
                assert isinstance(connect, Connect)
                self.connect = connect
            else:
                self.sent.append(read_frame(line))
        return True

    async def next_open(self, host: int, known: int) -> int:
        """The number of the next referee that a host is to open, after so many."""
        while (
            len(found := [one.number for one in self.sent if (one.host, one.kind) == (host, "open")]) <= known
        ):
            await trio.testing.wait_all_tasks_blocked()
        return found[known]

    async def lines(self) -> AsyncGenerator[bytes, None]:
        async with aclosing(type(self).life(self)) as life:
            async for said in life:
                yield write_frame(said).rstrip(b"\n")
                await trio.testing.wait_all_tasks_blocked()

    async def close(self) -> int:
        await trio.lowlevel.checkpoint()
        Bridge.lives += 1
        return 0

    def last_words(self) -> str:
        return ""


class League:
    """Gives each referee one session. `lives`: how many bridges are wanted. `ends`: how referees ended."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, life: Life) -> None:
        monkeypatch.setattr(module, "Child", Bridge)
        monkeypatch.setattr(Bridge, "life", life, raising=False)
        monkeypatch.setattr(Bridge, "lives", 0)
        self.said: list[str] = []
        self._news = ClusterNews(lambda facts: 1, self.said.append, lambda state: None)
        self.ends: list[RefereeEnd] = []
        self.heard: list[object] = []
        self.wanted = True
        self.so_far = ClusterSoFar()
        self._log = tmp_path / "log"
        self.next_phase()

    def next_phase(self) -> None:
        """Go on with another phase of the same run."""
        self.referees = ClusterReferees(CONNECT, self._log, self._news, self.so_far)

    async def play(self, lives: int, patience: float = 60) -> None:
        with trio.fail_after(patience):
            await self.referees.keep(self._play, lambda: self.wanted and Bridge.lives < lives)

    async def _play(self, referee: RefereeClient) -> RefereeEnd | None:
        await referee.send(JOB)
        heard = [message async for message in referee.messages()]
        self.heard += heard
        self.ends.append(await referee.close())
        return None if heard else self.ends[-1]


def breaking(*said: Met | Finished | SessionDone, others: bool = True, times: int = 9) -> Life:
    """The life of a bridge of whose hosts one has referees that break, each after it has said this."""

    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        for frame in (*ready(1, BLUE), *(ready(2, RED) if others else ())):
            yield frame
        for time in range(times):
            if any(frame.kind == "leave" for frame in bridge.sent):
                yield say_frame("gone", "it ended", 1)
                return
            number = await bridge.next_open(1, time)
            for message in said:
                yield Frame(1, "line", number, write_message(message))
            yield closed(1, number)

    return life


async def test_a_host_whose_referees_break_before_they_finish_a_match_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(tmp_path, monkeypatch, breaking(MET))
    await league.play(lives=1)
    [left_out] = [said for said in league.said if "is left out" in said]
    assert left_out.startswith("blue is left out: its referees end again and again: referee 0 of blue: was k")
    assert [end.end for end in league.ends].count(End.BROKE) == 3


async def test_a_host_that_finishes_matches_is_not_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = League(tmp_path, monkeypatch, breaking(MET, *DONE, times=5))
    await league.play(lives=1)
    assert not [said for said in league.said if "is left out" in said]


async def test_the_only_host_ends_the_run_when_its_referees_play_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is aborted there, so nothing else would end this."""
    league = League(tmp_path, monkeypatch, breaking(others=False))
    with pytest.raises(ClusterUnusable, match="blue: its referees end again and again"):
        await league.play(lives=99)


async def test_a_host_that_was_told_to_stop_goes_on_when_another_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        for frame in (*ready(1, BLUE), *ready(2, RED)):
            yield frame
        league.wanted = False
        yield closed(1, 0, code=0)
        await trio.sleep(10)
        assert len([frame for frame in bridge.sent if (frame.host, frame.kind) == (1, "open")]) == 1
        league.wanted = True
        yield say_frame("gone", "it has left the cluster", 2)
        await trio.sleep(10)
        assert await bridge.next_open(1, 1) == 1

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=1)


async def test_a_host_that_says_what_no_host_says_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        yield Frame(3, "facts", 0, b"Host {}")
        yield Frame(0, "alive")
        assert [(frame.host, frame.kind) for frame in bridge.sent] == [(3, "leave")]

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=1)
    assert league.said[0].startswith("a host is left out: it says what no host says: ")


async def test_a_host_that_is_gone_is_said_and_nobodys_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        for frame in ready(1, RED):
            yield frame
        yield say_frame("gone", "it has left the cluster", 1)
        yield say_frame("say", "a sentence")

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=1)
    assert [end.end for end in league.ends] == [End.GONE] * 2
    assert league.said[:2] == [
        "red: it has left the cluster; what it was playing is played again",
        "a sentence",
    ]
    assert league.so_far.lost == 1


async def test_who_is_left_out_is_named_with_the_reason_and_without_anybody_the_run_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        yield ready(1, RED)[0]
        yield say_frame("unready", "no sandbox", 1)
        yield say_frame("unready", "its arena does not work", 2)
        yield say_frame("lost", "no host can play")

    league = League(tmp_path, monkeypatch, life)
    with pytest.raises(ClusterUnusable, match="no host can play"):
        await league.play(lives=1)
    assert league.said == [
        "red is left out: no sandbox",
        "a host is left out: its arena does not work",
    ]


async def test_bridges_that_are_lost_again_and_again_while_they_have_hosts_end_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        for frame in ready(1, BLUE):
            yield frame

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=6)
    assert [end.end for end in league.ends] == [End.GONE] * 6


async def test_a_bridge_that_hangs_is_ended_and_its_referees_are_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        for frame in ready(1, BLUE):
            yield frame
        for _ in range(30):
            await trio.sleep(ALIVE_SECONDS)
            yield Frame(0, "alive")
        await trio.sleep_forever()

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=2, patience=600)
    assert [end.end for end in league.ends] == [End.GONE] * 2
    hangs = "the bridge to the cluster says nothing any more; another one is started"
    assert [said for said in league.said if "bridge to the cluster says" in said] == [hangs] * 2


async def test_a_cluster_that_was_there_in_one_phase_is_waited_for_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    were_there: list[bool] = []

    async def life(bridge: Bridge) -> AsyncGenerator[Frame, None]:
        await trio.testing.wait_all_tasks_blocked()
        were_there.append(bridge.connect.was_there)
        for frame in ready(1, BLUE):
            yield frame
        yield say_frame("gone", "it has left the cluster", 1)

    league = League(tmp_path, monkeypatch, life)
    await league.play(lives=1)
    league.next_phase()
    await league.play(lives=3)
    assert were_there == [False, True, True]
    assert league.so_far.lost == 3
