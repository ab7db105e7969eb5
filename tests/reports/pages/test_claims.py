"""Findings and weaknesses in another language: every clause that a review can store has a translation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.review.candidates import _ALL_PLAYS, _IN_PLAYS, _STEMS
from arena.review.patterns import PATTERNS
from arena.review.situations import SITUATIONS
from arena.review.survey import FAULTS
from arena.review.weaknesses import _DEALT
from arena.translating import writing_in
from reports.catalogues import FRENCH, tongue
from reports.pages.claims import in_our_words

CLAUSES = {
    *(pattern.words for pattern in PATTERNS),
    *(situation.words for situation in SITUATIONS),
    *FAULTS.values(),
    *_STEMS.values(),
    *(words for counted in _DEALT.values() for words in counted),
    _ALL_PLAYS,
    _IN_PLAYS,
    "against",
    "as the dealer, first to play",
    "when dealt the Papayoo",
}


@pytest.fixture
def french() -> Iterator[None]:
    with writing_in(tongue(FRENCH)):
        yield


@pytest.mark.parametrize("clause", sorted(CLAUSES))
def test_every_clause_has_a_translation(clause: str, french: None) -> None:
    words, foreign = in_our_words(clause)
    assert not foreign
    assert words != clause
    assert "%" not in words


def test_clauses_with_commas_numbers_and_suits_are_told_apart(french: None) -> None:
    stored = "passes no 8, 9 or 10, though it holds two or more, in seat 3, when the die shows hearts"
    assert in_our_words(stored) == (
        "ne passe ni 8, ni 9, ni 10, alors qu’il en a deux ou plus, à la place 3, quand le dé montre cœur",
        False,
    )


def test_what_is_done_now_and_then_is_said_with_its_situation(french: None) -> None:
    found, foreign = in_our_words("now and then chooses what surely costs, nearly always in trick 12")
    assert not foreign
    assert found.endswith(", presque toujours au pli 12")


@pytest.mark.parametrize("stored", ["passes a 7, under a blue moon", "nearly always late", ""])
def test_words_that_are_not_known_stay_as_they_are(stored: str, french: None) -> None:
    assert in_our_words(stored) == (stored, True)


def test_english_words_stay_as_they_are() -> None:
    assert all(in_our_words(clause)[0] == clause for clause in CLAUSES)
