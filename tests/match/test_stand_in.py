"""The stand-in: legal, even-handed, the same for all who have the key, and repeatable from a record."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import Deals, MatchKey, pick
from arena.match.record import RoundRecord
from arena.match.stand_in import from_deals, from_records
from arena.papayoo import WHOLE_DECK, cards_of, mask_of

DEALS = Deals(bytes(range(32)))
KEY = MatchKey(0, 2, 1)


@given(st.integers(1, WHOLE_DECK), st.integers(1, 5), st.integers(0, 7), st.integers(0, 20))
def test_it_chooses_so_many_of_the_legal_cards(legal: int, count: int, seat: int, question: int) -> None:
    count = min(count, legal.bit_count())
    chosen = from_deals(DEALS, KEY)(3, seat, question, legal, count)
    assert chosen & ~legal == 0
    assert chosen.bit_count() == count
    number = DEALS.standin(KEY, 3, seat, question)
    assert chosen == mask_of(pick(number, cards_of(legal), count))


def test_it_keeps_nothing_from_one_question_to_the_next() -> None:
    choose, again = from_deals(DEALS, KEY), from_deals(DEALS, KEY)
    asked = [(round_, seat, question) for round_ in range(3) for seat in range(3) for question in range(9)]
    first = {place: choose(*place, WHOLE_DECK, 1) for place in asked}
    assert {place: again(*place, WHOLE_DECK, 1) for place in reversed(asked)} == first
    assert len(set(first.values())) > 30


def same_choices(key: MatchKey) -> int:
    """How often a stand-in chooses as in `KEY`, of 200 times."""
    choose, other = from_deals(DEALS, KEY), from_deals(DEALS, key)
    asked = [(0, 0, question, WHOLE_DECK, 1) for question in range(200)]
    return sum(choose(*question) == other(*question) for question in asked)


def test_another_seat_order_chooses_otherwise_and_another_attempt_the_same() -> None:
    assert same_choices(MatchKey(0, 2, 2)) < 20
    assert same_choices(MatchKey(0, 2, 1, attempt=1)) == 200


def test_it_prefers_no_card() -> None:
    choose = from_deals(DEALS, KEY)
    legal = mask_of((3, 17, 44, 59))
    counts = Counter(choose(0, 0, question, legal, 1) for question in range(2000))
    assert sorted(counts) == [1 << card for card in (3, 17, 44, 59)]
    assert min(counts.values()) > 430  # 500 expected, with a deviation of 19


ROUNDS = [
    RoundRecord((0b111, 0b111000, 0b111000000), (9, 8, 7, 6, 5, 4), (250, 0, 0), (1, 3, 6), (0,) * 9),
    RoundRecord((1, 2, 4), (4, 5, 6), (0, 250, 0), (), (0,) * 6),
]


def test_from_a_record_it_repeats_its_passes_and_its_plays_in_turn() -> None:
    choose = from_records(ROUNDS)
    assert choose(0, 1, 0, 0, 3) == 0b111000
    assert choose(0, 0, 1, 0, 1) == 1 << 9
    assert choose(0, 2, 2, 0, 1) == 1 << 6


@pytest.mark.parametrize(("round_number", "question"), [(1, 1), (2, 0), (2, 1)])
def test_a_record_without_its_choice_is_a_lookup_error(round_number: int, question: int) -> None:
    with pytest.raises(LookupError):
        from_records(ROUNDS)(round_number, 0, question, 1, 1)
