"""The decisions of a recorded match: what was chosen, what else was legal, and what the seat could know.

They follow from the record by the rules alone. This module must not know what a decision is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from arena.match.record import MatchRecord
from arena.papayoo import (
    CARDS,
    SUIT_MASKS,
    IllegalMove,
    Position,
    Round,
    card_name,
    dealer_of,
    deck,
    hand_size,
    left_of,
    names_of,
    suit_of,
)
from arena.review.phases import Phase
from arena.strategy import Seen

__all__ = ["Decision", "decisions_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A pass or a play of one seat, with what the seat could know, and with the truth.

    place: the round, and the question: 0 is the pass, t + 1 the play to trick t. bot: who sat there.
    by_stand_in: the bot failed, and the stand-in chose. forced: there was one legal card.
    chosen, legal, hand: sets of cards; of a pass, `legal` is the hand.
    seen: what the seat knew of the other hands. position: the round as it saw it, with the other hands empty;
    None at a pass. points: by seat, the points taken in this round so far.
    true_hands: what each seat really held. true_passes: what each really passes in this round.
    papayoo_suit: the suit of the die, which nobody knows at a pass.

    Only `hand`, `legal`, `seen` and `position` may decide what would have been a good choice.
    """

    place: tuple[int, int]
    seat: int
    bot: str
    by_stand_in: bool
    phase: Phase
    chosen: int
    legal: int
    hand: int
    seen: Seen
    position: Position | None
    points: tuple[int, ...]
    true_hands: tuple[int, ...]
    true_passes: tuple[int, ...]
    papayoo_suit: int
    dealer: int

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.true_hands)

    @property
    def forced(self) -> bool:
        """Return whether there was nothing to choose."""
        return self.legal.bit_count() == 1


def decisions_of(record: MatchRecord, seats: Collection[int] | None = None) -> Iterator[Decision]:
    """Yield the decisions of these seats, by default of all: in each round first the passes, then the plays.

    Raises ValueError, when it comes to it, for cards that do not fit the rules or the deal.
    """
    boards, rounds = len(record.setup.boards), len(record.rounds)
    if boards != rounds:
        raise ValueError(f"{rounds} rounds are stored, and {boards} were dealt")
    if len(record.seats) != record.setup.players:
        raise ValueError(f"{len(record.seats)} seats are stored at a table of {record.setup.players}")
    wanted = range(record.setup.players) if seats is None else seats
    for number in range(rounds):
        yield from _Replay(record, number).decisions(wanted)


class _Replay:
    """One round, played again, and what was shown to all seats on the way."""

    def __init__(self, record: MatchRecord, number: int) -> None:
        self._number = number
        self._played = record.rounds[number]
        self._bots = [seat.bot for seat in record.seats]
        self._players = record.setup.players
        self._deck = deck(self._players)
        board = record.setup.boards[number]
        if board.players != self._players:
            raise self._wrong(f"the deal is for {board.players} seats, not {self._players}")
        self._suit = board.papayoo_suit
        self._round = Round.deal(board, dealer_of(number, self._players))
        self._possible = [self._deck] * self._players
        self._gone = 0  # the cards played so far
        self._check_sizes()

    def decisions(self, wanted: Collection[int]) -> Iterator[Decision]:
        for seat in range(self._players):
            if seat in wanted:
                yield self._pass(seat)
        self._hand_over()
        for place, card in enumerate(self._played.plays, start=self._players):
            seat = self._round.turn
            if not (0 <= card < CARDS and self._round.legal() >> card & 1):
                raise self._illegal(card)
            if seat in wanted:
                yield self._play(seat, card, place)
            self._follow(seat, card)
        if tuple(self._round.points) != self._played.points:
            stored, found = list(self._played.points), self._round.points
            raise self._wrong(f"the points by seat are {stored}, the plays give {found}")

    def _check_sizes(self) -> None:
        passes, plays = len(self._played.passes), len(self._played.plays)
        expected = self._players * hand_size(self._players)
        if passes != self._players or plays != expected:
            counts = f"{self._players} passes and {expected} plays"
            raise self._wrong(f"a round of {counts} has {passes} and {plays} here")

    def _hand_over(self) -> None:
        for seat, cards in enumerate(self._played.passes):
            try:
                self._round.choose_pass(seat, cards)
            except IllegalMove as error:
                names = " ".join(names_of(cards)) if 0 <= cards < 1 << CARDS else str(cards)
                raise self._wrong(f"seat {seat} passes {names}: {error}") from None

    def _illegal(self, card: int) -> ValueError:
        name = card_name(card) if 0 <= card < CARDS else str(card)
        reason = self._round.why_illegal_play(card)
        said = "" if reason is None else f": {reason.sentence}"
        return self._wrong(f"trick {self._round.trick_number}: seat {self._round.turn} plays {name}{said}")

    def _wrong(self, what: str) -> ValueError:
        return ValueError(f"the record contradicts the rules in round {self._number}, {what}")

    def _follow(self, seat: int, card: int) -> None:
        """Play a card, and take note of what it shows to all."""
        if self._round.trick:
            led = SUIT_MASKS[suit_of(self._round.trick[0])]
            if not led >> card & 1:
                self._possible[seat] &= ~led
        self._gone |= 1 << card
        self._round.apply(card)

    def _pass(self, seat: int) -> Decision:
        hand, players = self._round.hands[seat], self._players
        seen = Seen(
            me=seat,
            held=[hand_size(players)] * players,
            known=[0] * players,
            possible=[self._deck] * players,
            hidden=self._deck & ~hand,
        )
        return self._decision(seat, seat, self._played.passes[seat], Phase.PASS, seen, None)

    def _play(self, seat: int, card: int, place: int) -> Decision:
        round_ = self._round
        hand, legal = round_.hands[seat], round_.legal()
        phase = Phase.LEAD
        if round_.trick:
            led = SUIT_MASKS[suit_of(round_.trick[0])]
            phase = Phase.FOLLOW if legal & led else Phase.DISCARD
        hidden = self._deck & ~self._gone & ~hand
        known = [0] * self._players
        # The left neighbour got our pass, and still holds those of its cards that are not played.
        known[left_of(seat, self._players)] = self._played.passes[seat] & hidden
        seen = Seen(
            me=seat,
            held=[held.bit_count() for held in round_.hands],
            known=known,
            possible=list(self._possible),
            hidden=hidden,
        )
        hands = [0] * self._players
        hands[seat] = hand
        position = Position(
            papayoo_suit=self._suit,
            dealer=round_.dealer,
            leader=round_.leader,
            hands=tuple(hands),
            trick=tuple(round_.trick),
            points=tuple(round_.points),
        )
        return self._decision(place, seat, 1 << card, phase, seen, position)

    def _decision(
        self, place: int, seat: int, chosen: int, phase: Phase, seen: Seen, position: Position | None
    ) -> Decision:
        round_ = self._round
        return Decision(
            place=(self._number, 0 if position is None else round_.trick_number + 1),
            seat=seat,
            bot=self._bots[seat],
            by_stand_in=place in self._played.stand_in,
            phase=phase,
            chosen=chosen,
            legal=round_.hands[seat] if position is None else round_.legal(),
            hand=round_.hands[seat],
            seen=seen,
            position=position,
            points=tuple(round_.points),
            true_hands=tuple(round_.hands),
            true_passes=self._played.passes,
            papayoo_suit=self._suit,
            dealer=round_.dealer,
        )
