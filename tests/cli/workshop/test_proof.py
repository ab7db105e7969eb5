"""`arena proof`: text, JSON, choices, and the exit code of a broken claim."""

from __future__ import annotations

import json
import re

import pytest

from arena.proof.excluded import Excluded
from tests.cli.calling import Arena

FEW = ("proof", "--quick", "--leagues", 40, "--jobs", 1)


def test_text_names_every_claim(arena: Arena) -> None:
    called = arena(*FEW, "--only", "excluded.5", "--only", "excluded.broken")
    assert called.code == 0
    lines = called.out.splitlines()
    title = "Excluded: 24 bots, each replaced in 5 % of its matches, match by match, 40 sessions, limit 10 %"
    assert lines[0] == f"{title} (40 leagues)"
    assert re.fullmatch(r"  anybody excluded +0.00 % ± 0.50 %   at most 0.10 %", lines[1])
    assert lines[-1] == "All 2 claims hold."


def test_json_is_the_same_for_the_same_seed(arena: Arena) -> None:
    first = arena(*FEW, "--only", "excluded.3", "--json", "--seed", 5)
    found = json.loads(first.out)
    assert (found["seed"], found["holds"]) == (5, True)
    (study,) = found["studies"]
    assert (study["name"], study["leagues"]) == ("excluded.3", 40)
    assert [figure["key"] for figure in study["figures"]] == ["excluded.3.out"]
    assert arena(*FEW, "--only", "excluded.3", "--json", "--seed", 5).out == first.out


def test_a_broken_claim_is_named_and_ends_with_1(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Excluded, "sample", lambda *_: 1)
    called = arena(*FEW, "--only", "excluded.3")
    assert called.code == 1
    assert "DOES NOT HOLD" in called.out
    assert "claims do not hold: excluded.3.out" in called.out.splitlines()[-1]


def test_a_study_that_does_not_exist_is_refused_with_those_that_do(arena: Arena) -> None:
    called = arena("proof", "--quick", "--only", "coverag.6x4")
    assert called.code == 2
    assert "no study begins with coverag.6x4: there are coverage.6x4, " in called.err
