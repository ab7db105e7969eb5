"""The fit against an exact reference with real refits, and what a change of the field does to scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.score.fit import Fit, fit
from arena.score.results import SessionResult, SessionResultError
from tests.examples import examples
from tests.score import leagues, reference


def assert_agrees(sessions: Sequence[SessionResult], field: Collection[str], seats: int) -> Fit:
    """The scores and the jackknife are those of refits to the sessions that count; any may be deleted."""
    result = fit(sessions, field, seats)
    if len(result.counted.present) < 2:
        assert not result.comparable
        return result
    names = [*result.counted.present, *result.counted.departed]
    counted, measured = result.counted.sessions, result.counted.measured
    for bot, expected in zip(names, reference.scores(counted, names, seats, measured), strict=True):
        assert result.scores[bot] == pytest.approx(float(expected), abs=1e-8)
        assert result.fap[bot] + result.charge[bot] == result.scores[bot]
    rows = reference.covariance(counted, names, seats, measured)
    here = range(len(result.bots))
    for i in here:
        assert result.standard_error(names[i]) == pytest.approx(float(rows[i][i]) ** 0.5, rel=1e-6, abs=1e-6)
    for i, j in combinations(here, 2):
        variance = max(0.0, float(rows[i][i] + rows[j][j] - 2 * rows[i][j]))
        assert result.standard_error(names[i], names[j]) == pytest.approx(variance**0.5, rel=1e-6, abs=1e-5)
    par, factor = 250 / seats, reference.spread(len(measured), seats)
    assert sum(result.fap[bot] for bot in measured) / len(measured) == pytest.approx(par)
    before = {*measured, *result.counted.departed}
    assert result.shift == pytest.approx(sum(result.fap[bot] - par for bot in before) / len(before), abs=1e-8)
    assert result.stretch == pytest.approx(float(factor / reference.spread(len(before), seats)))
    return result


@st.composite
def seasons(draw: st.DrawFn) -> tuple[list[SessionResult], list[str], int]:
    """Any line-ups of a field, of entries that left it, and of bots that hold several seats."""
    seats, dice = draw(st.integers(3, 4)), Random(draw(st.integers(0, 2**32)))
    present = [f"b{number}" for number in range(draw(st.integers(seats, 5)))]
    everybody = [*present, *[f"gone{number}" for number in range(draw(st.integers(0, 3)))]]
    several = draw(st.sampled_from([None, present[0], everybody[-1]]))
    sessions = []
    for index in range(draw(st.integers(2, 9))):
        line_up = [several if several and dice.random() < 0.3 else b for b in dice.sample(everybody, seats)]
        rounds = dice.choice((3, 3, 12))
        ends = [0, *sorted(dice.randrange(250 * rounds) for _ in range(seats - 1)), 250 * rounds]
        cards = dict.fromkeys(line_up, 0)
        for bot, (low, high) in zip(line_up, pairwise(ends), strict=True):
            cards[bot] += high - low
        held = {bot: rounds * line_up.count(bot) for bot in line_up if line_up.count(bot) > 1}
        faults = {bot: 40 for bot in cards if dice.random() < 0.2}
        sessions.append(SessionResult(0, index, rounds, cards, faults, held))
    return sessions, present, seats


@examples(300)
@given(seasons())
def test_any_season_agrees_with_real_refits(season: tuple[list[SessionResult], list[str], int]) -> None:
    assert_agrees(*season)


def test_complete_league_scores_are_plain_means_of_card_and_fault_points() -> None:
    sessions, bots = leagues.complete(1, 7, 4, 2, {"bot01": -10.0, "bot05": 12.0})
    assert any(session.fault_points for session in sessions)
    result = fit(sessions, bots, 4)
    for bot in bots:
        own = [session for session in sessions if bot in session.card_points]
        points = sum(session.card_points[bot] + session.fault_points.get(bot, 0) for session in own)
        assert result.scores[bot] == pytest.approx(points / sum(session.rounds for session in own), abs=1e-10)


@pytest.mark.parametrize(
    ("cycles", "own", "measured"), [(8, 3, 0), (8, 15, 0), (8, 16, 1), (1, 5, 0), (1, 7, 1)]
)
def test_a_newcomer_moves_the_others_by_the_sessions_that_it_shares_with_them_alone(
    cycles: int, own: int, measured: bool
) -> None:
    """Until it has half of the usual sessions, or 16, it is no part of what scores are measured by."""
    bots = [f"bot{number:02}" for number in range(6)]
    plan: list[tuple[int, Sequence[str]]] = [
        (c, each) for c in range(cycles) for each in combinations(bots, 4)
    ]
    plan += [(8, ["new", *bots[i % 4 : i % 4 + 3]]) for i in range(own)]
    sessions = leagues.from_plan(3, plan, 16, {"new": 60.0, "bot00": -10.0})
    without, result = fit(sessions, bots, 4), fit(sessions, [*bots, "new"], 4)
    assert result.half_width("new") is not None
    assert result.counted.measured == {*bots, *["new"] * measured}
    moved = [result.scores[bot] - without.scores[bot] for bot in bots]
    if measured:
        assert max(moved) < -3.0, "now it is one of those who average par"
    else:
        assert moved == pytest.approx([0.0] * 6, abs=1e-9), "it is as if it had left"


def test_before_a_field_is_connected_there_are_plain_means() -> None:
    assert fit([], "abc", 3).scores == {}
    islands = leagues.from_plan(5, [(0, "abc"), (0, "def")], 18, {})
    result = fit(islands, "abcdef", 3)
    assert (result.comparable, result.spread, result.varying) == (False, None, {})
    assert result.fap["e"] == islands[1].card_points["e"] / 18
    assert (result.half_width("a"), result.standard_error("a", "b")) == (None, None)
    with pytest.raises(KeyError, match="not compared"):
        result.of_verdict("a", "b")


@given(st.randoms(use_true_random=False))
def test_no_order_changes_a_single_bit(rng: Random) -> None:
    entries = ["ant@1", "bee@1", "cow@1", "duck@1", "elk@1", "old@1"]
    plan = [(c, line_up) for c in range(4) for line_up in combinations(entries, 4)]
    sessions, field = leagues.from_plan(2, plan, 16, {"old@1": 9.0}), entries[:5]
    shuffled = [
        leagues.session(s.key, s.rounds, dict(rng.sample(list(s.card_points.items()), 4)), s.fault_points)
        for s in rng.sample(sessions, len(sessions))
    ]
    expected, found = fit(sessions, field, 4), fit(shuffled, rng.sample(field, 5), 4)
    assert found == expected
    for a, b in combinations(field, 2):
        assert found.half_width(a) == expected.half_width(a)
        assert found.of_verdict(a, b) == expected.of_verdict(a, b)


def test_sessions_that_do_not_belong_together_are_refused() -> None:
    four = leagues.session((0, 0), 1, {"a": 100, "b": 50, "c": 50, "d": 50})
    with pytest.raises(SessionResultError, match=r"cycle 0, index 0.*twice"):
        fit([four, four], "abcd", 4)
    with pytest.raises(SessionResultError, match="4 bots in its line-up, expected 3"):
        fit([four], "abcd", 3)
    with pytest.raises(SessionResultError, match="seats = 1"):
        fit([], "abc", 1)
