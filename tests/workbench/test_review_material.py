"""What a review reads: whole sessions up to a number of matches, and only what may be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import StoreError, UsageError
from arena.match.stand_in import STAND_IN
from arena.store import read
from arena.store.database import Database
from arena.store.views import SeasonView
from arena.workbench import review_material
from arena.workbench.review_material import of_league, of_match, of_record
from tests.cli.leagues import change, in_record
from tests.reports.played import League, play

LEAGUE = League(cycles=2, rounds=1)
"""Five bots: each sits in four sessions of a cycle, with four matches each."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("material") / "spring.db"
    play(path, LEAGUE).close()
    return path


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database.open(path, read_only=True) as database:
        yield database


def season_of(database: Database) -> SeasonView:
    return read.season(database, 1)


def test_all_matches_of_a_bot_are_read_with_the_scores_of_the_field(database: Database) -> None:
    found = of_league(database, season_of(database), lambda match: True, "duck", "1")
    own = read.matches(database, 1, bot="duck")
    assert list(found.numbers.values()) == [match.number for match in own]
    assert found.played == len(own) == 32
    assert list(found.records.values()) == [read.record(database, 1, match.number) for match in own]
    assert found.strengths.keys() == {entry.bot for entry in season_of(database).entries}
    assert found.names["duck"] == "Duck"
    assert found.fault_points == 40
    assert len(found.courses) == 32


def test_of_too_many_matches_whole_sessions_are_drawn_by_the_seed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_material, "MOST_MATCHES", 22)
    drawn = {}
    for seed in ("1", "2", "3"):
        found = of_league(database, season_of(database), lambda match: True, "duck", seed)
        sessions = Counter((key.cycle, key.index) for key in found.records)
        assert set(sessions.values()) == {4}
        assert len(sessions) == 5, "a sixth would be too many"
        assert list(found.numbers.values()) == sorted(found.numbers.values())
        assert found.played == 32
        drawn[seed] = set(sessions)
    again = of_league(database, season_of(database), lambda match: True, "duck", seed)
    assert again.numbers == found.numbers
    assert drawn["1"] != drawn["2"] or drawn["1"] != drawn["3"]


def test_of_a_session_that_is_too_large_some_matches_are_drawn(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_material, "MOST_MATCHES", 3)
    found = of_league(database, season_of(database), lambda match: True, "duck", "1")
    assert len(found.records) == 3


def test_only_what_may_be_seen_is_read(database: Database) -> None:
    found = of_league(database, season_of(database), lambda match: match.cycle == 1, "duck", "1")
    assert {key.cycle for key in found.records} == {1}
    assert found.played == 32
    with pytest.raises(UsageError, match="duck has finished 32 matches, but the cards may not be looked at"):
        of_league(database, season_of(database), lambda match: False, "duck", "1")
    number = read.matches(database, 1, bot="duck")[0].number
    with pytest.raises(UsageError, match=f"The cards of match {number} may not be looked at yet"):
        of_match(database, season_of(database), lambda match: False, "duck", number)


def test_the_stand_in_is_not_reviewed(database: Database) -> None:
    with pytest.raises(UsageError, match="plays at random"):
        of_league(database, season_of(database), lambda match: True, STAND_IN, "1")


def test_a_bot_may_sit_twice_and_is_found_by_name_or_id(database: Database) -> None:
    record = read.record(database, 1, 1)
    names = ["The Duck", "B", "C", "D"]
    found = of_record(1, names, record, "the duck")
    assert found.bot == record.seats[0].bot
    assert of_record(1, names, record, found.bot).names[found.bot] == "The Duck"


def test_a_tampered_record_is_named_by_its_match(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "spring.db"
    other.write_bytes(path.read_bytes())
    change(other, in_record(7, "rounds[0].points", "json('[250, 0, 0, 0]')"))
    with Database.open(other, read_only=True) as database:
        bot = read.match(database, 1, 7).seats[0].bot
        found = of_league(database, season_of(database), lambda match: True, bot, "1")
        with pytest.raises(StoreError, match="Match 7 cannot be reviewed: round 0: the cards do not fit"):
            assert found.courses
