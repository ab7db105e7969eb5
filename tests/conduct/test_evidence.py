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

from arena.conduct.exclusion import Limits, SessionShare, Tally
from arena.proof.excluded import Excluded
from arena.proof.world import dice_of

TENTH = Fraction(1, 10)
ALONE = {"bot": 100}
"""The evidence that is enough in a league of one bot."""


def evidence(share: Fraction, tally: Tally) -> Fraction | float:
    return Limits(float(share)).evidence(tally)


def is_enough(share: Fraction, tally: Tally) -> bool:
    return Limits(float(share), ALONE).is_enough("bot", tally)


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
SHARES = st.integers(1, 1000).map(lambda number: Fraction(number, 1000))


@given(SHARES, SESSIONS, st.randoms(use_true_random=False))
def test_it_is_the_definition_in_whatever_order(
    share: Fraction, sessions: list[SessionShare], dice: Random
) -> None:
    expected = plain(share, sessions)
    dice.shuffle(sessions)
    assert evidence(share, Counter(sessions)) == expected
    assert is_enough(share, Counter(sessions)) == (expected >= 100)


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
    assert is_enough(TENTH, tally) == (evidence(TENTH, tally) >= 100)
    near = next(
        count for count in range(10**6) if not is_enough(TENTH, Counter({(1, 4): lost, (0, 4): count}))
    )
    for count in range(max(0, near - 2), near + 3):
        beside = Counter({(1, 4): lost, (0, 4): count})
        assert is_enough(TENTH, beside) == (evidence(TENTH, beside) >= 100)


def test_a_long_season_is_judged_at_once() -> None:
    """What would be numbers of millions of digits is decided by their logarithms."""
    assert not is_enough(TENTH, {(0, 4): 900_000, (1, 4): 100_000})
    assert is_enough(TENTH, {(0, 4): 500_000, (1, 4): 500_000})


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
