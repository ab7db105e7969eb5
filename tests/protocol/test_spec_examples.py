"""The examples of SPEC.md agree with each other: all are of one match, played here by the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from arena.papayoo import Board, Round, Trick, card_name, cards_of, mask_of, parse_card
from tests.protocol.example_match import DIE, HANDS, IDS, PLAYERS, ROUND, SEAT, played
from tests.protocol.shapes import EventShape, MessageShape, event_shapes, message_shapes

SPEC = files("protocol").joinpath("SPEC.md").read_text("utf-8")
SHAPES = {shape.name: shape for shape in message_shapes()}
FIRST: dict[str, dict[str, Any]] = {name: dict(shape.examples[0]) for name, shape in SHAPES.items()}
OF_THE_MATCH = ("start", "pass", "play", "round_over", "match_over")


def rows(head: str) -> list[list[str]]:
    """The cells of the page's one table whose head begins so."""
    (found,) = re.findall(rf"^\| {head} +\|.*\n\|-.*\n((?:\|.*\n)+)", SPEC, re.MULTILINE)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in found.splitlines()]


def names(cell: str) -> list[str]:
    """The cards that a cell names."""
    return [name for group in re.findall(r"`([^`]*)`", cell) for name in group.split()]


# ---------------------------------------------------------------------------- the messages


@pytest.mark.parametrize("kind", OF_THE_MATCH)
def test_the_example_is_what_the_match_sends(kind: str) -> None:
    sent = [message for message in played().sent if message["type"] == kind]
    if kind in IDS:
        sent = [message for message in sent if message["id"] == IDS[kind]]
    if kind == "round_over":
        sent = [message for message in sent if message["round"] == ROUND]
    (expected,) = sent
    assert list(FIRST[kind].items()) == list(expected.items())


@pytest.mark.parametrize(("kind", "asked"), [("cards", "pass"), ("card", "play")])
def test_the_answer_is_to_the_question(kind: str, asked: str) -> None:
    (given,) = [answer for answer in played().answers if answer["id"] == FIRST[asked]["id"]]
    assert FIRST[kind] == given
    assert FIRST[kind]["type"] == kind == SHAPES[asked].answer


def test_the_numbers_go_on_from_each_other() -> None:
    start, ask, play, over, last = (FIRST[kind] for kind in OF_THE_MATCH)
    assert ask["scores"] == play["scores"]
    assert over["scores"] == [a + b for a, b in zip(play["scores"], over["points"], strict=True)]
    assert [sum(play["scores"]), sum(over["scores"])] == [250 * ROUND, 250 * (ROUND + 1)]
    assert sum(last["scores"]) == 250 * start["rounds"]
    assert all(a <= b for a, b in zip(over["scores"], last["scores"], strict=True))
    assert {message["table"] for message in (start, ask, play, over, last)} == {0}


# ---------------------------------------------------------------------------- the tables of keys


def examples_of(shape: MessageShape) -> Iterator[tuple[str, object, object]]:
    """Each key with the example in its table, and its value in the first whole example that has it."""
    for key in shape.keys:
        (value, *_) = [example[key.name] for example in shape.examples if key.name in example]
        yield key.name, key.example, value


@pytest.mark.parametrize("shape", SHAPES.values(), ids=lambda shape: shape.name)
def test_the_example_of_a_key_is_cut_from_the_message(shape: MessageShape) -> None:
    for key, shown, value in examples_of(shape):
        assert shown == value, key


@pytest.mark.parametrize("shape", event_shapes(), ids=lambda shape: shape.name)
def test_the_example_of_an_event_is_one_of_the_messages(shape: EventShape) -> None:
    event = {key.name: key.example for key in shape.keys if not key.optional}
    assert event in FIRST["play"]["events"] + FIRST["round_over"]["events"]


# ---------------------------------------------------------------------------- the worked round


@pytest.fixture(scope="module")
def worked() -> Round:
    """Round 2, played again by the rules alone: with the hands and passes of the page."""
    hands = [mask_of(map(parse_card, names(row[1]))) for row in rows("seat +\\| hand")]
    board = Board(tuple(hands[(ROUND + place) % PLAYERS] for place in range(PLAYERS)), "SHDC".index(DIE))
    round_ = Round.deal(board, ROUND)
    for seat, row in enumerate(rows("seat +\\| hand")):
        round_.choose_pass(seat, mask_of(map(parse_card, names(row[2]))))
    for seat, card in played().plays:
        assert round_.turn == seat
        round_.play(parse_card(card))
    assert round_.over
    return round_


def told(trick: Trick) -> str:
    """The cards of a trick as the page lists them."""
    seats = [(trick.leader + place) % PLAYERS for place in range(PLAYERS)]
    cards = zip(seats, trick.cards, strict=True)
    return ", ".join(f"seat {seat} `{card_name(card)}`" for seat, card in cards)


def test_the_hands_are_those_of_the_match() -> None:
    assert [row[1].strip("`") for row in rows("seat +\\| hand")] == list(HANDS)
    passes = [names(row[2]) for row in rows("seat +\\| hand")]
    assert (passes[SEAT], passes[SEAT - 1]) == (FIRST["play"]["passed"], FIRST["play"]["received"])
    assert names(rows("seat +\\| hand")[SEAT][1]) == FIRST["pass"]["hand"]


def test_the_tricks_go_by_the_rules(worked: Round) -> None:
    for number, cards, taker, points, _ in rows("trick"):
        trick = worked.tricks[int(number)]
        assert (cards, taker, int(points)) == (told(trick), f"seat {trick.taker}", trick.points)
    assert worked.tricks[0].cards[0] == parse_card(FIRST["play"]["trick"][0])
    assert worked.tricks[0].cards[1] == parse_card(FIRST["card"]["card"])


def test_what_is_said_of_the_tricks_is_so(worked: Round) -> None:
    said = {int(row[0]): row[4] for row in rows("trick")}
    assert worked.tricks[1].leader == 2
    for number, what in said.items():
        for sum_text in re.findall(r"\d+(?: \+ \d+)+", what):
            assert sum(map(int, sum_text.split(" + "))) == worked.tricks[number].points
    of_seat_3_later = [trick.cards[(SEAT - trick.leader) % PLAYERS] for trick in worked.tricks[6:]]
    assert not any(card_name(card)[0] == "S" for card in of_seat_3_later), "S9 is its last spade"
    after_11 = [trick.cards[(SEAT - trick.leader) % PLAYERS] for trick in worked.tricks[11:]]
    assert not any(card_name(card)[0] == "D" for card in after_11), "it has no diamond left"


def test_the_points_are_counted_right(worked: Round) -> None:
    taken = [0] * PLAYERS
    for trick in worked.tricks:
        taken[trick.taker] |= mask_of(trick.cards)
    found = []
    for seat, (_, cards, points) in enumerate(rows("seat +\\| has taken")):
        payoos = [card_name(card) for card in cards_of(taken[seat]) if card_name(card)[0] == "P"]
        assert names(cards) == payoos
        assert ("the Papayoo" in cards) == bool(taken[seat] >> parse_card(f"{DIE}7") & 1)
        found.append(int(points.split()[-1]))
    assert found == list(worked.points) == FIRST["round_over"]["points"]
    assert "they are 250 in all" in SPEC
    assert sum(found) == 250
