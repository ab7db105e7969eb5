"""All that a Python bot needs to talk to the arena, in one file, with the standard library of Python 3.10.

Write two functions, and call `run`:

    from papayoo_bot import run

    def choose_pass(question):       # give away question["count"] cards of your hand
        return question["hand"][: question["count"]]

    def choose_card(question):       # play one of the legal cards
        return question["legal"][0]

    if __name__ == "__main__":
        run("My bot", choose_pass, choose_card)

A question is a dict with the keys listed below. Cards are texts: "S7" is the seven of spades, "P20" the Payoo
20; the suit of a card is card[0]. SPEC.md of the arena describes the protocol.

This file knows how to talk and what a card is. It does not know how to play well. It is installed beside the
arena, and `arena new` puts a copy into the folder of a new bot.
"""

from __future__ import annotations

import os
import struct
import sys
from binascii import a2b_base64, b2a_base64
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:  # by editors and type checkers: to import these takes longer than all else here
    from collections.abc import Callable, Iterable
    from typing import Any, TypedDict
else:

    class TypedDict(dict):
        """A dict with keys that are listed, as `typing` has it."""

        def __init_subclass__(cls, total: bool = True) -> None:
            """Let each list say whether all of its keys are there."""


# ---------------------------------------------------------------------------- what you are asked


class _Event(TypedDict):
    event: str  # passed, received, die, played or taken
    seat: int


class Event(_Event, total=False):
    """Something that happened: cards passed or received by you, the die, a card played, a trick taken."""

    card: str  # die (the Papayoo), played
    cards: list[str]  # passed, received, taken
    by: str  # about your own seat: bot, or stand_in if it was chosen for you after a fault


class Question(TypedDict):
    """The keys that `pass` and `play` have in common. Lists of numbers have one for each seat."""

    type: str
    id: str
    table: int
    round: int  # from 0
    dealer: int
    players: int  # how many seats the table has
    seat: int  # yours; the left neighbour, who gets your pass and plays after you, is seat + 1
    hand: list[str]  # sorted S, H, D, C, P and by rank
    scores: list[int]  # card points of the earlier rounds
    move_ms: int
    bank_ms: int
    events: list[Event]  # since the last message


class PassQuestion(Question):
    """The question which `count` cards of the hand you pass on."""

    count: int


class PlayQuestion(Question):
    """The question which of the `legal` cards you play."""

    trick_number: int  # from 0
    leader: int
    papayoo_suit: str  # S, H, D or C
    legal: list[str]
    trick: list[str]  # in play order, the leader's first; empty if you lead
    received: list[str]
    passed: list[str]
    points: list[int]  # taken in this round so far


Message = dict[str, "Any"]
"""News: `start` (with a `seed` for your random numbers), `round_over` or `match_over`, by their `type`."""

# ---------------------------------------------------------------------------- cards

PAYOO = "P"
SUITS = ("S", "H", "D", "C", PAYOO)
ALL_CARDS = [suit + str(number) for suit in SUITS for number in range(1, 21 if suit == PAYOO else 11)]
rank = {card: int(card[1:]) for card in ALL_CARDS}.__getitem__
"""The number of a card: rank("P20") is 20."""


def points(card: str, papayoo_suit: str) -> int:
    """Return what a card costs its taker: a Payoo its rank, the 7 of `papayoo_suit` 40, any other 0."""
    if card[0] == PAYOO:
        return rank(card)
    return 40 if card == papayoo_suit + "7" else 0


def winner(trick: Iterable[str]) -> str:
    """Return the card that takes `trick` (its cards in play order): the highest of the suit that was led."""
    cards = iter(trick)
    best = next(cards)
    for card in cards:
        if card[0] == best[0] and rank(card) > rank(best):
            best = card
    return best


class Memory:
    """A seat's memory of the round. Show it every question of its table before you answer.

    seen: the cards played so far, including those of the trick in progress.
    voids: by seat, the suits that this seat could not follow, so that it has no card of them.
    """

    def __init__(self) -> None:
        self.round = (-1, -1)  # table and number
        self.seen: set[str] = set()
        self.voids: list[set[str]] = []
        self._led = ""  # the suit of the trick in progress

    def watch(self, question: Question) -> None:
        """Take note of what happened since the last question. A new round begins with nothing seen."""
        if self.round != (question["table"], question["round"]):
            self._begin(question)
        for event in question["events"]:
            # Also at the die: a new match at the same table may begin with the same number of a round.
            if event["event"] == "die":
                self._begin(question)
            elif event["event"] == "played":
                self._played(event["seat"], event["card"])
            elif event["event"] == "taken":
                self._led = ""

    def _begin(self, question: Question) -> None:
        self.round = question["table"], question["round"]
        self.seen = set()
        self.voids = [set() for _ in question["scores"]]
        self._led = ""

    def _played(self, seat: int, card: str) -> None:
        self.seen.add(card)
        if not self._led:
            self._led = card[0]
        elif card[0] != self._led:
            self.voids[seat].add(self._led)

    def unseen(self, hand: list[str]) -> dict[str, list[int]]:
        """Return the ranks, by suit and ascending, that the other seats still hold, if `hand` is yours."""
        ranks: dict[str, list[int]] = {suit: [] for suit in SUITS}
        known = self.seen.union(hand)
        for card in ALL_CARDS:
            if card not in known:
                ranks[card[0]].append(rank(card))
        if len(self.voids) > 6:  # with 7 or 8 players the plain cards of rank 1 are not dealt
            for suit in SUITS[:4]:
                if ranks[suit][:1] == [1]:
                    del ranks[suit][0]
        return ranks


# ---------------------------------------------------------------------------- the conversation


def run(
    name: str,
    choose_pass: Callable[[PassQuestion], list[str]],
    choose_card: Callable[[PlayQuestion], str],
    news: Callable[[Message], object] | None = None,
    tables: int = 1,
) -> None:
    """Answer questions until the arena says bye or closes the pipe.

    `news` is called with `start`, `round_over` and `match_over`. `tables` is the number of matches that the
    bot can play at once, telling them apart by `table`, a key of every message. Standard output belongs to
    the arena, so what a bot prints goes to standard error.

    Questions of several tables come together. Their answers are sent together too, which is quicker, unless
    that takes long, for each question has its own time.
    """
    out = sys.stdout.buffer
    sys.stdout = sys.stderr
    about: Message = {"name": name, "version": "1", "language": "Python"}
    if tables > 1:
        about["tables"] = tables
    rest = b""
    while data := os.read(sys.stdin.fileno(), 1 << 16):
        *lines, rest = (rest + data).split(b"\n")
        began = monotonic()
        for line in lines:
            message: Any = decode(line)
            kind = message.get("type")
            if kind == "play":
                answer = {"type": "card", "id": message["id"], "card": choose_card(message)}
            elif kind == "pass":
                answer = {"type": "cards", "id": message["id"], "cards": choose_pass(message)}
            elif kind == "hello":
                answer = {"type": "ready", "id": message["id"], **about}
            elif kind == "bye":
                return
            else:
                if news is not None and kind in ("start", "round_over", "match_over"):
                    news(message)
                continue  # nobody waits for an answer
            out.write(encode(answer))
            if monotonic() - began > 0.01:
                out.flush()
        out.flush()


# ---------------------------------------------------------------------------- lines
# A message is a line: base64 of a msgpack map. Of msgpack the protocol uses nil, bool, int, str, array
# and map. What does not fit into the first byte follows it, most significant byte first.

_DIGITS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_MAX_LINE, _MAX_INT, _MAX_DEPTH, _MAX_ITEMS, _MAX_KEYS = 65536, 2**53 - 1, 8, 1024, 64
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_COUNTS = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q"}
_NEGATIVES = {0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_TEXTS = {0xD9: ">B", 0xDA: ">H", 0xDB: ">I"}
_ARRAYS = {0xDC: ">H", 0xDD: ">I"}
_MAPS = {0xDE: ">H", 0xDF: ">I"}
_INTS, _SIZES = _COUNTS | _NEGATIVES, _TEXTS | _ARRAYS | _MAPS


def decode(line: bytes) -> Message:
    """Return the message in a line, with or without its end. Raises ValueError if it breaks the protocol."""
    text = line.removesuffix(b"\n").removesuffix(b"\r")
    padding = text[-2:].count(b"=")  # a2b_base64 would skip whatever is no digit
    digits = text[: len(text) - padding]
    if not text or len(text) >= _MAX_LINE or len(text) % 4 or digits.translate(None, _DIGITS):
        raise ValueError("not a line of base64")
    reader = _Reader(a2b_base64(text))
    try:
        (message,) = reader.values(1, 0)
    except (IndexError, struct.error):
        raise ValueError("a message is cut short") from None
    if not isinstance(message, dict) or reader.at != len(reader.data):  # a text may have run past the end
        raise ValueError("a message is exactly one map")
    return message


class _Reader:
    """Reads values out of msgpack bytes, one after the other.

    Nearly all of a message is short ASCII texts. They are cut out of `text`, the same bytes as Latin-1
    characters, because a slice of a str is cheaper than decoding a slice of bytes.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = data.decode("latin-1")
        self.at = 0  # the index of the next byte

    def values(self, count: int, depth: int) -> list[Any]:
        """Return the next `count` values, which lie in `depth` arrays and maps."""
        data, text, at = self.data, self.text, self.at
        values: list[Any] = []
        for _ in range(count):
            kind = data[at]
            start = at = at + 1
            if 0xA0 <= kind < 0xC0:
                at += kind - 0xA0
                short = text[start:at]
                values.append(short if short.isascii() else data[start:at].decode())
            elif kind < 0x80:
                values.append(kind)
            elif kind >= 0xE0:
                values.append(kind - 0x100)
            else:
                self.at = at
                values.append(self.longer(kind, depth))
                at = self.at
        self.at = at
        return values

    def longer(self, kind: int, depth: int) -> Any:
        """Return an array, a map, a constant, or a number or text whose first byte says only its kind."""
        if kind < 0x90:
            return self.map(kind - 0x80, depth + 1)
        if kind < 0xA0:
            return self.array(kind - 0x90, depth + 1)
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        form = _INTS.get(kind) or _SIZES.get(kind)
        if form is None:
            raise ValueError(f"msgpack type 0x{kind:02x} is not part of the protocol")
        (number,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        if kind in _INTS:
            if abs(number) > _MAX_INT:
                raise ValueError(f"an integer of 2^53 or more: {number}")
            return number
        if kind <= 0xDB:
            start = self.at
            self.at = start + number
            return self.data[start : self.at].decode()
        return self.array(number, depth + 1) if kind <= 0xDD else self.map(number, depth + 1)

    def array(self, count: int, depth: int) -> list[Any]:
        if count > _MAX_ITEMS or depth > _MAX_DEPTH:
            raise ValueError("an array too long or too deep")
        return self.values(count, depth)

    def map(self, count: int, depth: int) -> Message:
        if count > _MAX_KEYS or depth > _MAX_DEPTH:
            raise ValueError("a map too large or too deep")
        values = self.values(2 * count, depth)
        keys = values[::2]
        for key in keys:
            if type(key) is not str:
                raise ValueError(f"a key that is no text: {key!r}")
        pairs = dict(zip(keys, values[1::2], strict=True))
        if len(pairs) < count:
            raise ValueError(f"a key that comes twice, among {keys}")
        return pairs


def encode(message: Message) -> bytes:
    """Return the line of a message, with its newline."""
    return b2a_base64(_packed(message))


def _packed(value: Any) -> bytes:
    if isinstance(value, str):
        data = value.encode()
        return _head(len(data), 0xA0, 32, _TEXTS) + data
    if isinstance(value, dict):
        items = b"".join([_packed(part) for pair in value.items() for part in pair])
        return _head(len(value), 0x80, 16, _MAPS) + items
    if isinstance(value, (list, tuple)):
        return _head(len(value), 0x90, 16, _ARRAYS) + b"".join(map(_packed, value))
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _packed_int(value)
    raise TypeError(f"a message holds None, bool, int, str, list and dict, not {value!r}")


def _head(size: int, first: int, most: int, forms: dict[int, str]) -> bytes:
    """Return how a str, list or dict begins: with its size in the first byte if that is below `most`."""
    return bytes((first + size,)) if size < most else _shortest(size, forms)


def _packed_int(value: int) -> bytes:
    if -32 <= value < 128:
        return bytes([value & 0xFF])
    return _shortest(value, _COUNTS if value >= 0 else _NEGATIVES)


def _shortest(number: int, forms: dict[int, str]) -> bytes:
    """Return the first byte and the number, in the first form that is wide enough."""
    for kind, form in forms.items():
        try:
            return bytes([kind]) + struct.pack(form, number)
        except struct.error:
            continue
    raise ValueError(f"{number} is too large")
