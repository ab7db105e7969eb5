"""Reading a bot's answers, and the key order of every message."""

from __future__ import annotations

import json
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.canonical import canonical_card, canonical_cards
from protocol.codec import BadMessage, Refusal, decode, encode
from protocol.messages import (
    CARDS,
    Bye,
    CardAnswer,
    CardsAnswer,
    Event,
    Hello,
    MatchOver,
    PassQuestion,
    PlayQuestion,
    Ready,
    RoundOver,
    Start,
    answer,
    answer_line,
    read_answer,
    ready_line,
)
from tests.protocol.reading import line_of, vectors

TYPES: dict[str, type] = {
    "hello": Hello, "start": Start, "pass": PassQuestion, "play": PlayQuestion,
    "round_over": RoundOver, "match_over": MatchOver, "bye": Bye,
}  # fmt: skip
ANSWERS = {"ready": Ready, "cards": CardsAnswer, "card": CardAnswer}


def params(cases: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in cases])


FROM_REFEREE = [case for case in vectors("messages.json") if case["from"] == "referee"]
FROM_BOT = [case for case in vectors("messages.json") if case["from"] == "bot"]


@params(vectors("answers.json"))
def test_every_legal_encoding_means_its_answer(case: dict[str, Any]) -> None:
    read = read_answer(line_of(case))
    assert type(read) is ANSWERS[case["answer"]["type"]]
    wanted = {key: value for key, value in case["answer"].items() if key != "type"}
    fields = read._asdict() if isinstance(read, CardAnswer) else asdict(read)
    assert json.loads(json.dumps(fields)) == wanted


@params(vectors("refused.json"))
def test_every_bad_answer_is_refused_for_its_reason(case: dict[str, Any]) -> None:
    with pytest.raises(BadMessage) as caught:
        read_answer(line_of(case))
    assert caught.value.reason is Refusal[case["refusal"]]
    assert str(caught.value).isprintable()


def test_the_vectors_cover_every_type_and_every_reason() -> None:
    assert {case["message"]["type"] for case in vectors("messages.json")} == TYPES.keys() | ANSWERS.keys()
    covered = {case["refusal"] for case in vectors("refused.json")}
    assert covered | {"LINE_TOO_LONG"} == {refusal.name for refusal in Refusal}


@params(FROM_REFEREE)
def test_keys_are_declared_in_the_order_of_the_wire(case: dict[str, Any]) -> None:
    declared = TYPES[case["message"]["type"]]
    keys = list(get_type_hints(declared))
    assert [key for key in keys if key in case["message"]] == list(case["message"])
    assert set(keys) == case["message"].keys()
    for event in case["message"].get("events", ()):
        in_order = ["event", "seat", "card" if "card" in event else "cards", "by"]
        assert list(event) == in_order[: len(event)]
        assert event.keys() <= get_type_hints(Event).keys()


@params(FROM_BOT)
def test_the_builders_write_the_canonical_answer(case: dict[str, Any]) -> None:
    line = line_of(case) + b"\n"
    read = read_answer(line)
    if isinstance(read, Ready):
        assert ready_line(read) == line
    else:
        assert answer_line(read.id, read.card if isinstance(read, CardAnswer) else read.cards) == line


ID = "0123456789ab"
QUICK = answer_line(ID, "S7")
QUICK_CARDS = answer_line(ID, ["S7", "P20"])


def spoilt(line: bytes) -> list[bytes]:
    """What is nearly this line of an answer."""
    return [line[:-1], line[:-1] + b"\r\n", line + line, line[:-1] + b"====\n", b" " + line]


NO_ANSWER = [b"", b"\n", b"=\n", b"A\n"]


@pytest.mark.parametrize("card", CARDS)
def test_the_canonical_card_is_read_without_unpacking(card: str) -> None:
    assert canonical_card(answer_line(ID, card), ID) == card


@given(st.lists(st.sampled_from(CARDS), max_size=15))
def test_canonical_cards_are_read_without_the_careful_way(cards: list[str]) -> None:
    assert canonical_cards(answer_line(ID, cards), ID) == tuple(cards)


@pytest.mark.parametrize(
    ("read", "line"),
    [
        *((canonical_card, line) for line in (*NO_ANSWER, *spoilt(QUICK), QUICK_CARDS)),
        *((canonical_cards, line) for line in (*NO_ANSWER, *spoilt(QUICK_CARDS), QUICK)),
        *((canonical_card, answer_line(other, "S7")) for other in ("0123456789aB", "0123456789a")),
        *((canonical_cards, answer_line(other, ["S7", "P20"])) for other in ("0123456789aB", "0123456789a")),
        (canonical_cards, answer_line(ID, list(CARDS[:16]))),
        (canonical_cards, encode({"type": "cards", "id": ID, "cards": ["S7", "P21"]})),
        (canonical_cards, encode({"type": "cards", "id": ID, "cards": ["S7", 7]})),  # shorter than no text
        (canonical_cards, encode({"type": "cards", "id": ID, "cards": "S7"})),
    ],
)
def test_any_other_line_is_left_to_the_careful_way(read: Callable[[bytes, str], object], line: bytes) -> None:
    assert read(line, ID) is None


CARD_TEXTS = st.sampled_from([*CARDS, "S0", "P21", ""])


@given(
    question_id=st.text("0123456789abcdefXYZ -\x7f", min_size=1, max_size=34),
    said=CARD_TEXTS | st.lists(CARD_TEXTS, max_size=17),
    at=st.integers(0, 90),
    put=st.binary(max_size=2),
    drop=st.integers(0, 2),
)
def test_a_canonical_answer_is_compared_as_exactly_as_it_would_be_unpacked(
    question_id: str, said: str | list[str], at: int, put: bytes, drop: int
) -> None:
    data = a2b_base64(encode(answer(question_id, said)))
    line = b2a_base64(data[:at] + put + data[at + drop :])
    card, cards = canonical_card(line, question_id), canonical_cards(line, question_id)
    try:
        read = read_answer(line)
    except BadMessage:
        assert card is cards is None or not question_id.isprintable()  # the referee makes no such ids
        return
    assert card is None or read == CardAnswer(question_id, card)
    assert cards is None or read == CardsAnswer(question_id, cards)
    message = decode(line)  # the careful way does not refuse what was read
    assert isinstance(read, CardAnswer | CardsAnswer)
    kind, value = ("card", read.card) if isinstance(read, CardAnswer) else ("cards", list(read.cards))
    assert (message["type"], message["id"], message[kind]) == (kind, read.id, value)


@given(st.sampled_from(sorted(ANSWERS)), st.data())
def test_any_value_under_any_key_is_read_or_refused(kind: str, data: st.DataObject) -> None:
    value = (
        st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=120) | st.lists(st.text())
    )
    keys = st.sampled_from(["id", "name", "version", "tables", "language", "author", "card", "cards"])
    message = data.draw(st.dictionaries(keys, value))
    try:
        outcome: object = read_answer(encode({"type": kind, **message}))
    except BadMessage as refusal:
        outcome = refusal
    assert type(outcome) in (ANSWERS[kind], BadMessage)
    assert "\n" not in str(outcome)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "crad", "id": "i", "card": "S1"}, 'Did you mean "card"?'),
        ({"type": "card", "id": "i", "crad": "S1"}, 'It has "crad"; was that meant?'),
        (
            {"type": "card", "id": "i", "car\x1b\x07\u202e": "S1"},
            'It has "car\\x1b\\x07\\u202e"; was that meant?',
        ),
        ({"type": "card", "id": "i", "card": " s1"}, 'Did you mean "S1"?'),
        (
            {"type": "card", "id": "i", "card": True},
            '"card" must be the name of a card, a str, and is the bool true.',
        ),
        ({"id": "i"}, 'needs the key "type"'),
        ({"type": "ready", "id": "i", "name": "x" * 101, "version": ""}, "1 to 100 characters, and has 101"),
    ],
)
def test_the_detail_helps_the_author(message: dict[str, Any], words: str) -> None:
    with pytest.raises(BadMessage) as caught:
        read_answer(encode(message))
    assert words in str(caught.value)


def test_there_are_sixty_cards_in_listing_order() -> None:
    assert len(set(CARDS)) == 60
    assert CARDS[0] == "S1"
    assert CARDS[9:11] == ("S10", "H1")
    assert CARDS[-1] == "P20"
