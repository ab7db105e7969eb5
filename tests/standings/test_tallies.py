"""Places and seat means, counted by hand."""

from __future__ import annotations

import pytest

from arena.standings import MatchResult, place_shares, seat_means

MATCHES = [
    MatchResult("abc", 3, (100, 250, 400), (0, 0, 0)),
    MatchResult("bca", 3, (250, 250, 250), (0, 0, 0)),
    MatchResult("bca", 1, (50, 60, 140), (0, 40, 0)),
    MatchResult("abd", 1, (50, 60, 140), (40, 0, 0)),
]


def test_places_count_fault_points_and_ties_share() -> None:
    assert [match.places() for match in MATCHES] == [[1, 2, 3], [1, 1, 1], [1, 2, 3], [2, 1, 3]]


def test_place_shares() -> None:
    assert place_shares(MATCHES) == {
        "a": (0.5, 0.25, 0.25),
        "b": (0.75, 0.25, 0.0),
        "c": (1 / 3, 1 / 3, 1 / 3),
        "d": (0.0, 0.0, 1.0),
    }


def test_seat_means_are_card_points_a_round_without_charges() -> None:
    assert seat_means(MATCHES) == {
        "a": (150 / 4, None, 390 / 4),
        "b": (300 / 4, 310 / 4, None),
        "c": (None, 310 / 4, 400 / 3),
        "d": (None, None, 140.0),
    }


def test_no_matches() -> None:
    assert place_shares([]) == {}
    assert seat_means([]) == {}


def test_impossible_matches_are_refused() -> None:
    with pytest.raises(ValueError, match="249 card points in a match of 1 rounds"):
        MatchResult("abc", 1, (100, 100, 49), (0, 0, 0))
    with pytest.raises(ValueError, match="3 seats has 2 card points and 3 charges"):
        MatchResult("abc", 1, (100, 150), (0, 0, 0))
