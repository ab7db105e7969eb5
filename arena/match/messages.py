"""The messages of a match to its seats, built from the state of the round, in wire names.

Keys stand in the order of the protocol's specification. `id` and `table` are left to the sender. Building
messages is half of what a decision costs, so they are put together from packed pieces: what stays
the same during a round is packed once for a seat, what stays the same during a trick once for the
table, an event once for all seats. The caller must therefore report the course of the round here too, in
its order: `begin_round`, `passed`, `begin_play`, then `played` and `taken`. This module decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias, final

from arena.match.packed import ARRAYS, NUMBERS, PackedMessage, pack, pack_array, pack_pairs
from arena.match.record import NO_CLOCK_BANK_MS, MatchSetup
from arena.match.relabel import Relabelling
from arena.papayoo import MAX_PLAYERS, PAYOO, SUITS, Round, Trick, pass_count, suit_of

Message: TypeAlias = Mapping[str, Any]
"""A message of the protocol before it is encoded; `protocol.messages` describes each type."""


def _start(type_: str, keys: int) -> bytes:
    """Return the beginning of a message with this number of keys: the head of its map and its type."""
    head = bytes([0x80 + keys]) if keys < 16 else bytes([0xDE, 0, keys])
    return head + pack("type") + pack(type_)


_ASK_PASS: Final = _start("pass", 13)
_ASK_PLAY: Final = _start("play", 20)
_ROUND_OVER: Final = _start("round_over", 6)
_MATCH_OVER: Final = _start("match_over", 5)

_TRICK_NUMBER: Final = pack("trick_number")
_LEADER: Final = pack("leader")
_HAND: Final = pack("hand")
_POINTS: Final = pack("points")
_RECEIVED_KEY: Final = pack("received")
_PASSED_KEY: Final = pack("passed")
_BANK_MS: Final = pack("bank_ms")
_ROUND: Final = pack("round")
_DEALER: Final = pack("dealer")
_COUNT: Final = pack("count")
_PAPAYOO_SUIT: Final = pack("papayoo_suit")


def _array_starts(key: str) -> tuple[bytes, ...]:
    """Return, by the size of an array, its key and its head."""
    return tuple(pack(key) + head for head in ARRAYS)


_LEGAL: Final = _array_starts("legal")
_TRICK: Final = _array_starts("trick")
_EVENTS: Final = _array_starts("events")


def _event_starts(event: str, last_key: str) -> tuple[bytes, ...]:
    """Return, by seat, the beginning of an event up to its cards, without the head of the map."""
    return tuple(pack_pairs({"event": event, "seat": seat}) + pack(last_key) for seat in range(MAX_PLAYERS))


_PASSED: Final = _event_starts("passed", "cards")
_RECEIVED: Final = _event_starts("received", "cards")
_PLAYED: Final = _event_starts("played", "card")
_TAKEN: Final = _event_starts("taken", "cards")
_DIE: Final = _event_starts("die", "card")
_BY_BOT: Final = pack_pairs({"by": "bot"})
_BY_STAND_IN: Final = pack_pairs({"by": "stand_in"})


@cache
def _plays(suits: str) -> tuple[tuple[tuple[bytes, bytes], ...], ...]:
    """Return, by seat and canonical card, two events of its play: the others' and the bot's own.

    The bot's own event also says who decided. There are 24 relabellings, so all of these stay in memory.
    """
    names = Relabelling.of(suits).packed_names
    return tuple(
        tuple((b"\x83" + start + name, b"\x84" + start + name + _BY_BOT) for name in names)
        for start in _PLAYED
    )


@cache
def _seats(players: int) -> tuple[bytes, ...]:
    """Return, by seat, what each question says of the table and its seat."""
    return tuple(pack_pairs({"players": players, "seat": seat}) for seat in range(players))


@final
class _Told:
    """What one seat has been told of the current round, and the pieces that are its own.

    `own`: events for this seat alone that it has not been told, packed; `own_count`: how many. They come
    before the public events. `heard`, `heard_size`: how many public events it has been told since the
    beginning of the round, and their bytes. A count is enough, because nothing public happens between its
    question and its answer. `hand`: the names of the cards it holds, packed. The other attributes are pieces
    of its `play` question that stay the same during the round, each with the key after it. A plain class for
    the same reason as `Question`.
    """

    __slots__ = ("from_papayoo_suit", "from_received", "hand", "heard", "heard_size", "own", "own_count")

    def __init__(self) -> None:
        self.own = b""
        self.own_count = 0
        self.heard = 0
        self.heard_size = 0
        self.hand = b""
        self.from_papayoo_suit = b""
        self.from_received = b""


class Phrases:
    """The messages of one match."""

    def __init__(self, setup: MatchSetup, labels: Relabelling) -> None:
        self._setup = setup
        self._seats = _seats(setup.players)
        self._labels = labels
        self._move_ms = setup.terms.move_ms
        self._plays = _plays(setup.suits)
        of_all: dict[str, object] = {
            "move_ms": setup.terms.move_ms,
            "bank_ms": setup.terms.bank_ms,
            "pass_count": pass_count(setup.players),
        }
        self._start_keys = len(of_all)
        self._start_end = pack_pairs(of_all)
        self._start_end_no_clock = pack_pairs({**of_all, "bank_ms": NO_CLOCK_BANK_MS})
        self._names = labels.packed_names
        self._trick = b""  # the names of its cards, packed

    def start(self, seat: int) -> PackedMessage:
        """Return the announcement of the match to one seat."""
        setup = self._setup
        own = {
            "players": setup.players,
            "seat": seat,
            "rounds": len(setup.boards),
            "seed": setup.seeds[seat],
        }
        end = self._start_end_no_clock if seat in (setup.no_clock or ()) else self._start_end
        return PackedMessage(_start("start", 2 + len(own) + self._start_keys), None, [pack_pairs(own), end])

    # The course of a round

    def begin_round(self, current: Round, number: int, scores: list[int]) -> None:
        """Take in that a round is dealt: its number, and the scores before it."""
        known = pack_pairs({"scores": scores, "move_ms": self._move_ms}) + _BANK_MS
        self._from_scores = known
        self._from_count = _COUNT + NUMBERS[current.pass_count] + known
        self._from_round = _ROUND + pack(number)
        self._from_dealer = _DEALER + NUMBERS[current.dealer]
        self._packed_passes: dict[int, bytes] = {}
        self._public = b""  # the latest events that all are told, packed; all seats have heard those before
        self._dropped_size = 0  # the bytes of those before
        self._public_count = 0  # all of them, those before too
        self._told = [_Told() for _ in range(self._setup.players)]

    def passed(self, seat: int, cards: int, *, by_bot: bool) -> None:
        """Take in that a seat has chosen these cards. Only this seat is told."""
        packed = self._packed_passes[cards] = self._labels.packed(cards)
        by = _BY_BOT if by_bot else _BY_STAND_IN
        told = self._told[seat]
        told.own = b"".join((b"\x84", _PASSED[seat], packed, by))
        told.own_count = 1

    def begin_play(self, current: Round) -> None:
        """Take in that all have passed and the die has been rolled."""
        labels = self._labels
        letter = self.papayoo_letter(current)
        papayoo_suit = _PAPAYOO_SUIT + pack(letter)
        for seat, told in enumerate(self._told):
            received = self._packed_passes[current.received[seat]]
            passed = self._packed_passes[current.passed[seat]]
            told.own = b"".join((told.own, b"\x83", _RECEIVED[seat], received))
            told.own_count += 1
            told.hand = labels.joined(current.hands[seat])
            told.from_papayoo_suit = papayoo_suit + self._seats[seat] + _HAND
            told.from_received = b"".join((_RECEIVED_KEY, received, _PASSED_KEY, passed, _POINTS))
        self._public = b"".join((b"\x83", _DIE[current.dealer], pack(letter + "7")))
        self._public_count = 1
        self._begin_trick(current)

    def played(self, seat: int, card: int, *, by_bot: bool) -> None:
        """Take in that a seat has played a card. All are told; the seat itself is also told who decided."""
        public, own = self._plays[seat][card]
        so_far = self._public + public  # compiled, += is slower
        self._public = so_far
        self._public_count += 1
        told = self._told[seat]
        told.own = own if by_bot else b"\x84" + public[1:] + _BY_STAND_IN
        told.own_count = 1
        told.heard, told.heard_size = self._public_count, self._dropped_size + len(so_far)
        name = self._names[card]
        # A packed name begins with its own length, so no name contains another one.
        told.hand = told.hand.replace(name, b"")
        if self._trick:
            self._trick = self._trick + name
        else:
            self._trick = name
            self._led = suit_of(card)

    def taken(self, trick: Trick, current: Round) -> None:
        """Take in that a trick has been taken. All are told. `current` is the round after the trick."""
        # The leader played first in the trick, so it has heard the least. Events before that are dropped, and
        # the bytes that are copied with each event stay few.
        heard_size = self._told[trick.leader].heard_size
        unheard = self._public[heard_size - self._dropped_size :]
        self._dropped_size = heard_size
        self._public = b"".join(
            (unheard, b"\x83", _TAKEN[trick.taker], ARRAYS[len(trick.cards)], self._trick)
        )
        self._public_count += 1
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
        """Return the pieces with the message's last key and the events that this seat has not been told."""
        told = self._told[seat]
        public, count = self._public, self._public_count
        pieces.append(_EVENTS[told.own_count + count - told.heard])
        pieces.append(told.own)
        pieces.append(public[told.heard_size - self._dropped_size :])
        told.own, told.own_count = b"", 0
        told.heard, told.heard_size = count, self._dropped_size + len(public)
        return pieces

    # What is said in it

    def ask_pass(self, current: Round, seat: int, bank_us: int) -> list[bytes]:
        """Return the pieces of the question which cards to pass, with room for its id and table."""
        pieces = [
            _ASK_PASS,
            b"",  # these three are ROOM, which * would put in one by one
            b"",
            b"",
            self._from_round,
            self._from_dealer,
            self._seats[seat],
            _HAND,
            self._labels.packed(current.hands[seat]),
            self._from_count,
            pack(bank_us // 1000),
        ]
        return self._with_events(seat, pieces)

    def ask_play(self, current: Round, seat: int, bank_us: int) -> list[bytes]:
        """Return the pieces of the question which card to play, with room for its id and table."""
        told = self._told[seat]
        size = current.hand_size - current.trick_number
        names, legal_size, legal_names = told.hand, size, told.hand
        legal = current.legal()
        # Where every card may be played, the names of the hand serve for both keys.
        if legal != current.hands[seat]:
            legal_size, legal_names = legal.bit_count(), self._labels.joined_of_suit(self._led, legal)
        bank_ms = bank_us // 1000
        pieces = [
            _ASK_PLAY,
            b"",
            b"",
            b"",
            self._trick_start,
            told.from_papayoo_suit,
            ARRAYS[size],
            names,
            _LEGAL[legal_size],
            legal_names,
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
        """Yield, for each of these seats, the message that the round has ended with these scores."""
        known = self._from_round + pack_pairs({"points": points, "scores": scores})
        for seat in seats:
            yield seat, PackedMessage(_ROUND_OVER, None, self._with_events(seat, [known]))

    def match_over(
        self, seats: Iterable[int], scores: list[int], places: tuple[int, ...]
    ) -> Iterator[tuple[int, PackedMessage]]:
        """Yield, for each of these seats, the message that the match has ended.

        It has no events: the last ones were told with the end of the round.
        """
        known = [pack_pairs({"scores": scores, "places": places}), _EVENTS[0]]
        for seat in seats:
            yield seat, PackedMessage(_MATCH_OVER, None, known)

    # Words

    def papayoo_letter(self, current: Round) -> str:
        """Return the letter on the wire of the suit whose 7 is the Papayoo."""
        suit = current.papayoo_suit
        assert suit is not None, "the die is rolled after the pass"
        return self._labels.letter(suit)

    def hand_text(self, cards: int) -> str:
        """Return a set of cards in words, for the reason of a fault."""
        return " ".join(self._labels.names(cards)) or "nothing"

    def suit_name(self, card: int) -> str:
        """Return the name in words of a card's suit as the bots see it."""
        letter = self._labels.card_names[card][0]
        return _SUIT_WORDS[letter]


_SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", SUITS[PAYOO]: "Payoo"}
