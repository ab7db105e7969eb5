"""The evidence against a bot: its value, its error rate, and how it follows what happens in a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conduct.evidence import ENOUGH, SessionShare, evidence, is_enough

TENTH = Fraction(1, 10)


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
    ("share", "sessions", "expected"),
    [
        (TENTH, [], Fraction(1)),
        (TENTH, [(0, 4)], Fraction(19, 40)),
        (TENTH, [(4, 4)], Fraction(229, 40)),
        (TENTH, [(4, 4)] * 2, Fraction(31_607, 800)),
        (TENTH, [(4, 4)] * 3, Fraction(485_251, 1_600)),
        (TENTH, [(1, 4)] * 2, Fraction(10_823, 3_200)),
        (Fraction(1), [(4, 4)] * 9, Fraction(1)),
        (Fraction(0), [(0, 4)] * 9, Fraction(1)),
        (Fraction(0), [(0, 4), (1, 4)], inf),
    ],
)
def test_known_values(share: Fraction, sessions: list[SessionShare], expected: Fraction | float) -> None:
    assert evidence(share, Counter(sessions)) == expected


SESSIONS = st.lists(
    st.integers(1, 6).flatmap(lambda matches: st.tuples(st.integers(0, matches), st.just(matches))),
    max_size=30,
)
SHARES = st.fractions(Fraction(1, 1000), 1, max_denominator=1000)


@given(SHARES, SESSIONS, st.randoms(use_true_random=False))
def test_it_is_the_definition_in_whatever_order(
    share: Fraction, sessions: list[SessionShare], dice: Random
) -> None:
    expected = plain(share, sessions)
    dice.shuffle(sessions)
    assert evidence(share, Counter(sessions)) == expected
    assert is_enough(share, Counter(sessions)) == (expected >= ENOUGH)


@given(SHARES, SESSIONS.filter(bool), st.data())
def test_it_rises_with_the_incidents_of_each_session(
    share: Fraction, sessions: list[SessionShare], data: st.DataObject
) -> None:
    """So the worst that sessions in play can do is that the bot loses all of them."""
    place = data.draw(st.integers(0, len(sessions) - 1))
    lost, matches = sessions[place]
    more = [*sessions]
    more[place] = (data.draw(st.integers(lost, matches)), matches)
    assert evidence(share, Counter(more)) >= evidence(share, Counter(sessions))


@given(SHARES, SESSIONS, st.integers(1, 6), st.data())
def test_no_session_is_expected_to_raise_it(
    share: Fraction, sessions: list[SessionShare], matches: int, data: st.DataObject
) -> None:
    """E is a martingale for a bot that is replaced in `share` of its matches, in clusters or one by one."""
    before = evidence(share, Counter(sessions))
    whole = share * evidence(share, Counter([*sessions, (matches, matches)]))
    assert whole + (1 - share) * evidence(share, Counter([*sessions, (0, matches)])) == before
    lost = data.draw(st.integers(0, matches - 1))
    near, far = Fraction(lost, matches), Fraction(lost + 1, matches)
    if near <= share <= far:
        up = (share - near) / (far - near)
        drawn = up * evidence(share, Counter([*sessions, (lost + 1, matches)]))
        assert drawn + (1 - up) * evidence(share, Counter([*sessions, (lost, matches)])) == before


@given(st.integers(1, 300), st.integers(0, 300))
def test_where_it_is_just_enough_the_exact_fraction_decides(lost: int, good: int) -> None:
    tally = Counter({(1, 4): lost, (0, 4): good})
    assert is_enough(TENTH, tally) == (evidence(TENTH, tally) >= ENOUGH)
    near = next(
        count for count in range(10**6) if not is_enough(TENTH, Counter({(1, 4): lost, (0, 4): count}))
    )
    for count in range(max(0, near - 2), near + 3):
        beside = Counter({(1, 4): lost, (0, 4): count})
        assert is_enough(TENTH, beside) == (evidence(TENTH, beside) >= ENOUGH)


def test_a_long_season_is_judged_at_once() -> None:
    """What would be numbers of millions of digits is decided by their logarithms."""
    assert not is_enough(TENTH, {(0, 4): 900_000, (1, 4): 100_000})
    assert is_enough(TENTH, {(0, 4): 500_000, (1, 4): 500_000})


def sessions_until_out(dice: Random, rate: float, most: int, clustered: bool) -> int | None:
    """The number of sessions of 4 matches after which E is enough, if it ever is."""
    played: list[SessionShare] = []
    for _ in range(most):
        if clustered:
            lost = 4 if dice.random() < rate else 0
        else:
            lost = sum(dice.random() < rate for _ in range(4))
        played.append((lost, 4))
        if lost and is_enough(TENTH, Counter(played)):  # it can only rise by an incident
            return len(played)
    return None


@pytest.mark.parametrize(("rate", "clustered"), [(0.05, False), (0.10, False), (0.10, True)])
def test_a_bot_within_its_share_is_hardly_ever_out(rate: float, clustered: bool) -> None:
    """Ville's bound is 1 %. Of 600 seeded leagues more than 14 would be a chance of 1 in 2,000."""
    dice = Random(f"{rate}{clustered}")
    fallen = sum(sessions_until_out(dice, rate, 60, clustered) is not None for _ in range(600))
    assert fallen <= (0 if rate < 0.1 else 14)


def test_a_bot_that_is_always_broken_is_out_after_three_sessions() -> None:
    assert sessions_until_out(Random(1), 1.0, 60, False) == 3


def test_a_bot_far_beyond_its_share_is_out_soon() -> None:
    dice = Random(2)
    found = sorted(sessions_until_out(dice, 0.5, 200, False) or 200 for _ in range(200))
    assert 4 <= found[100] <= 5
    assert 6 <= found[180] <= 8
