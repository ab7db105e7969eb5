"""Strata: what was looked at more closely than the rest is a part of its own."""

from __future__ import annotations

from random import Random

from arena.review.strata import strata
from arena.review.survey import mask_of_numbers

ALL = (1 << 4000) - 1
RARE = (1 << 100) - 1
WIDE = (1 << 2000) - 1


def drawn(of: int, count: int) -> int:
    members = [number for number in range(of.bit_length()) if of >> number & 1]
    return mask_of_numbers(sorted(Random(3).sample(members, count)))


def test_a_rare_part_that_was_looked_at_closely_is_apart() -> None:
    reviewed = drawn(RARE, 80) | drawn(ALL, 100)
    assert strata(ALL, reviewed, [WIDE, RARE, ALL]) == [RARE, ALL & ~RARE]


def test_what_was_looked_at_equally_closely_stays_together() -> None:
    assert strata(ALL, drawn(ALL, 300), [WIDE, RARE, 0, ALL]) == [ALL]
    assert strata(RARE, RARE, [WIDE, RARE >> 50]) == [RARE]


def test_where_too_few_stand_for_the_rest_nothing_can_be_said() -> None:
    assert strata(ALL, RARE, [RARE]) == []
    assert strata(ALL, RARE | 7 << 3000, [RARE]) == []
    assert strata(ALL, RARE | 31 << 3000, [RARE]) == [RARE, ALL & ~RARE]
    assert strata(RARE | 3 << 200, drawn(RARE, 5) | 3 << 200, [3 << 200]) == [3 << 200, RARE]
    assert strata(RARE, 0, [WIDE]) == []
    assert strata(0, 0, [WIDE]) == []
