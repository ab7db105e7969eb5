"""SPEC.md against the code: every line, every key, every sentence, and the bot on the page."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from importlib.resources import files

import pytest

from protocol.codec import decode, encode
from tests.protocol.spec_page import PAGE, filled

SPEC = files("protocol").joinpath("SPEC.md").read_text("utf-8")
PAIRS = re.findall(r"```json\n([^\n]*)\n```\s*\n(?:(?!```json).)*?```line\n([^\n]*)\n```", SPEC, re.DOTALL)


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)\n```", SPEC, re.DOTALL)


def test_every_example_is_a_pair_of_json_and_line() -> None:
    assert len(PAIRS) == len(blocks("json")) == len(blocks("line")) >= 10


@pytest.mark.parametrize(("text", "line"), PAIRS)
def test_every_line_is_what_its_json_says(text: str, line: str) -> None:
    message = json.loads(text)
    assert encode(message) == line.encode() + b"\n"
    assert json.dumps(decode(line.encode())) == json.dumps(message)
    assert json.dumps(message, ensure_ascii=False) == text


def test_the_bytes_shown_are_those_of_the_line() -> None:
    (shown,) = blocks("hex")
    columns = [re.split(r"  +", line) for line in shown.splitlines()]
    raw = bytes.fromhex("".join(column[0] for column in columns))
    assert raw == b64decode(PAIRS[0][1])
    assert f"that is {len(raw)} bytes" in SPEC
    for code, what, meaning in columns[1:]:
        text = bytes.fromhex(code)[1:].decode()
        assert (what, meaning) == (f"a string of {len(text)} bytes", text)


def test_the_tables_of_the_page_follow_from_schema_and_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page, "python -m tests.protocol.spec_page"
