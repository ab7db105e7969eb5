"""`arena run --dry-run` and `arena status --balance`: what they print."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from arena.cli.layout import span
from arena.cli.organiser.forecast import forecast_text
from arena.league import read_league
from arena.runner.seasons import open_phase
from arena.season.forecast import forecast
from arena.store.database import Database
from tests.cli.calling import Arena
from tests.running import LONG_MOVES, edit, make_league
from tests.season.test_opening import Desk


def test_a_dry_run_shows_size_time_and_balance_and_stores_nothing(arena: Arena, tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=12)
    edit(league, "cycles = 1", 'cycles = 2\nstop = "settled"')
    before = sorted(tmp_path.iterdir())
    called = arena("run", league, "--dry-run", "--jobs", "2")
    assert called.code == 0, called.err
    assert called.err == ""
    assert "in all    2 cycles = 24 sessions, 144 matches\n" in called.out
    assert "line-ups  as many line-ups a cycle as bots" in called.out
    shown = " ".join(called.out.split())
    assert "when settled, at the latest after 2 cycles" in shown
    assert re.search(r"about [0-9a-z ]+ with 2 referees, judged by sessions that were played for it", shown)
    assert "games     matches of a bot                           36    36       0" in called.out
    assert max(map(len, called.out.splitlines())) <= 80
    assert sorted(tmp_path.iterdir()) == before


def test_a_bot_that_does_not_start_is_named(arena: Arena, tmp_path: Path) -> None:
    """The forecast is there all the same; then it ends as the run would."""
    league = make_league(tmp_path, bots=3)
    edit(tmp_path / "bots/b1/bot.py", "run(", "raise SystemExit('no model')  # (")
    called = arena("run", league, "--dry-run")
    assert called.code == 2
    shown = " ".join(called.out.split())
    assert "time not known: 1 of 3 bots is not ready; no match was played. b1: the process ended by" in shown
    assert called.err.startswith("Error: 1 of 3 bots is not ready")
    assert "arena-trial-" not in called.err, "of copies that are gone nothing is said"
    assert "stderr: no model" in called.err
    assert "judged by sessions" in arena("run", league, "--dry-run", "--allow-broken").out


def test_a_dry_run_without_a_required_sandbox(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))  # where no bubblewrap is
    called = arena("run", make_league(tmp_path, bots=3, sandbox="require"), "--dry-run")
    assert called.code == 2
    assert "not known: A sandbox is required, but does not work here" in called.out


def test_a_bot_that_does_not_answer_in_time_stops_no_dry_run(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runner.trial.MOST_SECONDS", 0.5)
    league = make_league(tmp_path, bots=3, slow=3.0, more=LONG_MOVES)
    called = arena("run", league, "--dry-run")
    assert called.code == 0, called.err
    assert "not known: no match of a session was over after 0.5 s" in called.out


def commit(league: Path) -> None:
    """Open the season and commit to its deals, as a run does whose bots are not ready."""
    with Database.open(league.with_name("league.db"), create=True) as database:
        desk = Desk(league, database)
        assert open_phase(desk.open(), desk.database) is not None


def test_a_dry_run_says_that_an_unplayed_season_begins_anew(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runner.trial.try_sessions", lambda *_: 0.5)
    league = make_league(tmp_path, bots=3)
    commit(league)
    assert "season    continues season 1\n" in arena("run", league, "--dry-run").out
    edit(league, "rounds = 3", "rounds = 6")
    seen = arena("run", league, "--dry-run").out
    assert "season    begins season 1 anew, for nothing of it was played:\n" in seen
    assert "league.rounds: 3 -> 6" in seen
    commit(league)
    assert "begins anew, for nothing of it was played: league.rounds: 3 -> 6" in arena("status", league).out
    assert arena("verify", league).code == 0


def test_the_balance_of_what_was_played(arena: Arena, finished: Path) -> None:
    called = arena("status", finished, "--balance")
    assert called.code == 0
    assert called.out.startswith("The balance of the 20 matches that count, in season 1:\n")
    assert "meetings  matches of two bots together" in called.out
    told = json.loads(arena("status", finished, "--balance", "--json").out)
    assert (told["matches"], told["games"]["spread"], told["dealing"]["spread"]) == (20, 0, 0)


def test_times_are_for_people() -> None:
    spans = [span(seconds) for seconds in (0.2, 59, 60, 200, 7500, 97200)]
    assert spans == ["1 s", "59 s", "1 min 0 s", "3 min 20 s", "2 h 5 min", "1 d 3 h"]


@pytest.mark.parametrize(
    ("bots", "seats", "cycles", "said"),
    [
        (5, 4, 8, "possible after cycle 4: 20 sessions, 16 of each bot"),
        (
            4, 4, 8,
            "WARNING: none in 8 cycles. They become possible after cycle 16: "
            "16 sessions, 16 of each bot. Set cycles = 16 or more",
        ),
        (
            2, 4, 7,
            "WARNING: none in 7 cycles. They become possible after cycle 8: "
            "16 sessions, 16 of each bot. Set cycles = 8 or more",
        ),
        (4, 4, "auto", "possible after cycle 16: 16 sessions, 16 of each bot"),
        (1, 4, "auto", "none: a single bot is ranked, so there is nothing to compare"),
    ],
)  # fmt: skip
def test_a_dry_run_says_when_verdicts_become_possible(
    tmp_path: Path, bots: int, seats: int, cycles: int | str, said: str
) -> None:
    league = make_league(tmp_path, bots=bots)
    edit(league, "seats = 3", f"seats = {seats}")
    edit(league, "cycles = 1\n", f"cycles = {json.dumps(cycles)}\n")
    text = forecast_text(forecast(read_league(league)), "")
    assert f" verdicts {said} left " in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
