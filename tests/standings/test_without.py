"""A league without one of its bots: what is dropped, what stays, and when it is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.standings import Look, Plan, Scoring, TooLittleLeftError, fit, look, without
from tests.standings import leagues

SKILL = {f"bot{number:02}": 9.0 * number for number in range(6)}
SESSIONS, BOTS = leagues.complete(6, 6, 4, 6, SKILL)
RESULTS = [replace(session, index=session.index % 15) for session in SESSIONS]
SCORING = Scoring(tuple(BOTS), 4, plan=Plan(15, 6), margin=2.0)


def test_the_rest_is_the_sessions_that_it_did_not_sit_in() -> None:
    rest = without(SCORING, RESULTS, "bot02")
    kept = [result for result in RESULTS if "bot02" not in result.card_points]
    assert list(rest.results) == kept
    assert (len(kept), rest.dropped) == (30, 60)
    board = rest.scoring.standings(rest.results)
    assert {row.bot for row in board.rows} == set(BOTS) - {"bot02"}
    assert {row.bot: row.score for row in board.rows} == fit(kept, set(BOTS) - {"bot02"}, 4).scores
    assert board.provisional is None


def test_the_share_of_error_stays_that_of_the_whole_field() -> None:
    rest = without(SCORING, RESULTS, "bot02")
    seen = rest.scoring.look(rest.results)
    others = [bot for bot in BOTS if bot != "bot02"]
    plain = look(
        [replace(r, cycle=0, index=i) for i, r in enumerate(rest.results)], others, 4, Plan(30, 1), 2.0
    )
    assert isinstance(seen, Look)
    assert isinstance(plain, Look)
    assert seen.sessions == plain.sessions == 30
    assert seen.boundary > plain.boundary
    again = without(replace(SCORING, starters=9), RESULTS, "bot02")
    assert again.scoring.starters == 9


def test_a_bot_without_a_rank_can_be_left_out_too() -> None:
    scoring = replace(SCORING, house=frozenset({"bot02"}), disqualified=frozenset({"bot03"}))
    rest = without(scoring, RESULTS, "bot02").scoring
    assert rest.house == frozenset()
    assert rest.disqualified == frozenset({"bot03"})
    assert rest.starters == 5


def test_too_few_sessions_are_refused() -> None:
    with pytest.raises(
        TooLittleLeftError, match="25 complete sessions are left without bot02; 30 are needed"
    ):
        without(SCORING, RESULTS[:75], "bot02")


def test_bots_that_only_met_through_it_are_refused() -> None:
    plan = [
        (cycle, group) for cycle in range(15) for group in (("a", "b", "c"), ("d", "e", "f"), ("a", "d", "x"))
    ]
    results = leagues.from_plan(1, plan, 9, {})
    scoring = Scoring(("a", "b", "c", "d", "e", "f", "x"), 3)
    assert scoring.standings(results).comparable
    with pytest.raises(TooLittleLeftError, match="have not all met"):
        without(scoring, results, "x")


def test_a_stranger_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="nobody is not of this season"):
        without(SCORING, RESULTS, "nobody")
