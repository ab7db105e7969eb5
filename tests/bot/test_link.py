"""Questions, deadlines and whose a misdeed is, over memory and under a clock that the test drives.

What single lines of real bots are is in `tests/hostile`. Each test names `autojump_clock`, for pytest-trio
looks for a clock among the test's own arguments only.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from arena.bot.answers import FLOOD_LINES, Wrong
from arena.bot.channel import Channel, MemoryChannel
from arena.bot.link import (
    GRACE_SECONDS,
    LEAST_EXTENSION,
    OUTBOX_LIMIT,
    Lateness,
    Link,
    Prompt,
    ask,
    silence,
)
from arena.bot.waits import UNKNOWN, Used
from arena.match.faults import FaultKind
from arena.match.record import NO_LIMIT_US
from protocol import CardAnswer, answer_line
from tests.sitting import IDS, MOVE_US, Closed, Desk, Machine, card

ENDED = Wrong(FaultKind.CRASHED, "killed by SIGKILL")


@pytest.fixture
async def desk(autojump_clock: MockClock) -> AsyncIterator[Desk]:
    async with trio.open_nursery() as nursery:
        yield Desk(nursery)
        nursery.cancel_scope.cancel()


@pytest.fixture
async def narrow(autojump_clock: MockClock) -> AsyncIterator[Desk]:
    """A desk whose channel holds ten bytes each way."""
    async with trio.open_nursery() as nursery:
        yield Desk(nursery, capacity=10)
        nursery.cancel_scope.cancel()


def outcomes(closed: list[Closed]) -> list[tuple[int, FaultKind | None]]:
    """The numbers of questions in the order in which they were closed, and the kinds of their faults."""
    return [(IDS.index(one.name), one.wrong and one.wrong.kind) for one in closed]


# Batches and their one clock


async def test_a_batch_is_written_at_once_behind_the_news(desk: Desk, autojump_clock: MockClock) -> None:
    desk.link.tell({"type": "start"})
    assert desk.bot.read_nowait() is None
    desk.answers((0.1, card(0) + card(1)))
    await desk.ask(2)
    (news, *questions) = (desk.bot.read_nowait() or b"").splitlines()
    assert news
    assert questions == [b"question 0", b"question 1"]


T = FaultKind.TIMEOUT


@pytest.mark.parametrize(
    ("answers", "closed"),
    [
        # The example of SPEC.md: 0.8 s, then 0.9 s, then nothing for a whole second.
        ([(0.8, 0), (1.7, 1)], [(0, 0.8, 0.8, None), (1, 1.7, 0.9, None), (2, 2.7, 1.0, T)]),
        (
            [(0.75, 0), (0.76, 1), (0.76, 2)],
            [(0, 0.75, 0.75, None), (1, 0.76, 0.01, None), (2, 0.76, 0, None)],
        ),
        # Who answers the others first gains no time for the oldest.
        ([(0.4, 2), (0.8, 1), (1.2, 0)], [(2, 0.4, 0, None), (1, 0.8, 0, None), (0, 1.0, 1.0, T)]),
        ([(1.5, 1), (1.6, 2)], [(0, 1.0, 1.0, T), (1, 1.5, 0.5, None), (2, 1.6, 0.1, None)]),
        ([], [(0, 1.0, 1.0, T), (1, 2.0, 1.0, T), (2, 3.0, 1.0, T)]),
    ],
    ids=["one by one", "together", "the oldest last", "a timeout starts the next clock", "silence"],
)
async def test_the_clock_runs_for_the_oldest_question(
    desk: Desk,
    autojump_clock: MockClock,
    answers: list[tuple[float, int]],
    closed: list[tuple[int, float, float, FaultKind | None]],
) -> None:
    for at in {at for at, _ in answers}:
        desk.answers((at, b"".join(card(number) for when, number in answers if when == at)))
    found = [
        (IDS.index(one.name), pytest.approx(one.at), one.wall_us / 1e6, one.wrong and one.wrong.kind)
        for one in await desk.ask(3)
    ]
    assert found == closed


async def test_each_has_the_time_of_its_own_table(desk: Desk, autojump_clock: MockClock) -> None:
    desk.put(0)
    closed = await desk.ask(1, limit_us=3 * MOVE_US, first=1)
    assert [(one.name, one.at) for one in closed] == [(IDS[0], 1.0), (IDS[1], 4.0)]


async def test_a_late_answer_is_told_and_is_no_fault_of_the_next(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((1.2, card(0) + card(1)))
    assert outcomes(await desk.ask(2)) == [(0, T), (1, None)]
    assert desk.link.take_late() == [(IDS[0], 200_000)]
    assert desk.link.take_late() == []


async def test_a_fault_at_a_question_without_a_limit_may_be_followed_by_its_answer(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((5.0, b"nonsense\n"), (7.0, card(0)), (8.0, card(1)))
    assert outcomes(await desk.ask(limit_us=NO_LIMIT_US)) == [(0, FaultKind.BAD_MESSAGE)]
    assert outcomes(await desk.ask(limit_us=NO_LIMIT_US, first=1)) == [(1, None)]
    assert desk.link.take_late() == [(IDS[0], 3_000_000)]


# Whose a wrong line is


@pytest.mark.parametrize(
    ("line", "closed", "reason"),
    [
        (b"thinking...\n", [0, 1, 2], "The line is not base64"),
        (answer_line(IDS[1], ["S1", "S2"]), [1, 0, 2], '"play" is answered with "card", not with "cards"'),
        (answer_line(IDS[7], "S7"), [0, 1, 2], f"an answer to question {IDS[7]}, which was never asked"),
    ],
    ids=["the oldest question's", "of the question that it names", "of none"],
)
async def test_a_wrong_line_is_a_fault_at_one_question_and_an_answer_to_that_is_late(
    desk: Desk, autojump_clock: MockClock, line: bytes, closed: list[int], reason: str
) -> None:
    desk.answers((0.1, line), (0.2, card(0) + card(1) + card(2)))
    found = await desk.ask(3)
    assert outcomes(found) == [(closed[0], FaultKind.BAD_MESSAGE), (closed[1], None), (closed[2], None)]
    assert found[0].wrong is not None
    assert found[0].wrong.reason.startswith(reason)
    assert [name for name, _ in desk.link.take_late()] == [IDS[closed[0]]], "dropped, and not punished twice"


async def test_a_second_answer_is_a_fault_at_the_oldest_open_question(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.1, card(0) + card(0) + card(2)))
    closed = await desk.ask(3)
    assert outcomes(closed) == [(0, None), (1, FaultKind.BAD_MESSAGE), (2, None)]
    assert closed[1].wrong is not None
    assert closed[1].wrong.reason.startswith(f"a second answer to question {IDS[0]}")


@pytest.mark.parametrize("how", ["the end of its output", "its end", "a flood"])
async def test_what_ends_the_process_closes_every_open_question(
    desk: Desk, autojump_clock: MockClock, how: str
) -> None:
    kind = FaultKind.FLOOD if how == "a flood" else FaultKind.CRASHED

    async def happen() -> None:
        await desk.say(card(1), 0.2)
        await trio.sleep(0.2)
        if how == "its end":
            desk.link.end(ENDED)
        elif how == "a flood":
            await desk.say(b"x\n" * (FLOOD_LINES + 3))
        else:
            desk.bot.close_write()

    desk.nursery.start_soon(happen)
    assert outcomes(await desk.ask(3)) == [(1, None), (0, kind), (2, kind)]
    again = await desk.ask(2, first=3)
    assert outcomes(again) == [(3, kind), (4, kind)], "and at every later one"
    assert again[0].at == 0.0


async def test_as_many_lines_as_questions_may_wait_beyond_the_limit(
    desk: Desk, autojump_clock: MockClock
) -> None:
    desk.answers((0.1, b"".join(map(card, range(8))) + b"x\n" * FLOOD_LINES))
    assert [one.wrong for one in await desk.ask(8)] == [None] * 8


# Bots that do not read


async def test_an_unread_question_is_a_timeout_and_still_comes_before_the_next(
    narrow: Desk, autojump_clock: MockClock
) -> None:
    assert outcomes(await narrow.ask()) == [(0, T)]
    read = bytearray()

    async def answer_both() -> None:
        while read.count(b"\n") < 2:
            read.extend(narrow.bot.read_nowait() or b"")
            await trio.sleep(0.01)
        await narrow.say(card(0) + card(1))

    narrow.nursery.start_soon(answer_both)
    assert outcomes(await narrow.ask(first=1)) == [(1, None)]
    assert read == b"question 0\nquestion 1\n"
    assert [name for name, _ in narrow.link.take_late()] == [IDS[0]]


async def test_too_much_unread_news_is_a_timeout_at_once(narrow: Desk, autojump_clock: MockClock) -> None:
    for _ in range(OUTBOX_LIMIT // 40_000 + 1):
        narrow.link.tell({"type": "bye", "reason": "x" * 30_000})
    (closed,) = await narrow.ask()
    assert closed.wrong is not None
    assert closed.wrong.reason == f"more than {OUTBOX_LIMIT} bytes lie unread on its standard input"
    assert closed.wall_us == 0


# The end of the bot


@pytest.mark.parametrize("after", [0.0, GRACE_SECONDS - 0.01, GRACE_SECONDS + 0.01])
async def test_who_watches_the_exit_has_a_moment_to_tell_the_cause(
    desk: Desk, autojump_clock: MockClock, after: float
) -> None:
    async def die() -> None:
        await trio.sleep(0.9)
        desk.bot.close()
        await trio.sleep(after)  # beyond the deadline, which does not count any more
        desk.link.end(ENDED)

    desk.nursery.start_soon(die)
    (closed,) = await desk.ask()
    assert closed.wrong is not None
    assert (closed.wrong == ENDED) is (after < GRACE_SECONDS)
    assert closed.wrong.kind is FaultKind.CRASHED
    assert closed.wall_us == 900_000, "the moment is not the bot's"


async def test_if_nobody_has_told_the_cause_it_is_asked_for(autojump_clock: MockClock) -> None:
    """On a busy machine the task that watches the exit may get its turn too late."""
    ours, theirs = MemoryChannel.pair()
    found = Wrong(FaultKind.RESOURCE, "used more memory than allowed")
    link = Link(ours, cause=lambda: found)
    theirs.write_nowait(b"Segmentation")
    theirs.close()
    reply = await ask(link, {"type": "play"}, "q1", CardAnswer, MOVE_US)
    assert reply.settled == Wrong(found.kind, found.reason, "Segmentation")
    assert reply.wall_us == 0


async def test_what_was_said_before_the_end_is_heard_first(desk: Desk, autojump_clock: MockClock) -> None:
    await desk.say(card(0))
    desk.link.end(ENDED)
    assert outcomes(await desk.ask()) == [(0, None)]
    (closed,) = await desk.ask(first=1)
    assert (closed.wrong, closed.at) == (ENDED, 0.0)


# At once


def at_once(desk: Desk, number: int) -> Prompt | None:
    line = b"question %d\n" % number
    return desk.link.ask_at_once(line, IDS[number], CardAnswer, MOVE_US, desk.lateness[number])


async def test_the_usual_answer_is_taken_at_once_and_leaves_nothing_open(
    desk: Desk, autojump_clock: MockClock
) -> None:
    for number in (0, 1):
        await desk.say(card(number))
        assert at_once(desk, number) == (("S7",), 0)
        assert not desk.link.busy
    assert desk.bot.read_nowait() == b"question 0\nquestion 1\n"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (card(0) + b"x\n", None),
        (card(0)[:-1], T),
        (answer_line(IDS[0], ["S7"]), FaultKind.BAD_MESSAGE),
        (b"x\n" * (FLOOD_LINES + 2), FaultKind.FLOOD),
        (b"", T),
    ],
    ids=["a line more", "no newline", "another type", "a flood", "silence"],
)
async def test_whatever_else_comes_at_once_is_judged_as_ever(
    desk: Desk, autojump_clock: MockClock, data: bytes, kind: FaultKind | None
) -> None:
    await desk.say(data)
    assert at_once(desk, 0) is None
    closed: list[Closed] = []
    with trio.fail_after(60):
        while not closed:
            await trio.sleep(0.1)
            closed = desk.collect()
    assert outcomes(closed) == [(0, kind)]


class Late:
    """A channel on which reading takes two seconds."""

    def __init__(self, channel: Channel, clock: MockClock) -> None:
        self._channel = channel
        self._clock = clock

    def read_soon(self, size: int) -> bytes | None:
        self._clock.jump(2)
        return self._channel.read_soon(size)

    def __getattr__(self, name: str) -> object:
        return getattr(self._channel, name)


async def test_an_answer_found_at_once_but_too_late_is_noted_as_our_lateness(
    desk: Desk, autojump_clock: MockClock
) -> None:
    """The referee stood still between question and answer."""
    await desk.say(card(0))
    channel = desk.link.channel
    desk.link.channel = cast(Channel, Late(channel, autojump_clock))
    assert at_once(desk, 0) is None
    desk.link.channel = channel
    (closed,) = desk.collect()
    assert (closed.wrong, closed.wall_us, desk.lateness[0].count) == (None, MOVE_US, 1)


# The referee's own lateness


@pytest.mark.parametrize("line", [card(0), b"nonsense\n"])
async def test_the_referee_was_late_which_is_not_the_bots(
    desk: Desk, autojump_clock: MockClock, line: bytes
) -> None:
    desk.put(0)
    desk.put(1)
    desk.link.write()
    autojump_clock.jump(1.2)  # in which the referee does not look
    assert desk.collect() == []
    assert desk.link.deadline == pytest.approx(trio.current_time() + 0.2)
    await desk.say(line + card(1))
    assert [one.wall_us for one in desk.collect()] == [MOVE_US, 0]
    late, on_time = desk.lateness[:2]
    assert (late.count, late.worst, late.grace) == (1, pytest.approx(0.2), 0.0)
    assert on_time == Lateness()


async def test_a_deadline_moves_once_and_by_a_least_amount(desk: Desk, autojump_clock: MockClock) -> None:
    desk.put(0)
    desk.link.write()
    autojump_clock.jump(1.02)
    assert desk.collect() == []
    assert desk.link.deadline == pytest.approx(trio.current_time() + LEAST_EXTENSION)
    autojump_clock.jump(0.5)
    assert outcomes(desk.collect()) == [(0, T)]


# What it used, and the likely cause of a silence


async def test_the_processor_time_of_a_batch_is_what_was_used_while_waiting(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        desk = Desk(nursery, Machine(0.5, 0.1).meter())
        desk.answers((0.5, card(0)))
        (closed,) = await desk.ask()
    assert closed.wall_us == 500_000
    assert desk.link.batch_used() == (500_000, 250_000, 0)


@pytest.mark.parametrize(
    ("used", "cause"),
    [
        (UNKNOWN, "is standard output flushed after each line?"),
        (Used(3_000, 0), "computed for 0.003 s; is standard output flushed"),
        (Used(3_000, None), "computed for 0.003 s; is standard output flushed"),
        (Used(1_900_000, 10_000), "loading, or thinking, takes it too long"),
        (Used(100_000, 1_500_000), "waited 1.500 s for a core: the machine was busy"),
        (Used(1_000_000, 1_000_000), "the machine was busy"),
        (Used(600_000, 200_000), "in the rest it waited for something else"),
    ],
)
def test_the_likeliest_cause_is_named(used: Used, cause: str) -> None:
    said = silence(2.0, used)
    assert said.startswith("nothing came in 2.000 s")
    assert cause in said
