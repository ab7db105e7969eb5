"""`arena play`: from names on a command line to points, faults and an exit code, with real processes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from protocol import encode
from protocol.messages import CARDS
from tests.cli.calling import Arena
from tests.tables import HOSTILE

ROOT = Path(__file__).parents[3]


def test_three_samples_play_and_nothing_is_written(
    arena: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    called = arena("play", "random", "duck", "low", "--seed", "a", "--sandbox", "off")
    assert (called.code, called.err) == (0, "")
    lines = called.out.splitlines()
    assert lines[0] == "3 rounds; the same deals again: --rounds 3 --seed a"
    assert lines[2].split()[:5] == ["seat", "bot", "r0", "r1", "r2"]
    assert lines[2].split()[5:] == ["card", "fault", "total", "place"]
    assert {line.split()[1] for line in lines[3:]} == {"Random", "Duck", "Low"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_without_a_seed_one_is_drawn_and_told_and_plays_the_same_again(arena: Arena) -> None:
    wanted = ("play", "random", "first=low", "low", "--rounds", "2", "--json")
    first, second = (json.loads(arena(*wanted).out) for _ in range(2))
    assert first["seed"] != second["seed"]
    assert json.loads(arena(*wanted, "--seed", first["seed"]).out) == first
    assert [seat["bot"] for seat in first["seats"]] == ["Random", "first", "Low"]
    assert [sum(played["points"]) for played in first["rounds"]] == [250, 250]
    assert sorted(seat["place"] for seat in first["seats"])[0] == 1


def test_all_cards_are_shown_and_the_trace_has_every_line_both_ways(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    called = arena("play", "duck", "mine=duck", "low", "--rounds", "1", "--show", "--trace", file)
    assert called.out.splitlines()[-2:] == ["", "mine (seat 1) calls itself Duck 1"]
    shown, _, result = called.out.partition("\n1 round;")
    tricks = [line for line in shown.splitlines() if line.startswith("trick ")]
    fallen = [word for line in tricks for word in re.findall(r"\w+", line) if word in CARDS]
    assert sorted(fallen) == sorted(CARDS)
    assert [line.split()[1] for line in tricks] == [str(number) for number in range(20)]
    assert sum(int(re.findall(r"takes (\d+) \(", line)[0]) for line in tricks) == 250
    assert len(re.findall(r"^[012] \w+ +[SHDCP]", shown, re.M)) == 3
    assert "place" in result
    assert str(file) in called.err
    lines = file.read_text(encoding="utf-8").splitlines()
    # for each seat: hello, start, 21 questions, round_over, match_over, bye; and ready with 21 answers
    assert sum(" -> " in line for line in lines) == 3 * 26
    assert sum(" <- " in line for line in lines) == 3 * 22
    asked = [json.loads(line[line.index("{") :]) for line in lines if '"type": "play"' in line]
    assert len(asked) == 60
    assert all(encode(message).endswith(b"\n") for message in asked)


def test_faults_are_told_with_reason_evidence_and_stderr(arena: Arena) -> None:
    dies = f"dies={{python}} {HOSTILE}/dies.py 5 3"
    wrong = f"wrong={{python}} {HOSTILE}/illegal.py foreign"
    # In a sandbox on a busy machine the exit code may come later than the end of the output.
    called = arena("play", "duck", wrong, dies, "--rounds", "1", "--fail-on-fault", "--sandbox", "off")
    assert called.code == 3
    assert "Faults of wrong (seat 1)" in called.out
    assert "illegal: " in called.out
    assert "is not in the hand" in called.out
    assert "The stand-in then played the rest of its match (max_faults)." in called.out
    assert "round 0, trick 4" in called.out
    assert "crashed: the process ended by itself, with exit code 3" in called.out
    assert " dies now" in called.out.partition("The end of its standard error")[2]


def test_faults_alone_are_no_failure(arena: Arena) -> None:
    wrong = f"{{python}} {HOSTILE}/illegal.py foreign"
    called = arena("play", "duck", wrong, "low", "--rounds", "1")
    assert called.code == 0
    row = next(line.split() for line in called.out.splitlines() if line.split()[1:2] == ["illegal"])
    assert row[4] == "120"


def test_too_few_bots_are_answered_with_an_example_that_works(arena: Arena) -> None:
    called = arena("play", "duck")
    assert called.code == 2
    assert "a table has 3 to 8 seats, for example: arena play duck random low" in called.err
    assert "3 to 8 seats" in arena("play", *["duck"] * 9).err


def test_a_bot_that_does_not_start_says_why(arena: Arena, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("raise SystemExit('I am not finished')\n")
    called = arena("play", "random", tmp_path / "bot.py", "low")
    assert (called.code, called.out) == (2, "")
    assert "the process ended by itself, with exit code 1" in called.err
    assert "stderr: I am not finished" in called.err


@pytest.fixture
def hoarder(tmp_path: Path) -> Path:
    """A bot that never flushes its output, once it has said that it is ready."""
    shutil.copytree(ROOT / "bots/python/duck", tmp_path / "hoarder")
    text = (ROOT / "papayoo_bot.py").read_text(encoding="utf-8")
    assert text.count("out.flush()") == 2
    own = text.replace("out.flush()", "message['type'] == 'hello' and out.flush()")
    (tmp_path / "hoarder" / "papayoo_bot.py").write_text(own, encoding="utf-8")
    return tmp_path / "hoarder"


@pytest.mark.slow
def test_answers_that_were_never_flushed_are_told_of(arena: Arena, hoarder: Path) -> None:
    called = arena("play", "random", hoarder, "low", "--rounds", "1", "--move-seconds", "2")
    assert "came only when its input had ended; it keeps lines back: flush standard output" in called.out
    data = json.loads(arena("play", "random", hoarder, "low", "--rounds", "1", "--json").out)
    assert [seat["kept_back_bytes"] > 0 for seat in data["seats"]] == [False, True, False]


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("--seed", "a|b", "--seed"),
        ("--trace", "/nowhere/x", "cannot be written"),
        ("--rounds", "0", "rounds"),
    ],
)
def test_what_cannot_be_is_refused(arena: Arena, option: str, value: str, text: str) -> None:
    called = arena("play", "random", "duck", "low", option, value)
    assert called.code == 2
    assert text in called.err
