"""The messages of protocol 1, as SPEC.md describes them, and the reading of a bot's answers.

The referee's messages are typed dicts, with their keys declared in the order that they have on the wire. A
bot's answers are small frozen values. Whether an answer is legal at its table must not be decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NamedTuple, NotRequired, TypeAlias, TypedDict

from protocol.codec import decode, encode
from protocol.packing import Value, shown, with_type
from protocol.refusal import BadMessage, Refusal

PROTOCOL = 1
"""The version of the protocol that `hello` announces."""

CARDS = tuple(f"{suit}{rank}" for suit in "SHDC" for rank in range(1, 11)) + tuple(
    f"P{rank}" for rank in range(1, 21)
)
"""All 60 cards by name, in the order in which hands are listed."""

MAX_ID = 32
"""The most characters of an id."""
MAX_TEXT = 100
"""The most characters of `name`, `version`, `language` and `author`."""

_CARDS = frozenset(CARDS)


class Event(TypedDict):
    """Something that happened at the table and that this seat may know.

    It has `card` or `cards`, never both.
    """

    event: Literal["passed", "received", "die", "played", "taken"]
    seat: int
    card: NotRequired[str]
    cards: NotRequired[list[str]]
    by: NotRequired[Literal["bot", "stand_in"]]


class Hello(TypedDict):
    """The first message to a process, answered by `ready`."""

    type: Literal["hello"]
    id: str
    protocol: int
    arena: str
    tables_max: int


class Start(TypedDict):
    """The message that a match begins at a table. It has no answer."""

    type: Literal["start"]
    table: int
    players: int
    seat: int
    rounds: int
    seed: int
    move_ms: int
    bank_ms: int
    pass_count: int


class PassQuestion(TypedDict):
    """The question which `count` cards of `hand` go to the left neighbour, answered by `cards`."""

    type: Literal["pass"]
    id: str
    table: int
    round: int
    dealer: int
    players: int
    seat: int
    hand: list[str]
    count: int
    scores: list[int]
    move_ms: int
    bank_ms: int
    events: list[Event]


class PlayQuestion(TypedDict):
    """The question which one of `legal` is played to the trick, answered by `card`."""

    type: Literal["play"]
    id: str
    table: int
    round: int
    trick_number: int
    dealer: int
    leader: int
    papayoo_suit: str
    players: int
    seat: int
    hand: list[str]
    legal: list[str]
    trick: list[str]
    received: list[str]
    passed: list[str]
    points: list[int]
    scores: list[int]
    move_ms: int
    bank_ms: int
    events: list[Event]


class RoundOver(TypedDict):
    """The message that a round has been played out. It has no answer."""

    type: Literal["round_over"]
    table: int
    round: int
    points: list[int]
    scores: list[int]
    events: list[Event]


class MatchOver(TypedDict):
    """The message that the match has been played out. It has no answer."""

    type: Literal["match_over"]
    table: int
    scores: list[int]
    places: list[int]
    events: list[Event]


class Bye(TypedDict):
    """The message that the process is no longer needed and should exit. It has no answer."""

    type: Literal["bye"]
    reason: str


Question: TypeAlias = Hello | PassQuestion | PlayQuestion
"""The messages that a bot must answer."""
News: TypeAlias = Start | RoundOver | MatchOver | Bye
"""The messages that a bot must not answer."""
Message: TypeAlias = Question | News


@dataclass(frozen=True, slots=True)
class Ready:
    """The answer to `hello`: who the bot is, and at how many tables at once it will play."""

    id: str
    name: str
    version: str
    tables: int = 1
    language: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class CardsAnswer:
    """The answer to `pass`. Each name is of a real card. The number of cards and the hand are not checked."""

    id: str
    cards: tuple[str, ...]


class CardAnswer(NamedTuple):
    """The answer to `play`. The name is of a real card; whether it is in the hand is not checked.

    A NamedTuple because there is one for each decision: a frozen dataclass takes twice as long to make.
    """

    id: str
    card: str

    @property
    def cards(self) -> tuple[str, ...]:
        """Return the one card in a tuple, like the attribute of `CardsAnswer`."""
        return (self.card,)


Answer: TypeAlias = Ready | CardsAnswer | CardAnswer


def read_answer(line: bytes) -> Answer:
    """Return a bot's answer. Unknown keys are ignored, and an optional key that is nil counts as absent.

    Raises BadMessage when the line is no message or no answer: type unknown, a key missing or ill-typed,
    a text too long, a card that does not exist.
    """
    message = decode(line)
    kind = message.get("type")
    if kind == "card":
        return CardAnswer(_id(message), _card(_get(message, "card"), "card"))
    if kind == "cards":
        return CardsAnswer(_id(message), _cards(message))
    if kind == "ready":
        return _ready(message)
    raise _unknown_type(message)


def ready_line(ready: Ready) -> bytes:
    """Return the canonical line of a `ready`. Optional keys at their defaults are left out."""
    message: dict[str, object] = {
        "type": "ready",
        "id": ready.id,
        "name": ready.name,
        "version": ready.version,
    }
    if ready.tables != 1:
        message["tables"] = ready.tables
    if ready.language is not None:
        message["language"] = ready.language
    if ready.author is not None:
        message["author"] = ready.author
    return encode(message)


def answer(question_id: str, chosen: str | Sequence[str]) -> dict[str, Value]:
    """Return the canonical answer: one card's name answers `play`, a sequence of names answers `pass`."""
    if isinstance(chosen, str):
        return {"type": "card", "id": question_id, "card": chosen}
    return {"type": "cards", "id": question_id, "cards": list(chosen)}


def answer_line(question_id: str, chosen: str | Sequence[str]) -> bytes:
    """Return the canonical line of `answer`."""
    return encode(answer(question_id, chosen))


def _get(message: dict[str, Value], key: str) -> Value:
    try:
        return message[key]
    except KeyError:
        near = get_close_matches(key, [name[:40] for name in message], 1)
        hint = f' It has "{near[0]}"; was that meant?' if near else ""
        kind = message["type"]
        raise BadMessage(Refusal.MISSING_KEY, f'"{kind}" needs the key "{key}".{hint}') from None


def _id(message: dict[str, Value]) -> str:
    value = _get(message, "id")
    if type(value) is not str:
        raise _wrong_type("id", "a str", value)
    if not (0 < len(value) <= MAX_ID and value.isascii() and value.isprintable()):
        expected = f"1 to {MAX_ID} printable ASCII characters"
        raise BadMessage(Refusal.BAD_VALUE, f'"id" must be {expected}, and is {shown(value)}.')
    return value


def _card(value: Value, key: str) -> str:
    if type(value) is not str:
        raise _wrong_type(key, "the name of a card, a str", value)
    if value not in _CARDS:
        near = value.strip().upper()[:8]
        hint = f' Did you mean "{near}"?' if near in _CARDS else ""
        raise BadMessage(Refusal.NOT_A_CARD, f'"{key}" has {shown(value)}.{hint}')
    return value


def _cards(message: dict[str, Value]) -> tuple[str, ...]:
    value = _get(message, "cards")
    if type(value) is not list:
        raise _wrong_type("cards", "an array of card names", value)
    return tuple([_card(item, "cards") for item in value])


def _ready(message: dict[str, Value]) -> Ready:
    tables = message.get("tables")
    if tables is not None and type(tables) is not int:
        raise _wrong_type("tables", "an int", tables)
    if tables is not None and tables < 1:
        raise BadMessage(Refusal.BAD_VALUE, f'"tables" must be at least 1, and is {tables}.')
    return Ready(
        id=_id(message),
        name=_text(_get(message, "name"), "name", 1),
        version=_text(_get(message, "version"), "version", 0),
        tables=1 if tables is None else tables,
        language=_optional_text(message, "language"),
        author=_optional_text(message, "author"),
    )


def _optional_text(message: dict[str, Value], key: str) -> str | None:
    value = message.get(key)
    return None if value is None else _text(value, key, 0)


def _text(value: Value, key: str, least: int) -> str:
    """Return a text that pages show: limited in length, and without invisible characters.

    Such characters could disturb a page.
    """
    if type(value) is not str:
        raise _wrong_type(key, "a str", value)
    if not least <= len(value) <= MAX_TEXT:
        expected = f"{least} to {MAX_TEXT} characters"
        raise BadMessage(Refusal.BAD_VALUE, f'"{key}" must have {expected}, and has {len(value)}.')
    if not value.isprintable():
        raise BadMessage(Refusal.BAD_VALUE, f'"{key}" has characters that cannot be seen: {shown(value)}.')
    return value


def _wrong_type(key: str, expected: str, value: Value) -> BadMessage:
    return BadMessage(Refusal.WRONG_TYPE, f'"{key}" must be {expected}, and is {with_type(value)}.')


def _unknown_type(message: dict[str, Value]) -> BadMessage:
    if "type" not in message:
        return BadMessage(Refusal.MISSING_KEY, 'Every message needs the key "type".')
    kind = message["type"]
    if type(kind) is not str:
        return _wrong_type("type", "a str", kind)
    near = get_close_matches(kind[:20].lower(), ("ready", "cards", "card"), 1)
    hint = f' Did you mean "{near[0]}"?' if near else ""
    return BadMessage(Refusal.UNKNOWN_TYPE, f"Found {shown(kind)}.{hint}")
