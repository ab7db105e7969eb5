"""`arena check`: every sample bot passes; text, JSON, badge and exit code."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from protocol import decode
from tests.cli.calling import Arena

BROKEN = Path(__file__).parents[2] / "workbench" / "broken.py"
ROOT = Path(__file__).parents[3]


SLOW_ON_A_BUSY_MACHINE = {
    "exits at the end of its input", "exits at `bye`", "needs little time to start, and little memory",
}  # fmt: skip
"""The steps that warn by the clock."""


def _warned(said: str) -> set[str]:
    """Return the steps of a check that have a warning."""
    return set(re.findall(r"^ ?\d+  warning +(.*)$", said, re.MULTILINE))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["duck", "learned"])
def test_a_sample_bot_passes(name: str, arena: Arena) -> None:
    called = arena("check", name)
    assert called.code == 0, called.out
    assert _warned(called.out) <= SLOW_ON_A_BUSY_MACHINE, called.out
    lines = called.out.splitlines()
    steps = [line for line in lines if re.match(r" ?\d+  ", line)]
    assert len(steps) == 21
    passed = 21 if name == "learned" else 20  # the others play at one table at a time
    assert lines[-1].startswith(f"papayoo protocol 1: PASSED, {passed} of {passed} steps passed | ")


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
    assert "\npapayoo protocol 1: PASSED, 20 of 20 steps passed | " in called.out


@pytest.mark.slow
def test_warnings_fail_if_that_is_wanted(arena: Arena, tmp_path: Path) -> None:
    strict = arena("check", of_page("README.md", tmp_path), "--strict")  # it does not look at `bye`
    assert strict.code == 1
    assert " warning" in strict.out.splitlines()[-1]


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
    assert "skipped" not in called.out
    assert called.out.splitlines()[-2] == "The other steps need a bot that starts."


LEAGUE = """
[league]
name = "Two"
seats = 3

[[bots]]
name = "Duck"
folder = "duck"
command = ["{{python}}", "bot.py"]

[[bots]]
name = "Mine"
folder = "mine"
command = ["{{python}}", "bot.py"]
build = ["{{python}}", "-c", "{build}"]

[sandbox]
mode = "{mode}"
"""


@pytest.fixture
def league(tmp_path: Path) -> Path:
    for name in ("duck", "mine"):
        shutil.copytree(ROOT / "bots/python/duck", tmp_path / name)
    file = tmp_path / "league.toml"
    file.write_text(LEAGUE.format(build="print(1)", mode="auto"), encoding="utf-8")
    return file


def test_every_bot_of_a_league_is_built_and_started_and_nothing_is_played(arena: Arena, league: Path) -> None:
    before = sorted(league.parent.rglob("*"))
    called = arena("check", league)
    assert (called.code, called.out.splitlines()[-1]) == (0, "All 2 bots are ready; nothing was played.")
    assert [line.split()[0] for line in called.out.splitlines()[:2]] == ["duck", "mine"]
    assert sorted(league.parent.rglob("*")) == before


def test_the_bots_of_an_open_league_are_those_that_were_entered(arena: Arena, tmp_path: Path) -> None:
    assert arena("init", tmp_path / "contest").code == 0
    file = tmp_path / "contest" / "league.toml"
    file.write_text(file.read_text(encoding="utf-8").replace('mode = "require"', 'mode = "off"'))
    shutil.copytree(ROOT / "bots/python/dump", tmp_path / "contest/entries/broken")
    (tmp_path / "contest/entries/broken/bot.py").write_text("raise SystemExit('not finished')")
    called = arena("check", file)
    assert called.code == 1
    assert re.search(r"^count +ready: Count 1, in Python$", called.out, re.MULTILINE)
    assert re.search(r"^low +ready: Low 1, in Python$", called.out, re.MULTILINE)
    assert "stderr: not finished" in called.out


def test_a_league_with_bots_that_are_not_ready(arena: Arena, league: Path) -> None:
    league.write_text(LEAGUE.format(build="raise SystemExit(7)", mode="off"), encoding="utf-8")
    (league.parent / "duck/bot.py").write_text("raise SystemExit('not finished')", encoding="utf-8")
    called = arena("check", league)
    assert called.code == 1
    assert "2 of 2 bots are not ready; nothing was played." in called.out
    assert "stderr: not finished" in called.out
    assert re.search(r"mine: not built: .*exit code 7", called.out)
    data = json.loads(arena("check", league, "--json").out)
    assert {one["bot"]: bool(one["ready"]) for one in data} == {"duck": False, "mine": False}


def test_limits_of_a_league_are_in_its_file(arena: Arena, league: Path) -> None:
    called = arena("check", league, "--start-seconds", "3")
    assert called.code == 2
    assert "--start-seconds is for a single bot; a league file has its own limits." in called.err
    assert "league.toml" in arena("check", league.parent / "leage.toml").err


OPEN = """
[league]
name = "Open"
seats = 3
open = true
entries = "entries/*"

[[bots]]
name = "Duck"
folder = "duck"
command = ["{python}", "bot.py"]

[sandbox]
mode = "off"
"""


def test_a_folder_that_wants_the_id_of_a_bot_is_not_ready_and_the_bot_is(arena: Arena, league: Path) -> None:
    league.write_text(OPEN, encoding="utf-8")
    taken = league.parent / "entries/duck"
    taken.mkdir(parents=True)
    (taken / "bot.toml").write_text('name = "Other"\ncommand = ["{python}", "bot.py"]\n', encoding="utf-8")
    (league.parent / "entries/\x1b]0;title\x07").mkdir()
    called = arena("check", league)
    assert called.code == 1
    assert "\x1b" not in called.out
    lines = called.out.splitlines()
    assert [line.split()[1] for line in lines[:3]] == ["ready:", "FAILED", "FAILED"]
    assert lines[4] == "2 of 3 bots are not ready; nothing was played."
    assert [line for line in lines[5:] if line.startswith("  duck:")] == [
        "  duck: entries/duck: the id duck belongs to the bot in duck"
    ]
    assert "command:" not in called.out, "they were not started"
    data = json.loads(arena("check", league, "--json").out)
    assert [bool(one["ready"]) for one in data] == [True, False, False]
    assert [bool(one["reason"]) for one in data] == [False, True, True]


@pytest.mark.parametrize("given", [f"{sys.executable} -u bot.py --rules x.toml", "mine.toml"])
def test_a_command_or_a_folder_that_ends_like_a_league_file_is_a_bot(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    (tmp_path / "mine.toml").mkdir()
    (tmp_path / "bot.py").write_text("raise SystemExit(7)", encoding="utf-8")
    shutil.copy(tmp_path / "bot.py", tmp_path / "mine.toml")
    monkeypatch.chdir(tmp_path)
    assert "papayoo protocol 1: FAILED" in arena("check", given, "--sandbox", "off").out


def test_a_text_too_long_for_a_path_is_no_internal_error(arena: Arena) -> None:
    assert arena("check", f"nothing {'x' * 300}.toml", "--sandbox", "off").code == 2


def test_a_league_file_may_have_a_blank_in_its_name(arena: Arena, league: Path) -> None:
    assert "ready" in arena("check", league.rename(league.parent / "our league.toml")).out


WRITES = "open('log.txt', 'w').write('x')"


@pytest.mark.slow
def test_a_bot_that_writes_beside_itself_fails_as_in_a_league(arena: Arena, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "bots/python/duck", tmp_path / "bot")
    program = (tmp_path / "bot/bot.py").read_text(encoding="utf-8")
    at_end = program.replace('if __name__ == "__main__":', f'if __name__ == "__main__":\n    {WRITES}')
    (tmp_path / "bot/bot.py").write_text(at_end, encoding="utf-8")
    caged = arena("check", tmp_path / "bot", "--sandbox", "require")
    if "does not work here" in caged.err and "CI" not in os.environ:
        pytest.skip("no sandbox works here")
    assert caged.code == 1
    assert "Read-only file system" in caged.out
    assert arena("check", tmp_path / "bot").code == 1, "as is usual"
    assert arena("check", tmp_path / "bot", "--sandbox", "off").code == 0


def test_a_misspelt_bot(arena: Arena) -> None:
    called = arena("check", "dukc")
    assert (called.code, called.err) == (2, "Error: dukc: no such bot; did you mean duck?\n")
