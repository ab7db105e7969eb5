"""The types of sections and keys of a league file, and what a key has beside its type: class, meaning, words.

The types are pydantic constraints, each with its words for people beside it. The season documents, the error
texts and the printed table are computed from them. This module must not know a key by name: the type, the
default and the class of each key stand in `arena.league.model`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, StringConstraints

from arena.deals import check_printable
from arena.league import texts


class Section(BaseModel):
    """What all sections share: exact types, no unknown keys, finite numbers, no change after reading."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class KeyClass(Enum):
    """When a key may change while a league goes on."""

    SEASON = "S"
    GROWS = "G"
    FREE = "F"

    @property
    def meaning(self) -> str:
        """Return the sentence for the table of keys."""
        return _MEANINGS[self]


_MEANINGS = {
    KeyClass.SEASON: "part of the season: changing it starts a new season",
    KeyClass.GROWS: "may only grow while the season goes on",
    KeyClass.FREE: "free to change at any time",
}


@dataclass(frozen=True, slots=True)
class Key:
    """The mark on a field of the model.

    `default` is given where the default follows from something else ("as seats"). `missing` is the error text
    for a derived default that could not be found.
    """

    klass: KeyClass
    meaning: str
    default: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for a type whose constraint is a function or a pattern, e.g. "1 to 40 of a-z, 0-9 and -"."""

    text: str


season = partial(Key, KeyClass.SEASON)
"""The mark of a key that is part of the season."""
grows = partial(Key, KeyClass.GROWS)
"""The mark of a key whose number may only grow."""
free = partial(Key, KeyClass.FREE)
"""The mark of a key that may change at any time."""


def to_tuple(value: object) -> object:
    """Return a list as a tuple and anything else as it is, to be refused later.

    TOML gives lists; the model holds tuples, because it is frozen.
    """
    return tuple(value) if isinstance(value, list) else value


_FromList = BeforeValidator(to_tuple)

Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=texts.NAME_LENGTH),
    AfterValidator(texts.name),
    Wording(f"a text of 1 to {texts.NAME_LENGTH} visible characters"),
]
Title = Annotated[
    str,
    StringConstraints(min_length=1, max_length=80),
    AfterValidator(texts.name),
    Wording("a text of 1 to 80 visible characters"),
]
Remark = Annotated[
    str,
    StringConstraints(max_length=80),
    AfterValidator(texts.visible),
    Wording("a text of up to 80 visible characters"),
]
Identifier = Annotated[str, AfterValidator(texts.identifier), Wording("a text of 1 to 40 of a-z, 0-9 and -")]
DealText = Annotated[
    str,
    StringConstraints(min_length=1, max_length=200),
    AfterValidator(check_printable),
    Wording("a text of 1 to 200 printable ASCII characters without |"),
]
DatabaseAddress = Annotated[str, AfterValidator(texts.database_address), Wording("a database address")]
RelativePath = Annotated[str, AfterValidator(texts.path), Wording("a path, relative to the league file")]

FolderPattern = Annotated[
    str, AfterValidator(texts.folder_pattern), Wording('a relative path whose last part is "*"')
]

Argument = Annotated[str, AfterValidator(texts.argument)]
Command = Annotated[
    tuple[Argument, ...],
    _FromList,
    AfterValidator(texts.command),
    Wording("a list of texts: a program and its arguments"),
]
OptionalCommand = Annotated[
    tuple[Argument, ...], _FromList, Wording("a list of texts: a program and its arguments")
]
AbsolutePath = Annotated[str, AfterValidator(texts.absolute_path)]
AbsolutePaths = Annotated[tuple[AbsolutePath, ...], _FromList, Wording("a list of absolute paths")]

Contenders = Annotated[str, AfterValidator(texts.contenders), Wording('"contenders 3"')]

LineUps = Literal["auto", "all", "balanced", "gauntlet"]
Stop = Literal["cycles", "settled"]
SandboxMode = Literal["auto", "require", "off"]
Publication = Literal["replays", "faults", "stderr", "messages", "commands"]
Publications = Annotated[
    tuple[Publication, ...],
    _FromList,
    Wording('a list of "replays", "faults", "stderr", "messages", "commands"'),
]
Reveal = Literal["session", "finished"]
Role = Literal["entrant", "house"]
Auto = Literal["auto"]
