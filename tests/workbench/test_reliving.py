"""A match with a person that was stopped anywhere goes on to the end that it would have had."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from arena.bot.channel import Channel
from arena.bot.person import Person
from arena.errors import UsageError, one_error
from arena.match.record import MatchRecord
from arena.match.stand_in import from_deals
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.seat.seat import Seat
from arena.workbench.journal import Journal, Opening
from arena.workbench.reliving import RelivingChannel
from arena.workbench.tap import TappedChannel
from protocol.messages import answer_line
from tests.people.at_table import KEY
from tests.tables import deals_of, match_of

NAMES = ("person", "dice", "late", "bad")
Talk = Callable[[Person], Awaitable[None]]


class Stop(Exception):  # noqa: N818
    """The match is stopped here."""


class Played:
    """One match at the journal's table, played until it is over or `stop` lines have been heard.

    Seat 0 is a person without a clock, who leaves after `leaves` answers. Seat 1 answers by dice, whatever it
    answered at another time; seat 2 is late now and then, and seat 3 sends nonsense and illegal cards.
    """

    def __init__(
        self, journal: Journal, dice: int, stop: int | None = None, leaves: int | None = None
    ) -> None:
        self._journal = journal
        self._dice = Random(dice)
        self._stop = stop
        self._leaves = leaves
        self.asked_person = 0

    async def play(self) -> MatchRecord | None:
        """Return the record, or None where the match was stopped."""
        try:
            return await self._match()
        except* Stop:
            pass
        return None

    async def _match(self) -> MatchRecord:
        people = [Person(partial(self._tap, seat)) for seat in range(4)]
        keys = self._journal.opening.id_keys
        players = [Player(*of) for of in zip(NAMES, people, keys, strict=True)]
        setup = replace(match_of(NAMES, rounds=2), no_clock=(0,))
        table = Table(setup, from_deals(deals_of(), KEY), players, lambda _process, _reason: None)
        talks: Sequence[Talk] = (self._person, self._by_dice, self._late, self._bad)
        async with trio.open_nursery() as nursery:
            for seat, (talk, person) in enumerate(zip(talks, people, strict=True)):
                nursery.start_soon(self._talk, seat, talk, person, table)
            record = await play_one(table, KEY, "off", together=True)
            for person in people:
                person.bye("over")
        return record

    async def _talk(self, seat: int, talk: Talk, person: Person, table: Table) -> None:
        await talk(person)
        if table.handed_over(seat):
            self._journal.out(seat)

    def _tap(self, seat: int, channel: Channel) -> Channel:
        past = self._journal.past[seat]
        patience = 0.5 if seat else 0.0
        inner = channel if self._journal.is_new else RelivingChannel(channel, past, patience)
        return TappedChannel(inner, partial(self._heard, seat))

    def _heard(self, seat: int, from_bot: bool, line: bytes) -> None:
        if self._stop is not None:
            self._stop -= 1
            if self._stop < 0:
                raise Stop
        self._journal.heard(seat, from_bot, line)

    async def _answer(self, person: Person, choose: Callable[[Seat], Awaitable[bytes | None]]) -> None:
        seat = Seat()
        while not seat.view.bye:
            seat.heard(await person.hear())
            if seat.view.question:
                line = await choose(seat)
                if line is not None:
                    person.say(line)

    async def _person(self, person: Person) -> None:
        settled = self._journal.past[0].settled

        async def choose(seat: Seat) -> bytes | None:
            nonlocal settled
            settled -= 1
            if settled >= 0:
                return None  # who goes on with a match is not asked about its past
            self.asked_person += 1
            if self._leaves is not None:
                self._leaves -= 1
                if self._leaves < 0:
                    person.leave()
                    return None
            return seat.answer(seat.view.legal[: seat.view.count])

        await self._answer(person, choose)

    async def _by_dice(self, person: Person) -> None:
        async def choose(seat: Seat) -> bytes:
            await trio.sleep(0.01)
            return seat.answer(self._dice.sample(seat.view.legal, seat.view.count))

        await self._answer(person, choose)

    async def _late(self, person: Person) -> None:
        async def choose(seat: Seat) -> bytes | None:
            if (seat.view.round, seat.view.trick_number) in ((0, 3), (1, 5)) and seat.view.tricks:
                return None
            return seat.answer(seat.view.legal[-seat.view.count :])

        await self._answer(person, choose)

    async def _bad(self, person: Person) -> None:
        async def choose(seat: Seat) -> bytes:
            view = seat.view
            if (view.round, view.trick_number) == (0, 2) and view.tricks:
                return b"nonsense\n"
            if (view.round, view.trick_number) == (1, 4):
                return answer_line(view.question, "S7" if "S7" not in view.legal else "S8")
            return seat.answer(view.legal[: view.count])

        await self._answer(person, choose)


Essence = tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[Any, ...]]]


def essence(record: MatchRecord | None) -> Essence:
    """What of a match does not depend on time."""
    assert record is not None
    return (
        [(one.passes, one.plays, one.points, one.stand_in) for one in record.rounds],
        [(seat.points, seat.charge, seat.place, seat.hand_over) for seat in record.seats],
        [(fault.seat, fault.kind, fault.round, fault.question) for fault in record.faults],
    )


@pytest.fixture
def opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opening:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return Opening.of(["--me"], ["dice"], "seed", 4)


async def lines_of(opening: Opening, leaves: int | None) -> tuple[Essence, int]:
    """The whole match, and how many lines are heard in it."""
    journal = Journal.begin(opening)
    count = 10**6
    played = Played(journal, 1, count, leaves)
    record = await played.play()
    journal.close(remove=True)
    assert played._stop is not None
    return essence(record), count - played._stop


@pytest.mark.parametrize("leaves", [None, 0, 20], ids=["stays", "leaves at once", "leaves"])
async def test_stopped_anywhere_it_goes_on_to_the_same_end(
    autojump_clock: MockClock, opening: Opening, leaves: int | None
) -> None:
    """Who is asked all again with the same dice answers the same, so only what is lost could differ."""
    whole, lines = await lines_of(opening, leaves)
    for stop in range(0, lines, 29):
        journal = Journal.begin(opening)
        first = Played(journal, 1, stop, leaves)
        assert await first.play() is None
        journal.close(remove=False)
        again = Journal.open(journal.path)
        answered = again.past[0].settled
        second = Played(again, 1, None, None if leaves is None else max(0, leaves - answered))
        assert essence(await second.play()) == whole, stop
        again.close(remove=True)


async def test_what_was_answered_then_counts_whatever_is_answered_now(
    autojump_clock: MockClock, opening: Opening
) -> None:
    whole, lines = await lines_of(opening, None)
    others = 0
    for stop in range(20, lines, 61):
        journal = Journal.begin(opening)
        await Played(journal, 1, stop).play()
        journal.close(remove=False)
        again = Journal.open(journal.path)
        found = plays(essence(await Played(again, 2).play()))
        settled = sum(one.settled for one in again.past)
        past = settled // 64 * 60 + max(0, settled % 64 - 4)
        assert found[:past] == plays(whole)[:past], stop
        others += found != plays(whole)
        again.close(remove=True)
    assert others > 1, "what comes after the past is of today"


def plays(found: Essence) -> list[int]:
    """All cards in the order of play."""
    return [card for _, played, _, _ in found[0] for card in played]


async def test_another_question_than_then_ends_it_in_words(
    autojump_clock: MockClock, opening: Opening
) -> None:
    journal = Journal.begin(opening)
    await Played(journal, 1, 60).play()
    journal.close(remove=False)
    digest = journal_digest(journal.path)
    journal.path.write_bytes(journal.path.read_bytes().replace(digest, b"0" * len(digest)))
    again = Journal.open(journal.path)
    with pytest.raises(UsageError, match="a seat is asked otherwise than it was"), one_error():
        await Played(again, 1).play()
    again.close(remove=True)


def journal_digest(path: Path) -> bytes:
    """The digest of a question of seat 1."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    digest: str = next(one["asked"] for one in lines if one["seat"] == 1 and "asked" in one)
    return digest.encode()
