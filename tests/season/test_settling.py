"""A league whose budget settles nothing; that one is settled is in tests/runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import read
from arena.store.database import Database
from arena.verify.verify import verify
from tests.running import edit, make_league, play


@pytest.mark.slow
def test_a_budget_that_settles_nothing_says_so_also_where_the_stand_in_came_into_the_field(
    tmp_path: Path,
) -> None:
    league = make_league(tmp_path, bots=3, cycles=2)
    edit(league, "cycles = 2\n", 'cycles = 2\nline_ups = "gauntlet"\nstop = "settled"\n')
    for bot in ("b1", "b2"):
        edit(league, f'folder = "bots/{bot}"\n', f'folder = "bots/{bot}"\nrole = "house"\n')
    edit(tmp_path / "bots/b2/bot.py", "time.sleep(0.0)", "os._exit(3)")
    # With charges for its faults the first bot would soon be better than b2.
    edit(league, "[schedule]\n", "[faults]\nfault_points = 0\ndisqualify_share = 0.05\n\n[schedule]\n")
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    assert "b2 is excluded" in outcome.err
    with Database.open(league.parent / "league.db", read_only=True) as database:
        (season,) = read.seasons(database)
        assert verify(database, [season]).difference is None
    assert season.phases[0].end_reason.startswith("budget reached: undecided after 16 sessions")
