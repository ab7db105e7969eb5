"""Ratings against closed forms, another algorithm and numerical derivatives."""

from __future__ import annotations

import math
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from arena.standings import SessionResultError, compare_rounds, ratings
from arena.standings.bradley_terry import SessionComparisons
from tests.standings import reference

SCALE = 400 / math.log(10)
BOTS = ["ant", "bee", "cat", "dog", "eel"]


def played(seed: int, sessions: int, line_up_size: int = 3) -> list[SessionComparisons]:
    """Sessions of 6 rounds of small whole points, so that ties happen; later bots are weaker."""
    rng = Random(seed)
    found = []
    for index in range(sessions):
        line_up = rng.sample(BOTS, line_up_size)
        rounds = [{bot: rng.randrange(8) + BOTS.index(bot) for bot in line_up} for _ in range(6)]
        found.append(compare_rounds(index // 4, index % 4, rounds))
    return found


def test_rounds_become_comparisons() -> None:
    rounds = [{"b": 10, "a": 20, "c": 10}, {"a": 5, "b": 6, "c": 7}, {"c": 0, "b": 9, "a": 9}]
    session = compare_rounds(1, 2, rounds)
    met = dict.fromkeys([("a", "b"), ("a", "c"), ("b", "c")], 3)
    assert session == SessionComparisons(1, 2, 3, {("a", "b"): 3, ("a", "c"): 2, ("b", "c"): 3}, met)


def test_two_bots_have_the_closed_form() -> None:
    first = SessionComparisons(0, 0, 4, {("a", "b"): 7}, {("a", "b"): 4})
    second = SessionComparisons(0, 1, 4, {("a", "b"): 4}, {("a", "b"): 4})
    result = ratings([first, second], ["b", "a"])
    gap = math.log((5.5 + 0.5) / (2.5 + 0.5))  # one drawn comparison beside 5.5 wins of 8
    assert result.elo["a"] == pytest.approx(1500 + SCALE * gap / 2)
    assert result.elo["b"] == pytest.approx(1500 - SCALE * gap / 2)
    chance = 6 / 9
    scores = (3.5 - 4 * chance, 2.0 - 4 * chance)
    spread = math.sqrt(2 * sum(g * g for g in scores)) / (9 * chance * (1 - chance))
    assert result.standard_error["a"] == pytest.approx(SCALE * spread / 2)


def test_ratings_agree_with_the_mm_algorithm() -> None:
    """Hunter (2004): gamma_i = W_i / sum_j n_ij / (gamma_i + gamma_j), repeated."""
    sessions = played(1, 24)
    wins: defaultdict[str, float] = defaultdict(float)
    games: defaultdict[tuple[str, str], float] = defaultdict(float)
    for pair in {pair for session in sessions for pair in session.half_wins}:
        games[pair] += 1
        wins[pair[0]] += 0.5
        wins[pair[1]] += 0.5
    for session in sessions:
        for (a, b), half in session.half_wins.items():
            games[a, b] += session.rounds
            wins[a] += half / 2
            wins[b] += session.rounds - half / 2
    gamma = dict.fromkeys(BOTS, 1.0)
    for _ in range(400):
        shares: defaultdict[str, float] = defaultdict(float)
        for (a, b), n in games.items():
            shares[a] += n / (gamma[a] + gamma[b])
            shares[b] += n / (gamma[a] + gamma[b])
        gamma = {bot: wins[bot] / shares[bot] for bot in BOTS}
    centre = sum(math.log(value) for value in gamma.values()) / len(BOTS)
    result = ratings(sessions, BOTS)
    for bot in BOTS:
        assert result.elo[bot] == pytest.approx(1500 + SCALE * (math.log(gamma[bot]) - centre), abs=1e-6)
    assert sum(result.elo.values()) == pytest.approx(1500 * len(BOTS))


def test_standard_errors_agree_with_a_bordered_solution() -> None:
    """H+ v by exact elimination with a Lagrange multiplier, from the ratings found."""
    sessions = played(2, 20)
    result = ratings(sessions, BOTS)
    theta = {bot: result.elo[bot] / SCALE for bot in BOTS}
    size = len(BOTS)
    border = [[Fraction(0)] * (size + 1) for _ in range(size + 1)]
    for i in range(size):
        border[i][size] = border[size][i] = Fraction(1)
    for i, j in combinations(range(size), 2):
        pair = (BOTS[i], BOTS[j])
        met = sum(session.rounds for session in sessions if pair in session.half_wins)
        chance = 1 / (1 + math.exp(theta[pair[1]] - theta[pair[0]]))
        weight = Fraction((met + 1 if met else 0) * chance * (1 - chance))
        for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            border[a][b] += sign * weight
    total = [0.0] * size
    for session in sessions:
        score = [Fraction(0)] * (size + 1)
        for (x, y), half in session.half_wins.items():
            surplus = half / 2 - session.rounds / (1 + math.exp(theta[y] - theta[x]))
            score[BOTS.index(x)] += Fraction(surplus)
            score[BOTS.index(y)] -= Fraction(surplus)
        moved = reference.solve(border, score)
        total = [sum_ + float(value) ** 2 for sum_, value in zip(total, moved[:size], strict=True)]
    for bot, value in zip(BOTS, total, strict=True):
        assert result.standard_error[bot] == pytest.approx(SCALE * math.sqrt(value * 20 / 19), rel=1e-9)


def test_a_bot_that_always_wins_stays_finite() -> None:
    rounds = [{"ant": 0, "bee": 100, "cat": 150}] * 400
    result = ratings([compare_rounds(0, index, rounds) for index in range(3)], ["ant", "bee", "cat"])
    assert result.elo["ant"] > result.elo["bee"] > result.elo["cat"]
    assert all(math.isfinite(value) for value in (*result.elo.values(), *result.standard_error.values()))


def test_no_order_matters() -> None:
    sessions = played(3, 16)
    assert ratings(sessions[::-1], BOTS[::-1]) == ratings(sessions, BOTS)


def test_odd_shapes() -> None:
    sessions = played(4, 16)
    for few in ([], sessions[:1]):
        result = ratings(few, BOTS)
        assert (result.elo, result.standard_error) == ({}, {})
    assert ratings(sessions, [*BOTS, "never"]).elo == {}
    assert ratings([], []).elo == {}
    bridge = [compare_rounds(0, i, [dict.fromkeys(bots, 5)]) for i, bots in enumerate(["ab", "ab", "bc"])]
    result = ratings(bridge, "abc")
    assert set(result.elo) == set("abc")
    assert result.standard_error == {}


def test_in_a_gauntlet_only_who_sat_together_is_compared() -> None:
    turns = compare_rounds(3, 1, [{"new": 1, "x": 2, "y": 3}, {"old": 9, "x": 2, "y": 2}])
    assert ("new", "old") not in turns.met
    assert (turns.met["new", "x"], turns.met["x", "y"]) == (1, 2)
    found = ratings([turns, compare_rounds(3, 2, [{"new": 5, "x": 5, "y": 6}, {"old": 7, "x": 6, "y": 3}])],
                    ["new", "old", "x", "y"])  # fmt: skip
    assert found.elo["new"] > found.elo["old"]
    assert found.standard_error["new"] > 0.0


def test_wrong_sessions_are_refused() -> None:
    with pytest.raises(SessionResultError, match=r"cycle 0, index 0.*eel not among"):
        ratings([compare_rounds(0, 0, [{"ant": 1, "eel": 2}])] * 2, ["ant", "bee"])
