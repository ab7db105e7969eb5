"""What is found in one match record; whole databases are checked in test_verify."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind
from arena.match.record import MatchRecord, RoundRecord
from arena.verify.match_check import Expected, Found, check_match
from tests.examples import examples
from tests.papayoo.setups import SIZES
from tests.store.samples import BOTS, TERMS, played

KEY = MatchKey(0, 0, 0)
RoundChange = Callable[[RoundRecord], RoundRecord]


def expected(record: MatchRecord) -> Expected:
    seats = record.setup.players
    return Expected(BOTS[:seats], seats, None, TERMS)


def first(record: MatchRecord, known: Expected | None = None) -> Found | None:
    return next(check_match(record, known or expected(record)), None)


def with_round(record: MatchRecord, number: int, change: RoundChange) -> MatchRecord:
    rounds = list(record.rounds)
    rounds[number] = change(rounds[number])
    return replace(record, rounds=tuple(rounds))


@examples(20)
@given(st.integers(0, 2**32), st.sampled_from(SIZES))
def test_a_match_that_was_really_played_agrees(seed: int, seats: int) -> None:
    record = played(KEY, seed, seats)
    assert list(check_match(record, expected(record))) == []


def test_a_seat_without_a_clock_cannot_have_been_late() -> None:
    record = played(KEY)
    late = (Fault(2, FaultKind.TIMEOUT, "nothing", 0, 3),)
    setup = replace(record.setup, no_clock=(2,))
    texts = [found.text for found in check_match(replace(record, setup=setup, faults=late), expected(record))]
    assert "it cannot be played again: seat 2 has no clock, and cannot be late" in texts


def test_a_pass_of_cards_that_were_not_dealt_is_found_in_its_round() -> None:
    record = played(KEY)

    def others_cards(round_: RoundRecord) -> RoundRecord:
        return replace(round_, passes=(round_.passes[1], *round_.passes[1:]))

    found = first(with_round(record, 2, others_cards))
    assert found is not None
    assert (found.round, found.trick) == (2, None)
    assert found.text.startswith("seat 0, question 0: ")


def test_a_card_played_twice_is_found_in_its_trick() -> None:
    record = played(KEY)
    found = first(
        with_round(record, 1, lambda r: replace(r, plays=(*r.plays[:9], r.plays[0], *r.plays[10:])))
    )
    assert found is not None
    assert (found.round, found.trick) == (1, 2)


def test_other_points_than_the_plays_give_are_found_in_their_round() -> None:
    record = played(KEY)
    points = tuple(reversed(record.rounds[3].points))
    found = first(with_round(record, 3, lambda r: replace(r, points=points)))
    assert found is not None
    assert found.round == 3
    assert found.text.startswith(f"points[0] is {points[0]}, played again it is ")


def extended(took_us: int, *amounts: tuple[int, int]) -> RoundChange:
    """A round whose decision 5 took so long, and whose deadlines moved."""

    def change(round_: RoundRecord) -> RoundRecord:
        times = (*round_.took_us[:5], took_us, *round_.took_us[6:])
        return replace(round_, took_us=times, extended=amounts)

    return change


MOVE_US = TERMS.move_ms * 1000


@pytest.mark.parametrize("took_us", [MOVE_US // 2, MOVE_US])
def test_more_time_that_can_have_been_given_agrees(took_us: int) -> None:
    assert first(with_round(played(KEY), 1, extended(took_us, (5, MOVE_US - MOVE_US // 2)))) is None
    assert first(with_round(played(KEY), 1, extended(MOVE_US, (5, MOVE_US)))) is None


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (extended(MOVE_US, (5, MOVE_US + 1)), f"decision 5 got {MOVE_US + 1} us more"),
        (extended(MOVE_US, (5, 0)), "decision 5 got 0 us more"),
        (extended(9, (5, 1000)), f"decision 5 got 1000 us more and took 9 us of {MOVE_US} us"),
        (extended(MOVE_US, (5, 9), (5, 9)), "extended is (5, 9) (5, 9), played again it is (5, 9)"),
        (extended(MOVE_US, (64, MOVE_US)), f"extended is (64, {MOVE_US}), played again it is none"),
    ],
)
def test_more_time_that_nobody_can_have_given_is_found(change: RoundChange, text: str) -> None:
    found = first(with_round(played(KEY), 1, change))
    assert found is not None
    assert found.round == 1
    assert text in found.text


@pytest.mark.parametrize("place", [2, 4, 63])
def test_a_decision_ascribed_to_a_stand_in_without_a_fault_is_found(place: int) -> None:
    found = first(with_round(played(KEY), 0, lambda r: replace(r, stand_in=(place,))))
    assert found == Found(f"stand_in is {place}, played again it is none", 0)
