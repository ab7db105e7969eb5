"""The messages of protocol 1 as data: the JSON Schema `schema.json`, the one source of SPEC.md's tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TypedDict, cast

from protocol.packing import Value

Node = TypedDict(
    "Node",
    {
        "$ref": str,
        "$defs": "dict[str, Node]",
        "title": str,
        "description": str,
        "type": "str | list[str]",
        "const": Value,
        "enum": "list[str]",
        "minimum": int,
        "maximum": int,
        "minLength": int,
        "maxLength": int,
        "minItems": int,
        "maxItems": int,
        "oneOf": "list[Node]",
        "properties": "dict[str, Node]",
        "required": "list[str]",
        "examples": "list[Value]",
        "x-from": str,
        "x-answer": str,
        "x-range": str,
    },
    total=False,
)
"""A schema within the schema, with the keywords that are read here."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a message or an event: its type and range in words, an example, and its meaning."""

    name: str
    type: str
    range: str
    example: Value
    meaning: str
    optional: bool


@dataclass(frozen=True, slots=True)
class EventShape:
    """One kind of event, with its keys in their order."""

    name: str
    meaning: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class MessageShape:
    """One type of message: its sender, its answer (None if it has none), its keys, whole examples."""

    name: str
    meaning: str
    sender: str
    answer: str | None
    keys: tuple[Key, ...]
    examples: tuple[dict[str, Value], ...]


def schema_text() -> str:
    """Return the text of the file as it is."""
    return files("protocol").joinpath("schema.json").read_text(encoding="utf-8")


@cache
def schema() -> Node:
    """Return the whole schema."""
    return cast(Node, json.loads(schema_text()))


def message_shapes() -> tuple[MessageShape, ...]:
    """Return every message, in the order of the specification."""
    return tuple(map(_message, _targets(schema())))


def event_shapes() -> tuple[EventShape, ...]:
    """Return every kind of event, in the order of a round."""
    return tuple(
        EventShape(node["title"], node["description"], tuple(_keys(node)))
        for node in _targets(schema()["$defs"]["event"])
    )


def _targets(node: Node) -> Iterator[Node]:
    """Return the definitions that the alternatives of a node refer to."""
    return map(_merged, node["oneOf"])


def _merged(node: Node) -> Node:
    """Return a node together with the definition it refers to. What the node says itself goes first."""
    if "$ref" not in node:
        return node
    return {**schema()["$defs"][node["$ref"].removeprefix("#/$defs/")], **node}


def _message(node: Node) -> MessageShape:
    examples = tuple(example for example in node["examples"] if isinstance(example, dict))
    return MessageShape(
        node["title"],
        node["description"],
        node["x-from"],
        node.get("x-answer"),
        tuple(_keys(node)),
        examples,
    )


def _keys(node: Node) -> Iterator[Key]:
    for name, own in node["properties"].items():
        value = _merged(own)
        yield Key(
            name=name,
            type=value["title"],
            range=_range(value),
            example=value["examples"][0],
            meaning=value["description"],
            optional=name not in node["required"],
        )


def _range(value: Node) -> str:
    """Return the range in words. Where the schema has no words for it, they are made from its limits."""
    if "x-range" in value:
        return value["x-range"]
    if "const" in value:
        return f"`{json.dumps(value['const'])}`"
    if "enum" in value:
        return " ".join(f"`{json.dumps(item)}`" for item in value["enum"])
    for least, most, unit in (
        ("minimum", "maximum", ""),
        ("minLength", "maxLength", " characters"),
        ("minItems", "maxItems", " cards"),
    ):
        if most in value:
            return f"{value.get(least, 0)} to {value[most]}{unit}"  # type: ignore[literal-required]
    return "any"
