"""`arena play --me`: a person among real bots, typed through a pipe, a file and a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.linux.process_tree import children
from protocol.messages import CARDS
from tests.cli.calling import Arena
from tests.tables import left_alive

pytestmark = pytest.mark.slow

ARENA = (sys.executable, "-m", "arena", "play", "--me", "--terminal")
MATCH = ("sharp", "count", "duck", "--rounds", "1", "--seed", "a", "--sandbox", "off")
PASS, PLAYS = "1 2 3 4 5\n", "1\n" * 15
LEFT = "You have left the table, and with that the match is over.\n"
ENDED = "The input has ended, and with it the match.\n"


def typed(text: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        (*ARENA, *(words or MATCH)), input=text, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def whole() -> subprocess.CompletedProcess[str]:
    """A match of one round that is played to its end."""
    return typed(PASS + PLAYS)


def test_a_person_plays_a_whole_match_through_a_pipe(whole: subprocess.CompletedProcess[str]) -> None:
    assert (whole.returncode, whole.stderr) == (0, "")
    lines = whole.stdout.splitlines()
    assert lines[0] == "You sit with Sharp, Count and Duck."
    assert "Round 0, you deal." in lines
    tricks = [line for line in lines if " -> " in line]
    assert [int(line.split()[0]) for line in tricks] == list(range(15))
    assert sorted(word for line in tricks for word in line.split() if word in CARDS) == sorted(CARDS)
    assert "1 round; the same deals again: --rounds 1 --seed a" in lines
    rows = [line.split() for line in lines[-4:]]
    assert sorted(row[1] for row in rows) == ["Count", "Duck", "Sharp", "You"]
    assert sum(int(row[-2]) for row in rows) == 250


def test_the_points_shown_are_those_of_the_result(whole: subprocess.CompletedProcess[str]) -> None:
    lines = whole.stdout.splitlines()
    shown = next(line.split() for line in lines if line.startswith("  match"))
    rows = {row[1]: row[3] for row in (line.split() for line in lines[-4:])}
    assert shown[1:] == [rows[name] for name in ("You", "Sharp", "Count", "Duck")]


def test_no_card_of_the_others_is_shown_before_it_falls(whole: subprocess.CompletedProcess[str]) -> None:
    known: set[str] = set()
    for line in whole.stdout.splitlines():
        words = line.split()
        falls = line[:4].strip().isdigit() or line.startswith(("You pass", "You get", "The Papayoo"))
        cards = set(re.findall(r"[SHDCP]\d+", line))
        if falls or (words[:1] == ["hand"] and not known):
            known |= cards
        assert cards <= known, line


def test_odd_input_is_answered_in_a_sentence_each_and_costs_nothing() -> None:
    odd = ["", "s1", "S1 S1 S7 S9 H4", "S1 S7 S9 H4 S8", "1 2 3 4 16", "X9 1 2 3 4", "\x1b[2J", "?"]
    called = typed("\n".join(odd) + "\ns1, s7, S9 4 4\ns1, s7, S9 5 4\nquit\n")
    assert called.returncode == 130
    said = called.stdout.splitlines()
    for sentence in (
        "Type 5 cards, such as S1, or ? for help.",
        "Pass 5 cards, not 1.",
        "S1 is there twice, and you hold it once.",
        "You do not hold S8.",
        "16 is no place: the cards that you may choose have the places 1 to 15.",
        "X9 is no card: S, H, D and C go from 1 to 10, and P from 1 to 20.",
        "In each round you get 15 cards, and pass 5 of them to Sharp. Then the die",
        "H4 is there twice, and you hold it once.",
        "You pass S1 S7 S9 H4 D6 to Sharp.",
    ):
        assert sentence in said, sentence
    assert "\x1b" not in called.stdout
    assert called.stderr == LEFT


@pytest.mark.parametrize(
    "text",
    [
        "1 2",
        pytest.param("", marks=pytest.mark.slow),
        pytest.param(PASS, marks=pytest.mark.slow),
        pytest.param(PASS + "1\n1", marks=pytest.mark.slow),
    ],
)
def test_the_end_of_the_input_ends_the_match_in_a_sentence(text: str) -> None:
    called = typed(text)
    assert called.returncode == 130
    assert called.stderr == ENDED
    assert called.stdout.endswith("\n")


@pytest.mark.slow
def test_json_goes_to_standard_output_alone(tmp_path: Path) -> None:
    trace = tmp_path / "lines.txt"
    called = typed(PASS + PLAYS, *MATCH, "--json", "--trace", str(trace))
    played = json.loads(called.stdout)
    assert [seat["bot"] for seat in played["seats"]] == ["You", "Sharp", "Count", "Duck"]
    assert played["seats"][0]["ready"]["name"] == "You"
    assert played["faults"] == []
    assert "Round 0 is over." in called.stderr
    own = [line for line in trace.read_text(encoding="utf-8").splitlines() if "You (seat 0)" in line]
    assert sum(" <- " in line for line in own) == 16


@pytest.mark.slow
def test_with_a_clock_the_stand_in_chooses_for_who_is_late() -> None:
    words = ("duck", "low", "--rounds", "1", "--sandbox", "off", "--clock", "--move-seconds", "2")
    with subprocess.Popen(
        (*ARENA, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as called:
        assert called.stdin is not None
        assert called.stdout is not None
        called.stdin.write("1 2 3 4 5\n")  # and then nothing more: the pipe stays open
        called.stdin.flush()
        shown = called.stdout.read()
    assert called.returncode == 0
    lines = shown.splitlines()
    assert "Pass 5 cards to Duck (2 s): 1 2 3 4 5" in lines
    assert lines.count("Play (2 s): ") == 2
    assert lines.count("The stand-in chose for you.") == 1
    end = "Your match is over, and the others play on: the stand-in has taken over: silent."
    assert lines.count(end) == 1
    assert "Faults of You (seat 0)" in lines


def until(terminal: int, words: str, seen: str = "", seconds: float = 60.0) -> str:
    """Read what the terminal shows until these words are there."""
    deadline = time.monotonic() + seconds
    while words not in seen:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"not shown in time: {words!r}; shown: {seen!r}"
        try:
            data = os.read(terminal, 65536)
        except OSError:  # the other end is closed
            data = b""
        assert data, f"the end came before {words!r}: {seen!r}"
        seen += data.decode()
    return seen


def test_ctrl_c_on_a_terminal_ends_the_match_in_one_sentence() -> None:
    before = set(children())
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(ARENA[0], (*ARENA, *MATCH))
    try:
        until(terminal, "Pass 5 cards to Sharp: ")
        os.write(terminal, b"1 2 3 4 5\n")
        until(terminal, "Play: ")
        os.write(terminal, b"h9\n")
        until(terminal, "Play: ")
        os.write(terminal, b"d\x03")
        seen = until(terminal, LEFT.rstrip())
        assert "Traceback" not in seen
        assert seen.count("left the table") == 1
        _, status = os.waitpid(pid, 0)
        assert os.waitstatus_to_exitcode(status) == 130
    finally:
        os.close(terminal)
    assert left_alive(set(children()) - before) == []


def test_what_cannot_be_is_refused_before_anything_starts(arena: Arena) -> None:
    assert arena("play", "--me", "duck").err.endswith(
        "you and 1 bot: a table has 3 to 8 seats, for example: arena play --me duck random low\n"
    )
    called = arena("play", "--me", *["duck"] * 8)
    assert "you and 8 bots: a table has 3 to 8 seats" in called.err
    called = arena("play", "--me", "duck", "low", "--show")
    assert "--show shows the hands of the others: leave it out with --me" in called.err
    called = arena("play", "--me", "--terminal", "duck", "you=low", "--sandbox", "off")
    assert "You are you: give that bot another name, such as other=duck" in called.err
    for option in ("--clock", "--terminal", "--name=Ann", "--host=box"):
        called = arena("play", "duck", "low", "low", option)
        assert f"{option.partition('=')[0]} is for --me" in called.err
