"""A bot is timed at real tables; how fast this machine is, is not tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import Arena, caller
from tests.tables import HOSTILE


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    return caller(capsys)


def test_a_bot_is_measured_at_one_table_and_at_two(arena: Arena) -> None:
    called = arena("bench", "low", "--seconds", "0.3", "--tables", "2", "--seats", "3", "--json")
    data = json.loads(called.out)
    one, many = data["one_table"], data["many_tables"]
    assert (one["tables"], many["tables"]) == (1, 2)
    for load in (one, many):
        assert load["decisions"] % 21 == 0  # whole matches of one round: a pass and twenty cards
        assert load["decisions"] > 0
        assert load["decisions_per_second"] > 0
        times = load["decision_us"]
        assert 0 < times["p50"] <= times["p95"] <= times["p99"] <= times["longest"] < 1_000_000
        assert load["faults"] == []
        assert load["memory_bytes"] > 1 << 20
    assert 0 < data["start_seconds"] < 10


@pytest.mark.slow
def test_faults_are_told(arena: Arena) -> None:
    called = arena("bench", f"{{python}} {HOSTILE}/illegal.py foreign", "--seconds", "0.2", "--tables", "1")
    assert "the first: illegal: " in called.out


def test_a_bot_that_does_not_start_is_no_measurement(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit('not today')")
    called = arena("bench", tmp_path)
    assert called.code == 2
    assert "stderr: not today" in called.err
