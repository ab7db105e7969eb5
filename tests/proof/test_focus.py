"""Leagues whose cycles follow from what is open: who sits, and that what they gain and lose is counted."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from arena.proof import full_studies, quick_studies
from arena.proof.figure import Figure
from arena.proof.focus import Focus, focus_studies
from arena.proof.focused import BALANCED, Course, Met, Way, lacking
from arena.proof.scenario import League, Scenario
from arena.proof.study import run_studies
from arena.schedule import LineUps
from arena.standings import Look, open_fit, open_judged

BOTS, SEATS = 12, 4
APART = Scenario(
    "apart", "8 bots", SEATS, (-53.0, -37.0, -21.0, -5.0, 11.0, 27.0, 36.0, 42.0), line_ups=LineUps.BALANCED
)
"""Bots 16 points apart, but for the last three."""


def played_evenly(sessions: int) -> Met:
    met = Met.nobody(BOTS)
    met.line_ups([0.0] * BOTS, sessions, SEATS, 0.0, Random(1))
    return met


def course(way: Way) -> Course:
    return Course.of(League(APART, 1, 0), way)


def seen(played: Course) -> Look:
    bots = played.world.bots
    found = open_judged(10, open_fit(played.played, bots, SEATS), bots, 2.0)
    assert isinstance(found, Look)
    return found


def test_a_focused_cycle_seats_as_many_bots_as_there_are_seats_and_counts_them() -> None:
    met = Met.nobody(BOTS)
    line_ups = met.line_ups([1.0] * BOTS, 24, SEATS, 0.0, Random(2))
    assert len(line_ups) == 24
    assert all(len(set(line_up)) == SEATS for line_up in line_ups)
    assert met.sat == [sum(bot in line_up for line_up in line_ups) for bot in range(BOTS)]
    for one, other in combinations(range(BOTS), 2):
        together = sum({one, other} <= set(line_up) for line_up in line_ups)
        assert met.pairs[one][other] == met.pairs[other][one] == together


def test_whoever_lacks_sessions_plays_more_against_all_others_alike() -> None:
    met = played_evenly(60)
    before = [row[:] for row in met.pairs]
    line_ups = met.line_ups([1.0] + [0.0] * (BOTS - 1), 44, SEATS, 0.0, Random(3))
    assert all(0 in line_up for line_up in line_ups), "nobody else lacks anything"
    new = [met.pairs[0][other] - before[0][other] for other in range(1, BOTS)]
    assert sum(new) == 44 * 3
    assert max(met.pairs[0][1:]) - min(met.pairs[0][1:]) <= 3


def test_two_that_lack_sessions_share_tables_only_where_that_is_asked_for() -> None:
    lack = [1.0, 1.0] + [0.0] * (BOTS - 2)
    shared = []
    for together in (0.0, 5.0):
        line_ups = played_evenly(60).line_ups(lack, 24, SEATS, together, Random(4))
        shared.append(sum({0, 1} <= set(line_up) for line_up in line_ups))
    apart, at_one_table = shared
    assert apart < 10
    assert at_one_table == 24


def test_only_neighbours_that_are_open_lack_anything() -> None:
    league = course(BALANCED)
    for _ in range(24):
        league.play()
    look = seen(league)
    names = {bot for pair in look.open_neighbours for bot in (pair.better, pair.worse)}
    lack = dict(zip(league.world.bots, lacking(look, league.world.bots), strict=True))
    assert {bot for bot, own in lack.items() if own} == names
    assert "bot07" in names
    assert "bot00" not in names


def test_a_league_focuses_from_its_first_look_on_in_one_of_so_many_cycles() -> None:
    league, balanced = course(Way(3)), course(BALANCED)
    for _ in range(10):
        league.play()
        balanced.play()
    assert [s.key for s in league.played] == [s.key for s in balanced.played]
    assert league.played == balanced.played, "nothing is focused before the first look"
    league.seen = seen(league)
    for _ in range(6):
        league.play()
        balanced.play()
    plan = [{frozenset(s.line_up) for s in league.plan.cycle(number)} for number in range(16)]
    cycles = [
        {
            frozenset(int(bot.removeprefix("bot")) for bot in s.card_points)
            for s in league.played
            if s.cycle == c
        }
        for c in range(10, 16)
    ]
    assert [line_ups in plan for line_ups in cycles] == [False, True, True, False, True, True]
    assert cycles[1:3] == plan[10:12], "the balanced plan goes on where it was"
    assert len(league.played) == 16 * 8
    sat = [sum(bot in s.card_points for s in league.played if s.cycle == 10) for bot in league.world.bots]
    lack = lacking(league.seen, league.world.bots)
    most = sat[lack.index(max(lack))]
    assert most == max(sat)
    assert most > SEATS


def figures(study: Focus) -> dict[str, Figure]:
    (found,) = run_studies([study], seed=3, jobs=1, league_over=lambda _: None)
    return {figure.key.removeprefix(f"{study.name}."): figure for figure in found.figures}


@pytest.mark.slow
def test_sessions_are_compared_where_leagues_are_settled() -> None:
    found = figures(Focus(6, 60.0, 10.0, 60, (Way(1),), 4))
    assert found["balanced.settled"].value > 0.0
    assert 0.2 < found["every-1.sessions"].value < 5.0
    assert "every-1.open" not in found
    assert not any(figure.claimed for figure in found.values())


def test_open_pairs_are_compared_where_no_league_is_settled() -> None:
    found = figures(Focus(8, 3.0, 1.0, 12, (Way(1), Way(4, 0.5)), 2))
    assert found["balanced.settled"].value == 0.0
    assert 0.5 < found["every-1.open"].value < 1.5
    assert "every-4-together.open" in found
    assert "every-1.sessions" not in found
    assert set(found) >= {f"{key}.wrong" for key in ("balanced", "every-1", "every-4-together")}


def test_only_the_full_proof_has_them() -> None:
    names = {study.name for study in focus_studies()}
    assert names <= {study.name for study in full_studies()}
    assert not names & {study.name for study in quick_studies()}
