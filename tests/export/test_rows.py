"""The tables of small leagues: they add up, keep their order, and tell no card too early."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.export import Cell, Export, What, columns_of, rounded, table_rows
from arena.papayoo import Round, dealer_of, parse_card
from arena.score.results import SessionResult
from arena.store import read
from arena.store.database import Database
from arena.store.scoring import scored
from arena.store.views import SeasonView
from tests.reports.played import Bot, League, low, play

BOTS = (Bot("Duck", low), Bot("Moody", fault_rate=0.05), Bot("Random"), Bot("Silent", fault_rate=1.0))
LEAGUE = League(bots=BOTS, seats=3, rounds=3, matches=15)
"""Two complete sessions of six matches and half a third."""

CLOCKS = (
    "UPDATE match SET started_at = started_at + 7, finished_at = finished_at + 9, lateness_count = 3",
    "UPDATE seat SET pid = 1, took_total_us = 5, took_max_us = 5, decisions = 1, cpu_us = NULL",
    "UPDATE seat SET late = 2",
    "UPDATE session SET completed_at = completed_at + 1 WHERE completed_at IS NOT NULL",
)
"""What differs between two runs of the same league."""

Row = dict[str, Cell]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with play(tmp_path_factory.mktemp("export") / "x.db", LEAGUE) as database:
        yield database


@pytest.fixture
def season(database: Database) -> SeasonView:
    view = read.current_season(database)
    assert view is not None
    return view


def exported(database: Database, wanted: Export) -> list[Row]:
    names = [column.name for column in columns_of(wanted.what, wanted.timing)]
    return [dict(zip(names, row, strict=True)) for row in table_rows(database, wanted)]


@pytest.mark.parametrize("what", What)
@pytest.mark.parametrize("timing", [False, True])
def test_values_are_of_the_kind_that_is_promised(
    database: Database, season: SeasonView, what: What, timing: bool
) -> None:
    kinds = {"whole number": int, "number": float, "text": str, "true or false": bool}
    rows = list(table_rows(database, Export(season, what, timing)))
    assert rows
    for row in rows:
        for cell, column in zip(row, columns_of(what, timing), strict=True):
            assert cell is None or type(cell) is kinds[column.kind], column.name


def test_standings_are_those_of_the_terminal(database: Database, season: SeasonView) -> None:
    board = scored(database, season).standings
    rows = exported(database, Export(season, What.STANDINGS))
    assert [row["bot"] for row in rows] == [line.bot for line in board.rows]
    for row, line in zip(rows, board.rows, strict=True):
        assert row["score"] == pytest.approx(line.score, abs=1e-6)
        assert (row["rank"], row["sessions"], row["rounds"]) == (line.rank, line.sessions, line.rounds)
        assert (row["rank_low"], row["letters"]) == (None, None)


def test_the_results_can_be_made_again_from_sessions(database: Database, season: SeasonView) -> None:
    rows = exported(database, Export(season, What.SESSIONS))
    keys = [(row["cycle"], row["index"], row["neighbour"]) for row in rows]
    assert keys == [(0, index, place) for index in range(3) for place in range(3)]
    results = []
    for index in range(3):
        own = [row for row in rows if row["index"] == index]
        if own[0]["state"] == "complete":
            cards = {str(row["bot"]): _int(row["card_points"]) for row in own}
            charges = {str(row["bot"]): _int(row["fault_points"]) for row in own}
            results.append(SessionResult(0, index, _int(own[0]["rounds"]), cards, charges))
    assert results == read.session_results(database, 1)
    assert [row["matches"] for row in rows] == [6] * 6 + [3] * 3


def _int(cell: Cell) -> int:
    assert isinstance(cell, int)
    return cell


def test_matches_and_rounds_add_up_to_the_same(database: Database, season: SeasonView) -> None:
    matches = exported(database, Export(season, What.MATCHES))
    assert [(row["match"], row["seat"]) for row in matches] == [
        (m, s) for m in range(1, 16) for s in range(3)
    ]
    cards: Counter[tuple[Cell, Cell]] = Counter()
    charges: Counter[tuple[Cell, Cell]] = Counter()
    for row in exported(database, Export(season, What.ROUNDS)):
        cards[row["match"], row["seat"]] += _int(row["card_points"])
        charges[row["match"], row["seat"]] += _int(row["fault_points"])
        assert row["dealer"] is (row["seat"] == dealer_of(_int(row["round"]), 3))
    for row in matches:
        assert cards[row["match"], row["seat"]] == row["card_points"]
        assert charges[row["match"], row["seat"]] == row["fault_points"]
    assert any(row["hand_over"] for row in matches)
    assert all((row["hand_over"] is None) == (row["hand_over_round"] is None) for row in matches)


def test_plays_can_be_played_again(database: Database, season: SeasonView) -> None:
    plays = exported(database, Export(season, What.PLAYS))
    for number in (1, 7, 12):
        record = read.record(database, 1, number)
        for round_, (board, kept) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
            own = [row for row in plays if (row["match"], row["round"]) == (number, round_)]
            assert [row["decision"] for row in own] == list(range(63))
            assert tuple(n for n, row in enumerate(own) if row["stand_in"]) == kept.stand_in
            again = Round.deal(board, dealer_of(round_, 3))
            for seat, (row, passed) in enumerate(zip(own, kept.passes, strict=False)):
                assert (row["seat"], row["question"]) == (seat, 0)
                again.choose_pass(seat, passed)
            for row in own[3:]:
                assert (row["seat"], row["question"]) == (again.turn, again.trick_number + 1)
                assert row["bot"] == record.seats[again.turn].bot
                again.play(parse_card(str(row["cards"])))
            assert tuple(again.points) == kept.points


def test_no_card_is_told_before_its_session_is_over(database: Database, season: SeasonView) -> None:
    rounds = exported(database, Export(season, What.ROUNDS, timing=True))
    secret = [row for row in rounds if _int(row["match"]) > 12]
    assert len(secret) == 3 * 3 * 3
    assert {(row["papayoo"], row["hand"], row["passed"]) for row in secret} == {(None, None, None)}
    assert all(row["hand"] and row["papayoo"] for row in rounds if _int(row["match"]) <= 12)
    plays = exported(database, Export(season, What.PLAYS, timing=True))
    assert {row["match"] for row in plays} == set(range(1, 13))


@pytest.mark.parametrize("over", [False, True])
def test_cards_can_wait_for_the_end_of_the_league(tmp_path: Path, over: bool) -> None:
    with play(
        tmp_path / "x.db", replace(LEAGUE, bots=BOTS[:3], matches=None if over else 6, cycles=2)
    ) as database:
        view = read.current_season(database)
        assert view is not None
        plays = exported(database, Export(view, What.PLAYS, cards_at_end=True))
        rounds = exported(database, Export(view, What.ROUNDS, cards_at_end=True))
    assert bool(plays) is over
    assert all(bool(row["hand"]) is over for row in rounds)


def test_the_same_plays_give_the_same_rows_whatever_the_clocks(
    database: Database, season: SeasonView, tmp_path: Path
) -> None:
    with play(tmp_path / "x.db", LEAGUE) as other:
        with other.writing() as db:
            for change in CLOCKS:
                db.connection().exec_driver_sql(change)
        for what in What:
            assert exported(other, Export(season, what)) == exported(database, Export(season, what))
        timed = Export(season, What.MATCHES, timing=True)
        assert exported(other, timed) != exported(database, timed)


@pytest.mark.parametrize("points", [-0.0, -1e-9, 0.0])
def test_points_are_never_minus_zero(points: float) -> None:
    assert repr(rounded(points)) == "0.0"
    assert rounded(-0.25) == -0.25
    assert rounded(None) is None
