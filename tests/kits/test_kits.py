"""Every kit, fresh from `arena new`: its codec, what it plays, and `arena check`.

README.md beside this file says what a kit must do; here it is looked at.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import protocol
from arena.workbench.bots import Bot, bots_given
from arena.workbench.check import Verdict, check_bot
from arena.workbench.kits import Kit, find_kit
from protocol import decode, encode
from tests.kits.fresh import (
    IN_CI,
    NAME,
    each,
    fresh,
    needed,
    talk,
    vectors_program,
    with_python,
)

ROOT = Path(__file__).parents[2]
TRANSCRIPTS = ROOT / "protocol" / "transcripts"
INTEGERS = [
    *(0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 - 1),
    *(-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, 1 - 2**53),
]

each_kit = pytest.mark.parametrize("kit", each())


def vectors(name: str) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads((files(protocol) / "vectors" / name).read_text(encoding="utf-8"))
    return cases


def given_line(case: dict[str, Any]) -> bytes:
    """The line of a case without the newline that reading a line takes away."""
    return bytes.fromhex(case["line_hex"]) if "line_hex" in case else case["line"].encode()


def line_of(packed: bytes) -> bytes:
    return protocol.codec.line_of(packed).removesuffix(b"\n")


def good_lines() -> Iterator[tuple[str, bytes]]:
    for case in vectors("messages.json"):
        yield case["name"], given_line(case)
    for case in vectors("answers.json"):
        yield case["name"], given_line(case).removesuffix(b"\n")
    for case in vectors("refused.json"):
        if case["by"] == "answer":
            yield case["name"], given_line(case)
    for number in INTEGERS:
        yield f"the integer {number}", encode({"n": number}).removesuffix(b"\n")
        form, wide = ("<q", 0xD3) if number < 0 else ("<Q", 0xCF)
        yield f"{number} in 64 bits", line_of(b"\x81\xa1n" + bytes([wide]) + struct.pack(form, number)[::-1])
    for size in (0, 15, 16, 31, 32, 255, 256, 40000):
        yield f"a string of {size} bytes", encode({"s" * (size % 300): "é" * (size // 2) + "x" * (size % 2)})
    for size in (0, 15, 16, 255, 256, 1024):
        yield f"an array of {size}", encode({"a": [None, True] * (size // 2) + [False] * (size % 2)})
    for size in (0, 15, 16, 64):
        yield f"a map of {size}", encode({"m": {f"k{number}": [] for number in range(size)}})
    yield "8 deep", encode({"a": [[[[[[{}]]]]]]})


def refused_lines() -> Iterator[tuple[str, bytes]]:
    for case in vectors("refused.json"):
        if case["by"] == "decode":
            yield case["name"], given_line(case)
    room = 65536 // 4 * 3
    yield "too long", b"".join([line_of(b"\x81\xa1s\xda"), b"A" * room])[:65536]
    yield "a lone length", line_of(b"\x81\xa1s\xdb\x00")


GOOD = [(name, line.removesuffix(b"\n")) for name, line in good_lines()]
BAD = list(refused_lines())


@each_kit
def test_vectors(kit: Kit, tmp_path: Path) -> None:
    needed(kit)
    folder, command = vectors_program(kit, tmp_path)
    asked = "".join(f"{line.hex()}\n" for _, line in [*GOOD, *BAD])
    done = talk(command, folder, asked.encode())
    assert done.returncode == 0, done.stderr.decode()
    answers = done.stdout.splitlines()
    assert len(answers) == len(GOOD) + len(BAD)
    for (name, line), answer in zip(GOOD, answers, strict=False):
        message = decode(line)
        assert not answer.startswith(b"refused"), (name, answer)
        assert decode(answer) == message, name
        assert len(answer) + 1 == len(encode(message)), f"{name}: not in the shortest form"
    taken = [
        name for (name, _), answer in zip(BAD, answers[len(GOOD) :], strict=True) if answer[:7] != b"refused"
    ]
    assert taken == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Kit], Bot]:
    """A fresh bot of a kit, built as a league builds it; once for all tests."""
    made: dict[str, Bot] = {}

    def make(kit: Kit) -> Bot:
        needed(kit)
        if kit.lang not in made:
            above = tmp_path_factory.mktemp(kit.lang)
            above.chmod(0o755)
            mode = "require" if IN_CI else "auto"
            given = [str(fresh(kit, above))]
            (made[kit.lang],) = bots_given(given, above, lambda text: None, sandbox=mode)
        return made[kit.lang]

    return make


@pytest.fixture(scope="module")
def seer(tmp_path_factory: pytest.TempPathFactory) -> Bot:
    """The second example of the Python kit."""
    above = tmp_path_factory.mktemp("seer")
    above.chmod(0o755)
    given = f"seer={{python}} '{fresh(find_kit('python'), above) / 'seer.py'}'"
    (bot,) = bots_given([given], above, lambda text: None)
    return bot


def long_talk() -> bytes:
    """The transcripts of tables of 3 to 8 as one talk: one `hello`, one `bye`."""
    talks = [(TRANSCRIPTS / f"{players}p.in").read_bytes().splitlines(True) for players in range(3, 9)]
    middle = [line for lines in talks for line in lines[1:-1]]
    return b"".join([talks[0][0], *middle, talks[0][-1]])


@pytest.fixture(scope="module")
def ducks_answers() -> list[bytes]:
    return talk([sys.executable, "bot.py"], ROOT / "bots/python/duck", long_talk()).stdout.splitlines()[1:]


@each_kit
def test_a_fresh_bot_plays_as_duck_does(
    kit: Kit, built: Callable[[Kit], Bot], ducks_answers: list[bytes]
) -> None:
    command = built(kit).command
    done = talk(with_python(command.argv), Path(command.folder), long_talk())
    assert done.returncode == 0, done.stderr.decode()
    ready, *answers = done.stdout.splitlines()
    who = {"name": NAME, "version": "1", "language": kit.title}
    assert decode(ready) == {"type": "ready", "id": "hello-1", **who}
    assert [decode(answer) for answer in answers] == [decode(answer) for answer in ducks_answers]
    assert answers == ducks_answers


@each_kit
def test_what_is_refused_ends_the_bot_with_a_word(kit: Kit, built: Callable[[Kit], Bot]) -> None:
    command = built(kit).command
    done = talk(with_python(command.argv), Path(command.folder), b"my turn, I play D10\n")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.strip()


@pytest.mark.slow
@each_kit
def test_a_fresh_bot_passes_the_check(kit: Kit, built: Callable[[Kit], Bot]) -> None:
    outcomes = check_bot(built(kit), lambda outcome: None).outcomes
    assert len(outcomes) > 20
    failed = [outcome for outcome in outcomes if outcome.finding.verdict is Verdict.FAILED]
    assert failed == []  # warnings are about time, and a machine may be busy


@pytest.mark.slow
def test_the_second_example_of_python_serves_many_tables(seer: Bot) -> None:
    outcomes = check_bot(seer, lambda outcome: None).outcomes
    assert [outcome for outcome in outcomes if outcome.finding.verdict is Verdict.FAILED] == []
    (tables,) = (outcome for outcome in outcomes if outcome.step == "several_tables")
    assert tables.finding.verdict is Verdict.PASSED
