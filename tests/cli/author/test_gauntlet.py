"""`arena gauntlet` as its users meet it: real bots, what it says, how it ends, and how it resumes."""

from __future__ import annotations

import json
import re
import signal
from pathlib import Path

import pytest

from arena.cli.author import gauntlet
from arena.schedule import planners as schedule
from arena.score import paired, verdicts
from tests.cli.calling import Arena, caller
from tests.running import _BOT as BOT
from tests.running import Run, assert_nothing_runs, make_bot

pytestmark = pytest.mark.slow

QUICK = ("--seats", 3, "--seed", "tests", "--sandbox", "off", "--jobs", 1)


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Arena:
    """Runs `arena` with cycles of 3 sessions, a look after each and much error: tests are short."""
    monkeypatch.setattr("arena.linux.family.become_subreaper", lambda: None)  # we have other children
    monkeypatch.setattr(schedule, "LEAST_SESSIONS", 3)
    for module in (paired, verdicts):
        monkeypatch.setattr(module, "ENOUGH_SESSIONS", 3)
    monkeypatch.setattr(verdicts, "ERROR_RATE", 0.9)
    monkeypatch.setattr(paired, "MISSED", 0.9)
    return caller(capsys)


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the bots old, new, wall and door; the current folder is an empty one beside it."""
    for name, pick in {"old": 3, "new": 0, "wall": 1, "door": 2}.items():
        make_bot(tmp_path / "bots" / name, BOT.format(pick=pick, slow=0.0, trick=""))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "bots"


def asked(bots: Path, *more: object) -> tuple[object, ...]:
    """The command: new against old, in the company of wall and door."""
    ours = ("-c", bots / "new", "-c", bots / "old", "-a", bots / "wall", "-a", bots / "door")
    return ("gauntlet", *ours, *QUICK, *more)


@pytest.mark.slow
def test_a_better_version_is_found_and_everything_is_kept(
    arena: Arena, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called = arena(*asked(bots, "--max-sessions", 30))
    assert called.code == 0
    assert called.out.startswith("new is better than old by ")
    assert "settled after 12 sessions (432 rounds)" in " ".join(called.out.split())
    assert max(map(len, called.out.splitlines())) <= 80
    assert "Against wall, door" in called.out
    assert "arena report gauntlet.toml" in called.err
    for command in ("verify", "status", "standings", "report"):
        assert arena(command, "gauntlet.db").code == 0
    first = arena("export", "gauntlet.db", "--what", "sessions").out.splitlines()[1:5]
    sat = {tuple(row.split(",")[6:9]) for row in first}
    assert sat == {("new", "6", "18"), ("old", "6", "18"), ("wall", "12", "36"), ("door", "12", "36")}
    again = arena(*asked(bots, "--max-sessions", 30))
    assert (again.code, again.out) == (0, called.out)
    assert arena("gauntlet", "gauntlet.toml").out == called.out, "the file can be given itself"
    refused = arena("gauntlet", "gauntlet.toml", "--margin", 2)
    assert refused.code == 2
    assert "leave out --margin" in refused.err

    turned = ("-c", bots / "old", "-c", bots / "new", "-a", bots / "wall", "-a", bots / "door")
    monkeypatch.setattr(gauntlet, "SESSIONS", 3)
    reverse = arena("gauntlet", *turned, *QUICK)
    assert "a new question begins season 2; season 1 stays stored" in reverse.err


@pytest.mark.slow
def test_the_same_bot_twice_is_undecided_and_a_budget_only_grows(
    arena: Arena, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "ERROR_RATE", 1e-300)
    monkeypatch.setattr(paired, "MISSED", 1e-300)
    twice = ("gauntlet", "-c", bots / "new", "-c", f"copy={bots / 'new'}", "-a", bots / "wall", *QUICK)
    monkeypatch.setattr(gauntlet, "SESSIONS", 3)
    called = arena(*twice, "--json")
    found = json.loads(called.out)
    assert (called.code, found["outcome"], found["sessions"]) == (5, "open", 3)
    assert [line["bot"] for line in found["candidates"]] in (["new", "copy"], ["copy", "new"])
    assert found["opponents"] in (["wall", "house-1"], ["house-1", "wall"])
    assert "greater --max-sessions" in called.err
    monkeypatch.setattr(gauntlet, "SESSIONS", 6)
    assert arena(*twice).out.startswith("Undecided after 6 sessions (216 rounds): new is ")
    monkeypatch.setattr(gauntlet, "SESSIONS", 3)
    fewer = arena(*twice)
    assert "the budget stays 6 sessions: it can only grow" in fewer.err
    assert (fewer.code, fewer.out[:17]) == (5, "Undecided after 6")


@pytest.mark.slow
def test_one_candidate_is_compared_with_its_opponents(arena: Arena, bots: Path) -> None:
    called = arena("gauntlet", "-c", bots / "old", "-a", bots / "wall", "-a", bots / "new", *QUICK, "--json")
    assert called.code == 1
    found = json.loads(called.out)
    (one,) = found["comparisons"]
    assert (one["first"], one["outcome"]) == ("old", "worse")
    assert one["low"] < one["difference"] < one["high"] < 0
    assert (found["outcome"], found["settled"], found["reason"]) == ("worse", True, None)


@pytest.mark.slow
def test_the_bots_and_rules_of_a_league(arena: Arena, bots: Path) -> None:
    texts = [
        '[league]\nname = "L"\nseats = 3\nrounds = 3\n[time]\nmove_seconds = 2.0\n[sandbox]\nmode = "off"\n'
    ]
    texts += [
        f'[[bots]]\nname = "{name}"\nfolder = "../bots/{name}"\ncommand = ["{{python}}", "bot.py"]\n'
        for name in ("old", "new", "wall", "door")
    ]
    Path("l.toml").write_text("".join(texts))
    called = arena("gauntlet", "l.toml", "-c", "New", "-c", "old", "--seed", "tests")
    assert called.code == 0
    assert "Against wall, door" in called.out
    written = Path("l-gauntlet.toml").read_text()
    assert "move_seconds = 2.0" in written
    assert "rounds = 3" in written
    assert Path("l-gauntlet.db").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "nothing to compare"),
        (("-c", "duck"), "no opponents"),
        (("-c", "dukc", "-a", "sharp"), "dukc: no such bot; did you mean duck?"),
        (("-c", "duck", "-a", "sharp", "--seats", 9), "9 is not in the range"),
        (("-c", "duck", "-a", "sharp", "--max-sessions", 5), "5 is not in the range"),
        (("-c", "duck", "-a", "sharp", "--seed", "a|b"), "seed"),
    ],
)
def test_what_cannot_be_asked(arena: Arena, bots: Path, args: tuple[object, ...], said: str) -> None:
    called = arena("gauntlet", *args)
    assert called.code == 2
    assert said in called.err
    assert not list(Path().iterdir())


def test_the_files_do_not_lie_in_a_bots_folder(
    arena: Arena, bots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bots / "new")
    called = arena("gauntlet", "-c", "bot.py", "-a", "../wall")
    assert called.code == 2
    assert "the folder of new, which must not change" in called.err
    assert "--output" in called.err


def test_somebody_elses_file_is_not_written_over(arena: Arena, bots: Path) -> None:
    Path("gauntlet.toml").write_text("# mine\n")
    called = arena(*asked(bots))
    assert called.code == 2
    assert "not written by arena gauntlet; choose another --output" in called.err
    assert Path("gauntlet.toml").read_text() == "# mine\n"


@pytest.mark.slow
def test_ctrl_c_keeps_everything(bots: Path, tmp_path: Path) -> None:
    texts = [
        f'[[bots]]\nname = "{name}"\nfolder = "../bots/{name}"\ncommand = ["{{python}}", "bot.py"]\n'
        for name in ("old", "new", "wall", "door")
    ]
    league = tmp_path / "here" / "l.toml"
    head = '[league]\nname = "L"\nseats = 3\n[sandbox]\nmode = "off"\n'
    league.write_text(head + "".join(texts))
    run = Run(league, "-c", "new", "-c", "old", command="gauntlet")
    run.wait_for(lambda: re.search(r"\d/[\d,]+ matches", run.said()))
    run.interrupt(signal.SIGINT)
    ended = run.end()
    assert ended.code == 130
    assert "to resume: arena gauntlet l-gauntlet.toml" in ended.err
    assert ended.out.startswith("No answer yet: ")
    assert_nothing_runs(tmp_path / "here" / "l-gauntlet.arena")
