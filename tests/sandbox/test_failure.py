"""Every known failure has its cause and its cure, from messages as they were recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.sandbox.failure import explain

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", RECORDED, ids=[case["name"] for case in RECORDED])
def test_a_recorded_message_is_explained(case: dict[str, object]) -> None:
    machine = case.get("machine", [])
    assert isinstance(machine, list)
    found = explain(str(case["said"]), frozenset(machine))
    assert str(case["cause"]) in found.cause
    assert str(case["cure"]) in found.cure
    assert found.said in str(case["said"])
    assert "\n" not in str(found)


def test_what_is_not_known_is_quoted() -> None:
    found = explain("bwrap: Something new\n\n", frozenset())
    assert found.said == "bwrap: Something new"
    assert str(found) == (
        "bubblewrap cannot make a sandbox here (bwrap: Something new); docs/sandbox.md says what it needs"
    )
    assert explain("", frozenset()).said == "nothing was said"
    assert len(explain("x" * 999, frozenset()).said) == 200
