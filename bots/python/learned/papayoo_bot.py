"""Everything a Python bot needs to talk to the arena, in one file, standard library only.

Copy this file next to your bot.py, write two functions, and call `run`:

    from papayoo_bot import run

    def choose_pass(question):       # give away question["count"] cards of your hand
        return question["hand"][: question["count"]]

    def choose_card(question):       # play one of the legal cards
        return question["legal"][0]

    if __name__ == "__main__":
        run("My bot", choose_pass, choose_card)

A question reaches your functions as a plain dict with the keys listed below. Cards are strings:
"S7" is the seven of spades, "P20" the Payoo 20.

This file knows how to talk and what a card is. It does not know how to play well.
"""

from __future__ import annotations

import struct
import sys
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable
from typing import Any, NotRequired, TypedDict

# ---------------------------------------------------------------------------- what you are asked


class Event(TypedDict):
    """Something that happened: cards passed or received by you, the die, a card played, a trick taken."""

    event: str  # passed, received, die, played or taken
    seat: int
    card: NotRequired[str]  # die (the Papayoo), played
    cards: NotRequired[list[str]]  # passed, received, taken
    by: NotRequired[str]  # about your own seat: bot, or stand_in if it was chosen for you after a fault


class Question(TypedDict):
    """The keys that `pass` and `play` have in common. Lists of numbers have one for each seat."""

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


class Start(TypedDict):
    """The news that a match begins."""

    table: int
    players: int
    seat: int
    rounds: int
    seed: int  # for your random numbers, so that your play can be repeated
    move_ms: int
    bank_ms: int
    pass_count: int
    names: NotRequired[list[str]]


# ---------------------------------------------------------------------------- cards

PAYOO = "P"
SUITS = ("S", "H", "D", "C", PAYOO)
ALL_CARDS = [suit + str(rank) for suit in SUITS for rank in range(1, 21 if suit == PAYOO else 11)]
RANK = {card: int(card[1:]) for card in ALL_CARDS}  # RANK["P20"] is 20; the suit of a card is card[0]


def points(card: str, papayoo_suit: str) -> int:
    """Return what a card costs its taker: a Payoo its rank, the 7 of `papayoo_suit` 40, any other 0."""
    if card[0] == PAYOO:
        return RANK[card]
    return 40 if card == papayoo_suit + "7" else 0


def winner(trick: Iterable[str]) -> str:
    """Return the card that takes `trick` (its cards in play order): the highest of the suit that was led."""
    cards = iter(trick)
    best = next(cards)
    for card in cards:
        if card[0] == best[0] and RANK[card] > RANK[best]:
            best = card
    return best


class Memory:
    """A seat's memory of the round. Keep one object, and show it every question before you answer.

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
                ranks[card[0]].append(RANK[card])
        if len(self.voids) > 6:  # with 7 or 8 players the plain cards of rank 1 are not dealt
            for suit in SUITS[:4]:
                if ranks[suit][:1] == [1]:
                    del ranks[suit][0]
        return ranks


# ---------------------------------------------------------------------------- the wire
# One message is one line: base64(msgpack map) "\n". Of msgpack the protocol uses nil, bool, int,
# str, array and map. A number or a length that does not fit into the first byte follows it.

_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
_FORMS = {0xCC: ">B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: ">b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q"}
_FORMS |= {0xD9: ">B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}


class _Reader:
    """Reads values out of msgpack bytes, one after the other.

    Nearly all of a message is short ASCII strings. They are cut out of `text`, the same bytes as
    Latin-1 characters, because a slice of a str is cheaper than decoding a slice of bytes.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.text = data.decode("latin-1")
        self.at = 0  # the index of the next byte

    def value(self) -> Any:
        start = self.at + 1
        self.at = start
        kind = self.data[start - 1]
        # As in `string`, but written out here: most values are short strings, and a call takes time.
        if 0xA0 <= kind < 0xC0:
            self.at = end = start + kind - 0xA0
            text = self.text[start:end]
            return text if text.isascii() else self.data[start:end].decode()
        if kind < 0x80:
            return kind
        if kind < 0x90:
            return self.map(kind - 0x80)
        if kind < 0xA0:
            return self.array(kind - 0x90)
        if kind >= 0xE0:
            return kind - 0x100
        return self.longer(kind)

    def longer(self, kind: int) -> Any:
        """Return a value whose first byte says only its kind: a constant, or a length or number follows."""
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind not in _FORMS:
            raise ValueError(f"msgpack type 0x{kind:02x} is not part of the protocol")
        form = _FORMS[kind]
        (number,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        if kind <= 0xD3:
            return number
        if kind <= 0xDB:
            return self.string(number)
        return self.array(number) if kind <= 0xDD else self.map(number)

    def string(self, length: int) -> str:
        start = self.at
        self.at = end = start + length
        text = self.text[start:end]
        return text if text.isascii() else self.data[start:end].decode()

    def array(self, length: int) -> list[Any]:
        return [self.value() for _ in range(length)]

    def map(self, length: int) -> dict[str, Any]:
        items = {}
        for _ in range(length):
            key = self.value()
            items[key] = self.value()
        return items


def decode(line: bytes) -> dict[str, Any]:
    """Return the message in a line (with or without its newline). Raises ValueError if there is none."""
    reader = _Reader(a2b_base64(line))
    try:
        message = reader.value()
    except (IndexError, struct.error) as error:
        raise ValueError("the message ends too early") from error
    if reader.at != len(reader.data) or not isinstance(message, dict):  # a string may have run past the end
        raise ValueError("a message is exactly one msgpack map")
    return message


def encode(message: dict[str, Any]) -> bytes:
    """Return the line that carries `message`, with its newline."""
    return b2a_base64(_pack(message))


def _pack(value: Any) -> bytes:
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _pack_int(value)
    if isinstance(value, str):
        data = value.encode()
        return _head(len(data), (0xA0, 32), (0xD9, 0xDA, 0xDB)) + data
    if isinstance(value, dict):
        pairs = [_pack(part) for item in value.items() for part in item]
        return _head(len(value), (0x80, 16), (None, 0xDE, 0xDF)) + b"".join(pairs)
    if isinstance(value, (list, tuple)):
        return _head(len(value), (0x90, 16), (None, 0xDC, 0xDD)) + b"".join(map(_pack, value))
    raise TypeError(f"a message holds None, bool, int, str, list and dict, not {type(value).__name__}")


def _head(length: int, short: tuple[int, int], kinds: tuple[int | None, int, int]) -> bytes:
    """Return how a str, array or map starts: with its length in the first byte, or in 1, 2, 4 bytes after."""
    first, limit = short
    if length < limit:
        return bytes([first + length])
    for kind, form, most in zip(kinds, (">B", ">H", ">I"), (0xFF, 0xFFFF, 0xFFFFFFFF), strict=True):
        if kind is not None and length <= most:
            return bytes([kind]) + struct.pack(form, length)
    raise ValueError("too long for msgpack")


def _pack_int(value: int) -> bytes:
    if -32 <= value < 128:
        return bytes([value & 0xFF])
    for kind in range(0xCC, 0xD0) if value >= 0 else range(0xD0, 0xD4):
        try:
            return bytes([kind]) + struct.pack(_FORMS[kind], value)
        except struct.error:
            continue  # does not fit: the next form is twice as wide
    raise ValueError(f"{value} does not fit into 64 bits")


# ---------------------------------------------------------------------------- the conversation


def run(
    name: str,
    choose_pass: Callable[[PassQuestion], list[str]],
    choose_card: Callable[[PlayQuestion], str],
    version: str = "1",
    **hooks: Callable[[Any], object],
) -> None:
    """Talk to the arena until it says bye or closes the pipe.

    `hooks` are called with the news of the same name: start, round_over, match_over.
    Standard output belongs to the arena, so what your bot prints goes to standard error.
    """
    lines, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    about = {"name": name, "version": version, "tables": 1, "language": "Python"}
    for line in iter(lines.readline, b""):
        message: Any = decode(line)
        kind = message["type"]
        if kind == "play":
            answer = {"type": "card", "id": message["id"], "card": choose_card(message)}
        elif kind == "pass":
            answer = {"type": "cards", "id": message["id"], "cards": choose_pass(message)}
        elif kind == "hello":
            answer = {"type": "ready", "id": message["id"], **about}
        elif kind == "bye":
            return
        else:
            if kind in hooks:
                hooks[kind](message)
            continue  # news: nobody waits for an answer
        out.write(encode(answer))
        out.flush()
