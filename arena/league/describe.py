"""The keys of a league file as a list, read off the models: name, type in words, default, class, meaning.

This is the one place that looks inside pydantic's fields. Errors, the printed table and the season documents
start from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from arena.league.fieldtypes import Key, KeyClass, Wording
from arena.league.model import BotSection, League, StageSection

_PLAIN_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


@dataclass(frozen=True, slots=True)
class KeyInfo:
    """One key. `expected` says its type in words. `choices` are its values where these are few texts."""

    section: str
    name: str
    expected: str
    default: str
    klass: KeyClass
    meaning: str
    choices: tuple[str, ...]
    missing: str

    @property
    def path(self) -> str:
        """Return the section and the name, such as "bots.threads"."""
        return f"{self.section}.{self.name}"


LISTS: Mapping[str, type[BaseModel]] = {"stages": StageSection, "bots": BotSection}
"""The sections that stand in the file several times, in double brackets."""


@cache
def sections() -> dict[str, type[BaseModel]]:
    """Return the models of the sections by name, in the order of the file."""
    result: dict[str, type[BaseModel]] = {}
    for name, field in League.model_fields.items():
        model = LISTS.get(name, field.annotation)
        if isinstance(model, type) and issubclass(model, BaseModel):
            result[name] = model
    return result


@cache
def all_keys() -> Mapping[str, KeyInfo]:
    """Return every key by its path, in the order of the file."""
    infos = [
        _key_info(section, name, field)
        for section, model in sections().items()
        for name, field in model.model_fields.items()
    ]
    return {info.path: info for info in infos}


def keys_of(section: str) -> list[str]:
    """Return the names of the keys of a section, in the order of the file."""
    return list(sections()[section].model_fields)


def heading_of(section: str) -> str:
    """Return how the heading of a section is written, such as "[time]" or "[[bots]]"."""
    return f"[[{section}]]" if section in LISTS else f"[{section}]"


def shown(value: object) -> str:
    """Return a value as TOML would have it, shortened where it is long."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + (value if len(value) <= 60 else value[:57] + "...") + '"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(item) for item in value) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {shown(item)}" for key, item in value.items()) + "}"
    return str(value)


def _key_info(section: str, name: str, field: FieldInfo) -> KeyInfo:
    key = next(mark for mark in field.metadata if isinstance(mark, Key))
    default = key.default
    if not default:
        default = "required" if field.is_required() else shown(field.get_default(call_default_factory=True))
    return KeyInfo(
        section=section,
        name=name,
        expected=_words(field.annotation, field.metadata),
        default=default,
        klass=key.klass,
        meaning=key.meaning,
        choices=_choices(field.annotation),
        missing=key.missing,
    )


def _words(annotation: object, marks: Sequence[object]) -> str:
    for mark in marks:
        if isinstance(mark, Wording):
            return mark.text
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _words(arguments[0], _flat(arguments[1:]))
    if origin is Literal:
        return _or([shown(choice) for choice in arguments])
    if origin in {Union, UnionType}:
        return " or ".join(_words(member, ()) for member in arguments if member is not NoneType)
    return _PLAIN_WORDS[annotation] + _range(marks) if isinstance(annotation, type) else str(annotation)


def _flat(marks: Sequence[object]) -> list[object]:
    """Return the marks of an annotation together with those that pydantic keeps inside a Field."""
    inner = [mark for field in marks if isinstance(field, FieldInfo) for mark in field.metadata]
    return [*marks, *inner]


def _range(marks: Sequence[object]) -> str:
    low = next((mark.ge for mark in marks if isinstance(mark, Ge)), None)
    high = next((mark.le for mark in marks if isinstance(mark, Le)), None)
    return "" if low is None or high is None else f" from {low} to {high}"


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _choices(annotation: object) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(str(choice) for choice in get_args(annotation))
    return tuple(choice for member in get_args(annotation) for choice in _choices(member))
