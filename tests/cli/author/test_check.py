"""`arena check`: every sample bot passes; text, JSON, badge and exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from protocol import decode
from tests.bots.programs import PYTHON_BOTS
from tests.cli.calling import Arena

BROKEN = Path(__file__).parents[2] / "workbench" / "check" / "broken.py"
ROOT = Path(__file__).parents[3]


SLOW_ON_A_BUSY_MACHINE = {"exits at the end of its input", "exits at `bye`"}
"""The steps that warn of 0.2 s by the clock."""


def _warned(said: str) -> set[str]:
    """Return the steps of a check that have a warning."""
    return set(re.findall(r"^ ?\d+  warning +(.*)$", said, re.MULTILINE))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name != "duck" else []) for name in PYTHON_BOTS]
)
def test_every_sample_bot_passes(name: str, arena: Arena) -> None:
    called = arena("check", name)
    assert called.code == 0, called.out
    assert _warned(called.out) <= SLOW_ON_A_BUSY_MACHINE, called.out
    lines = called.out.splitlines()
    steps = [line for line in lines if re.match(r" ?\d+  ", line)]
    assert len(steps) == 21
    assert lines[-1].startswith("papayoo protocol 1: PASSED, 20 of 20 steps passed | ")


def of_page(page: str, folder: Path) -> Path:
    """The bot in Python that a page shows."""
    found = re.search(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    (folder / "bot.py").write_text(found[1], encoding="utf-8")
    return folder


def test_the_bot_of_the_specification_passes(arena: Arena, tmp_path: Path) -> None:
    called = arena("check", of_page("protocol/SPEC.md", tmp_path))
    assert called.code == 0, called.out
    assert _warned(called.out) <= SLOW_ON_A_BUSY_MACHINE, called.out


@pytest.mark.slow
def test_warnings_fail_only_if_that_is_wanted(arena: Arena, tmp_path: Path) -> None:
    bot = of_page("README.md", tmp_path)  # it does not look at `bye`
    lax, strict = arena("check", bot), arena("check", bot, "--strict")
    assert (lax.code, strict.code) == (0, 1)
    assert "| 1 warning |" in lax.out.splitlines()[-1]


def test_a_failure_shows_question_bytes_expectation_and_standard_error(arena: Arena) -> None:
    called = arena("check", f"broken={{python}} {BROKEN} seven")
    assert called.code == 1
    step = called.out.partition("\n 7  FAILED ")[2].partition("\n 8  ")[0]
    told = dict(re.findall(r"^ {13}(\w[\w ]*?)  +(\S.*)$", step, re.MULTILINE))
    assert "exit code 3" in told["found"]
    assert "at tables of 7" in told["found"]
    assert json.loads(told["question"]) == decode(told["its bytes"].encode())
    assert told["expected"].startswith('one line: "cards"')
    assert called.out.splitlines()[-1].startswith(
        "papayoo protocol 1: FAILED, 19 of 20 steps passed | Broken 1"
    )


@pytest.mark.slow
def test_the_same_as_data(arena: Arena) -> None:
    called = arena("check", f"{{python}} {BROKEN} revoke", "--json")
    data = json.loads(called.out)
    assert (called.code, data["passed"]) == (1, False)
    failed = [step for step in data["steps"] if step["verdict"] == "failed"]
    assert [step["name"] for step in failed] == ["follows"]
    evidence = failed[0]["evidence"]
    assert evidence["sent_bytes"].endswith("\\n")
    assert json.loads(evidence["came"])["type"] == "card"
    assert "FAILED" in data["badge"]


def test_a_bot_that_does_not_start(arena: Arena) -> None:
    called = arena("check", f"{{python}} {BROKEN} 'does not start'")
    assert called.code == 1
    assert "no such engine" in called.out
    assert called.out.count("it does not start") == 20


def test_a_misspelt_bot(arena: Arena) -> None:
    called = arena("check", "dukc")
    assert (called.code, called.err) == (2, "Error: dukc: no such bot; did you mean duck?\n")
