"""Leagues with stages played as people play them: to the end in one run, killed, closed and resumed."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from arena.export import Cell, Export, What, table_rows
from arena.standings import fit
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.scoring import scored
from arena.store.stage import decision_of, stage_of
from arena.store.views import SeasonView
from arena.verify.verify import verify
from tests.running import (
    Run,
    assert_nothing_runs,
    enter,
    leave,
    make_league,
    make_open_league,
    play,
)
from tests.shared import once

pytestmark = pytest.mark.slow

STAGES = """\
[[stages]]
name = "Heats"
keep = 4
[[stages]]
keep = "contenders 1"
at_most = 3
rounds = 4
[[stages]]
name = "Final"
cycles = 2
"""
MOST_KILLS = 25


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of three stages in one run. The last of its bots crashes and is excluded in the first."""

    def make(folder: Path) -> None:
        outcome = play(make_league(folder, bots=5, more=STAGES, slow=0.001))
        assert outcome.code == 0
        assert "stage 1 of 3, Heats, is over: 4 of 4 bots go on: the first 4" in outcome.err
        assert "stage 2 of 3, Stage 2, is over: 3 of 4 bots go on" in outcome.err

    return once(tmp_path_factory, "stages", make) / "league.toml"


def seasons(league: Path) -> list[SeasonView]:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        return Reader(database).seasons()


def exported(league: Path) -> list[list[tuple[Cell, ...]]]:
    """All that is exported of all stages."""
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        return [list(table_rows(reader, Export(one, what))) for one in reader.seasons() for what in What]


def assert_agrees(league: Path) -> None:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        found = verify(reader, reader.seasons())
    assert found.difference is None, str(found.difference)


def test_one_run_plays_all_stages(undisturbed: Path) -> None:
    assert [str(stage_of(one)) for one in seasons(undisturbed)] == [
        "stage 1 of 3, Heats",
        "stage 2 of 3, Stage 2",
        "stage 3 of 3, Final",
    ]
    assert [(len(one.entries), one.rounds) for one in seasons(undisturbed)] == [(5, 3), (4, 4), (3, 3)]
    assert len({one.stretches[0].commitment for one in seasons(undisturbed)}) == 3
    assert_agrees(undisturbed)
    again = play(undisturbed)
    assert again.code == 0
    assert "everything that was asked for has been played" in again.err
    assert len(seasons(undisturbed)) == 3


def test_stages_that_are_killed_again_and_again_are_the_same(tmp_path: Path, undisturbed: Path) -> None:
    league, rng = make_league(tmp_path, bots=5, more=STAGES, slow=0.001), Random(5)
    for _ in range(MOST_KILLS):
        run = Run(league)
        time.sleep(rng.uniform(0.3, 2.5))
        if run.process.poll() is not None:
            break
        run.kill()
        assert_nothing_runs(league.parent)
    assert play(league).code == 0
    assert exported(league) == exported(undisturbed)
    for one, other in zip(seasons(league), seasons(undisturbed), strict=True):
        assert (one.digest, decision_of(one)) == (other.digest, decision_of(other))
    assert_agrees(league)


def test_a_ladder_is_closed_and_its_first_play_the_final(tmp_path: Path) -> None:
    """Bots come and are improved meanwhile, one is gone when the final is played."""
    league = make_open_league(tmp_path, bots=4, schedule="version_hours = 0\n")
    more = '[[stages]]\nkeep = 3\n[[stages]]\nname = "Final"\nrounds = 6\ncycles = 1\n'
    league.write_text(league.read_text() + more)
    assert play(league).code == 0
    enter(league, "b4", 1)
    enter(league, "b1", 2, name="Better")
    assert play(league).code == 0
    assert len(seasons(league)) == 1, "it is open"
    assert Run(league, "--reason", "the season is over", command="close").end().code == 0
    gone = "b0"
    leave(league, gone)
    outcome = play(league)
    assert outcome.code == 0
    assert "3 of 5 bots go on: the first 3" in outcome.err
    ladder, final = seasons(league)
    decision = decision_of(final)
    assert decision is not None
    assert decision.season == ladder.number
    assert (final.open, final.rounds, len(final.entries)) == (False, 6, 3)
    assert_agrees(league)
    shown = Run(league, command="standings").end()
    assert "This is stage 2 of 2, Final. Of the 5 bots of season 1, 3 went on to it" in " ".join(
        shown.out.split()
    )


def test_a_final_in_which_the_heats_count_goes_on_after_a_kill(tmp_path: Path) -> None:
    """Two stages in processes of their own: the score is that of all sessions, and `arena verify` agrees."""
    more = (
        '[faults]\ndisqualify_share = 1\n[[stages]]\nname = "Heats"\nkeep = 4\n[[stages]]\nname = "Final"\n'
        "cycles = 4\nrounds = 4\ncarry = true\n"
    )
    league = make_league(tmp_path, bots=5, more=more)
    run = Run(league)
    time.sleep(2.0)
    if run.process.poll() is None:
        run.kill()
    outcome = play(league)
    assert outcome.code == 0
    heats, final = seasons(league)
    decision = decision_of(final)
    assert decision is not None
    assert (decision.carried, decision.no_carry, decision.to_play) == (10, "", 4)
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        both = reader.session_results(heats.number)
        both += [replace(one, cycle=one.cycle + 1) for one in reader.session_results(final.number)]
        expected = fit(both, [entry.bot for entry in heats.entries], 3, departed=decision.leaving)
        assert scored(reader, final).standings.fit == expected
    assert_agrees(league)
    assert "earlier stages" in " ".join(outcome.out.split())
    again = play(league)
    assert again.code == 0
    assert len(seasons(league)) == 2
