"""What each line of a bot is: the answer, late, or wrong, however the bytes are cut."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bot.answers import FLOOD_LINES, Inbox, Settled, Wrong, answer_of
from arena.match.faults import FaultKind
from protocol import MAX_LINE, CardAnswer, CardsAnswer, Ready, answer_line, ready_line
from protocol.messages import Answer

CARD = answer_line("q1", "S7")
CARDS = answer_line("q1", ["S7", "P20"])
READY = ready_line(Ready("q1", "First", "1"))
STRAY = b"debug: thinking\n"


def opened(question_id: str = "q1", answer: type[Answer] = CardAnswer) -> Inbox:
    inbox = Inbox()
    inbox.expect(question_id, answer)
    return inbox


def wrong(settled: Settled | None) -> Wrong:
    assert isinstance(settled, Wrong)
    return settled


@pytest.mark.parametrize(
    ("line", "expected"),
    [(CARD, CardAnswer), (CARDS, CardsAnswer), (READY, Ready)],
    ids=["card", "cards", "ready"],
)
def test_each_question_takes_its_own_type_of_answer(line: bytes, expected: type[Answer]) -> None:
    for asked in (CardAnswer, CardsAnswer, Ready):
        inbox = opened(answer=asked)
        inbox.feed(line)
        settled = inbox.take()
        if asked is expected:
            assert type(settled) is expected
        else:
            assert wrong(settled).kind is FaultKind.BAD_MESSAGE
            assert 'is answered with "' in wrong(settled).reason


@given(st.lists(st.integers(0, len(CARD) - 1), max_size=6))
def test_an_answer_may_come_in_any_pieces(cuts: list[int]) -> None:
    inbox = opened()
    edges = [0, *sorted(cuts), len(CARD)]
    for start, end in pairwise(edges):
        assert inbox.take() is None
        inbox.feed(CARD[start:end])
    assert inbox.take() == CardAnswer("q1", "S7")
    assert inbox.partial == b""


def test_a_carriage_return_is_forgiven() -> None:
    inbox = opened()
    inbox.feed(CARD.replace(b"\n", b"\r\n"))
    assert inbox.take() == CardAnswer("q1", "S7")


def test_a_stray_line_is_quoted_and_the_answer_behind_it_comes_late() -> None:
    inbox = opened()
    inbox.feed(STRAY + CARD)
    fault = wrong(inbox.take())
    assert (fault.kind, fault.sent) == (FaultKind.BAD_MESSAGE, "debug: thinking")
    inbox.give_up()
    inbox.expect("q2", CardAnswer)
    assert inbox.take() is None
    assert inbox.take_late() == ["q1"]
    assert inbox.take_late() == []
    inbox.feed(answer_line("q2", "H1"))
    assert inbox.take() == CardAnswer("q2", "H1")


@pytest.mark.parametrize("late", [False, True], ids=["answered", "answered late"])
def test_a_second_answer_is_told_from_an_id_never_sent(late: bool) -> None:
    inbox = opened()
    if late:
        inbox.give_up()
        inbox.expect("q2", CardAnswer)
    inbox.feed(CARD + CARD)
    if not late:
        assert inbox.take() == CardAnswer("q1", "S7")
        inbox.expect("q2", CardAnswer)
    assert "a second answer to question q1" in wrong(inbox.take()).reason
    inbox.feed(answer_line("q9", "S7"))
    assert "question q9, which was never asked" in wrong(inbox.take()).reason


def test_a_new_match_forgets_what_was_answered_but_not_what_may_come_late() -> None:
    inbox = opened()
    inbox.feed(CARD)
    assert inbox.take() == CardAnswer("q1", "S7")
    inbox.expect("q2", CardAnswer)
    inbox.give_up()
    inbox.forget()
    inbox.expect("q3", CardAnswer)
    inbox.feed(answer_line("q2", "S7"))
    assert inbox.take() is None
    assert inbox.take_late() == ["q2"]
    inbox.feed(CARD)
    assert "never asked" in wrong(inbox.take()).reason


def test_the_answer_and_as_many_lines_as_are_allowed_are_no_flood() -> None:
    inbox = opened()
    inbox.feed(CARD + b"x\n" * FLOOD_LINES)
    assert inbox.take() == CardAnswer("q1", "S7")


def test_one_line_more_is_a_flood() -> None:
    inbox = opened()
    inbox.feed(CARD + b"x\n" * (FLOOD_LINES + 1))
    fault = wrong(inbox.take())
    assert fault.kind is FaultKind.FLOOD
    assert f"in {FLOOD_LINES + 2} lines came at once" in fault.reason


@pytest.mark.parametrize("size", [MAX_LINE, MAX_LINE + 1])
def test_the_longest_line_is_bad_and_a_longer_one_a_flood(size: int) -> None:
    inbox = opened()
    inbox.feed(b"x" * (size - 1))
    assert inbox.take() is None
    inbox.feed(b"\n")
    fault = wrong(inbox.take())
    if size == MAX_LINE:
        assert fault.kind is FaultKind.BAD_MESSAGE
    else:
        assert (fault.kind, fault.reason) == (FaultKind.FLOOD, f"a line of more than {MAX_LINE} bytes")
    assert fault.sent == "x" * 80 + "…"


def test_a_line_too_long_is_a_flood_before_it_ends() -> None:
    inbox = opened()
    inbox.feed(b"x" * (MAX_LINE + 1))
    assert wrong(inbox.take()) == Wrong(
        FaultKind.FLOOD, f"a line of more than {MAX_LINE} bytes", "x" * 80 + "…"
    )


def test_many_bytes_in_few_lines_are_a_flood() -> None:
    inbox = opened()
    inbox.feed((b"x" * 40_000 + b"\n") * 2)
    assert wrong(inbox.take()).reason.startswith("80002 bytes in 2 lines")


@given(st.lists(st.sampled_from([CARD, CARDS, READY, STRAY, b"\n", b"x" * 9, answer_line("q0", "P3")])))
def test_whatever_is_sent_each_line_has_one_verdict(sent: list[bytes]) -> None:
    inbox = Inbox()
    inbox.expect("q0", CardAnswer)
    inbox.give_up()
    inbox.expect("q1", CardAnswer)
    inbox.feed(b"".join(sent))
    verdicts = 0
    while (settled := inbox.take()) is not None:
        verdicts += 1
        if isinstance(settled, Wrong):
            assert settled.reason
        else:
            assert settled == CardAnswer("q1", "S7")
    lines = b"".join(sent).count(b"\n")
    assert verdicts + len(inbox.take_late()) == lines


ID = "0123456789ab"
USUAL = answer_line(ID, "S7")
USUAL_PASS = answer_line(ID, ["S7", "P1"])


@given(
    st.lists(st.sampled_from([USUAL, USUAL_PASS, USUAL[32:], CARD, CARDS, READY, STRAY, b"\n", b"x" * 9])),
    st.one_of(st.integers(1, 90), st.just(len(USUAL)), st.just(len(USUAL_PASS))),
    st.sampled_from([CardAnswer, CardsAnswer]),
)
def test_taking_from_what_was_read_is_feeding_and_taking(
    sent: list[bytes], size: int, expected: type[Answer]
) -> None:
    data = b"".join(sent)
    fed, given_ = opened(ID, expected), opened(ID, expected)
    for start in range(0, len(data), size):
        part = data[start : start + size]
        fed.feed(part)
        cards = given_.take_choice(part)
        settled = given_.take_from(part) if cards is None else answer_of(expected, ID, cards)
        assert settled == fed.take()
    assert given_.take_late() == fed.take_late()
    assert given_.partial == fed.partial
