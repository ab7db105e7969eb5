"""The page of a match's messages: what the bots really got and gave, and what is said of faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

import pytest

from arena.match.record import MatchRecord
from arena.store import read
from arena.store.database import Database
from arena.store.views import MatchView
from reports import Publish, ReportOptions
from reports.pages.messages import LineKind, MessagesPage, SeatTalk, _SeatTalk, messages_page
from reports.secrecy import Secrecy
from tests.reports import played
from tests.reports.played import Bot, League, Message

EVERYTHING = ReportOptions(publish=frozenset(Publish))


class Listener:
    """Plays at random, and remembers what it was asked and what it said."""

    def __init__(self) -> None:
        self.asked: list[Message] = []
        self.said: list[list[str]] = []

    def __call__(self, rng: Random, question: Message) -> list[str]:
        self.asked.append(dict(question))
        self.said.append(played.at_random(rng, question))
        return self.said[-1]


@dataclass(frozen=True, slots=True)
class Played:
    """A league of one session, and what its first bot remembers of it."""

    database: Database
    listener: Listener

    def match(self, number: int) -> tuple[MatchView, MatchRecord]:
        database = self.database
        return read.match(database, 1, number), read.record(database, 1, number)

    def page(self, number: int, options: ReportOptions = EVERYTHING) -> MessagesPage:
        return messages_page(*self.match(number), Secrecy(options, over=True))


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    listener = Listener()
    bots = (
        Bot("Listener", listener), Bot("Low", played.low), Bot("Moody", fault_rate=0.02, sent="<S7>"),
        Bot("Silent", fault_rate=1.0),
    )  # fmt: skip
    with played.play(tmp_path_factory.mktemp("talk") / "league.db", League(bots=bots)) as database:
        yield Played(database, listener)


def seat_of(page: MessagesPage, bot: str) -> SeatTalk:
    return next(seat for seat in page.seats if seat.bot == bot)


def texts(seat: SeatTalk, *kinds: LineKind) -> list[str]:
    return [line.text for part in seat.rounds for line in part.lines if line.kind in kinds]


def test_what_a_bot_was_asked_and_said_is_there_word_for_word(league: Played) -> None:
    seats = [seat_of(league.page(number), "Listener") for number in range(1, 5)]
    asked = [json.loads(text) for seat in seats for text in texts(seat, LineKind.ASKED)]
    for message in asked:
        del message["id"], message["table"]  # the listener got them without
    assert asked == [
        {key: value for key, value in message.items() if key not in ("id", "table")}
        for message in league.listener.asked
    ]
    said = [json.loads(text) for seat in seats for text in texts(seat, LineKind.SAID)]
    cards = [message.get("cards") or [message["card"]] for message in said]
    assert list(map(sorted, cards)) == list(map(sorted, league.listener.said)), "a pass is a set of cards"


def test_news_stand_where_they_came(league: Played) -> None:
    seat = seat_of(league.page(2), "Low")
    told = [[json.loads(line.text)["type"] for line in part.lines if line.kind is LineKind.TOLD]
            for part in seat.rounds]  # fmt: skip
    assert told == [["start", "round_over"], ["round_over"], ["round_over"], ["round_over", "match_over"]]
    assert [part.messages for part in seat.rounds] == [34, 33, 33, 34]  # 16 questions, 16 answers


def test_a_fault_stands_in_the_place_of_an_answer(league: Played) -> None:
    found = 0
    for number in range(1, 5):
        _, record = league.match(number)
        for seat in league.page(number).seats:
            faults = [fault for fault in record.faults if fault.seat == seat.seat]
            assert len(texts(seat, LineKind.FAULT)) == len(faults) == sum(p.faults for p in seat.rounds)
            assert texts(seat, LineKind.SENT) == [fault.sent for fault in faults if fault.sent]
            asked, said = texts(seat, LineKind.ASKED), texts(seat, LineKind.SAID)
            assert len(asked) == len(said) + len(faults)
            found += len(faults)
    assert found > 8


def test_why_a_bot_was_at_fault_is_told_only_if_that_is_published(league: Played) -> None:
    options = ReportOptions(publish=frozenset({Publish.MESSAGES}))
    for number in range(1, 5):
        for seat in league.page(number, options).seats:
            assert texts(seat, LineKind.SENT) == []
            assert set(texts(seat, LineKind.FAULT)) <= {
                "Reasons and evidence are not published in this league."
            }


def test_what_came_too_late_and_what_came_unasked_is_told(league: Played) -> None:
    view, record = league.match(1)
    place = next(seat.seat for seat in view.seats if seat.name == "Silent")
    unasked = replace(record.faults[0], seat=place, round=None, question=None, reason="it wrote a line")
    changed = replace(
        record,
        faults=(unasked, *(fault for fault in record.faults if fault.seat != place)),
        seats=tuple(replace(seat, late=2 * (n == place)) for n, seat in enumerate(record.seats)),
    )
    talk = _SeatTalk(changed, view.seats[place], (), "").talk()
    assert [fault.reason for fault in talk.unasked] == ["it wrote a line"]
    assert talk.notes[-2:] == ("Dropped because too late: 2 answers.", "Nothing was sent to this seat.")


def test_a_record_against_the_rules_is_refused(league: Played) -> None:
    view, record = league.match(1)
    broken = replace(record.rounds[0], plays=record.rounds[0].plays[::-1])
    with pytest.raises(ValueError, match="not in the hand"):
        messages_page(
            view, replace(record, rounds=(broken, *record.rounds[1:])), Secrecy(EVERYTHING, over=True)
        )
