"""Reviews and decisions become text and are read back equal; what is none is refused in one sentence."""

from __future__ import annotations

import json
import re

import pytest

from arena.errors import StoreError
from arena.papayoo import names_of
from arena.review.documents import (
    decision_from,
    document_of_review,
    review_from,
    text_of_decision,
    text_of_review,
)
from tests.review.samples import FOUND, REVIEW


def test_a_document_names_cards_and_gives_the_review_back() -> None:
    document = document_of_review(REVIEW)
    first = document["costliest"][0]
    assert first["decision"]["chosen"] == "P20"
    assert first["hand"].split() == names_of(REVIEW.costliest[0].hand)
    assert first["table"] == ["P1", "S4"]
    assert document["points"][0]["best"] == 1.0, "points of the best bot, no cards"
    assert review_from(json.dumps(document), "cat") == REVIEW
    assert review_from(text_of_review(REVIEW), "cat") == REVIEW


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        text_of_review(REVIEW).replace("P20", "P99"),
        text_of_review(REVIEW).replace('["P1", "S4"]', '["P1 S4"]'),
        text_of_review(REVIEW).replace("-0.5", "NaN"),
        text_of_review(REVIEW).replace('"lead"', '"leap"'),
        text_of_review(REVIEW).replace('"format": 1', '"format": 2'),
        text_of_review(REVIEW).replace('"format": 1, ', ""),
    ],
)
def test_what_is_no_review_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(StoreError, match=r"^The stored review of cat cannot be read \(.*\): remove it with"):
        review_from(text, "cat")


def test_the_review_of_another_bot_is_refused() -> None:
    with pytest.raises(StoreError, match=re.escape("it is of cat")):
        review_from(text_of_review(REVIEW), "dog")


@pytest.mark.parametrize("text", ["", "[]", "[" * 100_000, text_of_decision(FOUND).replace("P20", "P99")])
def test_what_is_no_decision_is_refused_with_what_to_do(text: str) -> None:
    assert decision_from(text_of_decision(FOUND)) == FOUND
    with pytest.raises(StoreError, match=r"^The stored review of a decision cannot be read \(.*\): remove"):
        decision_from(text)
