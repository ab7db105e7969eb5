"""Builds of an open league as they happen: real programs, built while others play; some fail or are killed.

A build here takes until a file is there, so nothing depends on how fast the machine is.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.store.acts import NOT_READY
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.stretch_document import stretch_document_from
from arena.store.views import SeasonView
from arena.verify.verify import verify
from tests.running import Run, assert_nothing_runs, enter, finished, leave, make_open_league, play, processes

pytestmark = pytest.mark.slow

LONG = "[time]\nbuild_seconds = 300\n"


def enter_built(league: Path, bot: str, script: str) -> None:
    """Put the folder of a bot into `entries` that a shell script builds."""
    new = league.parent / f"{bot}.new"
    shutil.copytree(league.parent / "entries" / "b0", new)
    build = f'build = ["sh", "-c", "{script}; cp bot.py built.py"]\n'
    (new / "bot.toml").write_text(f'name = "{bot}"\ncommand = ["{{python}}", "built.py"]\n{build}')
    leave(league, bot)
    new.rename(league.parent / "entries" / bot)


def enter_waiting(league: Path, bot: str = "slow") -> Path:
    """Enter a bot whose build waits for a file, and return that file's path."""
    gate = league.parent / f"{bot}.gate"
    enter_built(league, bot, f"while ! [ -e {gate} ]; do sleep 0.05; done")
    return gate


def season(league: Path) -> SeasonView:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        found = Reader(database).current_season()
        assert found is not None
        return found


def fields(league: Path) -> list[tuple[str, ...]]:
    return [stretch_document_from(one.document).entries for one in season(league).stretches]


def failures(league: Path) -> list[str]:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        return [act.subject for act in Reader(database).actions() if act.what == NOT_READY]


def assert_agrees(league: Path) -> None:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        assert verify(reader, reader.seasons()).difference is None


def builds(league: Path) -> list[str]:
    """The processes that work in folders of builds which are not done."""
    return [one for one in processes(league.parent / "tiny.arena/built") if "sleep" in one or "sh -c" in one]


def test_others_play_on_while_a_bot_is_built_and_another_cannot_be(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, schedule="cycles = 1000\n", more=LONG)
    run = Run(league, "--follow")
    run.wait_for_matches(1)
    gate = enter_waiting(league)
    run.wait_for(lambda: builds(league))
    enter_built(league, "broken", "exit 7")
    run.wait_for(lambda: failures(league))
    assert len(fields(league)) == 1, "no stretch ends for a build that goes on, or fails"
    enter(league, "late", 1)
    run.wait_for(lambda: "late@1" in fields(league)[-1])
    before = finished(league)
    run.wait_for(lambda: finished(league) > before)
    assert builds(league), "it goes on beside the next stretch"
    gate.touch()
    run.wait_for(lambda: "slow@1" in fields(league)[-1])
    run.interrupt()
    outcome = run.end()
    assert outcome.code == 130
    assert_nothing_runs(tmp_path)
    everybody = ("b0@1", "b1@1", "b2@1", "b3@1")
    assert [set(field).difference(everybody) for field in fields(league)] == [
        set(), {"late@1"}, {"late@1", "slow@1"},
    ]  # fmt: skip
    assert [one.end_reason.rpartition(": ")[2] for one in season(league).stretches[:2]] == [
        "late@1 has come", "slow@1 has come",
    ]  # fmt: skip
    assert failures(league) == ["broken@1"], "it is not tried again as long as it is the same"
    assert "broken@1 is not ready: not built: sh -c exit 7; cp bot.py built.py: exit code 7" in outcome.err
    assert_agrees(league)


def test_a_run_waits_for_builds_and_leaves_nothing_when_it_is_stopped_or_killed(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, more=LONG)
    gate = enter_waiting(league)
    for kill in (True, False):
        run = Run(league)
        run.wait_for(lambda: builds(league))
        assert fields(league) == [], "whoever types it wants all who are there"
        if kill:
            run.kill()
        else:
            run.interrupt()
            assert run.end().code == 130
        assert_nothing_runs(tmp_path)
        assert not list(tmp_path.glob("tiny.arena/built/*.mark"))
        assert "slow@1" not in [entry.bot for entry in season(league).entries]
    gate.touch()
    assert play(league).code == 0
    assert fields(league) == [("b0@1", "b1@1", "b2@1", "b3@1", "slow@1")]
    assert_agrees(league)


def test_a_run_that_is_killed_while_it_plays_and_builds_begins_the_build_anew(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, schedule="cycles = 1000\n", more=LONG)
    run = Run(league, "--follow")
    run.wait_for_matches(1)
    gate = enter_waiting(league)
    run.wait_for(lambda: builds(league))
    run.kill()
    assert_nothing_runs(tmp_path)
    run = Run(league, "--follow")
    run.wait_for(lambda: builds(league))
    gate.touch()
    run.wait_for(lambda: "slow@1" in fields(league)[-1])
    run.interrupt()
    assert run.end().code == 130
    assert_nothing_runs(tmp_path)
    assert len(fields(league)) == 2
    assert_agrees(league)
