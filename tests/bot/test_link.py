"""Questions, deadlines and misdeeds on a link, over memory and under a clock that the test drives.

Each test names `autojump_clock`, for pytest-trio looks for a clock among the test's own arguments only.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import cast

import pytest
import trio
from trio.testing import MockClock

from arena.bot.answers import FLOOD_LINES, Wrong
from arena.bot.channel import READ_SIZE, Channel, MemoryChannel
from arena.bot.ending import GRACE_SECONDS
from arena.bot.link import OUTBOX_LIMIT, Lateness, Link, Prompt, Reply, ask, silence, wait_for_any
from arena.bot.waits import UNKNOWN, Used
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.game import Match, addressed
from arena.match.record import NO_LIMIT_US
from protocol import MAX_LINE, CardAnswer, CardsAnswer, Ready, answer_line, ready_line
from tests.driving import QUIET_TERMS, chooser, make_setup
from tests.sitting import MOVE_US, Bot, Sitting


@pytest.fixture
async def sitting(autojump_clock: MockClock) -> AsyncIterator[Sitting]:
    async with trio.open_nursery() as nursery:
        yield Sitting(nursery, autojump_clock, READ_SIZE)
        nursery.cancel_scope.cancel()


@pytest.fixture
async def narrow(autojump_clock: MockClock) -> AsyncIterator[Sitting]:
    """A sitting whose channel holds ten bytes each way."""
    async with trio.open_nursery() as nursery:
        yield Sitting(nursery, autojump_clock, 10)
        nursery.cancel_scope.cancel()


async def test_an_answer_that_is_there_at_once_takes_no_time(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    await sitting.bot.say(answer_line("q1", "S7"))
    assert await sitting.ask() == Reply(CardAnswer("q1", "S7"), 0)
    assert await sitting.bot.hear() == {"type": "play", "id": "q1"}


async def test_an_answer_in_time_is_timed(sitting: Sitting, autojump_clock: MockClock) -> None:
    sitting.meanwhile(sitting.bot.say(answer_line("q1", "S7"), after=0.75))
    assert await sitting.ask() == Reply(CardAnswer("q1", "S7"), 750_000)


async def test_a_question_without_a_limit_is_never_over(sitting: Sitting, autojump_clock: MockClock) -> None:
    years = 300 * 365 * 86_400.0
    sitting.meanwhile(sitting.bot.say(answer_line("q1", "S7"), after=years))
    reply = await sitting.ask(limit_us=NO_LIMIT_US)
    assert reply.settled == CardAnswer("q1", "S7")
    assert reply.wall_us == NO_LIMIT_US
    assert sitting.lateness.count == 0


async def test_a_fault_at_a_question_without_a_limit_may_be_followed_by_its_answer(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    sitting.meanwhile(
        sitting.bot.say(b"nonsense\n", after=5.0),
        sitting.bot.say(answer_line("q1", "S7"), after=2.0),
        sitting.bot.say(answer_line("q2", "S8"), after=1.0),
    )
    wrong = await sitting.wrong(limit_us=NO_LIMIT_US)
    assert wrong.kind is FaultKind.BAD_MESSAGE
    assert (await sitting.ask("q2", NO_LIMIT_US)).settled == CardAnswer("q2", "S8")
    assert sitting.link.take_late() == [("q1", 3_000_000)]


async def test_an_answer_may_come_byte_by_byte(sitting: Sitting, autojump_clock: MockClock) -> None:
    line = answer_line("q1", "S7")
    sitting.meanwhile(*(sitting.bot.say(line[at : at + 1], after=0.02) for at in range(len(line))))
    reply = await sitting.ask()
    assert reply == Reply(CardAnswer("q1", "S7"), 20_000 * len(line))


async def test_news_goes_ahead_of_the_next_question(sitting: Sitting, autojump_clock: MockClock) -> None:
    sitting.link.tell({"type": "start"})
    sitting.link.tell({"type": "round_over"})
    assert sitting.bot.channel.read_nowait() is None
    await sitting.bot.say(answer_line("q1", "S7"))
    await sitting.ask()
    assert [(await sitting.bot.hear())["type"] for _ in range(3)] == ["start", "round_over", "play"]


async def test_flush_sends_news_without_a_question_and_without_waiting(
    narrow: Sitting, autojump_clock: MockClock
) -> None:
    narrow.link.tell({"type": "match_over"})
    narrow.link.flush()
    assert len(narrow.bot.channel.read_nowait() or b"") == 10


# Timeouts


async def test_silence_is_told_as_nothing_and_asks_about_flushing(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    reply = await sitting.ask()
    assert reply.wall_us == MOVE_US
    assert reply.settled == Wrong(
        FaultKind.TIMEOUT, "nothing came in 1.000 s; is standard output flushed after each line?"
    )
    assert sitting.lateness == Lateness()  # the referee itself was on time


async def test_a_missing_newline_is_told_with_what_came(sitting: Sitting, autojump_clock: MockClock) -> None:
    line = answer_line("q1", "S7").rstrip()
    sitting.meanwhile(sitting.bot.say(line, after=0.1))
    assert await sitting.wrong() == Wrong(
        FaultKind.TIMEOUT, f"{len(line)} bytes came in 1.000 s, but no newline ended them", line.decode()
    )


async def test_a_late_answer_is_dropped_and_told_with_its_lateness(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    sitting.meanwhile(
        sitting.bot.say(answer_line("q1", "S7"), after=1.012),
        sitting.bot.say(answer_line("q2", "H1"), after=0.1),
    )
    assert (await sitting.wrong()).kind is FaultKind.TIMEOUT
    assert sitting.link.take_late() == []
    reply = await sitting.ask("q2")
    assert reply.settled == CardAnswer("q2", "H1")
    assert reply.wall_us == 112_000
    assert sitting.link.take_late() == [("q1", 112_000)]
    assert sitting.link.take_late() == []


async def test_an_answer_after_a_stray_line_is_late_and_no_second_fault(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    await sitting.bot.say(b"thinking...\n" + answer_line("q1", "S7") + answer_line("q2", "H1"))
    assert (await sitting.wrong()).sent == "thinking..."
    assert (await sitting.ask("q2")).settled == CardAnswer("q2", "H1")
    assert [question for question, _ in sitting.link.take_late()] == ["q1"]


async def test_the_deadline_covers_a_bot_that_never_reads(narrow: Sitting, autojump_clock: MockClock) -> None:
    reply = await narrow.ask()
    assert isinstance(reply.settled, Wrong)
    assert (reply.settled.kind, reply.wall_us) == (FaultKind.TIMEOUT, MOVE_US)


async def test_a_question_is_written_as_far_as_the_bot_reads(
    narrow: Sitting, autojump_clock: MockClock
) -> None:
    async def answer() -> None:
        question = await narrow.bot.hear()
        await narrow.bot.say(answer_line(str(question["id"]), "S7"), after=0.3)

    narrow.meanwhile(answer())
    assert (await narrow.ask()).settled == CardAnswer("q1", "S7")


async def test_an_unread_question_still_comes_before_the_next(
    narrow: Sitting, autojump_clock: MockClock
) -> None:
    await narrow.wrong("q1")

    async def answer_both() -> None:
        for _ in range(2):
            question = await narrow.bot.hear()
            await narrow.bot.say(answer_line(str(question["id"]), "S7"))

    narrow.meanwhile(answer_both())
    assert (await narrow.ask("q2")).settled == CardAnswer("q2", "S7")
    assert [question for question, _ in narrow.link.take_late()] == ["q1"]


async def test_too_much_unread_news_is_a_timeout_at_once(narrow: Sitting, autojump_clock: MockClock) -> None:
    for _ in range(OUTBOX_LIMIT // 40_000 + 1):
        narrow.link.tell({"type": "bye", "reason": "x" * 30_000})
    reply = await narrow.ask()
    assert isinstance(reply.settled, Wrong)
    assert reply.settled.reason == f"more than {OUTBOX_LIMIT} bytes lie unread on its standard input"
    assert reply.wall_us == 0


# Lines that are no answer


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (answer_line("q7", "S7"), "an answer to question q7, which was never asked"),
        (answer_line("q1", ["S7"]), '"play" is answered with "card", not with "cards"'),
        (ready_line(Ready("q1", "B", "1")), '"play" is answered with "card", not with "ready"'),
        (b"thinking...\n", "The line is not base64"),
        (b"\n", "The line is empty"),
    ],
    ids=["unknown id", "cards", "ready", "stray", "empty"],
)
async def test_a_line_that_is_no_answer(
    sitting: Sitting, autojump_clock: MockClock, line: bytes, reason: str
) -> None:
    sitting.meanwhile(sitting.bot.say(line, after=0.25))
    reply = await sitting.ask()
    assert isinstance(reply.settled, Wrong)
    assert reply.settled.kind is FaultKind.BAD_MESSAGE
    assert reply.settled.reason.startswith(reason)
    assert reply.wall_us == 250_000


async def test_a_second_answer_is_a_fault_at_the_next_question(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    await sitting.bot.say(answer_line("q1", "S7") * 2)
    assert (await sitting.ask()).settled == CardAnswer("q1", "S7")
    assert (await sitting.wrong("q2")).reason.startswith("a second answer to question q1")


@pytest.mark.parametrize(
    ("flood", "reason"),
    [
        ([b"x\n" * (FLOOD_LINES + 2)], f"in {FLOOD_LINES + 2} lines came at once"),
        ([b"x" * 40_000, b"\n" + b"x" * 40_000], "80001 bytes in 1 lines came at once"),
        ([b"x" * (MAX_LINE + 1)], f"a line of more than {MAX_LINE} bytes"),
    ],
    ids=["lines", "bytes", "one long line"],
)
async def test_a_flood(sitting: Sitting, autojump_clock: MockClock, flood: list[bytes], reason: str) -> None:
    sitting.meanwhile(*(sitting.bot.say(part, after=0.1) for part in flood))
    fault = await sitting.wrong()
    assert fault.kind is FaultKind.FLOOD
    assert reason in fault.reason


# The end of the bot


async def test_the_end_of_its_output_is_a_crash_with_the_last_words(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    async def die() -> None:
        await sitting.bot.say(b"Segmentation", after=0.5)
        sitting.bot.channel.close()

    sitting.meanwhile(die())
    reply = await sitting.ask()
    assert reply == Reply(
        Wrong(FaultKind.CRASHED, "the process closed its standard output", "Segmentation"), 500_000
    )


async def test_an_answer_before_the_end_stands_and_the_next_question_finds_the_crash(
    sitting: Sitting,
    autojump_clock: MockClock,
) -> None:
    async def answer_and_die() -> None:
        await sitting.bot.say(answer_line("q1", "S7"), after=0.5)
        sitting.bot.channel.close()

    sitting.meanwhile(answer_and_die())
    assert (await sitting.ask()).settled == CardAnswer("q1", "S7")
    assert (await sitting.wrong("q2")).kind is FaultKind.CRASHED


class NobodyReads:
    """A channel whose other end has closed what it is written to, and that alone."""

    def __init__(self, channel: MemoryChannel) -> None:
        self._channel = channel

    def write_nowait(self, data: bytes) -> int:
        raise BrokenPipeError

    def __getattr__(self, name: str) -> object:
        return getattr(self._channel, name)


@pytest.mark.parametrize("answers", [True, False])
async def test_a_bot_that_only_closed_its_input_has_its_time(
    autojump_clock: MockClock, answers: bool
) -> None:
    ours, theirs = MemoryChannel.pair()
    link = Link(cast(Channel, NobodyReads(ours)))
    async with trio.open_nursery() as nursery:
        if answers:
            nursery.start_soon(Bot(theirs).say, answer_line("q1", "S7"), 0.5)
        reply = await ask(link, {"type": "play"}, "q1", CardAnswer, MOVE_US)
    assert reply.wall_us == (500_000 if answers else MOVE_US)
    assert isinstance(reply.settled, CardAnswer) == answers


ENDED = Wrong(FaultKind.CRASHED, "killed by SIGKILL")


@pytest.mark.parametrize("after", [0.0, GRACE_SECONDS - 0.01, GRACE_SECONDS + 0.01])
async def test_who_watches_the_exit_has_a_moment_to_tell_the_cause(
    sitting: Sitting, autojump_clock: MockClock, after: float
) -> None:
    async def die() -> None:
        await trio.sleep(0.9)
        sitting.bot.channel.close()
        await trio.sleep(after)  # beyond the deadline, which does not count any more
        sitting.link.end(ENDED)

    sitting.meanwhile(die())
    reply = await sitting.ask()
    assert isinstance(reply.settled, Wrong)
    assert (reply.settled == ENDED) is (after < GRACE_SECONDS)
    assert reply.settled.kind is FaultKind.CRASHED
    assert reply.wall_us == 900_000, "the moment is not the bot's"


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


# At once


def at_once(sitting: Sitting, question_id: str, limit_us: int = MOVE_US) -> Prompt | None:
    line = b"question %s\n" % question_id.encode()
    return sitting.link.ask_at_once(line, question_id, CardAnswer, limit_us, sitting.lateness)


ID, NEXT = "0123456789ab", "0123456789cd"


async def test_the_usual_answer_is_taken_at_once_and_leaves_nothing_open(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    for name in (ID, NEXT):
        await sitting.bot.say(answer_line(name, "S7"))
        assert at_once(sitting, name) == (("S7",), 0)
        assert not sitting.link.busy
    assert sitting.bot.channel.read_nowait() == b"question %s\nquestion %s\n" % (ID.encode(), NEXT.encode())


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (answer_line(ID, "S7") + b"x\n", None),
        (answer_line(ID, "S7")[:-1], FaultKind.TIMEOUT),
        (answer_line(ID, ["S7"]), FaultKind.BAD_MESSAGE),
        (b"x\n" * (FLOOD_LINES + 2), FaultKind.FLOOD),
        (b"", FaultKind.TIMEOUT),
    ],
    ids=["a line more", "no newline", "another type", "a flood", "silence"],
)
async def test_whatever_else_comes_at_once_is_judged_as_ever(
    sitting: Sitting, autojump_clock: MockClock, data: bytes, kind: FaultKind | None
) -> None:
    await sitting.bot.say(data)
    assert at_once(sitting, ID) is None
    assert sitting.link.busy
    while not (closed := sitting.link.collect(linger=False)):
        await wait_for_any([sitting.link])
    ((name, reply),) = closed
    assert name == ID
    assert isinstance(reply, Reply)
    assert (reply.settled.kind if isinstance(reply.settled, Wrong) else None) is kind


async def test_an_answer_found_at_once_but_too_late_is_noted_as_our_lateness(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    """The referee stood still between question and answer."""
    await sitting.bot.say(answer_line(ID, "S7"))
    answers = sitting.link.channel
    sitting.link.channel = cast(Channel, Late(answers, sitting.clock))
    assert at_once(sitting, ID) is None
    sitting.link.channel = answers
    ((_, reply),) = sitting.link.collect(linger=False)
    assert isinstance(reply, Reply)
    assert (reply.settled, reply.wall_us) == (CardAnswer(ID, "S7"), MOVE_US)
    assert sitting.lateness.count == 1


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


async def test_end_closes_the_question_that_waits(sitting: Sitting, autojump_clock: MockClock) -> None:
    async def end() -> None:
        await trio.sleep(0.5)
        sitting.link.end(ENDED)

    sitting.meanwhile(end())
    assert await sitting.ask() == Reply(ENDED, 500_000)


async def test_end_between_questions_closes_the_next_at_once(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    sitting.link.end(ENDED)
    assert await sitting.ask() == Reply(ENDED, 0)


async def test_what_was_said_before_the_end_is_heard_first(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    await sitting.bot.say(answer_line("q1", "S7"))
    sitting.link.end(ENDED)
    assert (await sitting.ask()).settled == CardAnswer("q1", "S7")
    assert await sitting.wrong("q2") == ENDED


# The referee's own lateness


async def block(sitting: Sitting, at: float, seconds: float) -> None:
    """The loop stands still for so long."""
    await trio.sleep(at)
    sitting.clock.jump(seconds)


async def test_an_answer_that_lay_there_while_the_referee_stood_still_is_in_time(
    sitting: Sitting, autojump_clock: MockClock
) -> None:
    sitting.meanwhile(sitting.bot.say(answer_line("q1", "S7"), after=0.9), block(sitting, 0, 5))
    reply = await sitting.ask()
    assert reply.settled == CardAnswer("q1", "S7")
    assert reply.wall_us <= 1_000_001  # the four seconds beyond the deadline were ours


async def test_a_late_referee_moves_the_deadline_once(sitting: Sitting, autojump_clock: MockClock) -> None:
    sitting.meanwhile(block(sitting, 0.5, 0.8))  # at 1.3, the deadline was 1.0
    reply = await sitting.ask()
    assert isinstance(reply.settled, Wrong)
    assert reply.settled.kind is FaultKind.TIMEOUT
    assert reply.wall_us == pytest.approx(1_300_000 + 300_000)
    assert sitting.lateness.count == 1
    assert sitting.lateness.worst == pytest.approx(0.3)


async def test_the_deadline_is_not_moved_twice(sitting: Sitting, autojump_clock: MockClock) -> None:
    sitting.meanwhile(block(sitting, 0.5, 0.8), block(sitting, 0.1, 1))  # at 1.3, and at 2.4
    reply = await sitting.ask()
    assert isinstance(reply.settled, Wrong)
    assert reply.wall_us == pytest.approx(2_400_000)


# The likely cause of a silence


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


def test_no_time_has_no_cause() -> None:
    assert silence(0.0, Used(0, 0)) == silence(0.0, UNKNOWN)


# With a match


@pytest.mark.parametrize("late", [False, True], ids=["silent", "slow"])
async def test_two_timeouts_in_a_row_hand_over_only_a_silent_bot(
    sitting: Sitting, autojump_clock: MockClock, late: bool
) -> None:
    match = Match(make_setup(3, 1, terms=replace(QUIET_TERMS, max_faults=9)), chooser())
    match.begin()
    for number in range(2):
        while match.waiting()[0] != 0:
            other = match.ask(match.waiting()[0])
            message = other.message
            cards = message["hand"][: message["count"]] if other.is_pass else message["legal"][:1]
            assert match.answer(other.seat, cards, 0) is None
        question = match.ask(0)
        if late and number == 1:
            await sitting.bot.say(answer_line("q0", ["S1"]))
        message = addressed(question.message, 0, f"q{number}")
        kind = CardsAnswer if question.is_pass else CardAnswer
        reply = await ask(sitting.link, message, f"q{number}", kind, question.limit_us)
        for _ in sitting.link.take_late():
            match.late_answer(0)
        settled = reply.settled
        assert isinstance(settled, Wrong)
        match.fault(Fault(0, settled.kind, settled.reason, question.round, question.number))
    assert match.handed_over(0) is (None if late else HandOver.SILENT)
