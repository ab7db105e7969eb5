"""Cards as readable text: what stands in a record and in the database, and nothing lost."""

from __future__ import annotations

import pytest

from arena.match.texts import plays_text, sets_from, sets_text
from arena.papayoo import mask_of, parse_card


def test_what_a_reader_of_a_record_sees() -> None:
    s1, s3, h2, p20 = map(parse_card, ("S1", "S3", "H2", "P20"))
    assert sets_text([mask_of([p20, s3, s1]), mask_of([h2])]) == "S1 S3 P20 | H2"
    assert plays_text((p20, s1)) == "P20 S1"


@pytest.mark.parametrize("text", ["S11", "S1|H2", "s1", "S1,S2"])
def test_a_text_that_is_no_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        sets_from(text)
