"""`arena review --against`: other bots are asked what the bot was asked; nothing of it is stored."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.author.review_against import review_against
from arena.match.record import MatchRecord
from arena.workbench.review_material import of_record
from arena.workbench.review_run import Limits
from tests.cli.author.test_replay_bot import SEAT, answers, parrot, record
from tests.cli.calling import Arena

pytestmark = pytest.mark.slow

__all__ = ["answers", "record"]

MATCH = 3
"""Its seat 2 is whom `tests.cli.author.test_replay_bot` listens to."""

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_bot_that_fails_later_is_asked_no_more_and_keeps_its_result(
    arena: Arena, finished: Path, bot: str, tmp_path: Path
) -> None:
    """It passes eight times: in its first match of four rounds, which it is asked twice."""
    noted = tmp_path / "passes"
    note = f"f = open('{noted}', 'a'); f.write('x'); f.close()"
    weary = f"{note}; os.path.getsize('{noted}') > 8 and sys.exit(3)"
    asked = ("--against", simple(tmp_path / "weary", before_pass=weary), "--worlds", 4)
    called = arena("review", finished, bot, *asked)
    assert called.code == 1, called.err
    assert " in 4 rounds" in " ".join(called.out.split())
    assert "Then it answered no more, and was not asked again: " in called.out
    assert "match 2 of" in called.err
    assert "match 3 of" not in called.err
    noted.unlink()
    (found,) = json.loads(arena("review", finished, bot, *asked, "--json").out)
    assert found["rounds"] == 4
    assert found["failed"]


def test_a_bot_at_several_seats_is_asked_at_all_of_them(
    record: MatchRecord, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in a duel: the bot of the first seat sits at another one as well."""
    seats = list(record.seats)
    seats[SEAT] = seats[0]
    duel = of_record(1, ["A", "B", "A", "D"], replace(record, seats=tuple(seats)), "A")
    limits = Limits("1", 4, None, whole=True)
    assert review_against(duel, [simple(tmp_path / "one")], limits, "off", lambda: None, as_json=True)
    (found,) = json.loads(capsys.readouterr().out)
    assert found["rounds"] == 2 * len(record.rounds)
    assert found["exact"]


@pytest.mark.parametrize("matches", [0, 1])
def test_a_run_that_begins_meanwhile_ends_the_asking(
    arena: Arena, finished: Path, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matches: int
) -> None:
    answers = iter([None, *[None] * matches, "123"])
    monkeypatch.setattr("arena.store.lock.holder_of", lambda path: next(answers))
    called = arena("review", finished, bot, "--against", simple(tmp_path / "one"), "--worlds", 4)
    if matches:
        assert called.code == 0
        assert " in 4 rounds" in " ".join(called.out.split())
        assert "stopped, because a run of this league has begun: this is what was answered" in called.err
    else:
        assert (called.code, called.out) == (2, "")
        assert "is being run by process 123" in called.err


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


def test_a_bot_that_is_silent_is_not_waited_for(
    arena: Arena, finished: Path, bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.workbench.against.ANSWER_SECONDS", 0.2)
    command = simple(tmp_path / "silent", before_pass="sys.stdin.read()")
    called = arena("review", finished, bot, "--match", MATCH, "--against", command)
    assert called.code == 2
    assert "does not answer: no answer within 0.2 s (at round 0, pass)" in " ".join(called.err.split())
