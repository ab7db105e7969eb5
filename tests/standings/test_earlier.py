"""Sessions of earlier stages count in the last one, with departed entries; its own cycles stay its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from arena.standings import Earlier, Look, NoLook, Plan, Scoring, SessionResult, fit
from arena.standings.boundary import boundary, error_of_pair
from arena.standings.words import basis
from tests.standings import leagues

SKILL = {f"bot{number:02}": 9.0 * number for number in range(7)}


def stage(seed: int, bots: int, cycles: int) -> list[SessionResult]:
    """The sessions of a stage of the first so many bots, numbered as a schedule does."""
    sessions, _ = leagues.complete(seed, bots, 4, cycles, SKILL)
    a_cycle = len(sessions) // cycles
    return [replace(one, index=one.index % a_cycle) for one in sessions]


HEATS, SECOND, FINAL = stage(1, 7, 2), stage(2, 6, 3), stage(3, 5, 4)
BOTS = tuple(SKILL)[:5]
EARLIER = Earlier.of([HEATS, SECOND], BOTS, 7)
SCORING = Scoring(BOTS, 4, plan=Plan(5, 4), margin=2.0, earlier=EARLIER)


def joined(*stages: Sequence[SessionResult]) -> list[SessionResult]:
    """The sessions of all stages, their cycles numbered through from 0."""
    first, all_ = 0, []
    for one in stages:
        all_ += [replace(result, cycle=first + result.cycle) for result in one]
        first = all_[-1].cycle + 1
    return all_


def test_cycles_are_numbered_through_to_those_of_the_season_itself() -> None:
    assert [one.cycle for one in EARLIER.results] == [-5] * 35 + [-4] * 35 + [-3] * 15 + [-2] * 15 + [-1] * 15
    assert EARLIER.gone == {"bot05", "bot06"}
    assert Earlier.of([], BOTS, 0) == Earlier()
    assert Earlier.of([[], []], BOTS, 7).results == ()


def test_the_score_is_the_fit_of_all_stages_with_departed_entries() -> None:
    board = SCORING.standings(FINAL)
    expected = fit(joined(HEATS, SECOND, FINAL), SKILL, 4, departed=["bot05", "bot06"])
    assert board.fit == expected
    assert [row.bot for row in board.rows] == list(BOTS), "who is gone has no row"
    for row in board.rows:
        assert row.score == expected.scores[row.bot]
        assert row.half_width == expected.half_width(row.bot)
        assert (row.sessions, row.rounds) == (expected.sessions[row.bot], expected.rounds[row.bot])
    assert sum(row.fap or 0.0 for row in board.rows) == pytest.approx(5 * 62.5)
    assert board.fit != replace(SCORING, earlier=Earlier()).standings(FINAL).fit


def test_ranks_are_claimed_by_the_same_sessions() -> None:
    seen = SCORING.look(FINAL)
    assert isinstance(seen, Look)
    assert seen.fit == SCORING.standings(FINAL).fit
    assert seen == SCORING.look(FINAL, SCORING.standings(FINAL).fit)
    assert set(seen.bots) == set(BOTS)
    assert (seen.cycles, seen.sessions, seen.earlier) == (4, 135, 115)
    assert basis(seen) == "20 sessions in 4 complete cycles and 115 of earlier stages"
    # Seven began, so the error is shared among their pairs.
    assert seen.boundary == boundary(135, error_of_pair(7), seen.fit.doubt)


def test_cycles_and_progress_are_those_of_the_season_itself() -> None:
    begun = FINAL[:7]
    assert SCORING.standings(begun).provisional == "provisional, cycle 2 at 40 %"
    assert SCORING.standings([]).provisional == "provisional, cycle 1 at 0 %"
    assert SCORING.standings(FINAL).provisional is None
    course = list(SCORING.course(FINAL))
    assert [moment.cycles for moment in course] == [1, 2, 3, 4]
    assert [moment.standings.fit.session_count for moment in course] == [120, 125, 130, 135]
    seen = SCORING.look(begun)
    assert isinstance(seen, Look)
    assert (seen.cycles, seen.sessions) == (1, 120), "only whole cycles"


def test_before_its_first_cycle_a_stage_has_a_score_and_no_verdicts() -> None:
    assert [row.bot for row in SCORING.standings([]).rows] == list(BOTS)
    assert SCORING.standings([]).intervals
    assert SCORING.look(FINAL[:4]) == NoLook("verdicts wait for a complete cycle of this stage")


def test_who_leaves_in_the_last_stage_is_a_departed_entry_too() -> None:
    out = replace(SCORING, disqualified=frozenset({"bot04"}), departed=frozenset({"bot04"}))
    board = out.standings(FINAL)
    gone = ["bot04", "bot05", "bot06"]
    assert board.fit == fit(joined(HEATS, SECOND, FINAL), SKILL, 4, departed=gone)
    assert [row.bot for row in board.rows if row.disqualified] == ["bot04"]


def moved(one: SessionResult) -> SessionResult:
    """The session with up to 20 points a round more for bot06 in every other cycle, fewer for the rest."""
    if "bot06" not in one.card_points or one.cycle % 2:
        return one
    points = dict(one.card_points)
    for bot in points.keys() - {"bot06"}:
        given = min(points[bot], 20 * one.rounds)
        points[bot] -= given
        points["bot06"] += given
    return replace(one, card_points=points)


def test_form_of_who_is_gone_is_not_told() -> None:
    wild = [moved(one) for one in stage(4, 7, 8)]
    board = replace(SCORING, earlier=Earlier.of([wild], BOTS, 7)).standings(FINAL)
    assert "bot06" in board.fit.varying
    assert board.varying == {bot: by for bot, by in board.fit.varying.items() if bot in BOTS}
