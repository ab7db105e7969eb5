"""Cards as readable text: what stands in the database, and nothing lost."""

from __future__ import annotations

import pytest

from arena.papayoo import mask_of, parse_card
from arena.store.texts import (
    amounts_from,
    amounts_text,
    numbers_text,
    plays_text,
    sets_from,
    sets_text,
)


def test_what_a_reader_of_the_database_sees() -> None:
    s1, s3, h2, p20 = map(parse_card, ("S1", "S3", "H2", "P20"))
    assert sets_text([mask_of([p20, s3, s1]), mask_of([h2])]) == "S1 S3 P20 | H2"
    assert plays_text((p20, s1)) == "P20 S1"
    assert numbers_text((0, 40, 210)) == "0 40 210"
    assert amounts_text(((12, 487_000), (30, 5))) == "12:487000 30:5"


@pytest.mark.parametrize("text", ["12", "12:", "a:1", "1:2:3"])
def test_a_text_that_is_no_amounts_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        amounts_from(text)


@pytest.mark.parametrize("text", ["S11", "S1|H2", "s1", "S1,S2"])
def test_a_text_that_is_no_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        sets_from(text)
