"""Bots beside one another: what the leaderboard says must be what the rounds say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from arena.store.reader import Reader
from reports.facts import LeagueFacts, read_facts
from reports.pages.comparison import course, heat_map, positions
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (
    Bot("Duck", played.low),
    Bot("Low", played.low),
    Bot("Random"),
    Bot("Greedy", played.high),
    Bot("Moody"),
)


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    league = League(bots=BOTS, seats=3, rounds=3, cycles=3)
    with played.play(tmp_path_factory.mktemp("beside") / "league.db", league) as database:
        yield read_facts(Reader(database))


def test_head_to_head_is_counted_from_the_matches_and_has_two_sides(facts: LeagueFacts) -> None:
    found = heat_map(facts, facts.standings.rows)
    assert found is not None
    bots = [row.bot for row in facts.standings.rows]
    assert [row.path for row in found.rows] == [f"bots/{bot}.html" for bot in bots]
    for i, bot in enumerate(bots):
        for j, other in enumerate(bots):
            cell, back = found.rows[i].cells[j], found.rows[j].cells[i]
            if i == j:
                assert cell is None
                continue
            assert cell is not None
            assert back is not None
            tables = [
                ({seat.bot: seat.total for seat in match.seats}, match.rounds)
                for match in facts.matches
                if {bot, other} <= {seat.bot for seat in match.seats}
            ]
            mean = sum(own[bot] - own[other] for own, _ in tables) / sum(rounds for _, rounds in tables)
            assert abs(float(cell.text.replace("−", "-")) - mean) <= 0.5
            assert cell.tone[1:] == back.tone[1:]
            assert {cell.tone[:1], back.tone[:1]} in ({"a", "b"}, {"z"})


def test_who_never_met_has_an_empty_cell(facts: LeagueFacts) -> None:
    strangers = {bot: replace(tally, meetings=dict(tally.meetings)) for bot, tally in facts.tallies.items()}
    del strangers["duck"].meetings["greedy"]
    found = heat_map(replace(facts, tallies=strangers), facts.standings.rows)
    assert found is not None
    bots = [row.bot for row in facts.standings.rows]
    cell = found.rows[bots.index("duck")].cells[bots.index("greedy")]
    assert cell is not None
    assert (cell.text, cell.tone) == ("", "")


def test_before_the_first_match_there_is_nothing_to_compare(facts: LeagueFacts) -> None:
    nothing = replace(facts, tallies={}, course=())
    assert (heat_map(nothing, facts.standings.rows), course(nothing), positions(nothing)) == (
        None,
        None,
        None,
    )


def test_the_course_ends_at_the_standings(facts: LeagueFacts) -> None:
    found = course(facts)
    assert found is not None
    assert (found.cycles, found.all_cycles) == ((1, 2, 3), 3)
    assert [line.scores[-1] for line in found.lines] == [f"{row.score:.2f}" for row in facts.standings.rows]
    for line in found.lines:
        places = [tuple(map(float, point.split(","))) for point in line.points.split()]
        assert [x for x, _ in places] == [0, 50, 100]
        assert all(0 <= y <= 100 for _, y in places)
        assert (line.side == "below") == (places[-1][1] < float(found.par.rstrip("%")))


def test_names_beside_the_course_never_overlap(facts: LeagueFacts) -> None:
    found = course(facts)
    assert found is not None
    ends = sorted(float(line.end.rstrip("%")) * found.height / 100 for line in found.lines)
    assert all(below - above > 19 for above, below in pairwise(ends))
    assert ends[0] >= 10
    assert ends[-1] <= found.height - 10


def test_by_place_at_the_table_all_points_are_shared_out(facts: LeagueFacts) -> None:
    found = positions(facts)
    assert found is not None
    rounds = sum(match.rounds for match in facts.matches)
    for rows in (found.seats, found.dealing):
        assert [row.count for row in rows] == [rounds] * 3
        assert abs(sum(float(row.value) for row in rows) - 250) < 0.02
