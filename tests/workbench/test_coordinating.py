"""A coordinator with canned slots plays a league to its end; how fast that is, is not tested."""

from __future__ import annotations

import json
from functools import partial

import pytest
from click.testing import CliRunner

from arena.cli.workshop.bench import bench
from arena.match.record import MatchRecord
from arena.runner.results import RunWatcher
from arena.workbench import coordinating
from arena.workbench.coordinating import Coordinated, Sample, coordinate

BOTS = 12
MATCHES = 48
"""Of one cycle."""


@pytest.fixture(autouse=True)
def a_small_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinating, "_BOTS", BOTS)
    monkeypatch.setattr(coordinating, "_CANNED", 3)


def test_every_match_of_the_league_is_stored_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[MatchRecord] = []

    class Collecting(RunWatcher):
        def finished(self, record: MatchRecord, matches_left: int) -> None:
            stored.append(record)

    monkeypatch.setattr(coordinating, "RunWatcher", Collecting)
    sample = coordinate(7, cycles=2)
    assert sample.matches == len(stored) == len({record.key for record in stored}) == 2 * MATCHES
    assert all(len({seat.bot for seat in record.seats}) == 4 for record in stored)
    assert sample.seconds > 0
    assert sample.cpu_seconds > 0


def test_the_command_tells_each_number_of_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coordinating, "coordinate", partial(coordinate, cycles=1))
    said = CliRunner().invoke(bench, ["--slots", "2,30", "--quick", "--json"])
    assert said.exit_code == 0, said.output
    told = [
        Coordinated(one["slots"], tuple(Sample(**each) for each in one["samples"]))
        for one in json.loads(said.output)
    ]
    assert [(one.slots, one.samples[0].matches) for one in told] == [(2, MATCHES), (30, MATCHES)]
    text = CliRunner().invoke(bench, ["--slots", "3", "--repeats", "1"])
    assert "3 slots" in text.output


@pytest.mark.parametrize("wrong", ["0", "2,x", "", "10001", "2;3"])
def test_numbers_of_slots_that_cannot_be_are_refused(wrong: str) -> None:
    said = CliRunner().invoke(bench, ["--slots", wrong])
    assert said.exit_code == 2
    assert "expected numbers from 1 to 10,000" in said.output
