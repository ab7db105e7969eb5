"""One round: a deal passed and played out trick by trick, with the rules checked and the points counted.

Bots may use it to look ahead. This plays a random playout, from what a bot knows and a guess of the hidden
hands:

    round_ = Round.position(Position(papayoo_suit=2, dealer=0, leader=1, hands=..., trick=..., points=...))
    while not round_.over:
        legal = round_.legal()
        round_.play(card_at(legal, int(random() * legal.bit_count())))
    print(round_.points)          # by seat, 250 in all

To compare cards under one guess, play each card on a `copy()`. To look ahead from a pass, guess a whole
`Board` with its die, begin with `Round.deal`, and let every seat `choose_pass` before the loop above.

This module must not know clocks, messages, matches or bots, and draws nothing at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

from arena.papayoo.board import Board
from arena.papayoo.cards import SUIT_MASKS, SUIT_OF, mask_of, names_of
from arena.papayoo.illegal import Illegal, IllegalMove
from arena.papayoo.table import (
    CARD_POINTS,
    PLAIN_SUITS,
    POINTS_PER_ROUND,
    deck,
    hand_size,
    left_of,
    pass_count,
    points_of,
)

_LAST_CARDS: Final = tuple(mask.bit_length() - 1 for mask in SUIT_MASKS)
_NO_CARD: Final = -1


class Phase(Enum):
    """The phases of a round: waiting for every seat's pass, then for plays, then for nothing."""

    PASS = "pass"  # noqa: S105  (a word of the game, no password)
    PLAY = "play"
    OVER = "over"


# Python 3.11 takes 0.1 us to look a member up in its Enum, too long for every play.
_PASS: Final = Phase.PASS
_PLAY: Final = Phase.PLAY
_OVER: Final = Phase.OVER


class Trick(NamedTuple):
    """A completed trick. `cards` are in play order: the seat (leader + i) mod players played cards[i].

    A NamedTuple because playouts make many: a frozen dataclass takes half as long again to make.
    """

    leader: int
    cards: tuple[int, ...]
    taker: int
    points: int


_new: Final = tuple.__new__  # half the time of NamedTuple's own constructor


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """A position in the middle of a round, after the pass, from which `Round.position` plays on.

    papayoo_suit: the suit 0..3 that the die showed.
    dealer: the seat that dealt.
    leader: the seat that led the trick in progress, or that leads the next trick.
    hands: by seat, the set of cards still held (a bot's own hand, and its guess of the others).
    trick: the cards of the trick in progress in play order, fewer than there are players; () before a lead.
    points: by seat, the points taken so far in this round.
    """

    papayoo_suit: int
    dealer: int
    leader: int
    hands: tuple[int, ...]
    trick: tuple[int, ...]
    points: tuple[int, ...]


class Round:
    """One deal being played out. Begin with `Round.deal` or `Round.position`.

    Read the attributes, but set none.

    players, dealer, hand_size, pass_count: fixed for the round; the dealer leads the first trick.
    phase: PASS until every seat has chosen, then PLAY, then OVER.
    hands: by seat, the set of cards held now. Chosen cards stay in a hand until every seat has chosen.
    passed, received: by seat, the sets of cards chosen and received; 0 until then.
    papayoo_suit: 0..3, or None until every seat has chosen its pass: only then is the die rolled.
    turn: the seat to act. In PASS any seat may choose, and this is the lowest one that has not. In OVER this
        is the taker of the last trick.
    leader: the seat that led the trick in progress or leads the next one; in OVER the taker of the last
        trick.
    trick: the cards of the trick in progress, in play order, a list; [] between tricks.
    trick_number: the number of completed tricks, so also the 0-based number of the trick in progress.
    points: by seat, the points taken so far.
    tricks: the completed tricks, oldest first; in a round begun by `position`, only those since then.
    """

    __slots__ = (
        "_best", "_hidden_suit", "_last_of_suit", "_led", "_legal", "_pot", "_taker", "_worth",
        "dealer", "hand_size", "hands", "leader", "papayoo_suit", "pass_count", "passed", "phase", "players",
        "points", "received", "trick", "trick_number", "tricks", "turn",
    )  # fmt: skip

    papayoo_suit: int | None

    def __init__(self, players: int, dealer: int, papayoo_suit: int, hands: list[int]) -> None:
        """Called by `deal` and `position` only, which check the arguments."""
        self.players = players
        self.dealer = self.leader = dealer
        self.hand_size = hand_size(players)
        self.pass_count = pass_count(players)
        self.phase = _PASS
        self.hands = hands
        self.passed = [0] * players
        self.received = [0] * players
        self.papayoo_suit = None
        self.turn = 0
        self.trick: list[int] = []
        self.trick_number = 0
        self.points = [0] * players
        self.tricks: list[Trick] = []
        self._hidden_suit = papayoo_suit  # what the die will show
        self._worth = CARD_POINTS[papayoo_suit]
        self._legal = hands[0]
        self._led = 0  # all cards of the led suit, when the trick has a card
        self._last_of_suit = self._best = _NO_CARD  # the led suit's highest card, and its highest played
        self._taker = dealer  # who played the best card
        self._pot = 0  # points in the trick

    @classmethod
    def deal(cls, board: Board, dealer: int) -> Round:
        """Return a new round of this board, dealt by seat `dealer`, waiting for every seat's pass.

        Raises ValueError when there is no such seat.
        """
        left_of(dealer, board.players)  # raises ValueError for a seat that is not at the table
        return cls(board.players, dealer, board.papayoo_suit, board.hands_by_seat(dealer))

    @classmethod
    def position(cls, position: Position) -> Round:
        """Return a round that goes on from a position. Its earlier passes and tricks are unknown.

        Raises ValueError unless the numbers of cards are right, no card is there twice, and the points taken
        and still to come are 250. Whether each seat followed suit in the trick in progress is not checked: a
        guess of the other hands need not be that good.
        """
        _check_position(position)
        players = len(position.hands)
        round_ = cls(players, position.dealer, position.papayoo_suit, list(position.hands))
        round_.points[:] = position.points
        # The seat to the right of the leader plays last, so it still holds one card for each trick to come.
        round_.trick_number = round_.hand_size - position.hands[position.leader - 1].bit_count()
        round_._begin_play(position.leader)
        for card in position.trick:
            round_.hands[round_.turn] |= 1 << card  # `apply` takes it out of the hand again
            round_.apply(card)
        return round_

    @property
    def over(self) -> bool:
        """True once every trick has been played."""
        return self.phase is _OVER

    def legal(self) -> int:
        """Return the set of cards that seat `turn` may play, or choose its pass from.

        The set is 0 when the round is over.
        """
        return self._legal

    def why_illegal_pass(self, seat: int, mask: int) -> Illegal | None:
        """Return why this seat may not pass these cards now, or None if it may.

        Raises ValueError if there is no such seat.
        """
        left_of(seat, self.players)
        if self.phase is not _PASS:
            return Illegal.NOT_PASSING
        if self.passed[seat]:
            return Illegal.ALREADY_CHOSEN
        if mask & ~self.hands[seat]:
            return Illegal.NOT_IN_HAND
        if mask.bit_count() != self.pass_count:
            return Illegal.WRONG_COUNT
        return None

    def why_illegal_play(self, card: int) -> Illegal | None:
        """Return why the seat `turn` may not play this card now, or None if it may."""
        if self.phase is not _PLAY:
            return Illegal.NOT_PLAYING
        if card < 0 or not self.hands[self.turn] >> card & 1:
            return Illegal.NOT_IN_HAND
        if not self._legal >> card & 1:
            return Illegal.MUST_FOLLOW
        return None

    def choose_pass(self, seat: int, mask: int) -> None:
        """Store a seat's pass.

        Seats may choose in any order; the last choice hands all cards over and rolls the die.

        Raises IllegalMove where `why_illegal_pass` gives a reason.
        """
        reason = self.why_illegal_pass(seat, mask)
        if reason is not None:
            raise IllegalMove(reason)
        self.passed[seat] = mask
        # A pass is never empty, so 0 means that a seat has not chosen.
        if all(self.passed):
            self._hand_over()
        else:
            self.turn = self.passed.index(0)
            self._legal = self.hands[self.turn]

    def play(self, card: int) -> Trick | None:
        """Play a card of the seat `turn`. Return the completed trick, or None while the trick goes on.

        Raises IllegalMove where `why_illegal_play` gives a reason.
        """
        if self.phase is not _PLAY or card < 0 or not self._legal >> card & 1:
            reason = self.why_illegal_play(card)
            assert reason is not None, "the quick test and the reasons disagree"
            raise IllegalMove(reason)
        return self.apply(card)

    def apply(self, card: int) -> Trick | None:
        """Play a card as `play` does, without its check. An illegal card leaves the round in disorder."""
        seat = self.turn
        self.hands[seat] = self.hands[seat] ^ (1 << card)  # compiled, ^= is slower
        trick = self.trick
        if not trick:
            suit = SUIT_OF[card]
            self._led = SUIT_MASKS[suit]
            self._last_of_suit = _LAST_CARDS[suit]
            self._best = card
            self._taker = seat
        # Cards of a suit are consecutive, ascending by rank. So two comparisons tell a higher card of the led
        # suit.
        elif self._best < card <= self._last_of_suit:
            self._best = card
            self._taker = seat
        trick.append(card)
        self._pot += self._worth[card]
        if len(trick) == self.players:
            return self._complete_trick()
        seat += 1
        if seat == self.players:
            seat = 0
        self.turn = seat
        hand = self.hands[seat]
        # Follow suit if possible; a seat without the led suit may play any card.
        self._legal = hand & self._led or hand
        return None

    def copy(self) -> Round:
        """Return an independent round in the same state: playing one on does not change the other."""
        twin = Round(self.players, self.dealer, self._hidden_suit, self.hands[:])
        twin.phase, twin.papayoo_suit = self.phase, self.papayoo_suit
        twin.passed, twin.received = self.passed[:], self.received[:]
        twin.turn, twin.leader = self.turn, self.leader
        twin.trick, twin.trick_number, twin.tricks = self.trick[:], self.trick_number, self.tricks[:]
        twin.points = self.points[:]
        twin._legal, twin._led = self._legal, self._led
        twin._last_of_suit, twin._best = self._last_of_suit, self._best
        twin._taker, twin._pot = self._taker, self._pot
        return twin

    def _hand_over(self) -> None:
        # One loop both takes and gives. That is safe because the passed sets never overlap: each seat passes
        # cards of its own dealt hand only.
        for seat, cards in enumerate(self.passed):
            left = left_of(seat, self.players)
            self.received[left] = cards
            self.hands[seat] ^= cards
            self.hands[left] |= cards
        self._begin_play(self.dealer)

    def _begin_play(self, leader: int) -> None:
        self.papayoo_suit = self._hidden_suit
        self.phase = _PLAY
        self.leader = self.turn = leader
        self._legal = self.hands[leader]

    def _complete_trick(self) -> Trick:
        taker = self._taker
        done = _new(Trick, (self.leader, tuple(self.trick), taker, self._pot))
        self.tricks.append(done)
        self.points[taker] += self._pot
        self.trick = []
        self._pot = 0
        self.trick_number += 1
        self.leader = self.turn = taker
        self._legal = self.hands[taker]
        if self.trick_number == self.hand_size:
            self.phase = _OVER
            # Every card has been taken by somebody, so any other sum is a mistake in this module.
            assert sum(self.points) == POINTS_PER_ROUND, f"a round of {self.points} points"
        return done


def _check_position(position: Position) -> None:
    players = len(position.hands)
    cards_in_play = deck(players)
    for seat in (position.dealer, position.leader):
        left_of(seat, players)
    if position.papayoo_suit not in PLAIN_SUITS:
        raise ValueError(f"the die shows a plain suit, 0 to 3, not {position.papayoo_suit}")
    if len(position.trick) >= players:
        raise ValueError(f"a trick in progress has fewer than {players} cards, not {len(position.trick)}")
    _check_hand_sizes(position)
    cards = mask_of(position.trick)
    for seat, hand in enumerate(position.hands):
        if cards & hand:
            raise ValueError(f"seat {seat} holds cards that are elsewhere too: {names_of(cards & hand)}")
        cards |= hand
    if cards & ~cards_in_play:
        raise ValueError(f"a table of {players} does not play with all of these cards")
    if len(position.points) != players or min(position.points) < 0:
        raise ValueError(f"points need {players} numbers from 0 up, one a seat: {position.points}")
    total = sum(position.points) + points_of(cards, position.papayoo_suit)
    if total != POINTS_PER_ROUND:
        raise ValueError(f"points taken and still to come make {total}, not {POINTS_PER_ROUND}")


def _check_hand_sizes(position: Position) -> None:
    players = len(position.hands)
    last = (position.leader - 1) % players  # the last to play in a trick, so it has not played yet
    held = position.hands[last].bit_count()
    if not 1 <= held <= hand_size(players):
        raise ValueError(f"seat {last} needs 1 to {hand_size(players)} cards, not {held}")
    for place in range(players):
        seat = (position.leader + place) % players
        expected = held - (place < len(position.trick))
        if position.hands[seat].bit_count() != expected:
            raise ValueError(f"seat {seat} needs {expected} cards, not {position.hands[seat].bit_count()}")
