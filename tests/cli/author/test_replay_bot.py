"""`arena replay --bot`: a bot is asked a recorded match again; also the file of one match.

The bot is a parrot: it gives the answers of a list, whatever it is asked, and writes down what it read.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.league_files import opened
from arena.match.rebuild import rebuild
from arena.match.record import MatchRecord
from arena.store import read
from arena.workbench.replay import asked_of
from protocol.codec import encode
from tests.cli.calling import Arena

SEAT = 2
PARROT = """
import base64, json, pathlib, sys
import msgpack

here = pathlib.Path(__file__).parent
answers = json.loads((here / "answers.json").read_text())
heard = (here / "heard").open("wb")

def say(**message):
    print(base64.b64encode(msgpack.packb(message)).decode(), flush=True)

for line in sys.stdin.buffer:
    heard.write(line)
    heard.flush()
    message = msgpack.unpackb(base64.b64decode(line))
    if message["type"] == "hello":
        say(type="ready", id=message["id"], name="Parrot", version="1")
    elif message["type"] in ("pass", "play"):
        answer = answers.pop(0)
        if answer is None:
            sys.exit("no more")
        say(id=message["id"], **answer)
"""


@pytest.fixture
def record(finished: Path) -> MatchRecord:
    with opened(finished) as league:
        return read.record(league.database, 1, 3)


@pytest.fixture
def answers(record: MatchRecord) -> list[dict[str, object] | None]:
    """What the seat answered in the match."""
    lines = [line.message for line in rebuild(record).lines if line.seat == SEAT and line.from_bot]
    return [{key: value for key, value in message.items() if key != "id"} for message in lines]


def parrot(folder: Path, answers: list[dict[str, object] | None]) -> str:
    """A bot that gives these answers; returns its command."""
    folder.mkdir()
    (folder / "bot.py").write_text(PARROT)
    (folder / "answers.json").write_text(json.dumps(answers))
    return f"{sys.executable} {folder / 'bot.py'}"


def test_it_reads_the_very_bytes_and_answers_as_then(
    arena: Arena, finished: Path, record: MatchRecord, answers: list[dict[str, object] | None], tmp_path: Path
) -> None:
    command = parrot(tmp_path / "bot", answers)
    called = arena("replay", finished, "3", "--bot", command, "--seat", SEAT)
    assert (called.code, called.err) == (0, "")
    assert f"{len(answers)} answers: {len(answers)} as then, 0 different" in called.out
    sent = [encode(line.message) for line in rebuild(record).lines if line.seat == SEAT and not line.from_bot]
    heard = (tmp_path / "bot" / "heard").read_bytes().splitlines(keepends=True)
    last = asked_of(record, SEAT)[-1].line
    last_question = max(place for place, line in enumerate(sent) if line == last)
    assert heard[1 : last_question + 2] == sent[: last_question + 1]


def test_it_says_where_the_answer_is_another(
    arena: Arena, finished: Path, record: MatchRecord, answers: list[dict[str, object] | None], tmp_path: Path
) -> None:
    changed = next(
        place for place, asked in enumerate(asked_of(record, SEAT)) if len(asked.message.get("legal", ())) > 1
    )
    asked = asked_of(record, SEAT)[changed]
    assert asked.then is not None
    other = next(card for card in asked.message["legal"] if card not in asked.then)
    answers[changed] = {"type": "card", "card": other}
    answers[changed + 1] = {"type": "card", "card": asked.then[0]}
    called = arena(
        "replay", finished, "3", "--bot", parrot(tmp_path / "bot", answers), "--seat", SEAT, "--json"
    )
    assert called.code == 1
    told = json.loads(called.out)
    first, second = told["differences"][:2]
    assert (first["round"], first["trick"]) == (asked.place[0], asked.place[1] - 1)
    assert (first["now"], first["then"], first["illegal"]) == ([other], list(asked.then), None)
    assert second["illegal"].startswith("not one of ")
    assert told["alike"] == told["questions"] - 2
    assert told["failed"] is None


def test_a_bot_that_ends_is_shown_with_its_question_and_last_words(
    arena: Arena, finished: Path, answers: list[dict[str, object] | None], tmp_path: Path
) -> None:
    answers[1] = None
    called = arena("replay", finished, "3", "--bot", parrot(tmp_path / "bot", answers), "--seat", SEAT)
    assert called.code == 1
    assert "then it stopped answering" in called.out
    assert "(at round 0, trick 0)" in called.out
    assert "no more" in called.out.split("then it stopped answering")[1]


@pytest.mark.slow
def test_it_stops_before_a_question_for_a_debugger(
    finished: Path, answers: list[dict[str, object] | None], tmp_path: Path
) -> None:
    command = parrot(tmp_path / "bot", answers)
    argv = [sys.executable, "-m", "arena", "replay", str(finished), "3"]
    argv += ["--bot", command, "--seat", str(SEAT), "--break", "1:pass"]
    done = subprocess.run(argv, input="\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "stopped before round 1, pass; the bot is process " in done.stderr
    assert '  question  {"type": "pass", ' in done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--bot", "duck", "--seat", "7"], "--seat 7: the match has the seats 0 to 3"),
        (["--bot", "sharp"], "which seat? Sharp does not name exactly one bot of the match; give --seat: 0 "),
        (["--bot", "duck", "--seat", "0", "--break", "9"], "--break 9: expected ROUND:TRICK"),
        (["--bot", "duck", "--seat", "0", "--break", "9:1"], "seat 0 was not asked at round 9, trick 1"),
        (["--seat", "1"], "--seat, --break and --json work only with --bot BOT"),
        (["--bot", "duck", "--text"], "with --bot the whole match is asked again"),
    ],
)
def test_what_cannot_be_is_refused(arena: Arena, finished: Path, options: list[str], words: str) -> None:
    called = arena("replay", finished, "3", *options)
    assert called.code == 2
    assert words in called.err


def test_the_file_of_a_match_is_as_good_as_the_league(
    arena: Arena, finished: Path, answers: list[dict[str, object] | None], tmp_path: Path
) -> None:
    assert arena("report", finished, "-o", tmp_path / "pages").code == 0
    file = tmp_path / "pages" / "matches" / "3.json"
    assert arena("replay", file).out == arena("replay", finished, "3").out
    assert arena("replay", file, ":1").out == arena("replay", finished, "3:1").out
    called = arena("replay", file, "--bot", parrot(tmp_path / "bot", answers), "--seat", SEAT)
    assert called.code == 0
    assert arena("replay", file, "4").err == f"Error: {file} holds match 3, not 4\n"
    assert "private" not in json.loads(file.read_text())["record"], (
        "it holds nothing that the page does not show"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{", "", "it is not the file of a match"),
        ('"papayoo match"', '"other"', "it is not the file of a match: kind: "),
        ('"points":[', '"points":[9,', "contradicts itself"),
        ('"version":1', '"version":9', "its record has version 9, this arena knows 1"),
        ('"names":["', '"names":["X","', "contradicts itself: 5 names, 4 seats and 4 seeds"),
    ],
)
def test_a_file_that_is_none_is_refused(
    arena: Arena, finished: Path, tmp_path: Path, old: str, new: str, words: str
) -> None:
    arena("report", finished, "-o", tmp_path / "pages")
    file = tmp_path / "pages" / "matches" / "3.json"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    called = arena("replay", file)
    assert called.code == 2
    assert words in called.err
    assert "Traceback" not in called.err
