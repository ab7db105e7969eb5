"""Several questions open at once in one process: batches, their one clock, and whose a misdeed is. Over
memory and under a clock that the test drives."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
import trio
from trio.testing import MockClock

from arena.bot.answers import FLOOD_LINES, Wrong
from arena.bot.channel import MemoryChannel
from arena.bot.link import LEAST_EXTENSION, Lateness, Link, Prompt, Reply, wait_for_any
from arena.bot.waits import Used
from arena.match.faults import FaultKind
from protocol import CardAnswer, CardsAnswer, answer_line
from protocol.messages import Answer
from tests.sitting import METER, Bot

MOVE_US = 1_000_000
IDS = tuple(f"{number:012x}" for number in range(1, 9))


@dataclass
class Closed:
    """What became of a question, when, and the time it was charged."""

    name: str
    at: float
    wall_us: int
    wrong: Wrong | None


class Desk:
    """A link with its bot at the other end; asks batches as the playing loop does."""

    def __init__(self, nursery: trio.Nursery) -> None:
        ours, theirs = MemoryChannel.pair()
        self.link = Link(ours)
        self.bot = Bot(theirs)
        self.lateness = [Lateness() for _ in IDS]
        self._nursery = nursery

    def answers(self, *when: tuple[float, bytes]) -> None:
        """The bot sends these bytes so many seconds from now."""
        for after, data in when:
            self._nursery.start_soon(self.bot.say, data, after)

    def put(self, number: int, limit_us: int = MOVE_US, expected: type[Answer] = CardAnswer) -> None:
        self.link.put(b"question %d\n" % number, IDS[number], expected, limit_us, self.lateness[number])

    async def ask(self, count: int, limit_us: int = MOVE_US, first: int = 0) -> list[Closed]:
        """Put so many questions in one batch, after those put before; all that becomes of them, in order."""
        began = trio.current_time()
        for number in range(first, first + count):
            self.put(number, limit_us)
        self.link.write()
        closed: list[Closed] = []
        while self.link.busy:
            for name, reply in self.link.collect(linger=False):
                closed.append(_closed(name, trio.current_time() - began, reply))
            if self.link.busy:
                await wait_for_any([self.link])
        return closed


def _closed(name: str, at: float, reply: Prompt | Reply) -> Closed:
    if isinstance(reply, tuple):
        return Closed(name, at, reply[1], None)
    return Closed(name, at, reply.wall_us, reply.settled if isinstance(reply.settled, Wrong) else None)


def card(number: int) -> bytes:
    return answer_line(IDS[number], "S7")


@pytest.fixture
async def desk(autojump_clock: MockClock) -> AsyncIterator[Desk]:
    async with trio.open_nursery() as nursery:
        yield Desk(nursery)
        nursery.cancel_scope.cancel()


async def test_a_batch_is_written_at_once(desk: Desk, autojump_clock: MockClock) -> None:
    desk.answers((0.1, card(0) + card(1) + card(2)))
    await desk.ask(3)
    assert desk.bot.channel.read_nowait() == b"question 0\nquestion 1\nquestion 2\n"


async def test_answered_together_the_oldest_is_charged_for_all(desk: Desk, autojump_clock: MockClock) -> None:
    desk.answers((0.75, card(0) + card(1) + card(2)))
    closed = await desk.ask(3)
    assert [(one.name, one.wall_us) for one in closed] == [(IDS[0], 750_000), (IDS[1], 0), (IDS[2], 0)]


async def test_answered_one_by_one_each_has_its_whole_time(desk: Desk, autojump_clock: MockClock) -> None:
    """The example of SPEC.md: 0.8 s, then 0.9 s, then nothing for a whole second."""
    desk.answers((0.8, card(0)), (1.7, card(1)))
    closed = await desk.ask(3)
    assert [(one.at, one.wall_us) for one in closed] == [
        (pytest.approx(0.8), 800_000),
        (pytest.approx(1.7), 900_000),
        (pytest.approx(2.7), 1_000_000),
    ]
    assert [one.wrong and one.wrong.kind for one in closed] == [None, None, FaultKind.TIMEOUT]
    assert closed[2].wrong is not None
    assert closed[2].wrong.reason.startswith("nothing came in 1.000 s")


async def test_answering_the_others_first_gains_no_time_for_the_oldest(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.4, card(2)), (0.8, card(1)), (1.2, card(0)))
    closed = await desk.ask(3)
    assert [(one.name, one.wall_us) for one in closed] == [(IDS[2], 0), (IDS[1], 0), (IDS[0], MOVE_US)]
    assert closed[2].at == pytest.approx(1.0)
    assert closed[2].wrong is not None


async def test_a_timeout_starts_the_next_clock(desk: Desk, autojump_clock: MockClock) -> None:
    desk.answers((1.5, card(1)))
    first, second = await desk.ask(2)
    assert first.wrong is not None
    assert (first.at, second.at, second.wall_us) == (1.0, 1.5, 500_000)


async def test_silence_costs_each_question_its_own_time(desk: Desk, autojump_clock: MockClock) -> None:
    closed = await desk.ask(4)
    assert [one.at for one in closed] == [1.0, 2.0, 3.0, 4.0]
    assert all(one.wrong is not None and one.wrong.kind is FaultKind.TIMEOUT for one in closed)


async def test_each_has_the_time_of_its_own_table(desk: Desk, autojump_clock: MockClock) -> None:
    desk.put(0)
    closed = await desk.ask(1, limit_us=3 * MOVE_US, first=1)
    assert [(one.name, one.at) for one in closed] == [(IDS[0], 1.0), (IDS[1], 4.0)]


async def test_a_late_answer_is_told_and_is_no_fault_of_the_next(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((1.2, card(0) + card(1)))
    closed = await desk.ask(2)
    assert [one.wrong is None for one in closed] == [False, True]
    ((name, late_us),) = desk.link.take_late()
    assert (name, late_us) == (IDS[0], 200_000)


async def test_a_line_that_names_no_question_is_a_fault_at_the_oldest(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.1, b"thinking...\n" + card(1) + card(0)))
    closed = await desk.ask(2)
    assert [one.name for one in closed] == [IDS[0], IDS[1]]
    assert closed[0].wrong is not None
    assert (closed[0].wrong.kind, closed[0].wrong.sent) == (FaultKind.BAD_MESSAGE, "thinking...")
    assert closed[1].wrong is None
    desk.answers((0.1, card(2)))
    await desk.ask(1, first=2)
    assert [name for name, _ in desk.link.take_late()] == [IDS[0]], "dropped, and not punished twice"


async def test_the_wrong_type_is_a_fault_at_the_question_it_names(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.1, answer_line(IDS[1], ["S1", "S2"]) + card(0)))
    closed = await desk.ask(2)
    assert [one.name for one in closed] == [IDS[1], IDS[0]]
    assert closed[0].wrong is not None
    assert closed[0].wrong.reason == '"play" is answered with "card", not with "cards"'
    assert closed[1].wrong is None


async def test_a_second_answer_is_a_fault_at_the_oldest_open_question(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.1, card(0) + card(0) + card(2)))
    closed = await desk.ask(3)
    assert [(one.name, one.wrong is None) for one in closed] == [
        (IDS[0], True),
        (IDS[1], False),
        (IDS[2], True),
    ]
    assert closed[1].wrong is not None
    assert closed[1].wrong.reason.startswith(f"a second answer to question {IDS[0]}")


async def test_passes_and_plays_can_be_asked_together(desk: Desk, autojump_clock: MockClock) -> None:
    desk.answers((0.2, answer_line(IDS[0], ["S1", "S2"]) + card(1)))
    desk.put(0, expected=CardsAnswer)
    closed = await desk.ask(1, first=1)
    assert [(one.name, one.wrong) for one in closed] == [(IDS[0], None), (IDS[1], None)]


@pytest.mark.parametrize("how", ["the end of its output", "its end", "a flood"])
async def test_what_ends_the_process_closes_every_open_question(
    desk: Desk, autojump_clock: MockClock, how: str
) -> None:
    kind = FaultKind.FLOOD if how == "a flood" else FaultKind.CRASHED

    async def happen() -> None:
        await desk.bot.say(card(1), 0.2)
        await trio.sleep(0.2)
        if how == "its end":
            desk.link.end(Wrong(FaultKind.CRASHED, "killed"))
        elif how == "a flood":
            await desk.bot.say(b"x\n" * (FLOOD_LINES + 3))
        else:
            desk.bot.channel.close_write()

    desk._nursery.start_soon(happen)
    closed = await desk.ask(3)
    assert [(one.name, one.wrong and one.wrong.kind) for one in closed] == [
        (IDS[1], None),
        (IDS[0], kind),
        (IDS[2], kind),
    ]
    again = await desk.ask(2, first=3)
    assert [one.wrong and one.wrong.kind for one in again] == [kind, kind], "and at every later one"
    assert again[0].at == 0.0


async def test_as_many_lines_as_questions_may_wait_beyond_the_limit(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.1, b"".join(card(number) for number in range(8)) + b"x\n" * FLOOD_LINES))
    closed = await desk.ask(8)
    assert [one.wrong for one in closed] == [None] * 8


async def test_the_referee_was_late_which_is_not_the_bots(desk: Desk, autojump_clock: MockClock) -> None:
    desk.put(0)
    desk.put(1)
    desk.link.write()
    autojump_clock.jump(1.2)  # in which the referee does not look
    assert desk.link.collect(linger=False) == []
    assert desk.link.deadline == pytest.approx(trio.current_time() + 0.2)
    await desk.bot.say(card(0) + card(1))
    closed = desk.link.collect(linger=False)
    assert [_closed(name, 0.0, reply).wall_us for name, reply in closed] == [MOVE_US, 0]
    assert (desk.lateness[0].count, desk.lateness[1].count) == (1, 0)
    assert desk.lateness[0].worst == pytest.approx(0.2)


async def test_a_deadline_moves_once_and_by_a_least_amount(desk: Desk, autojump_clock: MockClock) -> None:
    desk.put(0)
    desk.link.write()
    autojump_clock.jump(1.02)
    assert desk.link.collect(linger=False) == []
    assert desk.link.deadline == pytest.approx(trio.current_time() + LEAST_EXTENSION)
    autojump_clock.jump(0.5)
    ((_, reply),) = desk.link.collect(linger=False)
    assert isinstance(reply, Reply)
    assert isinstance(reply.settled, Wrong)
    assert reply.settled.kind is FaultKind.TIMEOUT


async def test_the_processor_time_of_a_batch_is_what_was_used_while_waiting(
    autojump_clock: MockClock,
) -> None:
    ours, theirs = MemoryChannel.pair()
    link = Link(ours, METER)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Bot(theirs).say, card(0), 0.5)
        link.put(b"a\n", IDS[0], CardAnswer, MOVE_US, Lateness())
        link.write()
        link.waiting_in(nursery.cancel_scope)
        await link.wait_for_more()
        ((_, reply),) = link.collect(linger=False)
    assert isinstance(reply, Reply)
    assert (reply.wall_us, reply.used) == (500_000, Used(250_000, 50_000))
    assert link.batch_used() == (500_000, 250_000, 0)
