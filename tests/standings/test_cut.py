"""Who goes on after a stage: by rank, by contenders, and with ties."""

from __future__ import annotations

import pytest

from arena.standings import Plan, Scoring, SessionResult
from arena.standings.contenders import error_of_cut
from arena.standings.cut import Keep, cut
from tests.standings.leagues import complete

SKILL = {"bot00": -20.0, "bot01": -12.0, "bot02": 0.0, "bot03": 2.0, "bot04": 14.0, "bot05": 16.0}


def league(cycles: int = 8, **more: frozenset[str]) -> tuple[Scoring, list[SessionResult]]:
    results, bots = complete(3, 6, 4, cycles, SKILL)
    return Scoring(tuple(bots), 4, plan=Plan(15, cycles), **more), results


def test_disqualified_and_house_bots_never_go_on() -> None:
    made = cut(*league(disqualified=frozenset({"bot00"})), Keep(3, 0))
    assert made.going_on == ("bot01", "bot02", "bot03")
    assert "bot00" not in made.leaving, "it was out before"
    made = cut(*league(house=frozenset({"bot01"})), Keep(3, 0))
    assert made.going_on == ("bot00", "bot02", "bot03")


def equals(bots: int) -> tuple[Scoring, list[SessionResult]]:
    """A league in which two bots share each place: 0 and 1, 2 and 3, ..."""
    names = [f"b{number}" for number in range(bots)]
    tables = [
        tuple(names[(first + step) % bots] for step in range(4)) for first in range(0, bots, 2)
    ] * 2  # each pair sits together, so neither has other opponents
    level = {name: 100 * (number // 2) for number, name in enumerate(names)}
    results = [
        SessionResult(
            0, index, 4, {bot: 250 + level[bot] - sum(level[one] for one in table) // 4 for bot in table}, {}
        )
        for index, table in enumerate(tables)
    ]
    return Scoring(tuple(names), 4, plan=Plan(len(tables), 1)), results


def test_who_shares_the_last_rank_goes_on() -> None:
    scoring, results = equals(8)
    ranks = [row.rank for row in scoring.standings(results).rows]
    assert ranks == [1, 1, 3, 3, 5, 5, 7, 7]
    made = cut(scoring, results, Keep(3, 0))
    assert made.going_on == ("b0", "b1", "b2", "b3")


def test_by_contenders_those_leave_behind_whom_so_many_are_surely_better() -> None:
    scoring, results = league()
    one = cut(scoring, results, Keep("contenders 1", 1))
    three = cut(scoring, results, Keep("contenders 3", 1))
    assert one.going_on[0] == three.going_on[0] == "bot00"
    assert set(one.going_on) <= set(three.going_on)
    assert len(one.going_on) >= 4, "a table is always filled"
    assert "bot05" in three.leaving


def test_without_verdicts_nobody_is_cut() -> None:
    scoring, results = league(cycles=1)
    made = cut(scoring, results, Keep("contenders 1", 1))
    assert (len(made.going_on), made.leaving) == (6, ())
    assert "so far there are 15" in made.no_look


def test_the_error_is_shared_by_all_cuts_of_the_league() -> None:
    assert Keep("contenders 2", 3).error(11) == error_of_cut(2, 11, 3) == pytest.approx(0.05 * 2 / 10 / 3)
    assert Keep(5, 3).error(11) is None


def test_the_rule_in_words() -> None:
    assert Keep(12, 0).words == "the first 12 go on"
    assert Keep("contenders 1", 1).words == "all go on but those who have a surely better one before them"
    assert Keep("contenders 3", 1).words.startswith("all go on but those who have 3 surely better ones")
