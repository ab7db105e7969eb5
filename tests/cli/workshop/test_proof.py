"""`arena proof`: text, JSON, choices, and the exit code of a broken claim."""

from __future__ import annotations

import json

import pytest

from arena.standings import verdicts
from tests.cli.calling import Arena

FEW = ("proof", "--quick", "--leagues", 40, "--jobs", 1)


def test_text_names_every_claim(arena: Arena) -> None:
    called = arena(*FEW, "--only", "order.equal-faults", "--only", "variance.4x4")
    assert called.code == 0
    lines = called.out.splitlines()
    assert lines[0] == "Wrong orders: 6 bots, 4 seats, equal with their charges, up to 6 cycles (40 leagues)"
    assert any("the same bot separated" in line and "at most 0.33 %" in line for line in lines)
    assert any(line.startswith("Variance, random seats over Latin") for line in lines)
    assert lines[-1] == "All 3 claims hold."


def test_json_is_the_same_for_the_same_seed(arena: Arena) -> None:
    first = arena(*FEW, "--only", "variance.4x4", "--json", "--seed", 5)
    found = json.loads(first.out)
    assert (found["seed"], found["holds"]) == (5, True)
    (study,) = found["studies"]
    assert (study["name"], study["leagues"]) == ("variance.4x4", 40)
    assert [figure["key"] for figure in study["figures"]] == ["variance.4x4.seats"]
    assert arena(*FEW, "--only", "variance.4x4", "--json", "--seed", 5).out == first.out


def test_a_broken_claim_is_named_and_ends_with_1(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "boundary", lambda sessions, error, doubt: 1.0)
    called = arena(*FEW, "--only", "order.equal-faults")
    assert called.code == 1
    assert "DOES NOT HOLD" in called.out
    assert "claims do not hold: order.equal-faults.wrong" in called.out.splitlines()[-1]


def test_a_study_that_does_not_exist_is_refused_with_those_that_do(arena: Arena) -> None:
    called = arena("proof", "--quick", "--only", "coverag.6x4")
    assert called.code == 2
    assert "no study begins with coverag.6x4: there are coverage.6x4, " in called.err
