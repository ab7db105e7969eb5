"""Leagues with many tables in one process: the example of the Python kit, the same export as at one table,
and a referee that is killed in the middle."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from arena.store.views import MatchState
from tests.running import Run, assert_nothing_runs, finished, matches, play

KIT = Path(__file__).parents[2] / "bots" / "kits" / "python"
BOTS = ("Ant", "Bee", "Cat", "Dog", "Elk")
MATCHES = 20
WHAT = ("standings", "matches", "plays")


def _league(folder: Path, tables: int) -> Path:
    """Five sessions of four matches between bots that are all the kit's second example."""
    parts = [
        '[league]\nname = "Tiny"\nseats = 4\nrounds = 4\n',
        '[schedule]\ncycles = 1\nseed = "tests"\n',
        f'[process]\ntables = {tables}\n[sandbox]\nmode = "off"\n',
    ]
    for name in BOTS:
        bot = folder / name
        bot.mkdir(parents=True)
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


@pytest.mark.slow
def test_many_tables_in_a_process_give_the_same_export_also_when_killed(tmp_path: Path) -> None:
    """What was played together is aborted together, played again with the same boards, and finished once."""
    calm = _league(tmp_path / "calm", 1)
    assert play(calm).code == 0
    league = _league(tmp_path / "killed", 4)
    run = Run(league)
    run.wait_for_matches(1)
    os.kill(run.referees()[0], signal.SIGKILL)
    run.wait_for(lambda: matches(league, state=MatchState.ABORTED))
    aborted = matches(league, state=MatchState.ABORTED)
    assert 1 <= len(aborted) <= 4
    for match in aborted:
        assert "was killed by signal 9" in match.reason
    run.wait_for_matches(finished(league) + 1)
    run.kill()
    assert play(league).code == 0
    assert finished(league) == MATCHES
    assert _exports(league) == _exports(calm)
    assert Run(league, command="verify").end().code == 0
    assert_nothing_runs(tmp_path)
