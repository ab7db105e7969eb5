"""House bots: where seats would be empty, and only there."""

from __future__ import annotations

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league
from arena.league.house import field_of, house_bots, line_ups_of
from tests.league.samples import PATH, league, text


@pytest.mark.parametrize(("bots", "missing"), [(1, 3), (2, 0), (3, 1), (4, 0), (5, 0)])
def test_they_fill_the_table_but_not_a_duel(bots: int, missing: int) -> None:
    read = league(count=bots)
    added = house_bots(read)
    assert [bot.id for bot in added] == [f"house-{number}" for number in range(1, missing + 1)]
    assert {bot.role for bot in added} <= {"house"}
    assert field_of(read) == (*read.bots, *added)
    assert line_ups_of(read) == "all"


def test_their_names_and_ids_are_free() -> None:
    own = '[[bots]]\nname = "HOUSE 1"\nid = "mine"\nfolder = "m"\ncommand = ["./m"]\n'
    own += '[[bots]]\nname = "Mine"\nid = "house-3"\nfolder = "n"\ncommand = ["./n"]\n'
    read = parse_league(text(after_bots=own, count=1).replace("seats = 4", "seats = 5"), PATH)
    named = [(bot.name, bot.id) for bot in house_bots(read)]
    assert named == [("House 2", "house-2"), ("House 4", "house-4")]


def test_somebody_must_be_ranked() -> None:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text(count=1, after_bots='role = "house"\n'), PATH)
    assert str(caught.value) == (
        "league.toml:8: [[bots]] number 1, role: no bot would be ranked; "
        'at least one needs role = "entrant", which is the default'
    )
    assert league(count=2, after_bots='role = "house"\n').bots[1].role == "house"
