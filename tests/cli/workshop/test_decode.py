"""`arena decode`: every message of the specification both ways, and errors that tell where."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.calling import Arena

VECTORS = Path(__file__).parents[3] / "protocol" / "vectors"
MESSAGES = json.loads((VECTORS / "messages.json").read_text(encoding="utf-8"))
REFUSED = json.loads((VECTORS / "refused.json").read_text(encoding="utf-8"))
CARD = "g6R0eXBlpGNhcmSiaWSqcTdaazFjMFhiV6RjYXJkolMz"
CARD_TEXT = '{"type": "card", "id": "q7Zk1c0XbW", "card": "S3"}'


def feed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_both_ways_by_argument(arena: Arena) -> None:
    assert arena("decode", CARD, CARD_TEXT).out.splitlines() == [CARD_TEXT, CARD]


def test_every_message_of_the_vectors_there_and_back(arena: Arena) -> None:
    lines = [case["line"] for case in MESSAGES]
    texts = arena("decode", *lines).out.splitlines()
    assert [json.loads(text) for text in texts] == [case["message"] for case in MESSAGES]
    assert arena("decode", *texts).out.splitlines() == lines


def test_every_refused_vector_is_refused_by_its_name(arena: Arena) -> None:
    cases = [case for case in REFUSED if case["by"] == "decode" and len(case.get("line", "")) > 1]
    cases = [case for case in cases if case["line"].strip() and not case["line"].startswith(("-", "{"))]
    assert len(cases) > 10
    for case in cases:
        called = arena("decode", case["line"])
        assert (called.code, called.out) == (1, ""), case
        assert called.err.startswith(f"argument 1: {case['refusal']}: "), case


def test_standard_input_is_read_line_by_line(arena: Arena, monkeypatch: pytest.MonkeyPatch) -> None:
    feed(monkeypatch, f"{CARD}\r\n\n{CARD_TEXT}\nnonsense!\n{CARD}".encode())
    called = arena("decode")
    assert called.code == 1
    assert called.out.splitlines() == [CARD_TEXT, CARD, CARD_TEXT]
    assert called.err.startswith("standard input, line 4: NOT_BASE64: ")
    assert 'It has "!" at byte 8.' in called.err


def test_a_file(arena: Arena, tmp_path: Path) -> None:
    file = tmp_path / "lines"
    file.write_text(f"{CARD}\n{CARD}\n")
    assert arena("decode", "--file", file).out.splitlines() == [CARD_TEXT, CARD_TEXT]
    assert "cannot be read" in arena("decode", "--file", tmp_path / "none").err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"type": "card", "id" "q1"}', 'not JSON: Expecting \':\' delimiter at character 23, found ""q1"}"'),
        ('{"a": 5.0}', "5.0: a message holds no floats"),
        ('{"a": NaN}', "NaN: a message holds no floats"),
        ('{"a": 1, "a": 2}', 'the key "a" stands twice'),
        ('{"a": 9007199254740992}', "2^53 or more"),
        ('{"a": 99999999999999999999999}', "cannot be a line"),
        ('{"a": [[[[[[[[1]]]]]]]]}', "nested more than 8 deep"),
        ('{"a": ' + "[" * 100_000, "far too deep"),
        ('{"a": "' + "x" * 70_000 + '"}', "at most 65536"),
        ('{"a"', "found the end"),
    ],
)
def test_text_that_is_no_message_says_where(arena: Arena, text: str, why: str) -> None:
    called = arena("decode", text)
    assert (called.code, called.out) == (1, "")
    assert called.err.startswith("argument 1: ")
    assert why in called.err


def test_an_answer_that_a_referee_would_refuse_is_turned_and_remarked_upon(arena: Arena) -> None:
    called = arena("decode", '{"type": "card", "id": "q1", "card": "S11"}')
    assert called.code == 1
    assert called.out.startswith("g6R0eXBl")
    assert "a referee would refuse this answer: A card is not one of the 60 names" in called.err


def test_what_cannot_be_seen_does_not_reach_the_terminal(arena: Arena) -> None:
    line = arena("decode", r'{"a": "\u001b[2J\u202e\udb40\udc01é"}').out.strip()
    assert arena("decode", line).out == r'{"a": "\u001b[2J\u202e\udb40\udc01é"}' + "\n"


def test_the_bytes_as_the_specification_shows_them(arena: Arena) -> None:
    assert arena("decode", "--hex", CARD).out.splitlines()[1:] == [
        "  83 a4 74 79 70 65 a4 63 61 72 64 a2 69 64 aa 71",
        "  37 5a 6b 31 63 30 58 62 57 a4 63 61 72 64 a2 53",
        "  33",
    ]


def test_not_two_sources_at_once(arena: Arena, tmp_path: Path) -> None:
    assert arena("decode", CARD, "--file", tmp_path / "x").code == 2
