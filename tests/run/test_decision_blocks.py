"""A league in which a bot falls and that is settled early: the same however many play, and if killed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.conduct.disqualify import Ruling
from arena.export import Export, What, table_rows
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.views import SeasonView, SessionState
from arena.verify.verify import verify
from tests.cli.calling import caller
from tests.running import Run, edit, make_league, play
from tests.shared import copied, once

BLOCKS = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20 22 24 27 30 33 37 40"
END, AHEAD = 24, 27
"""30 sessions are enough: 4 in each of two cycles, then one in each. The block after that one ends at 27."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("decision_blocks"),  # else each worker would wait for the same league
]


def make(folder: Path) -> Path:
    """A league of four bots on three seats. One crashes, and the others are called level."""
    league = make_league(folder, bots=4, cycles=40)
    edit(league, "cycles = 40", 'cycles = 40\nstop = "settled"\nmargin = 250.0')
    edit(folder / "bots/b3/bot.py", "time.sleep(0.0)", "os._exit(3)")
    return league


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def made(folder: Path) -> None:
        outcome = play(make(folder), "--jobs", "1")
        assert outcome.code == 0, outcome.err

    return once(tmp_path_factory, "decision_blocks", made) / "league.toml"


@contextmanager
def opened(league: Path) -> Iterator[tuple[Reader, SeasonView]]:
    with Database.open(league.parent / "tiny.db", read_only=True) as database:
        reader = Reader(database)
        season = reader.current_season()
        assert season is not None
        yield reader, season


def exported(league: Path) -> dict[What, list[object]]:
    with opened(league) as (reader, season):
        return {what: list(table_rows(reader, Export(season, what, ended=True))) for what in What}


def assert_same(other: Path, league: Path) -> None:
    """Whatever was played ahead."""
    assert exported(other) == exported(league)
    with opened(other) as (reader, season), opened(league) as (known, before):
        assert reader.rulings(1) == known.rulings(1)
        ours, theirs = season.stretches[0], before.stretches[0]
        assert (ours.end_reason, ours.cycles_planned) == (theirs.end_reason, theirs.cycles_planned)
        late = [one for one in reader.sessions(1, after_end=True) if one.cycle >= END]
        assert all(one.state is SessionState.AFTER_END and one.cycle < AHEAD for one in late)
        assert verify(reader, [season]).difference is None


def test_it_ends_with_the_block_that_settled_it(league: Path) -> None:
    with opened(league) as (reader, season):
        (stretch,) = season.stretches
        assert (stretch.blocks, stretch.cycles_planned) == (BLOCKS, END)
        assert stretch.end_reason == f"settled after {END} cycles of at most 40"
        (ruling,) = reader.rulings(1)
        assert (ruling.bot, ruling.decided, ruling.from_cycle) == ("b3", 1, 2)
        assert Counter(match.cycle for match in reader.matches(1)) == {
            cycle: 24 if cycle < 2 else 6 for cycle in range(END)
        }
        progress = reader.progress(1)
        assert (len(progress.cycles), progress.sessions_planned, progress.sessions_complete) == (END, 30, 30)
        assert verify(reader, [season]).difference is None


@pytest.mark.parametrize("jobs", [2, 4])
def test_the_number_of_referees_changes_nothing_that_counts(league: Path, tmp_path: Path, jobs: int) -> None:
    other = make(tmp_path)
    assert play(other, "--jobs", str(jobs)).code == 0
    assert_same(other, league)


def test_a_run_that_is_killed_comes_to_the_same_end(league: Path, tmp_path: Path) -> None:
    other = make(tmp_path)
    # While two blocks are open, while the bot is out but plays on, and near the end.
    for least in (10, 30, 60, 120, 176):
        run = Run(other, "--jobs", "2")
        run.wait_for_matches(least)
        run.kill()
        if _ended(other):
            break
    assert play(other, "--jobs", "2").code == 0
    assert_same(other, league)


def _ended(league: Path) -> bool:
    with opened(league) as (_, season):
        return season.stretches[-1].ended_at is not None


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_follows_begins_where_nothing_can_have_been_played(
    league: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: int
) -> None:
    """With the same cycle, whatever was played ahead."""
    copy = copied(league.parent, tmp_path / "copy") / league.name
    if jobs > 1:
        copy = make(tmp_path / "other")
        assert play(copy, "--jobs", str(jobs)).code == 0
    assert caller(capsys)("reinstate", copy, "b3", "--reason", "mended").code == 0
    with opened(copy) as (reader, _):
        assert reader.rulings(1)[-1] == Ruling("b3", False, AHEAD, "mended")
        before = len(reader.matches(1))
    run = Run(copy, "--jobs", "2")
    run.wait_for_matches(before + 30)
    run.kill()
    with opened(copy) as (reader, season):
        assert season.stretches[1].first_cycle == AHEAD
        assert season.stretches[1].blocks.startswith("28 29 30 ")
        assert {match.cycle for match in reader.matches(1) if match.cycle >= END} <= {27, 28, 29}
        progress = reader.progress(1)
        assert [one.sessions for one in progress.cycles[END - 1 : AHEAD + 1]] == [1, 0, 0, 0, 4]
        assert verify(reader, [season]).difference is None
