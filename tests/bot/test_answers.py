"""What each line of a bot is: the answer, late, or wrong, however the bytes are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bot.answers import Inbox, Settled, Wrong, answer_of
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


def taken(inbox: Inbox) -> Settled | None:
    """What `take` gives, without the id."""
    found = inbox.take()
    return None if found is None else found[1]


def wrong(settled: Settled | None) -> Wrong:
    assert isinstance(settled, Wrong)
    return settled


def test_a_new_match_forgets_what_was_answered_but_not_what_may_come_late() -> None:
    inbox = opened()
    inbox.feed(CARD)
    assert taken(inbox) == CardAnswer("q1", "S7")
    inbox.expect("q2", CardAnswer)
    inbox.give_up_on("q2")
    inbox.forget()
    inbox.expect("q3", CardAnswer)
    inbox.feed(answer_line("q2", "S7"))
    assert taken(inbox) is None
    assert inbox.take_late() == ["q2"]
    inbox.feed(CARD)
    assert "never asked" in wrong(taken(inbox)).reason


@pytest.mark.parametrize("size", [MAX_LINE, MAX_LINE + 1])
def test_the_longest_line_is_bad_and_a_longer_one_a_flood(size: int) -> None:
    inbox = opened()
    inbox.feed(b"x" * (size - 1))
    assert taken(inbox) is None
    inbox.feed(b"\n")
    fault = wrong(taken(inbox))
    if size == MAX_LINE:
        assert fault.kind is FaultKind.BAD_MESSAGE
    else:
        assert (fault.kind, fault.reason) == (FaultKind.FLOOD, f"a line of more than {MAX_LINE} bytes")
    assert fault.sent == "x" * 80 + "…"


@given(st.lists(st.sampled_from([CARD, CARDS, READY, STRAY, b"\n", b"x" * 9, answer_line("q0", "P3")])))
def test_whatever_is_sent_each_line_has_one_verdict(sent: list[bytes]) -> None:
    inbox = Inbox()
    inbox.expect("q0", CardAnswer)
    inbox.give_up_on("q0")
    inbox.expect("q1", CardAnswer)
    inbox.feed(b"".join(sent))
    inbox.expect("q9", CardAnswer)  # so that one is always open
    verdicts = 0
    while (found := inbox.take()) is not None:
        verdicts += 1
        if isinstance(found[1], Wrong):
            assert found[1].reason
        else:
            assert found == ("q1", CardAnswer("q1", "S7"))
    lines = b"".join(sent).count(b"\n")
    assert verdicts + len(inbox.take_late()) == lines


# Several questions at once


ID, OTHER = "0123456789ab", "0123456789cd"
USUAL, USUAL_PASS = answer_line(ID, "S7"), answer_line(ID, ["S7", "P1"])
USUAL_OTHER = answer_line(OTHER, "S7")


def opened_as(types: tuple[type[Answer], ...]) -> Inbox:
    inbox = Inbox()
    for name, expected in zip((ID, OTHER), types, strict=False):
        inbox.expect(name, expected)
    return inbox


@given(
    st.lists(
        st.sampled_from(
            [USUAL, USUAL_PASS, USUAL_OTHER, USUAL[32:], CARD, CARDS, READY, STRAY, b"\n", b"x" * 9]
        )
    ),
    st.one_of(st.integers(1, 90), st.just(len(USUAL)), st.just(len(USUAL_PASS)), st.just(2 * len(USUAL))),
    st.sampled_from([(CardAnswer,), (CardsAnswer,), (CardAnswer, CardAnswer), (CardsAnswer, CardAnswer)]),
)
def test_the_quick_ways_take_what_feeding_and_taking_does(
    sent: list[bytes], size: int, types: tuple[type[Answer], ...]
) -> None:
    data = b"".join(sent)
    slow, quick = opened_as(types), opened_as(types)
    for start in range(0, len(data), size):
        part = data[start : start + size]
        slow.feed(part)
        choices = [
            (name, answer_of(expected, name, cards)) for name, expected, cards in quick.take_choices(part)
        ]
        assert choices + _all_of(quick) == _all_of(slow)
    assert quick.take_late() == slow.take_late()
    assert quick.partial == slow.partial


def _all_of(inbox: Inbox) -> list[tuple[str, Settled]]:
    found = []
    while (one := inbox.take()) is not None:
        found.append(one)
    return found
