"""The evidence against a bot: its value, its error rate, what is enough of it, and why in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conduct.exclusion import Limits, SessionShare, Tally, bars_of
from arena.proof.excluded import Excluded
from arena.proof.world import dice_of

LIMITS = Limits(0.1, bars_of(["bot"]))
NEAR = Fraction(1, 10**30)
"""How near to the definition the evidence is, as a share of it."""


def evidence(share: Fraction, sessions: Sequence[SessionShare]) -> Fraction:
    return Fraction(Limits(float(share)).evidence(Counter(sessions)))


def plain(share: Fraction, sessions: Sequence[SessionShare]) -> Fraction:
    """The definition, word for word."""
    total = Fraction(0)
    for j in range(1, 21):
        bet = Fraction(1)
        for lost, matches in sessions:
            bet *= 1 + Fraction(j, 20) / share * (Fraction(lost, matches) - share)
        total += bet
    return total / 20


@pytest.mark.parametrize(
    ("share", "tally", "expected"),
    [
        (0.1, {}, "1"),
        (0.1, {(0, 4): 1}, "0.475"),
        (0.1, {(4, 4): 1}, "5.725"),
        (0.1, {(4, 4): 2}, "39.50875"),
        (0.1, {(1, 4): 2}, "3.3821875"),
        (0.29, {(29, 100): 1000}, "1"),
        (1.0, {(4, 4): 9}, "1"),
        (0.0, {(0, 4): 9}, "1"),
        (0.0, {(0, 4): 1, (1, 4): 1}, "Infinity"),
    ],
)
def test_known_values(share: float, tally: Tally, expected: str) -> None:
    assert Limits(share).evidence(tally) == Decimal(expected)


SESSIONS = st.lists(
    st.integers(1, 6).flatmap(lambda matches: st.tuples(st.integers(0, matches), st.just(matches))),
    max_size=30,
)
SHARES = st.integers(1, 1000).map(lambda number: Fraction(number, 1000))


@given(SHARES, SESSIONS, st.randoms(use_true_random=False))
def test_it_is_the_definition_in_whatever_order(
    share: Fraction, sessions: list[SessionShare], dice: Random
) -> None:
    expected, found = plain(share, sessions), evidence(share, sessions)
    assert abs(found - expected) <= NEAR * expected
    dice.shuffle(sessions)
    assert evidence(share, sessions) == found


@given(SHARES, SESSIONS, st.integers(1, 6))
def test_no_session_is_expected_to_raise_it(
    share: Fraction, sessions: list[SessionShare], matches: int
) -> None:
    """E is a martingale for a bot that is replaced in `share` of its matches."""
    before = evidence(share, sessions)
    whole = share * evidence(share, [*sessions, (matches, matches)])
    again = whole + (1 - share) * evidence(share, [*sessions, (0, matches)])
    assert abs(again - before) <= NEAR * before


def test_a_long_season_is_judged_at_once() -> None:
    assert not LIMITS.is_enough("bot", {(0, 4): 900_000, (1, 4): 100_000})
    assert LIMITS.in_words({(0, 4): 500_000, (1, 4): 500_000}) == "more than 1,000,000"


@pytest.mark.parametrize(("share", "clustered"), [(0.05, False), (0.10, False), (0.10, True)])
def test_hardly_any_bot_of_a_league_within_its_share_is_ever_out(share: float, clustered: bool) -> None:
    """The bound is 1 %. Of 150 seeded leagues of 24 bots more than 7 would be a chance of 1 in 5,000."""
    leagues = Excluded("test", "", share, 150, clustered, sessions=60)
    fallen = sum(leagues.sample(1, number)["any bot out"] for number in range(150))
    assert fallen <= (0 if share < 0.1 else 7)


@pytest.mark.parametrize(("bots", "broken", "half"), [(1, 3, 7), (6, 4, 9), (24, 4, 11)])
def test_a_bot_far_beyond_its_share_is_out_soon(bots: int, broken: int, half: int) -> None:
    """The sessions of four matches until then, of nine in ten such bots."""

    def ninth_of_ten(share: float) -> int:
        one = Excluded("test", "", share, 200, sessions=200, bots=bots)
        return sorted(one.until_out(dice_of(1, number)) or 200 for number in range(200))[180]

    assert ninth_of_ten(1.0) == broken
    assert abs(ninth_of_ten(0.5) - half) <= 1


# What is enough, and why in words


@pytest.mark.parametrize(
    ("tally", "lost", "evidence"),
    [
        ({(4, 4): 2}, "", ""),  # 8 of 8 matches, which is not enough
        ({(4, 4): 3}, "12 of 12", "303"),
        ({(1, 4): 4, (0, 4): 6}, "", ""),  # exactly 10 %
        ({(1, 4): 3, (0, 4): 1}, "", ""),  # 19 % of 16 matches, which chance may do
        ({(2, 4): 12, (0, 4): 11}, "24 of 92", "109"),
    ],
)
def test_a_bot_is_out_on_evidence(tally: Tally, lost: str, evidence: str) -> None:
    why = (
        f"replaced in {lost} matches: the evidence that this is more than 10 % and no chance is {evidence}; "
        "100 is enough"
    )
    assert LIMITS.why_out("bot", tally) == (why if lost else "")


def test_each_bot_has_its_own_bar_and_the_reason_names_it() -> None:
    broken = {(4, 4): 4}
    limits = Limits(0.1, bars_of(["one", "two", "three", "four", "five", "six"], comes=True))
    assert limits.why_out("three", broken).endswith("is 2,479; 1,200 is enough")
    assert limits.why_out("six", broken) == ""
    assert limits.why_out("a stranger", broken) == ""


@pytest.mark.parametrize("stages", [1, 3])
@pytest.mark.parametrize("comes", [False, True])
def test_the_chances_of_all_bots_and_stages_add_up_to_one_in_a_hundred(comes: bool, stages: int) -> None:
    """The union bound: by Ville's inequality the chance of each is at most 1 in its bar.

    A bar does not move when others come, so what was decided can be worked out again.
    """
    before: dict[str, int] = {}
    for field in range(1, 60):
        bars = bars_of([str(bot) for bot in range(field)], comes, stages)
        total = stages * sum(Fraction(1, bar) for bar in bars.values())
        assert total <= Fraction(1, 100)
        assert comes or total == Fraction(1, 100)
        assert not comes or before.items() <= bars.items()
        before = bars


def test_no_share_and_the_whole_share() -> None:
    bars = bars_of(["bot"])
    assert Limits(1.0, bars).why_out("bot", {(4, 4): 10_000}) == ""
    assert Limits(0.0, bars).why_out("bot", {(0, 4): 9}) == ""
    assert Limits(0.0, bars).why_out("bot", {(0, 4): 9, (1, 4): 1}).startswith("replaced in 1 of 40")


def test_evidence_is_never_rounded_up() -> None:
    said = [LIMITS.in_words(tally) for tally in ({(0, 4): 1}, {(1, 4): 2}, {(4, 4): 2}, {(4, 4): 4})]
    assert said == ["0.47", "3.38", "39", "2,479"]  # of 0.475, 3.382..., 39.508... and 2,479.3...
