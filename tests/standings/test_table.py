"""Ranks, order, ties, house bots, disqualified bots and the provisional phrase."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from arena.standings import Plan, SessionResult, Standings, standings
from arena.standings.fit_any import fit_any
from arena.standings.table import progress
from tests.standings import leagues

BOTS = ["e", "d", "c", "b", "a"]


def sessions_of(points: dict[str, int], cycles: int = 1) -> list[SessionResult]:
    """A complete league of 4 seats without noise; `points` above par in sum-free units."""
    sessions = []
    for cycle in range(cycles):
        for index, line_up in enumerate(combinations(sorted(points), 4)):
            total = sum(points[bot] for bot in line_up)
            cards = {bot: 4 * (250 + 4 * points[bot] - total) for bot in line_up}
            sessions.append(leagues.session((cycle, index), 16, cards))
    return sessions


def ranks(table: Standings) -> dict[str, int | None]:
    return {row.bot: row.rank for row in table.rows}


def test_fewest_points_first() -> None:
    table = standings(sessions_of({"a": 4, "b": -8, "c": 0, "d": 12, "e": -4}), BOTS, 4)
    assert [(row.bot, row.rank) for row in table.rows] == [("b", 1), ("e", 2), ("c", 3), ("a", 4), ("d", 5)]
    assert table.par == 62.5
    assert table.comparable
    assert table.intervals
    first = table.rows[0]
    assert first.score is not None
    assert first.half_width is not None
    assert first.half_width == table.fit.half_width("b")
    assert first.score == table.fit.scores["b"]
    assert (first.sessions, first.rounds) == (4, 64)


def test_ties_share_the_rank_and_stand_in_the_order_of_the_season() -> None:
    table = standings(sessions_of({"a": 3, "b": -7, "c": 3, "d": -7, "e": 3}), BOTS, 4)
    assert list(ranks(table).items()) == [("d", 1), ("b", 1), ("e", 3), ("c", 3), ("a", 3)]


def test_a_tie_of_card_and_fault_points_is_a_tie_though_the_sums_round_differently() -> None:
    sessions = sessions_of(dict.fromkeys("abcde", 0), cycles=3)
    charged = [
        leagues.session(s.key, s.rounds, s.card_points, {bot: 7 for bot in "bc" if bot in s.card_points})
        for s in sessions
    ]
    assert ranks(standings(charged, BOTS, 4)) == {"e": 1, "d": 1, "a": 1, "c": 4, "b": 4}


def test_house_bots_and_disqualified_bots_take_no_rank_but_stay_in_the_algebra() -> None:
    sessions = sessions_of({"a": 4, "b": -8, "c": 0, "d": 12, "e": -4})
    table = standings(sessions, BOTS, 4, house={"e"}, disqualified={"b"})
    assert list(ranks(table).items()) == [("c", 1), ("a", 2), ("d", 3), ("b", None)]
    assert [row.disqualified for row in table.rows] == [False, False, False, True]
    assert [(row.bot, row.rank, row.house) for row in table.house] == [("e", None, True)]
    everyone = standings(sessions, BOTS, 4)
    assert table.fit == everyone.fit


def test_before_the_field_is_connected_rows_are_ordered_by_plain_means() -> None:
    only = leagues.session((0, 0), 1, {"a": 100, "b": 50, "c": 50, "d": 50}, {"d": 40})
    table = standings([only], BOTS, 4)
    assert not table.comparable
    assert not table.intervals
    assert list(ranks(table).items()) == [("c", 1), ("b", 1), ("d", 3), ("a", 4), ("e", None)]
    assert table.rows[2].score == 90
    assert table.rows[2].charge == 40


def at(*places: tuple[int, int]) -> list[SessionResult]:
    return [leagues.session(place, 1, {"a": 250}) for place in places]


@pytest.mark.parametrize(
    ("sessions", "left_out", "expected"),
    [
        (at((0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 3), (1, 0), (1, 1)), [], "cycle 2 at 60 %"),
        (at((0, 0), (0, 1), (0, 2), (0, 3), (0, 4)), [], "1 of 2 cycles"),
        (at((0, 0), (0, 1), (1, 0)), [], "cycle 1 at 40 %"),
        (at((0, 0), (0, 1), (0, 2), (0, 4), (1, 1)), [(0, 3)], "cycle 2 at 20 %"),
        (at(*((c, i) for c in range(2) for i in range(5))), [], None),
        (at(*((c, i) for c in range(3) for i in range(5))), [], None),
    ],
)
def test_progress(
    sessions: list[SessionResult], left_out: list[tuple[int, int]], expected: str | None
) -> None:
    phrase = progress(sessions, Plan(5, 2, frozenset(left_out)))
    assert phrase == (None if expected is None else f"provisional, {expected}")


def test_a_score_is_never_minus_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    sessions = sessions_of(dict.fromkeys("abcde", 0))
    zero = dict.fromkeys("abcde", -0.0)
    fitted = replace(fit_any(sessions, BOTS, 4), scores=zero, fap=zero, charge=zero)
    monkeypatch.setattr("arena.standings.table.fit_any", lambda *arguments, **others: fitted)
    for row in standings(sessions, BOTS, 4).rows:
        assert [repr(value) for value in (row.score, row.fap, row.charge)] == ["0.0"] * 3


def test_who_left_before_it_played_keeps_nobody_from_being_compared() -> None:
    sessions, bots = leagues.complete(3, 5, 4, 2)
    board = standings(sessions, [*bots, "late"], 4, disqualified=["late"], departed=["late"])
    assert board.comparable
    assert board.intervals
    assert (board.rows[-1].bot, board.rows[-1].sessions, board.rows[-1].half_width) == ("late", 0, None)
    assert not standings(sessions, [*bots, "late"], 4, disqualified=["late"]).comparable


def test_a_cycle_of_a_smaller_field_is_complete_with_fewer_sessions() -> None:
    sessions, _ = leagues.complete(3, 5, 4, 3)
    played = [one for one in sessions if one.cycle < 1 or one.index % 5 < 2]
    smaller = Plan(5, 3, sizes={1: 2, 2: 2})
    assert progress(played, smaller) is None
    assert progress(played[:-1], smaller) == "provisional, cycle 3 at 50 %"
    assert progress(played, Plan(5, 3)) == "provisional, cycle 2 at 40 %"
    over = Plan(5, 3, sizes={1: 0, 2: 0})
    assert progress(played[:5], over) is None
