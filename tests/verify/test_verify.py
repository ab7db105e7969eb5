"""What `verify` finds: nothing in an honest database, the first thing in one that was changed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from arena.deals import Deals, MatchKey
from arena.match.stand_in import Chooser
from arena.papayoo import mask_of
from arena.store import read
from arena.store.database import Database
from arena.verify.verify import Verification, verify
from tests.cli.leagues import DOCUMENT, change, in_record, make, value
from tests.reports import played
from tests.reports.played import FIVE, League
from tests.shared import once

SMALL = League(bots=FIVE[1:], cycles=2)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished league: 4 bots, 2 cycles of one session each, 8 matches, one bot with faults."""
    return once(tmp_path_factory, "small", lambda folder: make(folder / "spring.db", SMALL)) / "spring.db"


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league that was stopped in its third session; its phase is open."""
    league = replace(SMALL, cycles=3, matches=9)
    return (
        once(tmp_path_factory, "small-stopped", lambda folder: make(folder / "spring.db", league))
        / "spring.db"
    )


def verified(path: Path) -> Verification:
    with Database.open(path, read_only=True) as database:
        return verify(database, read.seasons(database))


def found(original: Path, folder: Path, *statements: str) -> str:
    """What is found in a copy of a database after these changes; empty if nothing is."""
    path = change(Path(shutil.copy(original, folder / "changed.db")), *statements)
    difference = verified(path).difference
    return "" if difference is None else str(difference)


@pytest.mark.slow
def test_an_open_phase_is_checked_without_its_secret(stopped: Path) -> None:
    result = verified(stopped)
    assert result.difference is None
    (season,) = result.seasons
    assert (season.sessions, season.matches, season.dealt) == (3, 9, 0)
    assert season.open_phases == [0]


FAULT = {"seat": 0, "kind": "illegal", "round": None, "question": 3, "wall_us": 0}
FAULT |= {"cpu_us": None, "queued_us": None}
WHY = [{"reason": "why", "sent": ""}]
MATCH_7 = "(SELECT id FROM match WHERE number = 7)"

CHANGES = [
    (
        "UPDATE session SET line_up = 'low greedy random moody' WHERE cycle = 1",
        "season 1, session 1.0: its line-up is low greedy random moody, the schedule says",
    ),
    (
        "UPDATE match SET state = 'interrupted' WHERE number = 7",
        "season 1, session 1.0: the seat orders 0, 1, 3 are finished, expected 0, 1, 2, 3",
    ),
    (
        in_record(7, "seats[2].seed", "17"),
        "match 7: the seed of seat 2 is",
    ),
    (
        in_record(7, "seats[0].hand_over", "'silent'"),
        "match 7: seat 0: hand_over is silent, played again it is none",
    ),
    (
        "UPDATE match SET record = json_remove(record, '$.rounds[3]') WHERE number = 7",
        "match 7: 3 rounds are stored, a match",
    ),
    (in_record(7, "rounds[3].passes", "'S1 S2'"), "match 7, round 3: 1 passes, 60 plays and"),
    (
        in_record(
            7, "faults", f"json('[{json.dumps(FAULT)}]'), '$.private.faults', json('{json.dumps(WHY)}')"
        ),
        "match 7, trick 2: the fault illegal of seat 0 belongs to no question",
    ),
    (
        f"UPDATE seat SET charge = charge + 40 WHERE seat = 1 AND match = {MATCH_7}",
        "match 7: charge of seat 1 is 40, its record says 0",
    ),
    (
        f"DELETE FROM seat WHERE seat = 3 AND match = {MATCH_7}",
        "match 7: it has 3 rows in the table seat, its record says 4",
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "expected"), CHANGES)
def test_a_change_is_found_where_it_was_made(
    statement: str, expected: str, finished: Path, tmp_path: Path
) -> None:
    assert expected in found(finished, tmp_path, statement)


@pytest.mark.slow
def test_hands_that_were_not_dealt_are_found(finished: Path, tmp_path: Path) -> None:
    hands = str(value(finished, f"SELECT hands FROM round WHERE round = 1 AND match = {MATCH_7}"))
    first, second, *rest = hands.split(" | ")
    swapped = " | ".join([second, first, *rest])
    text = found(finished, tmp_path, in_record(7, "rounds[1].hands", f"'{swapped}'"))
    assert text.startswith("season 1, match 7, round 1: the hand ")
    assert ", the key gives " in text


def test_without_the_secret_the_matches_of_a_session_must_still_have_the_same_boards(
    stopped: Path, tmp_path: Path
) -> None:
    def found_in(match: int) -> str:
        there = f"FROM round WHERE round = 0 AND match = (SELECT id FROM match WHERE number = {match})"
        die = "H7" if value(stopped, f"SELECT papayoo {there}") == "S7" else "S7"
        return found(stopped, tmp_path, in_record(match, "rounds[0].papayoo", f"'{die}'"))

    assert "boards are not those" not in found_in(9)  # the only match of its session so far
    text = found_in(6)
    assert text.startswith("season 1, match 6")


@pytest.mark.slow
def test_a_stand_in_that_did_not_choose_by_the_key_is_found(tmp_path: Path) -> None:
    """A whole league whose stand-in plays its lowest cards: the records agree with themselves only."""

    def lowest(deals: Deals, key: MatchKey) -> Chooser:
        def choose(round_number: int, seat: int, question: int, legal: int, count: int) -> int:
            cards = [card for card in range(60) if legal >> card & 1]
            return mask_of(cards[:count])

        return choose

    with patch.object(played, "from_deals", lowest):
        path = make(tmp_path / "spring.db", replace(SMALL, cycles=8))
    difference = verified(path).difference
    assert difference is not None
    assert difference.round is not None
    assert "the stand-in of seat" in difference.text
    assert ", the key gives " in difference.text
    assert found(path, tmp_path, "UPDATE phase SET ended_at = NULL") == ""


def test_a_seed_makes_the_deals_predictable_and_the_secret_checkable(tmp_path: Path) -> None:
    document = {**DOCUMENT, "schedule": {"line_ups": "all", "seed": "paper", "public_draw": None}}
    path = make(tmp_path / "spring.db", replace(SMALL, cycles=1, seed="paper"), document)
    result = verified(path)
    assert result.difference is None
    assert result.seasons[0].predictable == [0]
    text = found(path, tmp_path, "UPDATE phase SET predictable = 0")
    assert "phase 0 is said to be secret, its document says otherwise" in text
    text = found(path, tmp_path, "UPDATE phase SET public_draw = 'lotto'")
    assert "the public draw of phase 0 is 'lotto', its document says None" in text


@pytest.mark.slow
def test_a_secret_that_the_seed_does_not_give_is_found(tmp_path: Path) -> None:
    document = {**DOCUMENT, "schedule": {"line_ups": "all", "seed": "another", "public_draw": None}}
    path = make(tmp_path / "spring.db", replace(SMALL, cycles=1, seed="paper"), document)
    assert "does not follow from the seed 'another'" in str(verified(path).difference)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("section", "changed", "expected"),
    [
        ("time", {"move_seconds": 2.0, "bank_seconds": 0.0}, "match 1: it was played under"),
        ("faults", {"fault_points": 50, "max_faults": 3}, "match 1: it was played under"),
        (
            "bots",
            [{"id": "duck"}, {"id": "low"}],
            "its field is of 4, its document has 2 bots",
        ),
    ],
)
def test_play_under_other_rules_than_the_document_says_is_found(
    section: str, changed: Mapping[str, object], expected: str, tmp_path: Path
) -> None:
    path = make(tmp_path / "spring.db", replace(SMALL, matches=1), {**DOCUMENT, section: changed})
    assert expected in str(verified(path).difference)


@pytest.mark.slow
def test_a_void_session_is_checked_but_not_counted(finished: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(finished, tmp_path / "void.db"))
    make_void = "UPDATE session SET state = 'voided', reason = 'noise' WHERE cycle = 1"
    assert "session 1.0: it is void, but no act made it void" in found(path, tmp_path, make_void)
    change(
        path,
        make_void,
        "INSERT INTO action (at, who, what, subject, reason, detail)"
        """ VALUES (1, 'ann', 'void', '1.0', 'noise', '{"season": 1}')""",
    )
    result = verified(path)
    assert result.difference is None
    assert result.seasons[0].matches == 8
    standings = result.seasons[0].standings
    assert standings is not None
    assert standings.fit.session_count == 1
    assert "match 7: charge" in found(
        path, tmp_path, f"UPDATE seat SET charge = charge + 40 WHERE seat = 1 AND match = {MATCH_7}"
    )
