"""The coordinator's end of a slot: what it takes from a worker, and what ends it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import trio
import trio.testing

from arena.cluster.bridge_lines import BridgeMessage, Deal, StopSlot
from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.referee.jobs import (
    Aborted,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    Overran,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    read_message,
    write_message,
)
from arena.runner import slot_client
from arena.runner.referees import End
from arena.runner.slot_client import SlotClient
from tests.store.samples import BOTS, TERMS, played

BOTS4 = BOTS[:4]
SETUP = Setup((), TERMS, 4, None, False, "1")
KEYS = [MatchKey(0, 0, order, 0) for order in range(2)]
JOB = SessionJob(0, 0, "00" * 32, tuple(MatchJob(key, BOTS4) for key in KEYS))
MET = Met(BOTS4[0], "Name", "1", None, None)


def finished(key: MatchKey, bots: tuple[str, ...] = BOTS4) -> Finished:
    return Finished(played(key, bots=bots), 1)


def with_other_cards() -> MatchRecord:
    record = played(KEYS[0], bots=BOTS4)
    first, *others = record.rounds
    return replace(record, rounds=(replace(first, plays=first.plays[::-1]), *others))


class Bridge:
    """Keeps what it is sent."""

    def __init__(self) -> None:
        self.sent: list[BridgeMessage] = []
        self.is_there = True

    async def send(self, message: BridgeMessage) -> bool:
        await trio.lowlevel.checkpoint()
        self.sent.append(message)
        return self.is_there


@pytest.fixture
def bridge() -> Bridge:
    return Bridge()


@pytest.fixture
def slot(bridge: Bridge) -> SlotClient:
    return SlotClient(3, "red (tls://h:1)", 7, SETUP, bridge.send)


def said(*messages: JobMessage) -> tuple[str, ...]:
    return tuple(write_message(message).decode().rstrip("\n") for message in messages)


async def heard(slot: SlotClient) -> list[JobMessage]:
    return [message async for message in slot.messages()]


async def test_a_session_goes_to_the_bridge_and_its_messages_come_back(
    slot: SlotClient, bridge: Bridge
) -> None:
    assert await slot.send(JOB)
    [deal] = bridge.sent
    assert isinstance(deal, Deal)
    assert (deal.slot, read_message(deal.line.encode())) == (3, JOB)
    assert slot.sessions == 1
    messages = [MET, *map(finished, KEYS), SessionDone(0, 0)]
    slot.heard(said(*messages), 0.25)
    slot.ended(End.GONE, "it has left", "")
    assert await heard(slot) == messages
    assert (slot.session_seconds, slot.sessions) == (0.25, 0)
    assert (await slot.close()).end is End.GONE


async def test_a_stop_goes_to_the_bridge_and_nothing_to_a_slot_that_is_gone(
    slot: SlotClient, bridge: Bridge
) -> None:
    assert await slot.send(Stop())
    assert bridge.sent == [StopSlot(3)]
    slot.ended(End.IN_ORDER, "was stopped", "")
    assert not await slot.send(JOB)
    assert len(bridge.sent) == 1
    assert (await slot.close()).end is End.IN_ORDER


async def test_a_slot_that_is_closed_first_is_given_up(slot: SlotClient, bridge: Bridge) -> None:
    assert (await slot.close()).end is End.GONE
    assert bridge.sent == [StopSlot(3, leave=True)]


async def test_a_slot_is_closed_though_its_bridge_reads_nothing(
    slot: SlotClient, bridge: Bridge, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    async def never(message: BridgeMessage) -> bool:
        return bool(await trio.sleep_forever())

    monkeypatch.setattr(slot, "_to_bridge", never)
    with trio.fail_after(60):
        assert (await slot.close()).end is End.GONE


FOREIGN: dict[str, Callable[[], tuple[str, ...]]] = {
    "no line of ours": lambda: ("rm -rf /",),
    "no JSON": lambda: ("Finished {",),
    "another version of a record": lambda: said(
        Finished(replace(played(KEYS[0], bots=BOTS4), version=99), 1)
    ),
    "a match of another session": lambda: said(finished(MatchKey(0, 1, 0, 0))),
    "another attempt": lambda: said(finished(replace(KEYS[0], attempt=1))),
    "the same match twice": lambda: said(finished(KEYS[0]), finished(KEYS[0])),
    "other bots": lambda: said(finished(KEYS[0], tuple(reversed(BOTS4)))),
    "an abort of what it was not given": lambda: said(Aborted(MatchKey(1, 0, 0, 0), "so")),
    "an abort without a reason": lambda: said(Aborted(KEYS[0], " \n")),
    "the end of a session before its matches": lambda: said(finished(KEYS[0]), SessionDone(0, 0)),
    "the end of a session that it was not given": lambda: said(SessionDone(5, 5)),
    "an order for referees": lambda: said(Stop()),
    "the name of a bot that is in no match of its": lambda: said(replace(MET, bot=BOTS[5])),
    "cards that cannot be played": lambda: said(Finished(with_other_cards(), 1)),
    "a reason without end": lambda: said(Aborted(KEYS[0], "so " * 30_000)),
    "a name that cannot be seen": lambda: said(replace(MET, name="a\u202eb")),
    "a version without end": lambda: said(replace(MET, version="1" * 101)),
    "the misdeed of such a bot": lambda: said(Overran(BOTS[5], "so")),
}


@pytest.mark.parametrize("what", FOREIGN)
async def test_what_no_referee_says_ends_the_slot_and_not_the_run(
    what: str, slot: SlotClient, bridge: Bridge
) -> None:
    await slot.send(JOB)
    slot.heard(FOREIGN[what](), 1.0)
    slot.heard(said(MET), 1.0)
    messages = await heard(slot)
    assert MET not in messages, "nothing more is believed"
    ended = await slot.close()
    assert ended.end is End.BROKE
    assert ended.how.startswith("red (tls://h:1) sent what no referee sends: ")
    assert bridge.sent[1:] == [StopSlot(3, leave=True)]


@pytest.mark.parametrize("times", [1, 9])
async def test_a_slot_that_sends_without_end_is_ended_before_it_fills_the_memory(
    times: int, slot: SlotClient, bridge: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slot_client, "_MOST_WAITING", 20_000)
    await slot.send(JOB)
    # Nobody takes in what it sends.
    for _ in range(times):
        slot.heard(said(*[MET] * (1_800 // times)), 1.0)
    assert await heard(slot) == []
    ended = await slot.close()
    assert ended.end is End.BROKE
    assert ended.how.endswith("sent what no referee sends: more than comes of what it was given to play")
    assert bridge.sent[1:] == [StopSlot(3, leave=True)]
