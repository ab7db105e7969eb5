"""Disqualifying and reinstating bots: what is stored, from which cycle on, and the stand-in as an entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.conduct.exclusion import Ruling
from arena.errors import StoreError
from arena.match.faults import HandOver
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import NOTED_KEYS, Action
from tests.store.samples import (
    exclude_by_limits,
    keys,
    new_phase,
    new_season,
    opened,
    planned,
    played,
)

OUT = Ruling("ant", True, 1, "replaced in 3 of 12 matches")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    season = new_season()
    with opened(
        tmp_path / "a.db", replace(season, entries=season.entries[:-1], line_ups="gauntlet")
    ) as found:
        yield found


def begin(database: Database, cycle: int) -> None:
    write.begin_sessions(database, 1, 0, [(planned(cycle), keys(cycle))], 1)


def test_an_act_holds_from_the_first_cycle_that_nobody_began(tmp_path: Path) -> None:
    with Database.open(tmp_path / "b.db", create=True) as database:
        write.open_season(database, new_season())
        assert read.first_free(database, 1) == 0
        write.open_phase(database, new_phase(cycles=40))
        assert read.first_free(database, 1) == 0
        for cycle, free in ((0, 1), (1, 2), (16, 17), (26, 27)):
            begin(database, cycle)
            assert read.first_free(database, 1) == free
        ruling = write.exclude(database, 1, "bee", "a copy", (3, "ann"))
        assert ruling.from_cycle == 27
        write.end_phase(database, 1, 0, "too few bots", 9, 27)
        assert read.first_free(database, 1) == 27


def test_a_season_that_begins_anew_has_nothing_decided(database: Database) -> None:
    """A cycle may be over of which no match was finished: its sessions were left out."""
    exclude_by_limits(database, OUT)
    write.begin_anew(database, 1, new_season())
    assert read.decisions(database, 1) == ()
    assert read.rulings(database, 1) == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "detail",
    ["", "[]", '{"season": 1}', '{"season": "1", "from_cycle": 1}', '{"season": 1e999, "from_cycle": 1}'],
)
def test_an_act_that_does_not_say_of_which_cycle(database: Database, detail: str) -> None:
    write.action(database, Action(1, "ann", "reinstate", "ant", "", detail))
    said = r"The database .* \[the act reinstate ant does not say of which cycle"
    with pytest.raises(StoreError, match=said):
        read.rulings(database, 1)


@pytest.mark.parametrize("detail", ["{", "[]", '{"id": "a", "free": {}}', '{"a": ' * 400])
def test_a_note_that_does_not_say_which_keys_a_league_file_had(database: Database, detail: str) -> None:
    write.action(database, Action(1, "ann", NOTED_KEYS, "1", "", detail))
    with pytest.raises(StoreError, match="the act league file 1 does not say which keys there were"):
        read.actions(database)


def test_a_bot_with_two_seats_sat_once_and_is_lost_if_either_was(database: Database) -> None:
    begin(database, 0)
    record = played(keys()[0], bots=["ant", "bee", "bee", "ant"])
    lost = replace(record.seats[3], hand_over=HandOver.SILENT, hand_over_at=(0, 0))
    write.save_matches(database, 1, [replace(record, seats=(*record.seats[:3], lost))])
    assert [(s.bot, s.lost) for s in read.sittings(database, 1)] == [
        ("ant", HandOver.SILENT),
        ("bee", None),
    ]
