"""What a match says to its seats: builds each message from the state of the round, in wire names.

Keys stand in the order of the protocol's specification. `id` and `table` are left to the sender.
Messages are put together from packed pieces, for this is half of what a decision costs: what stays
the same during a round is packed once for a seat, what stays the same during a trick once for the
table, an event once for all seats. So the course of the round has to be told here as well, in its
order: `begin_round`, `passed`, `begin_play`, then `played` and `taken`. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeAlias

from arena.packed import ARRAYS, NUMBERS, PackedMessage, pack, pack_array, pack_pairs
from arena.papayoo import MAX_PLAYERS, PAYOO, SUITS, Round, Trick, pass_count, suit_of
from arena.record import MatchSetup
from arena.relabel import Relabelling

__all__ = ["ASK_PASS", "ASK_PLAY", "Message", "PackedMessage", "Phrases"]

Message: TypeAlias = Mapping[str, Any]
"""A message of the protocol before it is encoded; `protocol.messages` describes each type."""


def _start(type_: str, keys: int) -> bytes:
    """The beginning of a message with so many keys: its head and its type."""
    head = bytes([0x80 + keys]) if keys < 16 else bytes([0xDE, 0, keys])
    return head + pack("type") + pack(type_)


ASK_PASS: Final = _start("pass", 12)
ASK_PLAY: Final = _start("play", 19)
_ROUND_OVER: Final = _start("round_over", 6)
_MATCH_OVER: Final = _start("match_over", 5)

_TRICK_NUMBER: Final = pack("trick_number")
_LEADER: Final = pack("leader")
_HAND: Final = pack("hand")
_POINTS: Final = pack("points")
_RECEIVED_KEY: Final = pack("received")
_PASSED_KEY: Final = pack("passed")
_BANK_MS: Final = pack("bank_ms")
_SEAT: Final = tuple(pack_pairs({"seat": seat}) for seat in range(MAX_PLAYERS))


def _array_starts(key: str) -> tuple[bytes, ...]:
    """By size, a key and the head of the array behind it."""
    return tuple(pack(key) + head for head in ARRAYS)


_LEGAL: Final = _array_starts("legal")
_TRICK: Final = _array_starts("trick")
_EVENTS: Final = _array_starts("events")


def _event_starts(event: str, last_key: str) -> tuple[bytes, ...]:
    """By seat, the beginning of an event up to its cards, without the head of the map."""
    return tuple(pack_pairs({"event": event, "seat": seat}) + pack(last_key) for seat in range(MAX_PLAYERS))


_PASSED: Final = _event_starts("passed", "cards")
_RECEIVED: Final = _event_starts("received", "cards")
_PLAYED: Final = _event_starts("played", "card")
_TAKEN: Final = _event_starts("taken", "cards")
_BY_BOT: Final = pack_pairs({"by": "bot"})
_BY_STAND_IN: Final = pack_pairs({"by": "stand_in"})


@cache
def _plays(suits: str) -> tuple[tuple[tuple[bytes, bytes], ...], ...]:
    """By seat and canonical card, the event of its play: as the others are told, and as a bot's own."""
    names = Relabelling.of(suits).packed_names
    return tuple(
        tuple((b"\x83" + start + name, b"\x84" + start + name + _BY_BOT) for name in names)
        for start in _PLAYED
    )


@dataclass(slots=True)
class _Told:
    """What one seat is told of the current round beside what all are told.

    `own`: events for it alone that it has not been told; they come before the public ones from
    number `heard` on, for between its question and its answer nothing happens in public.
    `hand`: the names of the cards it holds, packed. The rest are pieces of its `play` that stay the
    same during the round, each with the key after it.
    """

    own: list[bytes] = field(default_factory=list)
    heard: int = 0
    hand: bytes = b""
    from_papayoo_suit: bytes = b""
    from_received: bytes = b""


class Phrases:
    """The messages of one match."""

    def __init__(self, setup: MatchSetup, labels: Relabelling) -> None:
        self._setup = setup
        self._labels = labels
        self._move_ms = setup.terms.move_ms
        self._plays = _plays(setup.suits)
        self._names = labels.packed_names
        self._trick = b""  # the names of its cards, packed

    def start(self, seat: int) -> PackedMessage:
        """The announcement of the match to one seat."""
        setup = self._setup
        rest: dict[str, object] = {
            "players": setup.players,
            "seat": seat,
            "rounds": len(setup.boards),
            "seed": setup.seeds[seat],
            "move_ms": setup.terms.move_ms,
            "bank_ms": setup.terms.bank_ms,
            "pass_count": pass_count(setup.players),
        }
        if setup.names is not None:
            rest["names"] = setup.names
        return PackedMessage(_start("start", 2 + len(rest)), None, [pack_pairs(rest)])

    # The course of a round

    def begin_round(self, current: Round, number: int, scores: list[int]) -> None:
        """A round is dealt: its number, and the scores before it."""
        known = pack_pairs({"scores": scores, "move_ms": self._move_ms}) + _BANK_MS
        self._from_scores = known
        self._from_count = pack_pairs({"count": current.pass_count}) + known
        self._from_round = pack_pairs({"round": number})
        self._from_dealer = pack_pairs({"dealer": current.dealer})
        self._packed_passes: dict[int, bytes] = {}
        self._public: list[bytes] = []
        self._told = [_Told() for _ in range(self._setup.players)]

    def passed(self, seat: int, cards: int, *, by_bot: bool) -> None:
        """A seat has chosen these cards; it alone is told."""
        packed = self._packed_passes[cards] = self._labels.packed(cards)
        by = _BY_BOT if by_bot else _BY_STAND_IN
        self._told[seat].own.append(b"".join((b"\x84", _PASSED[seat], packed, by)))

    def begin_play(self, current: Round) -> None:
        """All have passed, and the die has been rolled."""
        labels = self._labels
        letter = self.papayoo_letter(current)
        papayoo_suit = pack_pairs({"papayoo_suit": letter})
        for seat, told in enumerate(self._told):
            received = self._packed_passes[current.received[seat]]
            passed = self._packed_passes[current.passed[seat]]
            told.own.append(b"\x83" + _RECEIVED[seat] + received)
            told.hand = labels.joined(current.hands[seat])
            told.from_papayoo_suit = papayoo_suit + _SEAT[seat] + _HAND
            told.from_received = b"".join((_RECEIVED_KEY, received, _PASSED_KEY, passed, _POINTS))
        self._public.append(pack({"event": "die", "seat": current.dealer, "card": f"{letter}7"}))
        self._begin_trick(current)

    def played(self, seat: int, card: int, *, by_bot: bool) -> None:
        """A seat has played a card: all are told, the seat itself also who decided."""
        public, own = self._plays[seat][card]
        self._public.append(public)
        told = self._told[seat]
        told.own = [own if by_bot else b"\x84" + public[1:] + _BY_STAND_IN]
        told.heard = len(self._public)
        name = self._names[card]
        told.hand = told.hand.replace(name, b"")
        if self._trick:
            self._trick = self._trick + name  # compiled, += would take a detour
        else:
            self._trick = name
            self._led = suit_of(card)

    def taken(self, trick: Trick, current: Round) -> None:
        """A trick has been taken: all are told. `current` is as it is afterwards."""
        self._public.append(b"".join((b"\x83", _TAKEN[trick.taker], ARRAYS[len(trick.cards)], self._trick)))
        self._begin_trick(current)

    def _begin_trick(self, current: Round) -> None:
        self._trick = b""
        self._trick_start = b"".join(
            (
                self._from_round,
                _TRICK_NUMBER,
                NUMBERS[current.trick_number],
                self._from_dealer,
                _LEADER,
                NUMBERS[current.leader],
            )
        )
        self._points = pack_array([NUMBERS[points] for points in current.points]) + self._from_scores

    def _with_events(self, seat: int, pieces: list[bytes]) -> list[bytes]:
        """These pieces of a message with its last key, and what this seat has not been told yet."""
        told = self._told[seat]
        own, public = told.own, self._public[told.heard :]
        pieces.append(_EVENTS[len(own) + len(public)])
        pieces += own
        pieces += public
        told.own, told.heard = [], len(self._public)
        return pieces

    # What is said in it

    def ask_pass(self, current: Round, seat: int, bank_us: int) -> list[bytes]:
        """Which cards to pass to the left? What follows ASK_PASS, the id and the table."""
        pieces = [
            self._from_round,
            self._from_dealer,
            _SEAT[seat],
            _HAND,
            self._labels.packed(current.hands[seat]),
            self._from_count,
            pack(bank_us // 1000),
        ]
        return self._with_events(seat, pieces)

    def ask_play(self, current: Round, seat: int, bank_us: int) -> list[bytes]:
        """Which card to play? What follows ASK_PLAY, the id and the table."""
        told = self._told[seat]
        hand, legal = current.hands[seat], current.legal()
        names = told.hand
        bank_ms = bank_us // 1000
        pieces = [
            self._trick_start,
            told.from_papayoo_suit,
            ARRAYS[hand.bit_count()],
            names,
            _LEGAL[legal.bit_count()],
            names if legal == hand else self._labels.joined_of_suit(self._led, legal),
            _TRICK[len(current.trick)],
            self._trick,
            told.from_received,
            self._points,
            NUMBERS[bank_ms] if bank_ms < 256 else pack(bank_ms),
        ]
        return self._with_events(seat, pieces)

    def round_over(
        self, seats: Iterable[int], points: tuple[int, ...], scores: list[int]
    ) -> Iterator[tuple[int, PackedMessage]]:
        """The round has ended, with these scores after it: the message to each of these seats."""
        known = self._from_round + pack_pairs({"points": points, "scores": scores})
        for seat in seats:
            yield seat, PackedMessage(_ROUND_OVER, None, self._with_events(seat, [known]))

    def match_over(self, scores: list[int], places: tuple[int, ...]) -> PackedMessage:
        """The match has ended; the last events were told with the round's end."""
        known = pack_pairs({"scores": scores, "places": places})
        return PackedMessage(_MATCH_OVER, None, [known, _EVENTS[0]])

    # Words

    def papayoo_letter(self, current: Round) -> str:
        """The letter on the wire of the suit whose 7 is the Papayoo."""
        suit = current.papayoo_suit
        assert suit is not None, "the die is rolled after the pass"
        return self._labels.letter(suit)

    def hand_text(self, cards: int) -> str:
        """A set of cards in words, for the reason of a fault."""
        return " ".join(self._labels.names(cards)) or "nothing"

    def suit_name(self, card: int) -> str:
        """The name in words of a card's suit as the bots see it."""
        letter = self._labels.card_names[card][0]
        return _SUIT_WORDS[letter]


_SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", SUITS[PAYOO]: "Payoo"}
