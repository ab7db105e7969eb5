"""schema.json against the code, the vectors and the transcripts, by a JSON Schema validator of others."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, NotRequired, get_origin, get_type_hints, is_typeddict

import pytest
from jsonschema import Draft202012Validator

from protocol import messages
from protocol.codec import decode
from protocol.messages import read_answer
from protocol.packing import MAX_INT
from protocol.refusal import BadMessage
from tests.protocol.reading import line_of, vectors
from tests.protocol.shapes import event_shapes, message_shapes, schema, schema_text

SCHEMA: dict[str, Any] = json.loads(schema_text())
VALIDATOR = Draft202012Validator(SCHEMA)
SHAPES = {shape.name: shape for shape in message_shapes()}
EVENT_KEYS = {shape.name: [key.name for key in shape.keys] for shape in event_shapes()}
DECLARED: dict[str, Any] = {
    "hello": messages.Hello, "start": messages.Start, "pass": messages.PassQuestion,
    "play": messages.PlayQuestion, "round_over": messages.RoundOver, "match_over": messages.MatchOver,
    "bye": messages.Bye, "ready": messages.Ready, "cards": messages.CardsAnswer, "card": messages.CardAnswer,
}  # fmt: skip
TRANSCRIPTS = sorted(
    (path for path in files("protocol").joinpath("transcripts").iterdir() if path.name[0].isdigit()),
    key=lambda path: path.name,
)


def why_not(message: object) -> list[str]:
    """What the schema has against a message."""
    return [error.message for error in VALIDATOR.iter_errors(message)]


def odd_keys(message: Mapping[str, Any]) -> list[str]:
    """Keys of a message or of its events that the schema does not have, or has in another order."""
    found = [] if in_order(message, [key.name for key in SHAPES[message["type"]].keys]) else [str(message)]
    return found + [
        str(event) for event in message.get("events", ()) if not in_order(event, EVENT_KEYS[event["event"]])
    ]


def in_order(keys: Mapping[str, Any], known: list[str]) -> bool:
    return list(keys) == [key for key in known if key in keys]


def test_it_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
def test_every_line_of_the_transcripts_is_as_it_says(path: Any) -> None:
    lines = path.read_bytes().splitlines()
    sender = "referee" if path.name.endswith(".in") else "bot"
    for line in lines:
        message = decode(line)
        if path.name.startswith(("3p", "8p")):  # it takes long, and those between are of the same kinds
            assert why_not(message) == []
        assert odd_keys(message) == []
        assert SHAPES[str(message["type"])].sender == sender
    assert len(lines) > 20


def test_the_transcripts_are_of_whole_matches_for_3_to_8_both_ways() -> None:
    assert [path.name for path in TRANSCRIPTS] == [
        f"{n}p.{way}" for n in range(3, 9) for way in ("in", "out")
    ]
    seen = {str(decode(line)["type"]) for path in TRANSCRIPTS for line in path.read_bytes().splitlines()}
    assert seen == SHAPES.keys()


@pytest.mark.parametrize("case", vectors("messages.json"), ids=lambda case: case["name"])
def test_every_vector_of_a_message_is_as_it_says(case: dict[str, Any]) -> None:
    assert why_not(case["message"]) == []
    assert odd_keys(case["message"]) == []
    assert SHAPES[case["message"]["type"]].sender == case["from"]


@pytest.mark.parametrize("case", vectors("answers.json"), ids=lambda case: case["name"])
def test_it_takes_every_answer_that_the_referee_takes(case: dict[str, Any]) -> None:
    assert why_not(decode(line_of(case))) == []


@pytest.mark.parametrize(
    "case",
    [case for case in vectors("refused.json") if case["by"] == "answer"],
    ids=lambda case: case["name"],
)
def test_it_refuses_every_answer_that_the_referee_refuses(case: dict[str, Any]) -> None:
    message = decode(line_of(case))
    from_bots = [{"$ref": f"#/$defs/{name}"} for name, shape in SHAPES.items() if shape.sender == "bot"]
    assert not Draft202012Validator({**SCHEMA, "oneOf": from_bots}).is_valid(message)


def values(node: dict[str, Any], where: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every node of a schema that has examples, with its place."""
    if "examples" in node:
        yield where, node
    for key, inner in node.items():
        if isinstance(inner, dict):
            yield from values(inner, f"{where}/{key}")


@pytest.mark.parametrize(
    ("where", "node"), [pytest.param(*found, id=found[0]) for found in values(SCHEMA, "")]
)
def test_every_example_is_as_its_place_says(where: str, node: dict[str, Any]) -> None:
    validator = Draft202012Validator({**node, "$defs": SCHEMA["$defs"]})
    assert node["examples"]
    assert all(validator.is_valid(example) for example in node["examples"]), where


@pytest.mark.parametrize("shape", SHAPES.values(), ids=lambda shape: shape.name)
def test_the_keys_are_those_of_the_code_in_their_order(shape: Any) -> None:
    declared = DECLARED[shape.name]
    hints = get_type_hints(declared)
    assert [key.name for key in shape.keys if key.name in hints] == list(hints)
    assert {key.name for key in shape.keys} - hints.keys() <= {"type"}
    for key in shape.keys:
        assert key.optional == may_be_absent(declared, key.name), key.name
        assert key.type in PYTHON_TYPES[str(hints.get(key.name, "str")).replace("typing.", "")], key.name


PYTHON_TYPES = {
    "<class 'str'>": {"str", "card"},
    "str": {"str"},
    "str | None": {"str"},
    "<class 'int'>": {"int"},
    "list[str]": {"list of cards", "list by seat of str"},
    "tuple[str, ...]": {"list of cards"},
    "list[int]": {"list by seat of int"},
    "list[protocol.messages.Event]": {"list of events"},
    **{f"Literal['{name}']": {"str"} for name in DECLARED},
}


def may_be_absent(declared: Any, key: str) -> bool:
    if is_typeddict(declared):
        return get_origin(get_type_hints(declared, include_extras=True)[key]) is NotRequired
    if dataclasses.is_dataclass(declared):
        fields = {field.name: field for field in dataclasses.fields(declared)}
        return key in fields and fields[key].default is not dataclasses.MISSING
    return False


def test_its_limits_are_those_of_the_code() -> None:
    defs = SCHEMA["$defs"]
    assert defs["card_name"]["enum"] == list(messages.CARDS)
    assert defs["id"]["maxLength"] == messages.MAX_ID
    assert defs["text"]["maxLength"] == defs["optional_text"]["maxLength"] == messages.MAX_TEXT
    assert defs["whole"]["maximum"] == defs["ready"]["properties"]["tables"]["maximum"] == MAX_INT
    assert schema()["$defs"]["hello"]["properties"]["protocol"]["const"] == messages.PROTOCOL


@pytest.mark.parametrize("key", ["name", "version", "language", "author"])
@pytest.mark.parametrize("code", [0x0, 0x1F, 0x7F, 0x9F, 0x200B, 0x2028, 0x202E, 0x2066, 0x20, 0xE9, 0x1F600])
def test_texts_are_refused_for_the_same_characters(key: str, code: int) -> None:
    message = {"type": "ready", "id": "i", "name": "n", "version": "v", key: f"a{chr(code)}b"}
    try:
        read_answer(messages.encode(message))
        taken = True
    except BadMessage:
        taken = False
    assert VALIDATOR.is_valid(message) == taken
