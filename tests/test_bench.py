"""The benchmark plays real matches and a whole league; how fast this machine is, is not tested."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.bench import __main__ as command
from arena.bench import coordinator
from arena.bench.coordinator import Coordinated
from arena.bench.tables import Tables, bots_that_hardly_think
from arena.match.record import MatchRecord
from arena.runner.results import RunWatcher

BOTS = 12
MATCHES = 48
"""Of one cycle."""


def test_every_match_of_the_league_that_was_played_beforehand_is_stored_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored: list[MatchRecord] = []

    class Collecting(RunWatcher):
        def finished(self, record: MatchRecord, matches_left: int) -> None:
            stored.append(record)

    monkeypatch.setattr(coordinator, "_BOTS", BOTS)
    monkeypatch.setattr(coordinator, "_CANNED", 3)
    monkeypatch.setattr(coordinator, "RunWatcher", Collecting)
    sample = Coordinated(7, cycles=2).sample()
    assert sample["matches"] == len(stored) == len({record.key for record in stored}) == 2 * MATCHES
    assert all(len({seat.bot for seat in record.seats}) == 4 for record in stored)
    assert all(value > 0 for value in sample.values())


@pytest.mark.slow
@pytest.mark.parametrize("tables", [1, 2])
def test_tables_of_every_language_are_measured(tables: int, tmp_path: Path) -> None:
    for bot in bots_that_hardly_think(tmp_path).values():
        with Tables(bot, 3, tables, 0, 1) as probe:
            sample = probe.sample()
        assert all(value > 0 for value in sample.values()), sample


def test_the_command_samples_all_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[int] = []

    class Counting:
        def __init__(self, slots: int, cycles: int) -> None:
            self._slots = slots

        def sample(self) -> dict[str, float]:
            turns.append(self._slots)
            return {"turn": len(turns)}

    monkeypatch.setattr(command, "Coordinated", Counting)
    monkeypatch.setattr(command, "bots_that_hardly_think", lambda folder: {})
    run = partial(CliRunner().invoke, command.main)
    done = run(["--slots", "2", "--slots", "30", "--quick", "--json"])
    assert turns == [2, 30] * 2
    assert [figures["turn"] for figures in list(json.loads(done.stdout).values())[1:]] == [[1, 3], [2, 4]]
    assert "30 slots" in run(["--slots", "30", "--repeats", "1"]).stdout


def test_a_core_that_cannot_be_used_is_refused() -> None:
    done = CliRunner().invoke(command.main, ["--core", "9999"])
    assert done.exit_code == 2
    assert "these can: " in done.output
