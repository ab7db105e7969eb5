"""What a season is, and how two of them are compared."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from arena.league import League
from arena.league.describe import all_keys
from arena.league.fieldtypes import KeyClass
from arena.league.reader import parse_league
from arena.league.season import (
    Change,
    changed_keys,
    free_document,
    growing_document,
    season_document,
)
from tests.league.samples import league

DIGESTS = {f"b{number}": str(number) * 64 for number in range(1, 10)}


def season(read: League | None = None) -> Any:
    return season_document(read or league(), DIGESTS)


def test_every_key_is_in_the_document_of_its_class() -> None:
    documents: dict[KeyClass, Any] = {
        KeyClass.SEASON: season(),
        KeyClass.GROWS: growing_document(league()),
        KeyClass.FREE: free_document(league()),
    }
    for key in all_keys().values():
        if key.path == "league.open" or key.section == "stages":  # in that of an open league, or with stages
            continue
        for klass, document in documents.items():
            content = document.get(key.section, {})
            table = content[0] if isinstance(content, list) else content
            in_it = key.name in table
            is_id_of_a_bot = key.path == "bots.id" and klass is KeyClass.FREE  # there to tell the bots apart
            assert in_it == (klass is key.klass or is_id_of_a_bot), (key.path, klass)


def test_the_document_of_an_open_season_says_so_and_holds_no_bots() -> None:
    document = season(parse_league('[league]\nname = "L"\nseats = 4\nopen = true\n', Path("l.toml")))
    assert (document["league"]["open"], document["schedule"]["line_ups"]) == (True, "balanced")
    assert "bots" not in document


def test_values_are_resolved() -> None:
    document = season()
    assert document["league"] == {"seats": 4, "rounds": 4, "open": False}
    assert document["schedule"] == {"line_ups": "all", "seed": None, "public_draw": None}
    assert document["bots"][1] == {
        "name": "B2", "id": "b2", "folder": "bots/b2", "command": ["./b2"], "build": [], "role": "entrant",
        "threads": 1,
        "digest": "2" * 64,
    }  # fmt: skip
    assert growing_document(league()) == {"schedule": {"cycles": 18}}
    assert growing_document(league(count=5)) == {"schedule": {"cycles": 8}}


def test_saying_a_default_aloud_changes_nothing() -> None:
    aloud = league(
        'rounds = 4\n[time]\nmove_seconds = 1\n[schedule]\nline_ups = "all"\n',
        "threads = 1\n",
    )
    assert changed_keys(season(), season(aloud)) == []
    assert season() == season(aloud)


def test_changed_keys_are_named_with_both_values() -> None:
    other = league("rounds = 5\n[time]\nmove_seconds = 2\n", "threads = 2\n")
    changes = changed_keys(season(), season(other))
    assert [str(change) for change in changes] == [
        "bots.b4.threads: 1 -> 2",
        "league.rounds: 4 -> 5",
        "time.move_seconds: 1.0 -> 2.0",
    ]
    assert changes[-1] == Change("time.move_seconds", 1.0, 2.0)


def test_bots_that_come_and_go_are_one_change_each() -> None:
    five = season(league(count=5))
    assert [str(change) for change in changed_keys(season(), five)] == ["bots.b5: added"]
    without_first = copy.deepcopy(five)
    del without_first["bots"][0]
    assert [str(change) for change in changed_keys(five, without_first)] == ["bots.b1: removed"]


def test_the_order_of_the_bots_counts() -> None:
    turned = season()
    turned["bots"].reverse()
    assert changed_keys(season(), turned) == [
        Change("bots", ["b1", "b2", "b3", "b4"], ["b4", "b3", "b2", "b1"]),
    ]
