"""Draws: named streams of words, and what is drawn from them."""

from __future__ import annotations

import hashlib

import pytest

from arena.deals.draws import Draws


def test_words_are_hashes_of_the_text_and_a_counter() -> None:
    draws = Draws("papayoo")
    expected = [hashlib.sha256(f"papayoo|{i}".encode()).digest()[:8] for i in range(12)]
    assert [draws.word().to_bytes(8, "big") for _ in expected] == expected


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


def test_shuffle_is_fisher_yates_from_the_last_index() -> None:
    numbers = Draws("order")
    expected = list("abcdefg")
    for i in range(6, 0, -1):
        j = numbers.below(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert Draws("order").shuffled("abcdefg") == expected
