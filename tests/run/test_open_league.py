"""Open leagues played as people play them: bots come, change and leave; runs are killed and stopped.

After each run every match is there once, `arena verify` agrees and no process is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from arena.errors import StoreError
from arena.export import Cell, Export, What, table_rows
from arena.store.acts import NOT_READY
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.stretch_document import StretchDocument, stretch_document_from
from arena.store.views import MatchState, SeasonView
from arena.verify.verify import verify
from tests.running import (
    Outcome,
    Run,
    assert_nothing_runs,
    enter,
    finished,
    leave,
    make_open_league,
    matches,
    play,
    records,
)

pytestmark = pytest.mark.slow


def season(league: Path) -> SeasonView:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        found = Reader(database).current_season()
    assert found is not None
    return found


def documents(league: Path) -> list[StretchDocument]:
    """The documents of all stretches; none before there is a database with tables."""
    path = league.with_name("tiny.db")
    if not path.exists() or not path.stat().st_size:
        return []
    try:
        with Database.open(path, read_only=True) as database:
            found = Reader(database).current_season()
    except StoreError:  # it is being made
        return []
    return [stretch_document_from(one.document) for one in found.stretches] if found is not None else []


def failures(league: Path) -> list[str]:
    """The versions that did not start before a stretch, in the order of the acts."""
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        return [act.subject for act in Reader(database).actions() if act.what == NOT_READY]


def exported(league: Path) -> dict[What, list[tuple[Cell, ...]]]:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        found = reader.current_season()
        assert found is not None
        return {what: list(table_rows(reader, Export(found, what))) for what in What}


def assert_whole(league: Path) -> None:
    """Fail unless all stretches are over, each of their matches is there once, and `arena verify` agrees."""
    assert_nothing_runs(league.parent)
    assert all(stretch.ended_at is not None for stretch in season(league).stretches)
    numbers = sorted(match.number for match in matches(league, state=MatchState.FINISHED))
    assert numbers == list(range(1, len(numbers) + 1)), "each match is finished once, and none is missing"
    assert not matches(league, state=MatchState.BEGUN)
    records(league)
    assert_verified(league)


def assert_agrees(league: Path) -> None:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        assert verify(reader, reader.seasons()).difference is None


def assert_verified(league: Path) -> None:
    checked = Run(league, command="verify").end()
    assert checked.code == 0, checked.out + checked.err
    assert "Everything that could be checked agrees." in checked.out


def evening(league: Path, *options: str) -> list[Outcome]:
    """Three stretches: four bots; two more, an improved one, a broken one, one less; one comes back."""
    outcomes = [play(league, *options)]
    enter(league, "b4", 1)
    enter(league, "b5", 2)
    enter(league, "b1", 3)
    enter(league, "broken", 0, trick="this is no Python")
    leave(league, "b3")
    outcomes.append(play(league, *options))
    enter(league, "b3", 3)
    enter(league, "broken", 0)
    outcomes.append(play(league, *options))
    return outcomes


def test_an_evening_in_which_bots_come_change_fail_and_leave(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    league = make_open_league(tmp_path / "one", schedule="version_hours = 0\n")
    outcomes = evening(league)
    assert [outcome.code for outcome in outcomes] == [0, 0, 0]
    assert_whole(league)
    first, second, third = documents(league)
    assert first.entries == ("b0@1", "b1@1", "b2@1", "b3@1")
    assert not first.owed, "there is nobody yet to catch up with"
    assert second.entries == ("b0@1", "b2@1", "b1@2", "b4@1", "b5@1")
    assert third.entries == ("b0@1", "b2@1", "b3@1", "b1@2", "b4@1", "b5@1", "broken@2")
    assert failures(league) == ["broken@1"]
    assert "broken@1 is not ready" in outcomes[1].err
    assert [entry.bot for entry in season(league).entries] == [
        *("b0@1", "b1@1", "b2@1", "b3@1", "b1@2", "b4@1", "b5@1", "broken@1", "broken@2")
    ]

    (tmp_path / "two").mkdir()
    again = make_open_league(tmp_path / "two", schedule="version_hours = 0\n")
    evening(again, "--jobs", "1")
    assert records(again) == records(league)
    assert exported(again) == exported(league), "nothing depends on how many referees play"


def test_what_is_refused_or_waits_stops_nobody(tmp_path: Path) -> None:
    """A second version on one day, a name and an id that belong to others, a folder without a bot."""
    league = make_open_league(tmp_path)
    assert play(league).code == 0
    enter(league, "b1", 3)
    enter(league, "thief", 0, name="b0")
    enter(league, "B2", 0)
    (league.parent / "entries" / "empty").mkdir()
    (league.parent / "entries" / "link").symlink_to(league.parent / "entries" / "b0")
    outcome = play(league)
    assert outcome.code == 0
    assert_whole(league)
    assert documents(league)[1].entries == ("b0@1", "b1@1", "b2@1", "b3@1")
    assert "b1 does not play: a new version is taken in 24.0 hours" in outcome.err
    assert "thief does not play: entries/thief: the name b0 belongs to b0" in outcome.err
    assert "B2 does not play: entries/B2: an id is 1 to 40 of a-z, 0-9 and -" in outcome.err
    assert "empty does not play: " in outcome.err
    assert "link does not play: entries/link: a link" in outcome.err


def test_house_bots_fill_a_table_and_one_bot_alone_waits(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, bots=1)
    outcome = play(league)
    assert outcome.code == 0
    assert "there is one bot to play; an open league waits until there are 2" in outcome.err
    enter(league, "b1", 1)
    assert play(league).code == 0
    assert documents(league)[0].entries == ("b0@1", "b1@1", "house-1@1")
    enter(league, "b2", 2)
    assert play(league).code == 0
    assert documents(league)[1].entries == ("b0@1", "b1@1", "b2@1")
    assert_whole(league)


def stretches_ended(league: Path) -> int:
    if not documents(league):
        return 0
    return sum(stretch.ended_at is not None for stretch in season(league).stretches)


def seated(league: Path, entry: str) -> Callable[[], bool]:
    """Whether the newest stretch has an entry."""
    return lambda: bool(found := documents(league)) and entry in found[-1].entries


def test_a_run_that_follows_takes_who_comes_and_is_stopped(tmp_path: Path) -> None:
    """Also with many cycles a stretch: it ends after the cycle in which something changed."""
    league = make_open_league(tmp_path, schedule="cycles = 1000\n")
    run = Run(league, "--follow")
    run.wait_for_matches(1)
    enter(league, "late", 2)
    run.wait_for(seated(league, "late@1"))
    leave(league, "b0")
    run.wait_for(lambda: seated(league, "late@1")() and not seated(league, "b0@1")())
    run.interrupt()
    outcome = run.end()
    assert outcome.code == 130
    assert_nothing_runs(tmp_path)
    assert "late@1 has come: LATE" in outcome.err
    first, second, third = season(league).stretches[:3]
    assert "late@1 has come" in first.end_reason
    assert "b0@1 has left" in second.end_reason
    assert documents(league)[1].owed[0][0] == "late@1", "it catches up first"
    assert third.ended_at is None
    assert_agrees(league)
    # Resumed, it ends with its next cycle, for somebody has come meanwhile; without `--follow` the run too.
    enter(league, "b0", 0)
    assert play(league).code == 0
    assert "b0@1 has come" in season(league).stretches[2].end_reason
    assert len(season(league).stretches) == 3
    assert_whole(league)


def test_an_open_league_that_is_killed_again_and_again(tmp_path: Path) -> None:
    """The same stretches as undisturbed, whenever it is killed; also between two stretches."""
    for name in ("calm", "killed"):
        (tmp_path / name).mkdir()
    calm = make_open_league(tmp_path / "calm", schedule="version_hours = 0\n")
    league = make_open_league(tmp_path / "killed", schedule="version_hours = 0\n")
    for one in (calm, league):
        disturb = one is league
        for number in range(3):
            if number == 1:
                enter(one, "b4", 0)
                enter(one, "b0", 3)
            if number == 2:
                leave(one, "b1")
                enter(one, "b0", 0)
            if disturb:
                _killed(one, number)
            if stretches_ended(one) == number:
                assert play(one).code == 0
    # The last run of each stretch was killed at its end, before it wrote its pages.
    assert Run(league, command="report").end().code == 0
    assert_whole(league)
    assert_whole(calm)
    assert documents(league) == documents(calm)
    assert exported(league) == exported(calm)


def _killed(league: Path, number: int) -> None:
    """Kill runs of one stretch: in start-up, before it is begun, in its matches, when it has ended."""
    before = finished(league) if number else 0
    rng = Random(number)
    run = Run(league)
    time.sleep(rng.uniform(0.3, 2.0))
    run.kill()
    run = Run(league)
    run.wait_for(lambda: " has come" in run.said() or len(documents(league)) > number)
    run.kill()
    assert_nothing_runs(league.parent)
    for matches_ in (1, 8):
        run = Run(league)
        run.wait_for_matches(before + matches_)
        run.kill()
        assert_nothing_runs(league.parent)
        assert_agrees(league)
    run = Run(league)
    run.wait_for(lambda: stretches_ended(league) > number)
    run.kill()
    assert_nothing_runs(league.parent)


def test_a_folder_that_is_being_changed_is_taken_when_it_rests(tmp_path: Path) -> None:
    league = make_open_league(tmp_path)
    enter(league, "busy", 1)
    bot = league.parent / "entries" / "busy"
    run = Run(league)
    while run.process.poll() is None and not documents(league):
        with (bot / "notes.txt").open("a") as notes:
            notes.write("more\n")
        time.sleep(0.05)
    assert run.end().code == 0
    assert "busy does not play: its folder is being changed; it is taken when it rests" in run.said()
    assert documents(league)[0].entries == ("b0@1", "b1@1", "b2@1", "b3@1")
    assert play(league).code == 0
    assert documents(league)[1].entries == ("b0@1", "b1@1", "b2@1", "b3@1", "busy@1")
    assert_whole(league)
