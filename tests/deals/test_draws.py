"""Draws: named streams of words, and what is drawn from them."""

from __future__ import annotations

import hashlib
from collections import Counter
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals.draws import Draws


def test_words_are_hashes_of_the_text_and_a_counter() -> None:
    draws = Draws("papayoo")
    expected = [hashlib.sha256(f"papayoo|{i}".encode()).digest()[:8] for i in range(12)]
    assert [draws.word().to_bytes(8, "big") for _ in expected] == expected


@given(st.text(), st.integers(1, 2**64))
def test_below_stays_below_and_is_repeatable(text: str, n: int) -> None:
    number = Draws(text).below(n)
    assert 0 <= number < n
    assert number == Draws(text).below(n)


def test_below_throws_away_words_of_the_last_incomplete_span() -> None:
    """With n = 2^63 + 1 the limit is n itself, so about half of all words must be skipped."""
    n = 2**63 + 1
    words = Draws("spans")
    expected = [word for word in (words.word() for _ in range(40)) if word < n]
    assert 10 < len(expected) < 30
    draws = Draws("spans")
    assert [draws.below(n) for _ in expected] == expected


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_below_refuses_impossible_bounds(n: int) -> None:
    with pytest.raises(ValueError, match="bound from 1"):
        Draws("x").below(n)


@given(st.text(), st.lists(st.integers()))
def test_shuffled_keeps_the_items_and_leaves_the_original(text: str, items: list[int]) -> None:
    before = list(items)
    assert Counter(Draws(text).shuffled(items)) == Counter(before)
    assert items == before


def test_shuffle_is_fisher_yates_from_the_last_index() -> None:
    numbers = Draws("order")
    expected = list("abcdefg")
    for i in range(6, 0, -1):
        j = numbers.below(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert Draws("order").shuffled("abcdefg") == expected


def test_every_permutation_is_about_equally_likely() -> None:
    draws = Draws("fair")
    tally = Counter(tuple(draws.shuffled("abcd")) for _ in range(4800))
    expected = 4800 / factorial(4)
    chi_square = sum((count - expected) ** 2 / expected for count in tally.values())
    assert len(tally) == 24
    assert chi_square < 49.7  # the 0.1 % point of chi-square with 23 degrees of freedom
