"""The rounds of a recorded match, played again: what each seat decided, could have chosen, and knew.

All of it follows from the record by the rules alone. This module must not know what a decision is worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.papayoo import (
    SUIT_MASKS,
    IllegalMove,
    Position,
    Round,
    dealer_of,
    deck,
    hand_size,
    left_of,
    suit_of,
)
from arena.strategy import Seen

Place = tuple[MatchKey, int, int, int]
"""A decision: match, round, question (0 is the pass, t + 1 the play to trick t), and seat."""


class Phase(StrEnum):
    """The kinds of decisions, in the order in which they are shown."""

    PASS = "pass"  # noqa: S105  (a word of the game, no password)
    LEAD = "lead"
    FOLLOW = "follow"
    """To a trick in progress, with a card of the suit that was led."""
    DISCARD = "discard"
    """To a trick in progress, without a card of the suit that was led."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A pass or a play of one seat, with what the seat could know, and with the truth.

    by_stand_in: the bot failed, and the stand-in chose.
    chosen, legal, hand: sets of cards; of a pass, `legal` is the hand.
    seen: what the seat knew of the other hands. position: the round as it saw it, with the other hands empty;
    None at a pass.
    true_hands: what each seat really held. true_passes: what each really passes in this round.
    papayoo_suit: the suit of the die, which nobody knows at a pass.

    Only `hand`, `legal`, `seen` and `position` may decide what would have been a good choice.
    """

    place: Place
    bot: str
    by_stand_in: bool
    phase: Phase
    chosen: int
    legal: int
    hand: int
    seen: Seen
    position: Position | None
    true_hands: tuple[int, ...]
    true_passes: tuple[int, ...]
    papayoo_suit: int
    dealer: int

    @property
    def seat(self) -> int:
        """Return the seat that decides."""
        return self.place[3]

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.true_hands)

    @property
    def table(self) -> tuple[int, ...]:
        """Return the cards of the trick before it, in order."""
        return () if self.position is None else self.position.trick

    @property
    def had_choice(self) -> bool:
        """Return whether the bot chose among several possibilities itself."""
        return not self.by_stand_in and self.legal.bit_count() > 1


def replays_of(record: MatchRecord) -> Iterator[RoundReplay]:
    """Yield the rounds of a match. Raises ValueError for a record that is not whole."""
    boards, rounds = len(record.setup.boards), len(record.rounds)
    if boards != rounds:
        raise ValueError(f"{rounds} rounds are stored, and {boards} were dealt")
    if len(record.seats) != record.setup.players:
        raise ValueError(f"{len(record.seats)} seats are stored at a table of {record.setup.players}")
    for number in range(rounds):
        yield RoundReplay(record, number)


def decisions_of(record: MatchRecord, seats: Collection[int] | None = None) -> Iterator[Decision]:
    """Yield the decisions of these seats, by default of all: in each round first the passes, then the plays.

    Raises ValueError, when it comes to it, for cards that do not fit the rules or the deal.
    """
    for replay in replays_of(record):
        yield from replay.decisions(range(record.setup.players) if seats is None else seats)


def decision_at(record: MatchRecord, place: Place) -> Decision:
    """Return the decision at a place. Raises ValueError as `decisions_of`, or if there is no such place."""
    for decision in decisions_of(record, [place[3]]):
        if decision.place == place:
            return decision
    raise ValueError(f"the match has no decision of seat {place[3]} in round {place[1]}, question {place[2]}")


class RoundReplay:
    """One round of a record, played again, and what was shown to all seats on the way.

    number: from 0. bots: by seat. dealt: the hands as dealt, by seat. round: the game, over as soon as all
    `decisions` were read.
    """

    def __init__(self, record: MatchRecord, number: int) -> None:
        self.number = number
        self.bots = tuple(seat.bot for seat in record.seats)
        players = record.setup.players
        self.round = Round.deal(record.setup.boards[number], dealer_of(number, players))
        self.dealt = tuple(self.round.hands)
        self._key = record.key
        self._played = record.rounds[number]
        self._deck = deck(players)
        self._suit = record.setup.boards[number].papayoo_suit
        self._possible = [self._deck] * players
        self._gone = 0  # the cards played so far

    def decisions(self, seats: Collection[int]) -> Iterator[Decision]:
        """Play the round to its end and yield the decisions of these seats, each before it is carried out.

        Raises ValueError, which names the round, when the record contradicts the rules.
        """
        try:
            yield from self._decisions(seats)
        except (IllegalMove, IndexError, ValueError) as error:
            raise ValueError(f"round {self.number}: the cards do not fit the rules ({error})") from error

    def _decisions(self, seats: Collection[int]) -> Iterator[Decision]:
        played, round_ = self._played, self.round
        players = round_.players
        sizes = len(played.passes), len(played.plays)
        if sizes != (players, players * hand_size(players)):
            raise ValueError(f"{sizes[0]} passes and {sizes[1]} plays are not those of {players} seats")
        for seat in seats:
            yield self._pass(seat)
        for seat, cards in enumerate(played.passes):
            round_.choose_pass(seat, cards)
        for place, card in enumerate(played.plays, start=players):
            seat = round_.turn
            reason = round_.why_illegal_play(card)
            if reason is not None:
                raise IllegalMove(reason)
            if seat in seats:
                yield self._play(seat, card, place)
            self._follow(seat, card)
        if tuple(round_.points) != played.points:
            raise ValueError(f"it says {list(played.points)} points, and the cards give {round_.points}")

    def _follow(self, seat: int, card: int) -> None:
        """Play a card, and take note of what it shows to all."""
        if self.round.trick:
            led = SUIT_MASKS[suit_of(self.round.trick[0])]
            if not led >> card & 1:
                self._possible[seat] &= ~led
        self._gone |= 1 << card
        self.round.apply(card)

    def _pass(self, seat: int) -> Decision:
        hand, players = self.round.hands[seat], self.round.players
        seen = Seen(
            me=seat,
            held=[hand_size(players)] * players,
            known=[0] * players,
            possible=[self._deck] * players,
            hidden=self._deck & ~hand,
        )
        return self._decision(seat, seat, self._played.passes[seat], Phase.PASS, seen, None)

    def _play(self, seat: int, card: int, place: int) -> Decision:
        round_ = self.round
        hand, players = round_.hands[seat], round_.players
        phase = Phase.LEAD
        if round_.trick:
            led = SUIT_MASKS[suit_of(round_.trick[0])]
            phase = Phase.FOLLOW if hand & led else Phase.DISCARD
        hidden = self._deck & ~self._gone & ~hand
        known = [0] * players
        # The left neighbour got our pass, and still holds those of its cards that are not played.
        known[left_of(seat, players)] = self._played.passes[seat] & hidden
        seen = Seen(
            me=seat,
            held=[held.bit_count() for held in round_.hands],
            known=known,
            possible=list(self._possible),
            hidden=hidden,
        )
        hands = [0] * players
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
        round_ = self.round
        question = 0 if position is None else round_.trick_number + 1
        return Decision(
            place=(self._key, self.number, question, seat),
            bot=self.bots[seat],
            by_stand_in=place in self._played.stand_in,
            phase=phase,
            chosen=chosen,
            legal=round_.hands[seat] if position is None else round_.legal(),
            hand=round_.hands[seat],
            seen=seen,
            position=position,
            true_hands=tuple(round_.hands),
            true_passes=self._played.passes,
            papayoo_suit=self._suit,
            dealer=round_.dealer,
        )
