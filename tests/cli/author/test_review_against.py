"""`arena review --against`: other bots are asked what the bot was asked; nothing of it is stored."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from arena.match.record import MatchRecord
from arena.store.lock import RunLock
from tests.cli.author.test_reliving import SEAT, answers, parrot, record
from tests.cli.calling import Arena

__all__ = ["answers", "record"]

MATCH = 3
"""Its seat 2 is whom `tests.cli.author.test_reliving` listens to."""

SIMPLE = """
import base64, json, os, sys
import msgpack

def say(**message):
    print(base64.b64encode(msgpack.packb(message)).decode(), flush=True)

for line in sys.stdin.buffer:
    message = msgpack.unpackb(base64.b64decode(line))
    if message["type"] == "hello":
        say(type="ready", id=message["id"], name="Simple", version="1")
    elif message["type"] == "pass":
        {before_pass}
        say(type="cards", id=message["id"], cards=message["hand"][: message["count"]])
    elif message["type"] == "play":
        legal = message["legal"]
        say(type="card", id=message["id"], card={card})
"""


@pytest.fixture
def bot(record: MatchRecord) -> str:
    """Who sat at seat 2 of the match."""
    return record.seats[SEAT].bot


def simple(folder: Path, card: str = "legal[0]", before_pass: str = "pass") -> str:
    """A bot that passes its first cards and plays as told; returns its command."""
    folder.mkdir()
    (folder / "bot.py").write_text(SIMPLE.format(card=card, before_pass=before_pass))
    return f"{sys.executable} {folder / 'bot.py'}"


def test_a_bot_that_answers_the_same_differs_nowhere(
    arena: Arena, finished: Path, bot: str, answers: list[dict[str, object] | None], tmp_path: Path
) -> None:
    command = parrot(tmp_path / "parrot", answers)
    called = arena("review", finished, bot, "--match", MATCH, "--against", command, "--worlds", 4, "--json")
    assert called.code == 0
    (found,) = json.loads(called.out)
    assert (found["differ"], found["illegal"], found["exact"]) == (0, 0, True)
    assert 0 < found["asked"] <= len(answers)
    assert found["a_round"]["value"] == 0.0


def test_others_are_summed_by_phase_and_named(arena: Arena, finished: Path, bot: str, tmp_path: Path) -> None:
    before = finished.read_bytes()
    one, other = simple(tmp_path / "one"), simple(tmp_path / "other", "legal[-1]")
    asked = ("--match", MATCH, "--against", one, "--against", other, "--worlds", 8)
    called = arena("review", finished, bot, *asked)
    assert called.code == 0, called.err
    assert called.out.count("would have chosen otherwise than") == 2
    assert "Not exact" not in called.out
    again = arena("review", finished, bot, *asked)
    assert again.out == called.out
    both = json.loads(arena("review", finished, bot, *asked, "--json").out)
    for found in both:
        assert sum(phase["asked"] for phase in found["phases"]) == found["asked"]
        assert sum(phase["differ"] for phase in found["phases"]) == found["differ"] > 0
    assert finished.read_bytes() == before


def test_dice_are_not_exact_and_illegal_answers_are_counted(
    arena: Arena, finished: Path, bot: str, tmp_path: Path
) -> None:
    dice = simple(tmp_path / "dice", "legal[os.urandom(1)[0] % len(legal)]")
    wrong = simple(tmp_path / "wrong", "'P1' if 'P1' not in legal else 'P2'")
    called = arena(
        "review", finished, bot, "--match", MATCH, "--against", dice, "--against", wrong, "--worlds", 4
    )
    assert called.code == 0
    assert called.out.count("Not exact: asked the same twice") == 1
    assert "of its answers were illegal" in called.out


@pytest.mark.parametrize(
    ("card", "before_pass", "words"),
    [("legal[0]", "sys.exit(3)", "does not answer: "), ("'nonsense'", "pass", "does not answer: ")],
)
def test_a_bot_that_does_not_answer_is_named(
    arena: Arena, finished: Path, bot: str, tmp_path: Path, card: str, before_pass: str, words: str
) -> None:
    command = simple(tmp_path / "broken", card, before_pass)
    called = arena("review", finished, bot, "--match", MATCH, "--against", command)
    assert called.code == 2
    assert words in called.err
    assert called.out == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--against", "shrap"), "sharp"),
        (("--against", ","), "names no bot"),
        (("--against", "sharp", "--out", "x.json"), "no --out, no --jobs"),
        (("--against", "sharp", "--jobs", "2"), "no --out, no --jobs"),
        (("--sandbox", "auto"), "--sandbox works only with --against"),
    ],
)
def test_what_makes_no_sense_is_said(
    arena: Arena, finished: Path, bot: str, options: tuple[str, ...], words: str
) -> None:
    called = arena("review", finished, bot, *options)
    assert called.code == 2
    assert words in called.err


def test_a_league_that_is_being_run_is_not_disturbed(arena: Arena, finished: Path, bot: str) -> None:
    with RunLock(finished.with_name("spring.lock")):
        called = arena("review", finished, bot, "--against", "sharp")
    assert called.code != 0
    assert "is being run by" in called.err
