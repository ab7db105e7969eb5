"""The limits: who is out, and why in words."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest

from arena.conduct.evidence import SessionShare
from arena.conduct.limits import Limits, evidence_in_words

LIMITS = Limits(0.1, 10)


@pytest.mark.parametrize(
    ("tally", "why"),
    [
        ({(4, 4): 2}, ""),  # too few matches
        (
            {(4, 4): 3},
            "replaced in 12 of 12 matches: the evidence that this is more than 10 % and no chance is 303; "
            "100 is enough",
        ),
        ({(1, 4): 4, (0, 4): 10}, ""),  # 7 %
        ({(1, 4): 4, (0, 4): 6}, ""),  # exactly 10 %
        ({(1, 4): 3, (0, 4): 1}, ""),  # 19 % of 16 matches, which chance may do
        (
            {(2, 4): 12, (0, 4): 11},
            "replaced in 24 of 92 matches: the evidence that this is more than 10 % and no chance is 109; "
            "100 is enough",
        ),
    ],
)
def test_a_bot_is_out_on_evidence(tally: dict[SessionShare, int], why: str) -> None:
    assert LIMITS.why_out(tally) == why


def test_the_share_is_taken_as_it_is_written() -> None:
    assert Limits(0.29, 1).evidence({(29, 100): 1000}) == 1


def test_no_share_and_the_whole_share() -> None:
    assert Limits(1.0, 1).why_out({(4, 4): 10_000}) == ""
    assert Limits(0.0, 1).why_out({(0, 4): 9}) == ""
    assert Limits(0.0, 1).why_out({(0, 4): 9, (1, 4): 1}).startswith("replaced in 1 of 40 matches")


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Fraction(0), "0.00"),
        (Fraction(9999, 1000), "9.99"),
        (Fraction(99_999, 1000), "99"),
        (Fraction(1234), "1,234"),
        (Fraction(10**6), "more than 1,000,000"),
        (inf, "more than 1,000,000"),
    ],
)
def test_evidence_is_never_rounded_up(found: Fraction | float, words: str) -> None:
    assert evidence_in_words(found) == words
