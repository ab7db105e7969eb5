"""A league in which a bot falls and that is settled early: the same however many play, and if killed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from arena.conduct.disqualify import Ruling
from arena.export import Export, What, table_rows
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.views import SeasonView, SessionState
from arena.verify.verify import verify
from tests.cli.calling import caller
from tests.cli.leagues import change
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


def reader_of(league: Path) -> tuple[Reader, SeasonView]:
    reader = Reader(Database.open(league.parent / "tiny.db", read_only=True))
    season = reader.current_season()
    assert season is not None
    return reader, season


def exported(league: Path, after_end: bool = False) -> dict[What, list[object]]:
    reader, season = reader_of(league)
    return {
        what: list(table_rows(reader, Export(season, what, ended=True, after_end=after_end))) for what in What
    }


def assert_verified(league: Path) -> None:
    reader, season = reader_of(league)
    assert verify(reader, [season]).difference is None


def assert_same(other: Path, league: Path) -> None:
    """Whatever was played ahead."""
    assert exported(other) == exported(league)
    (reader, season), (known, before) = reader_of(other), reader_of(league)
    assert reader.rulings(1) == known.rulings(1)
    ours, theirs = season.stretches[0], before.stretches[0]
    assert (ours.end_reason, ours.cycles_planned) == (theirs.end_reason, theirs.cycles_planned)
    assert_verified(other)


def test_it_ends_with_the_block_that_settled_it(league: Path) -> None:
    reader, season = reader_of(league)
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
    assert_verified(league)


@pytest.mark.parametrize("jobs", [2, 4])
def test_the_number_of_referees_changes_nothing_that_counts(league: Path, tmp_path: Path, jobs: int) -> None:
    other = make(tmp_path)
    assert play(other, "--jobs", str(jobs)).code == 0
    assert_same(other, league)


def test_a_run_that_is_killed_comes_to_the_same_end(league: Path, tmp_path: Path) -> None:
    other = make(tmp_path)
    # While two blocks are open, while the bot is out but plays on, and near the end.
    for least in (10, 30, 60, 120, 176, 184):
        run = Run(other, "--jobs", "2")
        run.wait_for_matches(least)
        run.kill()
        if _ended(other):
            break
    assert play(other, "--jobs", "2").code == 0
    assert_same(other, league)


def _ended(league: Path) -> bool:
    _, season = reader_of(league)
    return season.stretches[-1].ended_at is not None


@pytest.fixture(scope="session")
def ahead(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league, of which something was played ahead: it was to be played to its end at first."""

    def made(folder: Path) -> None:
        league = make(folder)
        edit(league, 'stop = "settled"', 'stop = "cycles"')
        run = Run(league, "--jobs", "2")
        run.wait_for_matches(190)
        run.kill()
        edit(league, 'stop = "cycles"', 'stop = "settled"')
        assert play(league, "--jobs", "2").code == 0

    return once(tmp_path_factory, "decision_blocks_ahead", made) / "league.toml"


def test_what_was_played_ahead_is_kept_and_counts_nowhere(league: Path, ahead: Path) -> None:
    assert_same(ahead, league)
    reader, _ = reader_of(ahead)
    late = [one for one in reader.sessions(1, after_end=True) if one.state is SessionState.AFTER_END]
    assert late
    assert all(END <= one.cycle < AHEAD for one in late)
    matches = [match for match in reader.matches(1, after_end=True) if match.cycle >= END]
    assert len(matches) >= 190 - 180
    assert reader.progress(1).matches_after_end == len(matches)
    assert all(not match.counts and match.cards_may_show for match in matches)
    assert {sitting.cycle for sitting in reader.sittings(1)} == set(range(END))
    told = exported(ahead, after_end=True)
    for what in (What.MATCHES, What.SESSIONS, What.ROUNDS, What.PLAYS):
        assert set(told[what]) > set(exported(ahead)[what])
    assert told[What.STANDINGS] == exported(ahead)[What.STANDINGS]


def test_it_is_marked_and_told(ahead: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    league, arena = copied(ahead.parent, tmp_path / "copy") / ahead.name, caller(capsys)
    assert ",after_end," not in arena("export", league, "--what", "matches").out
    assert ",after_end," in arena("export", league, "--what", "matches", "--after-end").out
    reader, _ = reader_of(league)
    late = reader.progress(1).matches_after_end
    assert f"{late} more after the end, played ahead: they count nowhere" in arena("status", league).out
    assert arena("report", league).code == 0
    pages = league.parent / "tiny-report"
    assert f"{late} matches played ahead while the end was decided" in (pages / "health.html").read_text()
    assert f"<td>{END}.0" not in (pages / "matches.html").read_text()
    called = arena("void", league, f"{END}.0", "--reason", "noise")
    assert "was played after the end of its stretch, so it does not count anyway" in called.err


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE stretch SET cycles_planned = 22", "it is dealt by stretch 0, which ends after 22 cycles"),
        ("DELETE FROM action WHERE what = 'look'", "stretch 0 ended after 24 of 40 cycles, and nothing says"),
        ("UPDATE stretch SET blocks = replace(blocks, ' 33 37 40', ' 33')", "ends after 24 cycles"),
    ],
)
def test_another_end_is_found(
    ahead: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], statement: str, said: str
) -> None:
    league = copied(ahead.parent, tmp_path / "copy") / ahead.name
    change(league.parent / "tiny.db", statement)
    called = caller(capsys)("verify", league)
    assert called.code == 1
    assert said in called.out


@pytest.mark.parametrize("played_ahead", [False, True])
def test_what_follows_begins_where_nothing_can_have_been_played(
    league: Path, ahead: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], played_ahead: bool
) -> None:
    """With the same cycle, whether anything was played ahead or not."""
    copy = copied((ahead if played_ahead else league).parent, tmp_path / "copy") / ahead.name
    assert caller(capsys)("reinstate", copy, "b3", "--reason", "mended").code == 0
    reader, _ = reader_of(copy)
    assert reader.rulings(1)[-1] == Ruling("b3", False, AHEAD, "mended")
    before = len(reader.matches(1))
    run = Run(copy, "--jobs", "2")
    run.wait_for_matches(before + 30)
    run.kill()
    reader, season = reader_of(copy)
    assert season.stretches[1].first_cycle == AHEAD
    assert season.stretches[1].blocks.startswith("28 29 30 ")
    assert {match.cycle for match in reader.matches(1) if match.cycle >= END} <= {27, 28}
    progress = reader.progress(1)
    assert [one.sessions for one in progress.cycles[END - 1 : AHEAD + 1]] == [1, 0, 0, 0, 4]
    assert_verified(copy)
