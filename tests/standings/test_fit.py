"""The fit against an exact reference with real refits, and every odd shape of a league."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.standings import Fit, SessionResult, SessionResultError, fit
from tests.examples import examples
from tests.standings import leagues, reference


def assert_agrees(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int, departed: Collection[str] = ()
) -> None:
    result = fit(sessions, bots, seats, departed=departed)
    assert result.comparable
    for bot, expected in zip(bots, reference.scores(sessions, bots, seats, departed), strict=True):
        assert result.scores[bot] == pytest.approx(float(expected), abs=1e-9)
        assert result.fap[bot] + result.charge[bot] == result.scores[bot]
    expected_covariance = reference.covariance(sessions, bots, seats, departed)
    assert result.covariance is not None
    scale = max(float(row[i]) for i, row in enumerate(expected_covariance))
    for i, a in enumerate(bots):
        for j, b in enumerate(bots):
            own = result.covariance[result.bots.index(a)][result.bots.index(b)]
            assert own == pytest.approx(float(expected_covariance[i][j]), rel=1e-9, abs=1e-9 * scale)


def left_after(cycle: int, gone: str) -> tuple[list[SessionResult], list[str]]:
    """Three cycles of all line-ups of 6 bots; one leaves after some of them."""
    bots = [f"bot{number:02}" for number in range(6)]
    plan = [
        (number, line_up)
        for number in range(3)
        for line_up in combinations([bot for bot in bots if number < cycle or bot != gone], 4)
    ]
    return leagues.from_plan(7, plan, 16, {"bot00": -9.0, "bot01": 5.0, gone: 30.0}), bots


@pytest.mark.parametrize("cycle", [1, 2])
def test_a_field_that_a_bot_left_agrees_with_real_refits(cycle: int) -> None:
    sessions, bots = left_after(cycle, "bot03")
    assert_agrees(sessions, bots, 4, {"bot03"})
    assert_agrees(sessions, bots, 4, {"bot03", "bot04"})


def test_the_present_field_averages_par() -> None:
    sessions, bots = left_after(1, "bot03")
    result = fit(sessions, bots, 4, departed={"bot03"})
    present = [result.fap[bot] for bot in bots if bot != "bot03"]
    assert sum(present) / len(present) == pytest.approx(62.5, abs=1e-9)
    assert sum(fit(sessions, bots, 4).fap.values()) / 6 == pytest.approx(62.5, abs=1e-9)


@examples(25)
@given(st.data())
def test_any_comparable_league_agrees_with_real_refits(data: st.DataObject) -> None:
    seats = data.draw(st.integers(3, 5))
    bots = [f"b{number}" for number in range(data.draw(st.integers(seats, 6)))]
    plans = st.lists(st.sampled_from(list(combinations(bots, seats))), min_size=1, max_size=8)
    line_ups = data.draw(plans)
    skill = {bot: data.draw(st.floats(-15, 15)) for bot in bots}
    sessions = leagues.from_plan(data.draw(st.integers(0, 99)), [(0, x) for x in line_ups], seats, skill)
    result = fit(sessions, bots, seats)
    try:
        reference.scores(sessions, bots, seats)
    except (ValueError, ZeroDivisionError):
        assert not result.comparable
        assert not result.intervals
        return
    assert result.comparable == (len(sessions) >= 2)
    if not result.comparable:
        return
    try:
        reference.covariance(sessions, bots, seats)
    except (ValueError, ZeroDivisionError):
        assert not result.intervals
        return
    assert_agrees(sessions, bots, seats)


def test_complete_league_scores_are_plain_means_of_card_and_fault_points() -> None:
    sessions, bots = leagues.complete(1, 7, 4, 2, {"bot01": -10.0, "bot05": 12.0})
    assert any(session.fault_points for session in sessions)
    result = fit(sessions, bots, 4)
    for bot in bots:
        own = [session for session in sessions if bot in session.card_points]
        points = sum(session.card_points[bot] + session.fault_points.get(bot, 0) for session in own)
        assert result.scores[bot] == pytest.approx(points / sum(session.rounds for session in own), abs=1e-10)


def test_a_charge_costs_only_the_bot_that_made_the_fault() -> None:
    sessions, bots = leagues.complete(2, 6, 4, 2)
    clean = [leagues.session(s.key, s.rounds, s.card_points) for s in sessions]
    guilty = [
        leagues.session(s.key, s.rounds, s.card_points, {"bot03": 120} if "bot03" in s.card_points else {})
        for s in sessions
    ]
    before, after = fit(clean, bots, 4), fit(guilty, bots, 4)
    assert after.charge["bot03"] == 120 / 16
    assert after.scores["bot03"] == before.scores["bot03"] + 120 / 16
    for bot in bots:
        if bot != "bot03":
            assert after.scores[bot] == before.scores[bot]
    assert after.pair_se("bot03", "bot00") == pytest.approx(before.pair_se("bot03", "bot00"))


def exact_sessions(
    bots: Sequence[str], seats: int, rounds: int, strength: dict[str, int]
) -> list[SessionResult]:
    """Sessions without noise: s_i - mean(s) above 250/k, chosen so that points are whole."""
    sessions = []
    for index, line_up in enumerate(combinations(bots, seats)):
        total = sum(strength[bot] for bot in line_up)
        cards = {bot: rounds * (250 + seats * strength[bot] - total) // seats for bot in line_up}
        sessions.append(leagues.session((0, index), rounds, cards))
    return sessions


def test_field_adjustment_recovers_strengths_from_an_unbalanced_part_of_a_league() -> None:
    strength = {"a": -12, "b": -8, "c": 0, "d": 4, "e": 16}
    all_sessions = exact_sessions("abcde", 4, 16, strength)
    part = [s for s in all_sessions if not {"a", "e"} <= s.card_points.keys()]
    own = [s for s in part if "a" in s.card_points]
    plain = sum(s.card_points["a"] for s in own) / sum(s.rounds for s in own)
    whole, some = fit(all_sessions, "abcde", 4), fit(part, "abcde", 4)
    assert plain - whole.fap["a"] > 3.0  # it met only strong bots
    for bot in "abcde":
        assert whole.fap[bot] == pytest.approx(62.5 + strength[bot] * 15 / 16, abs=1e-9)
        assert some.fap[bot] == pytest.approx(whole.fap[bot], abs=1e-9)


def nothing_known(result: Fit) -> None:
    assert not result.intervals
    for bot in result.bots:
        assert result.half_width(bot) is None
        assert result.standard_error(bot) is None
        assert result.pair_se(bot, result.bots[0]) is None


def test_two_islands_are_not_yet_comparable() -> None:
    plan = [(0, "abc"), (0, "def")] * 4
    sessions = leagues.from_plan(4, plan, 18, {})
    result = fit(sessions, "abcdef", 3)
    assert not result.comparable
    own = [s for s in sessions if "e" in s.card_points]
    assert result.fap["e"] == sum(s.card_points["e"] for s in own) / (18 * len(own))
    nothing_known(result)
    assert fit([*sessions, *leagues.from_plan(1, [(9, "cde")], 18, {})], "abcdef", 3).comparable


def test_a_bridge_that_occurs_once_takes_the_intervals_from_everyone() -> None:
    plan = [(0, "abc"), (0, "cde"), (0, "abc")]
    sessions = leagues.from_plan(8, plan, 18, {"a": 5.0})
    result = fit(sessions, "abcde", 3)
    assert result.comparable
    for bot, expected in zip("abcde", reference.scores(sessions, "abcde", 3), strict=True):
        assert result.scores[bot] == pytest.approx(float(expected), abs=1e-9)
    nothing_known(result)
    assert_agrees([*sessions, *leagues.from_plan(9, [(1, "cde")], 18, {})], "abcde", 3)


@examples(20)
@given(st.randoms(use_true_random=False))
def test_no_order_changes_a_single_bit(rng: Random) -> None:
    sessions, bots = leagues.complete(6, 6, 4, 2, {"bot02": 4.0})
    expected = fit(sessions, bots, 4)
    shuffled = [
        leagues.session(s.key, s.rounds, dict(rng.sample(list(s.card_points.items()), 4)), s.fault_points)
        for s in rng.sample(sessions, len(sessions))
    ]
    assert fit(shuffled, rng.sample(bots, len(bots)), 4) == expected


def test_equal_bots_have_equal_scores_and_no_noise_no_error() -> None:
    sessions = exact_sessions("abcde", 4, 16, dict.fromkeys("abcde", 0))
    sessions = [
        leagues.session((0, i), 16, dict.fromkeys(s.card_points, 1000)) for i, s in enumerate(sessions)
    ]
    result = fit(sessions, "abcde", 4)
    assert set(result.scores.values()) == {62.5}
    assert result.pair_se("a", "b") == 0.0
    assert result.half_width("a") == 0.0


@pytest.mark.parametrize(("longest", "intervals"), [(3000, True), (3001, False), (3 * 10**12, False)])
def test_sessions_too_uneven_for_the_arithmetic_have_scores_but_no_intervals(
    longest: int, intervals: bool
) -> None:
    line_ups = ["abc", "bcd", "abc", "bcd", "acd"]
    lengths = [3, longest, longest, 3, 3]
    sessions = [
        leagues.noisy(Random(index), (0, index), line_up, rounds, dict.fromkeys(line_up, 0.0))
        for index, (line_up, rounds) in enumerate(zip(line_ups, lengths, strict=True))
    ]
    if intervals:
        assert_agrees(sessions, "abcd", 3)
        return
    result = fit(sessions, "abcd", 3)
    assert result.comparable
    nothing_known(result)
    for bot, expected in zip("abcd", reference.scores(sessions, "abcd", 3), strict=True):
        assert result.scores[bot] == pytest.approx(float(expected), abs=1e-3)


def test_sessions_that_do_not_belong_together_are_refused() -> None:
    four = leagues.session((0, 0), 1, {"a": 100, "b": 50, "c": 50, "d": 50})
    with pytest.raises(SessionResultError, match=r"cycle 0, index 0.*twice"):
        fit([four, four], "abcd", 4)
    with pytest.raises(SessionResultError, match="4 bots in its line-up, expected 3"):
        fit([four], "abcd", 3)
    with pytest.raises(SessionResultError, match="d not among the bots"):
        fit([four], "abc", 4)
    with pytest.raises(SessionResultError, match="seats = 1"):
        fit([], "abc", 1)
    with pytest.raises(KeyError, match="no bot 'x'"):
        fit([four], "abcd", 4).half_width("x")
