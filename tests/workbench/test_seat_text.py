"""What a person reads at the table, and what can be typed, without a terminal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.match.faults import HandOver
from arena.seat.seat import Refused
from arena.seat.view import Fallen, Stage, Taken, View
from arena.workbench.seat_text import SeatText, cards_typed, replaced_text

NAMES = ["Ann", "Bo", "Cy"]
START = View(players=3, seat=1, rounds=2, points=(0, 0, 0), scores=(0, 0, 0))
PASSING = replace(
    START,
    stage=Stage.PASSING,
    question="q",
    count=5,
    hand=("S1", "S9", "P3"),
    legal=("S1", "S9", "P3"),
    turn=1,
)
LEADING = replace(PASSING, stage=Stage.PLAYING, count=1, passed=("S2",), received=("P3",), papayoo="H7")
TRICK = (Fallen(1, "P3"), Fallen(2, "P5"), Fallen(0, "P1"))
LATER = replace(
    LEADING,
    hand=("S1", "S9"),
    legal=("S1",),
    tricks=(Taken(TRICK, 2, 9),),
    trick=(Fallen(2, "S4"),),
    points=(0, 0, 9),
)


def test_a_round_is_told_step_by_step_and_nothing_twice() -> None:
    text = SeatText(NAMES)
    assert list(text.new(START)) == [
        "You sit with Cy and Ann.",
        "They play after you in this order.",
        "The match has 2 rounds; the fewest points win. Type ? for help, quit to leave.",
    ]
    assert list(text.new(PASSING)) == ["", "Round 0, Ann deals.", "  hand   S1 S9   P3"]
    assert list(text.new(LEADING)) == [
        "You pass S2 to Cy.",
        "You get P3 from Ann.",
        "The Papayoo is H7: it counts 40 points.",
        "   0  you lead",
        "  hand   S1 S9   P3",
    ]
    assert list(text.new(LATER)) == [
        "   0  you P3  Cy P5  Ann P1  -> Cy takes 9 points",
        "   1  Cy S4",
        "  hand   S1 S9",
        "  legal  S1",
    ]
    over = replace(LATER, stage=Stage.ROUND_OVER, question="", trick=(), hand=(), legal=(), scores=(1, 2, 3))
    assert list(text.new(over)) == [
        "Round 0 is over.",
        "          Ann   you    Cy",
        "  round     0     0     9",
        "  match     1     2    12",
    ]
    again = replace(PASSING, round=1, dealer=1, scores=(1, 2, 12))
    assert list(text.new(again)) == ["", "Round 1, you deal.", "  hand   S1 S9   P3"]


def test_a_trick_without_points_is_taken_all_the_same() -> None:
    text = SeatText(NAMES)
    list(text.new(LEADING))
    taken = replace(LATER, tricks=(Taken(TRICK, 1, 0),))
    assert next(text.new(taken)) == "   0  you P3  Cy P5  Ann P1  -> you take it"
    one = replace(taken, tricks=(*taken.tricks, Taken(TRICK, 0, 1)))
    assert next(text.new(one)).endswith("-> Ann takes 1 point")


def test_a_wide_trick_goes_on_in_the_next_line() -> None:
    names = [f"A bot of seat {seat}" for seat in range(8)]
    text = SeatText(names)
    view = replace(LEADING, players=8, seat=7, trick=tuple(Fallen(seat, f"P{seat + 1}") for seat in range(7)))
    lines = list(text.new(view))
    lines = lines[lines.index(next(line for line in lines if line.startswith("   0"))) : -1]
    assert len(lines) == 3
    assert max(map(len, lines)) <= 80
    assert "  ".join(line.strip() for line in lines).split("  ")[1:] == [
        f"A bot of seat {seat} P{seat + 1}" for seat in range(7)
    ]


def test_what_happened_without_the_person_is_told() -> None:
    text = SeatText(NAMES)
    list(text.new(LEADING))
    assert next(text.new(replace(LATER, stood_in=1))) == "The stand-in chose for you."
    gone = replace(LATER, stood_in=1, question="", bye="the stand-in has taken over: silent")
    assert list(text.new(gone)) == [
        "Your match is over, and the others play on: the stand-in has taken over: silent."
    ]
    done = replace(gone, stage=Stage.MATCH_OVER)
    assert list(text.new(done)) == []


@pytest.mark.parametrize("why", list(HandOver))
def test_every_reason_for_the_stand_in_has_a_sentence(why: HandOver) -> None:
    assert replaced_text("Bo", why).startswith("Bo ")
    assert replaced_text("Bo", why).endswith(": the stand-in plays its cards to the end of the match.")


@pytest.mark.parametrize(
    ("typed", "cards"),
    [
        ("s1", ["S1"]),
        (" S1,p3  2\n", ["S1", "P3", "S9"]),
        ("3 1", ["P3", "S1"]),
        ("q7", ["Q7"]),
        ("٣", ["٣"]),
    ],
)
def test_cards_are_typed_by_name_or_place(typed: str, cards: list[str]) -> None:
    assert cards_typed(typed, PASSING) == cards


@pytest.mark.parametrize("typed", ["0", "4", "0004", "123456789"])
def test_a_place_that_does_not_exist_is_refused(typed: str) -> None:
    with pytest.raises(
        Refused, match=f"^{typed} is no place: the cards that you may choose have the places 1"
    ):
        cards_typed(typed, PASSING)


def test_nothing_typed_is_answered_with_what_is_wanted() -> None:
    with pytest.raises(Refused, match="Type 5 cards, such as S1, or "):
        cards_typed(" \t", PASSING)
    with pytest.raises(Refused, match="Type a card, such as S1, or"):
        cards_typed(",", LATER)
