"""A recorded match is read by the rules, and what each seat held and could see is right at each play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.match.faults import Fault, FaultKind
from arena.match.rebuild import rebuild
from arena.papayoo import SUIT_MASKS, suit_of
from arena.review.course import Misdeed, courses_of
from arena.review.phases import Phase
from tests.review.played import ANY, DUMP, records


def test_every_play_has_what_the_seat_held_and_could_see() -> None:
    record = records({"a": DUMP, "b": ANY, "c": ANY, "d": ANY}, 1)[0]
    for number, course in enumerate(courses_of(record)):
        passing = zip(course.dealt, course.passed, course.received, strict=True)
        held = [dealt & ~passed | received for dealt, passed, received in passing]
        shown = [0] * 4
        assert course.dealt == tuple(record.setup.boards[number].hands_by_seat(number))
        for play in course.plays:
            assert play.hand == held[play.seat]
            assert play.out == held[0] | held[1] | held[2] | held[3]
            assert play.legal & ~play.hand == 0
            assert play.legal >> play.card & 1
            assert play.voids == tuple(shown)
            assert (play.phase is Phase.LEAD) == (play.table == ())
            if play.table:
                led = SUIT_MASKS[suit_of(play.table[0])]
                assert (play.phase is Phase.DISCARD) == (not play.hand & led)
                if play.phase is Phase.DISCARD:
                    shown[play.seat] |= 1 << suit_of(play.table[0])
            held[play.seat] ^= 1 << play.card
        assert held == [0] * 4
        assert course.points == record.rounds[number].points


def test_the_records_of_these_tests_keep_the_rules_of_a_match() -> None:
    for record in records({"a": DUMP, "b": ANY, "c": ANY, "d": ANY}, 1):
        keyed = tuple(replace(seat, id_key=f"{seat.points:032x}") for seat in record.seats)
        result = rebuild(replace(record, seats=keyed)).result
        assert [seat.points for seat in result.seats] == [seat.points for seat in record.seats]


def test_every_fault_is_in_a_round_and_they_share_the_charge() -> None:
    record = records({"a": DUMP, "b": ANY, "c": ANY, "d": ANY}, 1)[0]
    faults = (
        Fault(1, FaultKind.START_FAILED, "it did not start"),
        Fault(2, FaultKind.TIMEOUT, "nothing arrived", 1, 4),
        Fault(2, FaultKind.CRASHED, "the process ended", 2, 0),
    )
    charges = (0, 120, 120, 0)
    seats = tuple(replace(seat, charge=one) for seat, one in zip(record.seats, charges, strict=True))
    found = [course.faults for course in courses_of(replace(record, seats=seats, faults=faults))]
    assert found == [
        (Misdeed(1, "start_failed", None, 3.0),),
        (Misdeed(2, "timeout", 4, 1.5),),
        (Misdeed(2, "crashed", 0, 1.5),),
        (),
    ]


def test_cards_that_do_not_fit_are_refused_in_words() -> None:
    record = records({"a": DUMP, "b": ANY, "c": ANY, "d": ANY}, 1)[0]
    first, *others = record.rounds
    cases = [
        (replace(first, plays=first.plays[:-1]), "59 cards were played of 60"),
        (replace(first, plays=(first.plays[1], first.plays[0], *first.plays[2:])), "round 0"),
        (replace(first, passes=(0, *first.passes[1:])), "round 0"),
        (replace(first, points=(250, 0, 0, 0)), "points where the cards give"),
        (replace(first, plays=(*first.plays, 3)), "round 0"),
        (replace(first, plays=(77, *first.plays[1:])), "round 0"),
    ]
    for wrong, words in cases:
        with pytest.raises(ValueError, match=words):
            list(courses_of(replace(record, rounds=(wrong, *others))))
