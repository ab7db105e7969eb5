"""What an author reads: every sentence has its places filled, and none is written anywhere else."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from string import Formatter

import pytest

from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind

ARENA = Path(__file__).parents[2] / "arena"
MADE_WITH_A_REASON = {"Wrong": 1, "StartFailure": 0}
"""What carries a sentence to a fault, and the place of the sentence among its arguments."""


def unnamed_sentences(source: str) -> list[int]:
    """The lines that hand a text of their own to a fault, instead of one of the sentences."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        place = MADE_WITH_A_REASON.get(node.func.id, len(node.args))
        if any(isinstance(part, ast.Constant | ast.JoinedStr) for part in node.args[place : place + 1]):
            found.append(node.lineno)
    return found


def test_a_text_of_its_own_would_be_found() -> None:
    assert unnamed_sentences('Wrong(kind, f"it is {late}")\nStartFailure("no")\nWrong(kind, why, "x")') == [
        1,
        2,
    ]


def test_faults_have_the_sentences_of_the_list_and_each_is_said() -> None:
    sources = {path: path.read_text(encoding="utf-8") for path in ARENA.rglob("*.py")}
    made = {
        path: text for path, text in sources.items() if any(f"{one}(" in text for one in MADE_WITH_A_REASON)
    }
    assert {path: unnamed_sentences(text) for path, text in made.items() if unnamed_sentences(text)} == {}
    everything = "".join(sources.values())
    assert [one.name for one in FaultSentence if f"FaultSentence.{one.name}.say(" not in everything] == []


@pytest.mark.parametrize("sentence", FaultSentence)
def test_the_example_fills_exactly_the_places(sentence: FaultSentence) -> None:
    places = {place for _, place, _, _ in Formatter().parse(sentence.words) if place}
    assert sentence.example.keys() == places
    assert sentence.say(**sentence.example) == sentence.shown(lambda value: value)
    for value in sentence.example.values():
        assert f"<{value}>" in sentence.shown(lambda value: f"<{value}>")


def test_every_kind_of_fault_has_a_sentence_and_an_explanation() -> None:
    assert {sentence.kind for sentence in FaultSentence} == set(FaultKind)
    spec = (ARENA.parent / "protocol" / "SPEC.md").read_text(encoding="utf-8")
    explained = spec.partition("| fault          | what happened ")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", explained, re.MULTILINE) == [kind.value for kind in FaultKind]
