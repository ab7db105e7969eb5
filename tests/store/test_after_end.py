"""What was played ahead of the end of a league: it is kept, marked where asked for, and counts nowhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.errors import UsageError
from arena.export import Export, What, table_rows
from arena.schedule import planned_blocks
from arena.schedule.seating import DUEL_MATCHES
from arena.season.settling import Settling
from arena.store import read, write
from arena.store.acts import void_act
from arena.store.database import Database
from arena.store.free_cycles import next_stretch_begins
from arena.store.inputs import NewStretch
from arena.store.scoring import scored
from arena.store.views import SessionState
from tests.cli.calling import caller
from tests.cli.leagues import DOCUMENT, change, make
from tests.reports.played import FIVE, START, League
from tests.season.test_deciding_look import FILE
from tests.shared import once
from tests.store.samples import SECRET
from tests.verify.test_tampering import difference

END, PLANNED = 15, 20
"""A duel of two sessions a cycle: after so many cycles it is settled."""
BLOCKS = planned_blocks(0, PLANNED).text
MATCHES = DUEL_MATCHES
"""Of a session of the duel."""
LATE = MATCHES + MATCHES // 2


def _play(folder: Path) -> None:
    """A duel that is settled while the next block is played: a session of it, and half of another."""
    rules = {"id": "spring", "seats": 3, "rounds": 3, "show_names": False}
    played = (2 * END + 1) * MATCHES + MATCHES // 2
    duel = League(bots=(FIVE[0], FIVE[4]), seats=3, rounds=3, cycles=PLANNED, matches=played)
    path = make(folder / "ahead.db", duel, {**DOCUMENT, "league": rules})
    change(
        path,
        f"UPDATE stretch SET blocks = '{BLOCKS}'",
        """INSERT INTO action (at, who, what, subject, reason, detail) VALUES """
        f"""({START}, 'ann', 'keys noted', '1', '', '{{"free": {{"schedule": {{"margin": 100.0}}}}}}')""",
    )


@pytest.fixture
def path(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    return Path(shutil.copy(once(tmp_path_factory, "ahead", _play) / "ahead.db", tmp_path))


@pytest.fixture
def ended(path: Path) -> Path:
    """The database once the league is settled."""
    with Database.open(path) as database:
        season = SimpleNamespace(loaded=FILE, view=read.seasons(database)[0])
        settling = Settling(cast(Any, season), database, lambda said: None)
        assert not settling.goes_on(END)
        write.end_stretch(database, 1, 0, settling.end(END, PLANNED).reason, START + 10**7, END)
    return path


@pytest.fixture
def database(ended: Path) -> Iterator[Database]:
    with Database.open(ended, read_only=True) as database:
        yield database


def rows(database: Database, what: What, after_end: bool) -> list[Any]:
    (season,) = read.seasons(database)
    return list(table_rows(database, Export(season, what, ended=True, after_end=after_end)))


def test_nothing_that_counts_has_it(database: Database) -> None:
    assert (
        read.session_states(database, 1)[END, 0]
        is read.session_states(database, 1)[END, 1]
        is SessionState.AFTER_END
    )
    assert [one for one in read.sessions(database, 1) if one.cycle >= END] == []
    assert max(match.cycle for match in read.matches(database, 1)) == END - 1
    assert max(played.match.cycle for played in read.played(database, 1)) == END - 1
    assert max(sitting.cycle for sitting in read.sittings(database, 1)) == END - 1
    assert (
        len(read.session_results(database, 1)) == len(read.session_results(database, 1, void=True)) == 2 * END
    )
    score = scored(database, read.seasons(database)[0])
    assert (len(score.results), score.standings.provisional) == (2 * END, None)
    assert sum(read.sandbox_levels(database, 1).values()) == sum(
        one.matches for one in read.bot_times(database, 1)[:1]
    )


def test_the_progress_is_that_of_the_league_that_ended(database: Database) -> None:
    progress = read.progress(database, 1)
    assert len(progress.cycles) == END
    assert (progress.sessions_planned, progress.sessions_complete, progress.sessions_after_end) == (30, 30, 2)
    assert (progress.matches_planned, progress.matches_finished) == (30 * MATCHES, 30 * MATCHES)
    assert progress.matches_after_end == LATE


def test_it_is_kept_and_marked(database: Database) -> None:
    late = [match for match in read.matches(database, 1, after_end=True) if match.cycle >= END]
    assert len(late) == LATE
    assert all(not match.counts and match.cards_may_show for match in late)
    assert read.match(database, 1, late[0].number) == late[0]
    for what in (What.SESSIONS, What.MATCHES, What.ROUNDS, What.PLAYS):
        usual, more = rows(database, what, after_end=False), rows(database, what, after_end=True)
        assert more[: len(usual)] == usual, what
        assert {row[2 if what is not What.SESSIONS else 1] for row in more[len(usual) :]} == {END}
    marked = {"after_end"} & {cell for row in rows(database, What.MATCHES, after_end=True) for cell in row}
    assert marked
    assert rows(database, What.STANDINGS, after_end=True) == rows(database, What.STANDINGS, after_end=False)


def test_before_the_end_is_stored_it_is_not_after_it(path: Path) -> None:
    with Database.open(path, read_only=True) as database:
        assert max(match.cycle for match in read.matches(database, 1)) == END
        assert read.progress(database, 1).sessions_after_end == 0
    assert difference(path) == ""


def test_a_session_after_the_end_cannot_become_void(ended: Path) -> None:
    with Database.open(ended) as database, pytest.raises(UsageError, match="after the end of its stretch"):
        write.void(database, 1, (END, 0), void_act(1, (END, 0), "noise", (START, "ann")))


def test_pages_and_status_say_how_much_it_is(ended: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = caller(capsys)
    assert f"{LATE} more after the end, played ahead: they count nowhere" in arena("status", ended).out
    assert arena("report", ended, "-o", ended.parent / "pages").code == 0
    pages = ended.parent / "pages"
    assert f"{LATE} matches played ahead while the end was decided" in (pages / "health.html").read_text()
    whole = "".join(page.read_text() for page in pages.rglob("*.html"))
    assert f">{END - 1}.0<" in whole
    assert f">{END}.0<" not in whole
    assert ",after_end," not in arena("export", ended, "--what", "matches").out
    assert ",after_end," in arena("export", ended, "--what", "matches", "--after-end").out


def test_it_verifies(ended: Path) -> None:
    assert difference(ended) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE stretch SET cycles_planned = 14", "stretch 0 ended after 14 of 20 cycles, and nothing says"),
        ("DELETE FROM action WHERE what = 'look'", "stretch 0 ended after 15 of 20 cycles, and nothing says"),
        ("UPDATE stretch SET blocks = '1 20'", "which does not follow from its plan"),
        ("UPDATE stretch SET blocks = ''", "these are not the ends of blocks of cycles after cycle 0"),
        ("UPDATE session SET line_up = 'greedy duck' WHERE cycle = 15", "its line-up is"),
        (
            "UPDATE match SET cycle = 17 WHERE cycle = 15; UPDATE session SET cycle = 17 WHERE cycle = 15",
            f"session {END + 2}.0: it is dealt by stretch 0, which ends after 15 cycles",
        ),
        ("UPDATE seat SET points = points + 1 WHERE match IN (SELECT id FROM match WHERE cycle = 15)", ""),
    ],
)
def test_what_is_changed_in_it_is_found(ended: Path, statement: str, said: str) -> None:
    change(ended, *statement.split("; "))
    found = difference(ended)
    assert found
    assert said in found


def test_what_follows_begins_after_the_block_that_may_have_been_played(ended: Path) -> None:
    with Database.open(ended) as database:
        (season,) = read.seasons(database)
        assert read.first_free(database, 1) == next_stretch_begins(season, read.actions(database)) == END + 1
        why = "its author asked"
        assert write.exclude(database, 1, season.entries[0].bot, why, (START, "ann")).from_cycle == END + 1
        assert (
            write.reinstate(database, 1, season.entries[0].bot, "it is back", (START, "ann")).from_cycle
            == END + 1
        )
        last = season.stretches[0]
        blocks = planned_blocks(END + 1, PLANNED).text
        new = NewStretch(
            1,
            1,
            SECRET,
            last.commitment,
            last.committed_at,
            last.league_digest,
            PLANNED,
            blocks,
            END + 1,
        )
        write.open_stretch(database, replace(new, predictable=last.predictable))
        (season,) = read.seasons(database)
        assert season.skipped == (range(END, END + 1),)
        sizes = [one.sessions for one in read.progress(database, 1).cycles]
        assert sizes == [2] * END + [0] + [2] * (PLANNED - END - 1)
        assert read.progress(database, 1).sessions_after_end == 2
        assert len(scored(database, season).results) == 2 * END
