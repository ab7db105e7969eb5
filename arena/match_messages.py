"""What a match says to its seats: builds each message from the state of the round, in wire names.

Keys stand in the order of the protocol's specification. `id` and `table` are left to the sender.
Messages are put together from packed pieces, for this is half of what a decision costs: what stays
the same during a round is packed once for a seat, and an event once for all seats. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.packed import NUMBERS, PackedMessage, pack, pack_array, pack_pairs
from arena.papayoo import MAX_PLAYERS, PAYOO, SUITS, Round, pass_count
from arena.record import MatchSetup
from arena.relabel import Relabelling

__all__ = ["Message", "Moment", "PackedMessage", "Phrases"]

Message: TypeAlias = Mapping[str, Any]
"""A message of the protocol before it is encoded; `protocol.messages` describes each type."""


def _start(type_: str, keys: int) -> bytes:
    """The beginning of a message with so many keys: its head and its type."""
    head = bytes([0x80 + keys]) if keys < 16 else bytes([0xDE, 0, keys])
    return head + pack("type") + pack(type_)


_PASS = _start("pass", 12)
_PLAY = _start("play", 19)
_ROUND_OVER = _start("round_over", 6)
_MATCH_OVER = _start("match_over", 5)

_TRICK_NUMBER = pack("trick_number")
_LEADER = pack("leader")
_HAND = pack("hand")
_LEGAL = pack("legal")
_TRICK = pack("trick")
_POINTS = pack("points")
_BANK_MS = pack("bank_ms")
_EVENTS = pack("events")


def _event_starts(event: str, last_key: str) -> tuple[bytes, ...]:
    """By seat, the beginning of an event up to its cards, without the head of the map."""
    return tuple(pack_pairs({"event": event, "seat": seat}) + pack(last_key) for seat in range(MAX_PLAYERS))


_PASSED = _event_starts("passed", "cards")
_RECEIVED = _event_starts("received", "cards")
_PLAYED = _event_starts("played", "card")
_TAKEN = _event_starts("taken", "cards")
_BY = {by: pack_pairs({"by": by}) for by in ("bot", "stand_in")}


@dataclass(slots=True)
class Moment:
    """Where a match stands for one seat: what every question tells beside the round itself.

    `events` are packed already.
    """

    round: int
    scores: list[int]
    bank_us: int
    events: list[bytes]


@dataclass(frozen=True, slots=True)
class _Unchanging:
    """The pieces of one seat's `play` that stay the same during a round, each with the key after it."""

    round: int
    from_round: bytes
    from_dealer: bytes
    from_papayoo_suit: bytes
    from_received: bytes
    from_scores: bytes


class Phrases:
    """The messages of one match."""

    def __init__(self, setup: MatchSetup, labels: Relabelling) -> None:
        self._setup = setup
        self._labels = labels
        self._move_ms = setup.terms.move_ms
        self._unchanging: list[_Unchanging | None] = [None] * setup.players

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
        return PackedMessage(_start("start", 2 + len(rest)), None, pack_pairs(rest))

    def ask_pass(self, current: Round, seat: int, moment: Moment) -> PackedMessage:
        """Which cards to pass to the left?"""
        before = pack_pairs({"round": moment.round, "dealer": current.dealer, "seat": seat})
        after = {
            "count": current.pass_count,
            "scores": moment.scores,
            "move_ms": self._move_ms,
            "bank_ms": moment.bank_us // 1000,
        }
        hand = self._labels.packed(current.hands[seat])
        rest = (before, _HAND, hand, pack_pairs(after), _EVENTS, pack_array(moment.events))
        return PackedMessage(_PASS, "", b"".join(rest))

    def ask_play(self, current: Round, seat: int, moment: Moment) -> PackedMessage:
        """Which card to play?"""
        known = self._unchanging[seat]
        if known is None or known.round != moment.round:
            known = self._unchanging[seat] = self._learn(current, seat, moment)
        labels = self._labels
        hand, legal = current.hands[seat], current.legal()
        packed_hand = labels.packed(hand)
        bank_ms = moment.bank_us // 1000
        rest = (
            known.from_round,
            NUMBERS[current.trick_number],
            known.from_dealer,
            NUMBERS[current.leader],
            known.from_papayoo_suit,
            packed_hand,
            _LEGAL,
            packed_hand if legal == hand else labels.packed(legal),
            _TRICK,
            self._in_order(current.trick),
            known.from_received,
            pack_array([NUMBERS[points] for points in current.points]),
            known.from_scores,
            NUMBERS[bank_ms] if bank_ms < 256 else pack(bank_ms),
            _EVENTS,
            pack_array(moment.events),
        )
        return PackedMessage(_PLAY, "", b"".join(rest))

    def _learn(self, current: Round, seat: int, moment: Moment) -> _Unchanging:
        packed = self._labels.packed
        return _Unchanging(
            moment.round,
            pack_pairs({"round": moment.round}) + _TRICK_NUMBER,
            pack_pairs({"dealer": current.dealer}) + _LEADER,
            pack_pairs({"papayoo_suit": self.papayoo_letter(current), "seat": seat}) + _HAND,
            b"".join(
                (
                    pack("received"),
                    packed(current.received[seat]),
                    pack("passed"),
                    packed(current.passed[seat]),
                    _POINTS,
                )
            ),
            pack_pairs({"scores": moment.scores, "move_ms": self._move_ms}) + _BANK_MS,
        )

    def round_over(self, moment: Moment, points: tuple[int, ...]) -> PackedMessage:
        """A round has ended."""
        known = pack_pairs({"round": moment.round, "points": points, "scores": moment.scores})
        return PackedMessage(_ROUND_OVER, None, known + _EVENTS + pack_array(moment.events))

    def match_over(self, moment: Moment, places: tuple[int, ...]) -> PackedMessage:
        """The match has ended."""
        known = pack_pairs({"scores": moment.scores, "places": places})
        return PackedMessage(_MATCH_OVER, None, known + _EVENTS + pack_array(moment.events))

    # Events, packed

    def passed(self, seat: int, cards: int, by: str) -> bytes:
        """What was passed from this seat, told to it alone."""
        return b"".join((b"\x84", _PASSED[seat], self._labels.packed(cards), _BY[by]))

    def received(self, seat: int, cards: int) -> bytes:
        """What this seat received, told to it alone."""
        return b"".join((b"\x83", _RECEIVED[seat], self._labels.packed(cards)))

    def die(self, current: Round) -> bytes:
        """The die was rolled; the card is the Papayoo."""
        return pack({"event": "die", "seat": current.dealer, "card": f"{self.papayoo_letter(current)}7"})

    def played(self, seat: int, card: int) -> bytes:
        """A card was played, as the others are told."""
        return b"".join((b"\x83", _PLAYED[seat], self._labels.packed_names[card]))

    def played_by(self, public: bytes, by: str) -> bytes:
        """The same event as the seat itself is told it."""
        return b"".join((b"\x84", public[1:], _BY[by]))

    def taken(self, seat: int, cards: tuple[int, ...]) -> bytes:
        """A trick was taken."""
        return b"".join((b"\x83", _TAKEN[seat], self._in_order(cards)))

    def _in_order(self, cards: Sequence[int]) -> bytes:
        names = self._labels.packed_names
        return pack_array([names[card] for card in cards])

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


_SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", SUITS[PAYOO]: "Payoo"}
