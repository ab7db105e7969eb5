"""`python -m arena.protocol`: every message of the specification both ways, and errors that tell where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.protocol import main

FOLDER = Path(__file__).parents[2] / "protocol"
MESSAGES = json.loads((FOLDER / "vectors" / "messages.json").read_text(encoding="utf-8"))
REFUSED = json.loads((FOLDER / "vectors" / "refused.json").read_text(encoding="utf-8"))
CARD = "g6R0eXBlpGNhcmSiaWSqcTdaazFjMFhiV6RjYXJkolMz"
CARD_TEXT = '{"type": "card", "id": "q7Zk1c0XbW", "card": "S3"}'


def turn(*lines: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(main, lines, input=given)


def test_both_ways_by_argument() -> None:
    assert turn(CARD, CARD_TEXT).stdout.splitlines() == [CARD_TEXT, CARD]


def test_every_message_of_the_vectors_there_and_back() -> None:
    lines = [case["line"] for case in MESSAGES]
    texts = turn(*lines).stdout.splitlines()
    assert [json.loads(text) for text in texts] == [case["message"] for case in MESSAGES]
    assert turn(*texts).stdout.splitlines() == lines


def test_every_refused_vector_is_refused_by_its_name() -> None:
    cases = [case for case in REFUSED if case["by"] == "decode" and len(case.get("line", "")) > 1]
    cases = [case for case in cases if case["line"].strip() and not case["line"].startswith(("-", "{"))]
    assert len(cases) > 10
    for case in cases:
        called = turn(case["line"])
        assert (called.exit_code, called.stdout) == (1, ""), case
        assert called.stderr.startswith(f"argument 1: {case['refusal']}: "), case


def test_standard_input_is_read_line_by_line() -> None:
    called = turn(given=f"{CARD}\r\n\n{CARD_TEXT}\nnonsense!\n{CARD}".encode())
    assert called.exit_code == 1
    assert called.stdout.splitlines() == [CARD_TEXT, CARD, CARD_TEXT]
    assert called.stderr.startswith("standard input, line 4: NOT_BASE64: ")
    assert 'It has "!" at byte 8.' in called.stderr


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
def test_text_that_is_no_message_says_where(text: str, why: str) -> None:
    called = turn(text)
    assert (called.exit_code, called.stdout) == (1, "")
    assert called.stderr.startswith("argument 1: ")
    assert why in called.stderr


def test_an_answer_that_a_referee_would_refuse_is_turned_and_remarked_upon() -> None:
    called = turn('{"type": "card", "id": "q1", "card": "S11"}')
    assert called.exit_code == 1
    assert called.stdout.startswith("g6R0eXBl")
    assert "a referee would refuse this answer: A card is not one of the 60 names" in called.stderr


def test_the_schema() -> None:
    assert turn("--schema").stdout == (FOLDER / "schema.json").read_text(encoding="utf-8")
