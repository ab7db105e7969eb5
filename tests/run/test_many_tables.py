"""Leagues with many tables in one process: the example of the Python kit, the same export as at one table,
and a referee that is killed in the middle."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from arena.store.views import MatchState
from tests.running import Run, assert_nothing_runs, finished, matches, play

KIT = Path(__file__).parents[2] / "bots" / "kits" / "python"
BOTS = ("Ant", "Bee", "Cat", "Dog", "Elk", "Fox")
MATCHES = 20
"""Of five of them."""
WHAT = ("standings", "sessions", "matches", "rounds", "plays")


def _league(folder: Path, tables: int, bots: int = 5) -> Path:
    """Sessions of four matches, 15 with six bots, that are all the kit's second example."""
    parts = [
        '[league]\nname = "Tiny"\nid = "tiny"\nseats = 4\nrounds = 4\n',
        '[schedule]\ncycles = 1\nseed = "tests"\n',
        f'[process]\njobs = 1\nnice = 0\ntables = {tables}\n[sandbox]\nmode = "off"\n',
    ]
    for name in BOTS[:bots]:
        bot = folder / name
        bot.mkdir(parents=True)
        shutil.copyfile(KIT / "papayoo.py", bot / "papayoo.py")
        (bot / "seer.py").write_text((KIT / "seer.py").read_text().replace("@NAME@", name))
        parts.append(f'[[bots]]\nname = "{name}"\nfolder = "{name}"\ncommand = ["{{python}}", "seer.py"]\n')
    path = folder / "league.toml"
    path.write_text("\n".join(parts))
    return path


def _exports(league: Path) -> list[str]:
    found = []
    for what in WHAT:
        outcome = Run(league, "--what", what, command="export").end()
        assert outcome.code == 0
        found.append(outcome.out)
    return found


@pytest.fixture(scope="module")
def one_table(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The export of the league, played one match at a time."""
    league = _league(tmp_path_factory.mktemp("one"), 1, bots=6)
    assert play(league).code == 0
    return _exports(league)


@pytest.mark.slow
def test_eight_tables_in_a_process_give_the_same_export(tmp_path: Path, one_table: list[str]) -> None:
    league = _league(tmp_path, 8, bots=6)
    assert play(league).code == 0
    assert _exports(league) == one_table
    assert Run(league, command="verify").end().code == 0
    assert_nothing_runs(tmp_path)


@pytest.mark.slow
def test_a_referee_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    """What it was playing is played again with the same boards: aborted together, finished once each."""
    league = _league(tmp_path, 4)
    run = Run(league)
    run.wait_for_matches(1)
    os.kill(run.referees()[0], signal.SIGKILL)
    assert run.end().code == 0
    assert finished(league) == MATCHES
    aborted = matches(league, state=MatchState.ABORTED)
    assert 1 <= len(aborted) <= 4
    for match in aborted:
        assert "was killed by signal 9" in match.reason
    assert Run(league, command="verify").end().code == 0
    assert_nothing_runs(tmp_path)


@pytest.mark.slow
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    league = _league(tmp_path, 8)
    run = Run(league)
    run.wait_for_matches(1)
    run.kill()
    assert 1 <= finished(league) < MATCHES
    assert play(league).code == 0
    assert finished(league) == MATCHES
    assert Run(league, command="verify").end().code == 0
