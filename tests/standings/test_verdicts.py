"""Verdicts: the boundary, when a look is taken, what it claims, and how seldom it is wrong."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from arena.standings import Look, NoLook, Plan, SessionResult, Verdict, fit, fit_any, look
from arena.standings.boundary import boundary
from arena.standings.needed import Measured, sessions_needed
from arena.standings.verdicts import complete_cycles
from tests.standings import leagues

PLAN = Plan(15, 8)  # 6 bots, 4 seats, every line-up


def taken(result: Look | NoLook) -> Look:
    assert isinstance(result, Look), result
    return result


def league(seed: int = 0, cycles: int = 8, gap: float = 0.0) -> tuple[list[SessionResult], list[str]]:
    skill = {f"bot{number:02}": gap * number for number in range(6)}
    return leagues.complete(seed, 6, 4, cycles, skill)


def test_boundary_has_its_known_values() -> None:
    assert boundary(120, 0.05 / 15) == pytest.approx(3.96, abs=0.005)
    widths = {t: boundary(t, 0.01) / math.sqrt(t) for t in (75, 150, 300, 600, 1200)}
    assert list(widths.values()) == sorted(widths.values(), reverse=True)


def test_boundary_is_narrowest_near_300_sessions() -> None:
    """Of all tunings the one used gives (nearly) the least u at t = 300."""

    def mixture(weight: float, error: float) -> float:
        return math.sqrt(2 * (weight + 1) / weight * math.log(math.sqrt(weight + 1) / error))

    for error in (0.05, 0.05 / 15, 0.05 / 780):
        best = min(mixture(step / 100, error) for step in range(100, 5000))
        assert boundary(300, error) == pytest.approx(best, rel=2e-3)


def test_a_clear_league_is_settled_with_single_ranks_and_letters() -> None:
    sessions, bots = league(gap=16.0)
    result = taken(look(sessions, bots, 4, PLAN, 2.0))
    assert (result.cycles, result.sessions) == (8, 120)
    assert result.boundary == boundary(120, 0.05 / 15, result.fit.doubt)
    assert result.bots == tuple(bots)
    assert result.settled
    assert result.ranks == {bot: (number, number) for number, bot in enumerate(bots, 1)}
    assert [result.letters[bot] for bot in bots] == [("a",), ("b",), ("c",), ("d",), ("e",), ("f",)]


def test_every_verdict_follows_from_score_and_error() -> None:
    sessions, bots = league(3, gap=3.0)
    margin = 12.0
    result = taken(look(sessions, bots, 4, PLAN, margin))
    full = fit_any(sessions, bots, 4)
    doubt = full.doubt
    assert {pair.verdict for pair in result.pairs} == set(Verdict)
    assert [(p.better, p.worse) for p in result.pairs] == list(combinations(result.bots, 2))
    for pair in result.pairs:
        difference = full.scores[pair.worse] - full.scores[pair.better]
        error = full.verdict_se(pair.better, pair.worse)
        assert error is not None
        reach = result.boundary * error
        assert (pair.difference, pair.se) == (difference, error)
        assert (pair.verdict is Verdict.AHEAD) == (difference > reach)
        assert (pair.verdict is Verdict.LEVEL) == (difference <= reach and difference + reach <= margin)
        needed = sessions_needed(Measured(difference, error, 120, 0.05 / 15, doubt), margin)
        assert pair.more_sessions == (needed if pair.verdict is Verdict.OPEN else None)


def test_bots_without_any_difference_are_level_not_ahead_by_rounding() -> None:
    sessions, bots = league()
    same = [
        leagues.session(s.key, 16, dict.fromkeys(s.card_points, 1000), dict.fromkeys(s.card_points, 7))
        for s in sessions
    ]
    result = taken(look(same, bots, 4, PLAN, 0.1))
    assert {pair.verdict for pair in result.pairs} == {Verdict.LEVEL}
    assert set(result.ranks.values()) == {(1, 6)}
    assert result.bots == tuple(bots)


def test_only_leading_complete_cycles_are_looked_at() -> None:
    sessions, bots = league(5, cycles=6, gap=4.0)
    whole = [s for s in sessions if s.cycle < 4]
    ragged = [s for s in sessions if s.key != (4, 70)]  # indices run on over the cycles here
    assert len(ragged) == len(sessions) - 1
    assert look(ragged, bots, 4, PLAN, 2.0) == look(whole, bots, 4, PLAN, 2.0)
    assert complete_cycles(ragged, PLAN) == (4, whole)
    void = Plan(15, 8, frozenset({(4, 70)}))
    assert complete_cycles(sessions, void) == (6, ragged)
    assert complete_cycles([], PLAN) == (0, [])


def test_no_look_before_30_sessions_and_16_a_bot() -> None:
    sessions, bots = league(cycles=3)
    early = look([s for s in sessions if s.cycle < 1], bots, 4, PLAN, 2.0)
    assert early == NoLook(
        "verdicts need 30 sessions of complete cycles and 16 of every bot; so far there are 15 and 10"
    )
    two = [s for s in sessions if s.cycle < 2]
    assert look(two, bots, 4, PLAN, 2.0) == NoLook("verdicts need 3 complete cycles; so far there are 2")
    taken(look(sessions, bots, 4, PLAN, 2.0))
    plan = [(0, "abc"), (0, "abd"), (0, "acd"), (0, "bcd")] * 10 + [(0, "abe")] * 15
    rare = look(leagues.from_plan(1, plan, 18, {}), "abcde", 3, Plan(55, 1), 2.0)
    assert isinstance(rare, NoLook)
    assert rare.reason.endswith("there are 55 and 15")


def test_fields_that_cannot_be_compared_get_a_reason() -> None:
    islands = leagues.from_plan(1, [(c, bots) for c in range(4) for bots in ("abc", "def") * 5], 18, {})
    result = look(islands, "abcdef", 3, Plan(10, 4), 2.0)
    assert result == NoLook("the bots have not met often enough to be compared")
    alone = look(islands, "a", 3, Plan(10, 4), 2.0)
    assert alone == NoLook("there is only one bot, so there is nothing to compare")
    assert isinstance(look([], "abcdef", 3, Plan(40, 1), 2.0), NoLook)


def test_house_and_disqualified_bots_take_part_in_the_fit_but_get_no_verdict() -> None:
    sessions, bots = league(2, gap=6.0)
    result = taken(look(sessions, bots[1:5], 4, PLAN, 2.0, starters=5))
    assert result.boundary == boundary(120, 0.05 / 10, result.fit.doubt)
    assert set(result.ranks) == set(result.letters) == set(result.bots) == set(bots[1:5])
    assert result.fit == fit(sessions, bots, 4)
    assert all(1 <= low <= high <= 4 for low, high in result.ranks.values())


def test_equal_bots_are_seldom_separated_though_looked_at_after_every_cycle() -> None:
    """Nominal: 5 % of leagues with any false separation over all looks; 3 standard errors allowed."""
    runs, wrong = 80, 0
    for seed in range(runs):
        sessions, bots = leagues.complete(seed, 5, 4, 9)
        looks = (
            look([s for s in sessions if s.cycle < cycles], bots, 4, Plan(5, 9), 2.0)
            for cycles in (6, 7, 8, 9)
        )
        wrong += any(p.verdict is Verdict.AHEAD for found in looks for p in taken(found).pairs)
    assert wrong / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
