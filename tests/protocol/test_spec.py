"""SPEC.md against the code: every line, every key, every sentence, and the bot on the page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from importlib.resources import files
from typing import Any, get_type_hints

import pytest

from protocol.codec import Refusal, decode, encode
from protocol.messages import (
    Bye,
    CardAnswer,
    CardsAnswer,
    Hello,
    MatchOver,
    PassQuestion,
    PlayQuestion,
    Ready,
    RoundOver,
    Start,
    read_answer,
)

SPEC = files("protocol").joinpath("SPEC.md").read_text("utf-8")
PAIRS = re.findall(r"```json\n([^\n]*)\n```\s*\n(?:(?!```json).)*?```line\n([^\n]*)\n```", SPEC, re.DOTALL)
SECTIONS: dict[str, Any] = {
    "hello": Hello, "ready": Ready, "start": Start, "pass": PassQuestion, "cards": CardsAnswer,
    "play": PlayQuestion, "card": CardAnswer, "round_over": RoundOver, "match_over": MatchOver, "bye": Bye,
}  # fmt: skip


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)\n```", SPEC, re.DOTALL)


def section(title: str) -> str:
    found = re.search(rf"^### {title}\b.*?\n(.*?)(?=^##)", SPEC, re.DOTALL | re.MULTILINE)
    assert found is not None, f"SPEC.md has no section {title}"
    return found.group(1)


def test_every_example_is_a_pair_of_json_and_line() -> None:
    assert len(PAIRS) == len(blocks("json")) == len(blocks("line")) >= len(SECTIONS)


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


@pytest.mark.parametrize("kind", SECTIONS)
def test_every_key_is_described_in_order(kind: str) -> None:
    described = re.findall(r"^\| \[?`(\w+)`\]? *\|", section(kind), re.MULTILINE)
    declared = list(get_type_hints(SECTIONS[kind]))
    assert described == (declared if declared[0] == "type" else ["type", *declared])
    assert f'"type": "{kind}"' in section(kind)


@pytest.mark.parametrize("refusal", Refusal)
def test_every_sentence_of_a_refusal_is_on_the_page(refusal: Refusal) -> None:
    assert re.search(rf"\| `{refusal.name}` +\| {re.escape(refusal.sentence)} +\|", SPEC)


def test_every_link_inside_the_page_leads_somewhere() -> None:
    titles = re.findall(r"^#+ (.*)$", SPEC, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([\w-]+)\)", SPEC)) <= anchors


def test_the_bot_on_the_page_plays() -> None:
    (source,) = blocks("python")
    sent = [json.loads(text) for text, _ in PAIRS]
    asked = [message for message in sent if message["type"] in {"hello", "pass", "play"}]
    lines = b"".join(encode(message) for message in sent if message["type"] in SECTIONS and _is_ours(message))
    done = subprocess.run(
        [sys.executable, "-c", source], input=lines, capture_output=True, timeout=20, check=True
    )
    answers = [read_answer(line) for line in done.stdout.splitlines()]
    assert [answer.id for answer in answers] == [question["id"] for question in asked]
    for question, answer in zip(asked, answers, strict=True):
        if isinstance(answer, CardsAnswer):
            assert answer.cards == tuple(question["hand"][: question["count"]])
        elif isinstance(answer, CardAnswer):
            assert answer.card == question["legal"][0]
    assert done.stderr == b""


def _is_ours(message: dict[str, Any]) -> bool:
    return message["type"] not in {"ready", "cards", "card"}
