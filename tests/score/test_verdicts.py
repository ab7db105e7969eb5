"""Verdicts: the boundary, Holm's step-down over the pairs, and when a look is taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.score.counting import cycles_to_first_look
from arena.score.fit import fit
from arena.score.quantiles import t_cdf, t_quantile
from arena.score.results import SessionResult
from arena.score.spread import NO_DOUBT, Doubt
from arena.score.table import Plan
from arena.score.verdicts import (
    ERROR_RATE,
    MOST_SESSIONS_NEEDED,
    Comparison,
    Look,
    NoLook,
    Verdict,
    boundary,
    complete_cycles,
    judge,
    look,
)
from tests.score import leagues

NOTHING = fit([], "abcde", 4)


def taken(result: Look | NoLook) -> Look:
    assert isinstance(result, Look), result
    return result


def league(seed: int = 0, cycles: int = 8, gap: float = 0.0) -> tuple[list[SessionResult], list[str]]:
    skill = {f"bot{number:02}": gap * number for number in range(6)}
    return leagues.complete(seed, 6, 4, cycles, skill)


def rate(error: float, tuned: float = 200) -> float:
    return (-2 * log(error) + log(1 - 2 * log(error))) / tuned


@pytest.mark.parametrize("error", [0.05, 0.05 / 15, 0.05 / 780])
def test_the_boundary_is_that_of_robbins_and_narrowest_near_200_sessions(error: float) -> None:
    def mixture(sessions: float, tuned: float) -> float:
        weight = 1 + sessions * rate(error, tuned)
        return sqrt(weight / (weight - 1) * (log(weight) - 2 * log(error)))

    for sessions in (16, 48, 200, 1000):
        assert boundary(sessions, error) == pytest.approx(mixture(sessions, 200), rel=1e-12)
    best = min(mixture(200, tuned) for tuned in range(20, 2000))
    assert boundary(200, error) == pytest.approx(best, rel=2e-3)


@pytest.mark.parametrize(
    ("sessions", "error", "ratio", "freedom"), [(45, 0.05 / 15, 3.0, 10.0), (300, 0.05 / 66, 1.4, 200.0)]
)
def test_with_form_it_is_the_boundary_of_students_mixture(
    sessions: float, error: float, ratio: float, freedom: float
) -> None:
    u, g = boundary(sessions, error, Doubt(ratio, freedom)), 1 + sessions * rate(error)
    nu = freedom * (ratio / (ratio - 1)) ** 2
    # The likelihood ratio of the mixture is 1/error there: what makes it valid at all looks.
    likelihood = ((1 + u * u / nu) / (1 + u * u / (nu * g))) ** ((nu + 1) / 2) / sqrt(g)
    assert likelihood == pytest.approx(1 / error, rel=1e-9)
    assert u > boundary(sessions, error)
    assert boundary(45, 0.001, Doubt(9.0, 2.0)) == float("inf")


def compared(gaps: Sequence[float], bots: str = "abcde") -> list[Comparison]:
    """The pairs of some bots, capitals in an open field, with these differences and standard errors of 1."""
    pairs = combinations([f"{bot}@1" if bot.isupper() else bot for bot in bots], 2)
    return [Comparison(*two, gap, 1.0, 100.0, 5.0) for two, gap in zip(pairs, gaps, strict=True)]


def holm(compared: Sequence[Comparison], began: int, shares: Sequence[float]) -> set[tuple[str, str]]:
    """Holm as he wrote it, over the smallest errors at which the pairs would be claimed."""
    levels = []
    for one, share in zip(compared, shares, strict=True):
        low, high = 1e-30, 1.0
        for _ in range(200):
            middle = sqrt(low * high)
            low, high = (low, middle) if one.difference > boundary(100, middle) else (middle, high)
        levels.append((high / share, one.better, one.worse))
    claimed: set[tuple[str, str]] = set()
    for level, better, worse in sorted(levels):
        if level > ERROR_RATE / max(1, began - len(claimed)):
            break
        claimed.add((better, worse))
    return claimed


@given(st.lists(st.floats(0.0, 7.0), min_size=10, max_size=10), st.integers(10, 15), st.booleans())
def test_verdicts_are_those_of_holm_and_who_is_level_leaves_no_share(
    gaps: list[float], began: int, versions: bool
) -> None:
    pairs = compared(gaps, "abCDE" if versions else "abcde")
    shares = [0.8 ** ("@" in one.better) * 0.8 ** ("@" in one.worse) for one in pairs]
    seen = judge(8, NOTHING, "abcde", pairs, began)
    expected = holm(pairs, began, shares)
    assert seen.ahead == expected
    left = max(1, began - len(expected))
    assert [pair.error for pair in seen.pairs] == pytest.approx([ERROR_RATE / left * s for s in shares])
    for pair in seen.pairs:
        level = pair.difference + boundary(100, pair.error) <= 5.0
        assert (pair.verdict is Verdict.LEVEL) == (level and (pair.better, pair.worse) not in expected)


@pytest.mark.parametrize("now", [5.0, 0.0])
def test_what_was_claimed_stands_even_if_the_scores_turn_and_leaves_its_share(now: float) -> None:
    seen = judge(8, NOTHING, "abcde", compared([now, *[0.0] * 9]), 10, {("b", "a"), ("c", "gone")})
    pair = seen.pairs[0]
    assert (pair.better, pair.worse, pair.verdict, pair.difference) == ("b", "a", Verdict.AHEAD, -now)
    reach = boundary(100, ERROR_RATE / 8)
    assert (pair.low, pair.high, pair.error) == pytest.approx((-now - reach, -now + reach, ERROR_RATE / 8))
    assert seen.ahead == {("b", "a")}
    assert seen.ranks == {"a": (2, 5), "b": (1, 4), "c": (1, 5), "d": (1, 5), "e": (1, 5)}
    assert not set(seen.letters["a"]) & set(seen.letters["b"])


def test_the_shares_of_all_versions_add_up_to_one() -> None:
    def share(a: str, b: str) -> float:
        return judge(3, NOTHING, [a, b], [Comparison(a, b, 0.0, 1.0, 50, 0.0)], 1).pairs[0].error / ERROR_RATE

    assert 0.99 < sum(share(f"a@{v}", f"b@{w}") for v in range(1, 80) for w in range(1, 80)) < 1.0
    assert share("a@3", "b@1") < share("a@2", "b@1") < share("a@1", "b@1") < share("a", "b") == 1.0
    for wrong in ("a@", "a@0", "a@x"):
        with pytest.raises(ValueError, match="expected bot@number"):
            share(wrong, "b@1")


@pytest.mark.parametrize(
    ("difference", "margin", "doubt"),
    [(3.0, 2.0, NO_DOUBT), (0.1, 2.0, NO_DOUBT), (0.1, 0.0, NO_DOUBT), (3.0, 0.0, Doubt(2.0, 20.0))],
)
def test_more_sessions_are_the_first_number_that_decides(
    difference: float, margin: float, doubt: Doubt
) -> None:
    pair = judge(8, NOTHING, "ab", [Comparison("a", "b", difference, 2.0, 120, margin, doubt)], 1).pairs[0]
    assert pair.verdict is Verdict.OPEN

    def decided(total: int) -> bool:
        """With more cycles the doubt becomes less, too."""
        later = Doubt(doubt.ratio, doubt.freedom * total / 120)
        reach = boundary(total, ERROR_RATE, later) * sqrt(2.0 * 120 / total)
        return difference > reach or difference + reach <= margin

    first = next((more for more in range(1, MOST_SESSIONS_NEEDED + 1) if decided(120 + more)), None)
    assert pair.more_sessions == first
    assert (first is None) == (difference == 0.1 > margin)


def test_every_verdict_of_a_look_follows_from_scores_and_sessions() -> None:
    sessions, bots = league(3, gap=3.0)
    whole = fit(sessions, bots, 4)
    seen = taken(look(whole, bots, 8, 12.0))
    assert (seen.cycles, seen.sessions, seen.fit) == (8, 120, whole)
    assert {pair.verdict for pair in seen.pairs} == set(Verdict)
    assert [{p.better, p.worse} for p in seen.pairs] == [set(two) for two in combinations(seen.bots, 2)]
    for pair in seen.pairs:
        variance, doubt = whole.of_verdict(pair.better, pair.worse)
        reach = boundary(80, ERROR_RATE / (15 - len(seen.ahead)), doubt) * sqrt(variance)
        difference = whole.scores[pair.worse] - whole.scores[pair.better]
        assert (pair.difference, pair.se) == pytest.approx((difference, sqrt(variance)))
        assert (pair.low, pair.high) == pytest.approx((difference - reach, difference + reach))
        assert (pair.verdict is Verdict.AHEAD) == (difference > reach)
    one = taken(look(whole, bots, 8, 12.0, began=12)).pairs[0]
    variance, doubt = whole.of_verdict(one.better, one.worse)
    assert one.error == ERROR_RATE / (66 - len(seen.ahead))
    reach = boundary(80, one.error, doubt, tuned=100) * sqrt(variance)
    assert one.high - one.low == pytest.approx(2.0 * reach)


def test_a_clear_league_is_settled_and_so_is_one_without_any_difference() -> None:
    sessions, bots = league(gap=16.0)
    seen = taken(look(fit(sessions, bots, 4), bots, 8, 2.0))
    assert seen.settled
    assert seen.ranks == {bot: (number, number) for number, bot in enumerate(bots, 1)}
    assert [seen.letters[bot] for bot in bots] == [(letter,) for letter in "abcdef"]
    assert not replace(seen, final=False).settled, "of an open field nobody knows who will come"
    same = [leagues.session(s.key, 16, dict.fromkeys(s.card_points, 1000)) for s in sessions]
    level = taken(look(fit(same, bots, 4), bots, 8, 0.1))
    assert {pair.verdict for pair in level.pairs} == {Verdict.LEVEL}
    assert (level.settled, set(level.ranks.values()), level.bots) == (True, {(1, 6)}, tuple(bots))


def test_only_leading_complete_cycles_are_looked_at() -> None:
    sessions, _ = league(5, cycles=6)
    ragged = [s for s in sessions if s.key != (4, 70)]  # indices run on over the cycles here
    assert complete_cycles(ragged, Plan(15, 8)) == (4, [s for s in sessions if s.cycle < 4])
    assert complete_cycles(sessions, Plan(15, 8, frozenset({(4, 70)}))) == (6, ragged)


@pytest.mark.parametrize(("own", "waiting"), [(15, ("new",)), (16, ())])
def test_a_bot_is_compared_from_16_counted_sessions_on(own: int, waiting: tuple[str, ...]) -> None:
    bots = [f"bot{number:02}" for number in range(6)]
    plan: list[tuple[int, Sequence[str]]] = [(c, each) for c in range(8) for each in combinations(bots, 4)]
    plan += [(8, ["new", *bots[i % 4 : i % 4 + 3]]) for i in range(own)]
    sessions = leagues.from_plan(1, plan, 16, {bot: 9.0 * i for i, bot in enumerate([*bots, "new"])})
    seen = taken(look(fit(sessions, [*bots, "new"], 4), [*bots, "new"], 9, 2.0))
    assert (seen.waiting, "new" in seen.ranks) == (waiting, not waiting)
    assert max(high for _, high in seen.ranks.values()) == 7, "who waits may have any place"
    assert replace(seen, pairs=()).settled == (not waiting)


def test_why_there_is_no_look() -> None:
    def reason(cycles: int, ranked: str = "abc", sessions: Sequence[SessionResult] = ()) -> str:
        seen = look(fit(sessions, "abc", 3), ranked, cycles, 2.0)
        return seen.reason if isinstance(seen, NoLook) else ""

    assert reason(4, "a") == "there is only one bot, so there is nothing to compare"
    assert reason(2) == "verdicts need 3 complete cycles; so far there are 2"
    assert reason(3) == "the bots have not met often enough to be compared"
    few = leagues.from_plan(1, [(i // 5, "abc") for i in range(16)], 18, {})
    assert reason(3, "abc", few[:15]) == (
        "verdicts need 16 sessions of each of two bots; so far no two have more than 15"
    )
    assert reason(3, "abc", few) == ""
    swings = [
        leagues.session((i // 12, i), 16, {"a": 1300 + more, "b": 1300 - more, "c": 1400})
        for i, more in enumerate(300 * (i // 12 - 1) + i for i in range(36))
    ]
    assert (
        reason(3, "abc", swings) == "form varies from cycle to cycle, too much to compare bots after 3 cycles"
    )
    assert [cycles_to_first_look(of_each) for of_each in (1, 3, 6, 40)] == [16, 6, 3, 3]
    assert [cycles_to_first_look(of_each, gauntlet=True) for of_each in (8, 16)] == [2, 1]


TABLE = {
    (0.975, 1): 12.706204736174698,
    (0.975, 2): 4.302652729911275,
    (0.975, 5): 2.570581835636314,
    (0.975, 10): 2.2281388519649385,
    (0.975, 1000): 1.9623390808264078,
    (0.995, 10): 3.169272672616951,
}


def test_table_values() -> None:
    for (p, dof), expected in TABLE.items():
        assert t_quantile(p, dof) == pytest.approx(expected, rel=1e-10)
        assert t_quantile(1 - p, dof) == pytest.approx(-expected, rel=1e-10)
    for p, dof in [(0.0, 5), (1.0, 5), (0.9, 0), (float("nan"), 5)]:
        with pytest.raises(ValueError, match="a quantile needs"):
            t_quantile(p, dof)


@given(st.floats(1e-4, 1 - 1e-4), st.integers(1, 400))
def test_quantile_inverts_the_distribution(p: float, dof: int) -> None:
    assert t_cdf(t_quantile(p, dof), dof) == pytest.approx(p, abs=1e-12)
