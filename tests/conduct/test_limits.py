"""The limits: who is out, and why in words."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest

from arena.conduct.exclusion import Limits, SessionShare, bars_of, evidence_in_words

LIMITS = Limits(0.1, bars_of(["bot"]))


@pytest.mark.parametrize(
    ("tally", "why"),
    [
        ({(4, 4): 2}, ""),  # 8 of 8 matches, which is not enough
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
    assert LIMITS.why_out("bot", tally) == why


def test_each_bot_has_its_own_bar_and_the_reason_names_it() -> None:
    broken = {(4, 4): 4}
    limits = Limits(0.1, bars_of(["one", "two", "three", "four", "five", "six"], comes=True))
    assert limits.why_out("three", broken).endswith("is 2,479; 1,200 is enough")
    assert limits.why_out("six", broken) == ""
    assert limits.why_out("a stranger", broken) == ""


@pytest.mark.parametrize("stages", [1, 3])
@pytest.mark.parametrize("comes", [False, True])
def test_the_chances_of_all_bots_and_stages_add_up_to_one_in_a_hundred(comes: bool, stages: int) -> None:
    """The union bound: by Ville's inequality the chance of each is at most 1 in its bar."""
    for field in range(1, 60):
        bars = bars_of([str(bot) for bot in range(field)], comes, stages)
        total = stages * sum(Fraction(1, bar) for bar in bars.values())
        assert total <= Fraction(1, 100)
        assert comes or total == Fraction(1, 100)


def test_a_bar_does_not_move_when_others_come() -> None:
    """So what was decided can be worked out again."""
    assert bars_of("ab", comes=True) == {"a": 200, "b": 600}
    assert bars_of("abc", comes=True) == {"a": 200, "b": 600, "c": 1200}
    assert bars_of("ab") == {"a": 200, "b": 200}


def test_the_share_is_taken_as_it_is_written() -> None:
    assert Limits(0.29).evidence({(29, 100): 1000}) == 1


def test_no_share_and_the_whole_share() -> None:
    bars = bars_of(["bot"])
    assert Limits(1.0, bars).why_out("bot", {(4, 4): 10_000}) == ""
    assert Limits(0.0, bars).why_out("bot", {(0, 4): 9}) == ""
    assert Limits(0.0, bars).why_out("bot", {(0, 4): 9, (1, 4): 1}).startswith("replaced in 1 of 40")


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
