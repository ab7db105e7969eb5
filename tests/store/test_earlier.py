"""Which sessions of earlier stages are read for the score of the last one."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.season.opening import stored_season
from arena.standings import fit
from arena.standings.earlier import NOTHING
from arena.store.database import Database
from arena.store.earlier import earlier_of, stages_before
from arena.store.reader import Reader
from arena.store.scoring import scored
from tests.shared import copied, once
from tests.staged_played import StagedPlay, carried_league, play_carried

THREE = """\
[[stages]]
keep = 5
[[stages]]
keep = 4
[[stages]]
cycles = 9
carry = true
"""


@pytest.fixture
def played(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """The database of a league whose final was played, in which 9 sessions of its heats count."""
    return copied(once(tmp_path_factory, "carried", play_carried), tmp_path / "league") / "tiny.db"


def test_a_first_stage_counts_nothing_else(played: Path) -> None:
    with Database.open(played, read_only=True) as database:
        reader = Reader(database)
        heats, final = reader.seasons()
        assert earlier_of(reader, heats) is NOTHING
        assert stages_before(reader, heats) == []
        assert stages_before(reader, final) == [heats]
        assert [one.key for one in earlier_of(reader, final).results] == [
            (-1, index) for index in range(10) if index != 3
        ]


def test_a_bot_with_the_same_id_and_other_files_is_another_bot(played: Path) -> None:
    """As a house bot of another version of the arena is."""
    with Database.open(played, read_only=True) as database:
        # One that went on: who does so depends on the deals, and these on the bots' files.
        bot = stored_season(Reader(database)).entries[0].bot
    with closing(sqlite3.connect(played)) as database, database:
        database.execute("UPDATE entry SET digest = ? WHERE season = 1 AND bot = ?", ("0" * 64, bot))
    with Database.open(played, read_only=True) as database:
        reader = Reader(database)
        season = stored_season(reader)
        board = scored(reader, season)
        assert f"{bot} of season 1" in board.scoring.earlier.gone
        rows = {row.bot: row for row in board.standings.rows}
        assert rows[bot].sessions == 18, "those of the final alone"
        assert len(rows) == 4


@pytest.mark.slow
def test_all_earlier_stages_count_in_their_order(tmp_path: Path) -> None:
    with StagedPlay(carried_league(tmp_path, THREE)) as play:
        for _ in range(2):
            play.stage()
            assert play.goes_on()
        season = stored_season(play.reader)
        assert [one.number for one in stages_before(play.reader, season)] == [1, 2]
        score = scored(play.reader, season)
        assert [one.cycle for one in score.scoring.earlier.results] == [-2] * 10 + [-1] * 10
        both = [*play.reader.session_results(1)]
        both += [replace(one, cycle=1) for one in play.reader.session_results(2)]
        gone = {f"b{number}" for number in range(5)} - {entry.bot for entry in season.entries}
        assert len(gone) == 1
        expected = fit(both, [f"b{number}" for number in range(5)], 3, departed=gone)
        assert score.standings.fit == expected
        # Who went on to the final was decided by what was played in the second stage alone.
        assert scored(play.reader, play.reader.seasons()[1]).scoring.earlier is NOTHING
