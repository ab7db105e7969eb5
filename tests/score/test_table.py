"""Ranks, order, ties, house bots, disqualified bots and the provisional phrase."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

import pytest

from arena.score.fit import fit
from arena.score.results import SessionResult
from arena.score.table import Plan, Standings, progress, standings
from tests.score import leagues

BOTS = ["e", "d", "c", "b", "a"]


def exact_sessions(points: dict[str, int], cycles: int = 1) -> list[SessionResult]:
    """A complete league of 4 seats without noise; `points` above par in sum-free units."""
    sessions = []
    for cycle in range(cycles):
        for index, line_up in enumerate(combinations(sorted(points), 4)):
            total = sum(points[bot] for bot in line_up)
            cards = {bot: 4 * (250 + 4 * points[bot] - total) for bot in line_up}
            sessions.append(leagues.session((cycle, index), 16, cards))
    return sessions


def board(
    sessions: Sequence[SessionResult], *, house: Collection[str] = (), excluded: Collection[str] = ()
) -> Standings:
    return standings(fit(sessions, BOTS, 4), BOTS, house=house, excluded=excluded)


def ranks(table: Standings) -> dict[str, int | None]:
    return {row.bot: row.rank for row in table.rows}


def test_fewest_points_first() -> None:
    table = board(exact_sessions({"a": 4, "b": -8, "c": 0, "d": 12, "e": -4}))
    assert list(ranks(table).items()) == [("b", 1), ("e", 2), ("c", 3), ("a", 4), ("d", 5)]
    assert (table.par, table.comparable) == (62.5, True)
    first = table.rows[0]
    assert (first.score, first.half_width) == (table.fit.scores["b"], table.fit.half_width("b"))
    assert first.standard_error == table.fit.standard_error("b")
    assert (first.sessions, first.rounds, first.played) == (4, 64, 4)


def test_ties_share_the_rank_and_stand_in_the_order_of_the_season() -> None:
    table = board(exact_sessions({"a": 3, "b": -7, "c": 3, "d": -7, "e": 3}))
    assert list(ranks(table).items()) == [("d", 1), ("b", 1), ("e", 3), ("c", 3), ("a", 3)]


def test_house_bots_and_excluded_bots_take_no_rank_but_stay_in_the_algebra() -> None:
    sessions = exact_sessions({"a": 4, "b": -8, "c": 0, "d": 12, "e": -4})
    table = board(sessions, house={"e"}, excluded={"b"})
    assert list(ranks(table).items()) == [("c", 1), ("a", 2), ("d", 3), ("b", None)]
    assert [row.disqualified for row in table.rows] == [False, False, False, True]
    assert [(row.bot, row.rank, row.house) for row in table.house] == [("e", None, True)]
    assert table.fit == board(sessions).fit


def test_newcomers_have_a_score_without_a_rank_and_who_left_stands_apart() -> None:
    bots = ["v", "w", "x", "y", "z"]
    plan: list[tuple[int, Sequence[str]]] = [(c, each) for c in range(5) for each in combinations(bots, 4)]
    plan += [(5, ["new", "v", "w", "x"]), (5, ["new", "w", "x", "y"])]
    skill = {"new": -80.0, **{bot: 20.0 * number for number, bot in enumerate(bots)}}
    field = ["v", "w", "x", "y", "new", "late"]
    table = standings(
        fit(leagues.from_plan(1, plan, 16, skill), field, 4), [*field, "z"], retired=["z"], excluded=["w"]
    )
    assert list(ranks(table).items()) == [
        ("v", 1), ("x", 2), ("y", 3), ("new", None), ("late", None), ("w", None),
    ]  # fmt: skip
    assert [row.bot for row in table.retired] == ["z"]
    new, late = table.rows[3], table.rows[4]
    assert new.score is not None
    assert new.half_width is not None
    assert (late.score, late.played) == (None, 0)


@pytest.mark.parametrize(
    ("played", "left_out", "sizes", "expected"),
    [
        ([5, 3], [], {}, "provisional, cycle 2 at 60 %"),
        ([5, 0], [], {}, "provisional, 1 of 2 cycles"),
        ([2, 1], [], {}, "provisional, cycle 1 at 40 %"),
        ([0, 0], [], {}, "provisional, cycle 1 at 0 %"),
        ([4, 1], [(0, 4)], {}, "provisional, cycle 2 at 20 %"),
        ([5, 5, 5], [], {}, None),
        ([5, 2], [], {1: 2}, None),
        ([5, 1], [], {1: 2}, "provisional, cycle 2 at 50 %"),
        ([5, 0], [], {1: 0}, None),
    ],
)
def test_progress(
    played: list[int], left_out: list[tuple[int, int]], sizes: dict[int, int], expected: str | None
) -> None:
    places = [(cycle, index) for cycle, sessions in enumerate(played) for index in range(sessions)]
    sessions = [leagues.session(place, 1, {"a": 250}) for place in places]
    assert progress(sessions, Plan(5, 2, frozenset(left_out), sizes)) == expected
