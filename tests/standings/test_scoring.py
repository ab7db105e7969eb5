"""Who is ranked and what is waited for, from plain values; how a league came to stand as it does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.standings import Look, NoLook, Plan, Scoring, SessionResult, look
from tests.standings import leagues

SESSIONS, BOTS = leagues.complete(5, 6, 4, 4, {f"bot{number:02}": 9.0 * number for number in range(6)})
SCORING = Scoring(tuple(BOTS), 4, plan=Plan(15, 4), margin=2.0)


def with_keys(sessions: list[SessionResult]) -> list[SessionResult]:
    """The sessions numbered from 0 in each cycle, as a schedule does."""
    return [replace(session, index=session.index % 15) for session in sessions]


RESULTS = with_keys(SESSIONS)


def test_only_entrants_are_ranked() -> None:
    scoring = replace(SCORING, house=frozenset({"bot01"}), disqualified=frozenset({"bot02"}))
    assert scoring.entrants == ("bot00", "bot02", "bot03", "bot04", "bot05")
    board, seen = scoring.standings(RESULTS), scoring.look(RESULTS)
    assert [row.bot for row in board.house] == ["bot01"]
    assert [row.bot for row in board.rows if row.disqualified] == ["bot02"]
    assert isinstance(seen, Look)
    assert set(seen.bots) == {"bot00", "bot03", "bot04", "bot05"}
    expected = look(RESULTS, ["bot00", "bot03", "bot04", "bot05"], 4, Plan(15, 4), 2.0, starters=5)
    assert seen == expected


def test_a_stand_in_takes_part_once_it_has_sat() -> None:
    scoring = replace(SCORING, bots=(*BOTS, "stand-in"), stand_ins=frozenset({"stand-in"}))
    assert scoring.standings(RESULTS) == SCORING.standings(RESULTS)
    points = dict(RESULTS[0].card_points)
    points["stand-in"] = points.pop("bot00")
    seated = [replace(RESULTS[0], card_points=points, fault_points={}), *RESULTS[1:]]
    assert [row.bot for row in scoring.standings(seated).house] == ["stand-in"]


def test_before_a_plan_there_is_no_look_and_no_course() -> None:
    scoring = replace(SCORING, plan=None)
    assert isinstance(scoring.look([]), NoLook)
    assert list(scoring.course(RESULTS)) == []
    assert scoring.standings(RESULTS).provisional is None


@pytest.mark.parametrize("extra", [0, 7])
def test_the_course_is_the_league_cut_after_each_complete_cycle(extra: int) -> None:
    more = [replace(result, cycle=4) for result in RESULTS[:extra]]
    course = list(SCORING.course([*RESULTS, *more]))
    assert [moment.cycles for moment in course] == [1, 2, 3, 4]
    for moment in course:
        until = RESULTS[: 15 * moment.cycles]
        assert moment.standings == SCORING.standings(until)
        assert moment.look == SCORING.look(until)
    assert isinstance(course[0].look, NoLook)
    assert isinstance(course[-1].look, Look)
