"""A recorded match by the rules, round by round, with what each seat held and could see at each play.

The statistics of a review read matches in this form. It plays nothing out and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.deals import MatchKey
from arena.match.record import MatchRecord, RoundRecord
from arena.papayoo import PAYOO, SUIT_MASKS, SUITS, IllegalMove, Round, Trick, dealer_of, hand_size, suit_of
from arena.review.phases import Phase

__all__ = ["Course", "Misdeed", "Play", "courses_of"]


@dataclass(frozen=True, slots=True)
class Play:
    """One card played. Sets of cards are masks.

    `trick`: from 0. `hand`: what the seat held before it played `card`; `legal`: what it could have played.
    `table`: the cards of the trick before it, in order. `out`: all cards that nobody had played before, its
    own included. `voids`: for each seat the suits that it had shown not to have, as bits 0 to 4.
    `by_stand_in`: the bot did not decide.
    """

    seat: int
    trick: int
    phase: Phase
    card: int
    hand: int
    legal: int
    table: tuple[int, ...]
    out: int
    voids: tuple[int, ...]
    by_stand_in: bool

    @property
    def forced(self) -> bool:
        """Return whether there was only one legal card."""
        return self.legal & (self.legal - 1) == 0


@dataclass(frozen=True, slots=True)
class Misdeed:
    """A fault of a seat's bot.

    `kind`: a value of `arena.match.faults.FaultKind`. `question`: None where nothing was asked, as where the
    bot did not start. `times`: as how many faults it was charged. That is more than 1 where the match was
    handed over before there were as many faults as it is charged: they share the charge equally.
    """

    seat: int
    kind: str
    question: int | None
    times: float


@dataclass(frozen=True, slots=True)
class Course:
    """One round of a match.

    `bots`: by seat. `dealt`, `passed`, `received`: sets of cards by seat. `plays`: in order, so play n
    belongs to trick n // players. `tricks`: who took what. `points`: by seat. `passes_by_stand_in`: the seats
    whose pass the stand-in chose. `took_us`: by seat, the time charged to the bot in this round, in
    microseconds. `faults`: the faults in this round; those that are in none stand in the first. `suits`: the
    letters that the bots saw for the four plain suits; they are drawn anew for each match.
    """

    key: MatchKey
    number: int
    bots: tuple[str, ...]
    dealer: int
    papayoo_suit: int
    dealt: tuple[int, ...]
    passed: tuple[int, ...]
    received: tuple[int, ...]
    plays: tuple[Play, ...]
    tricks: tuple[Trick, ...]
    points: tuple[int, ...]
    passes_by_stand_in: tuple[int, ...] = ()
    took_us: tuple[int, ...] = ()
    faults: tuple[Misdeed, ...] = ()
    suits: str = SUITS[:PAYOO]

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.bots)

    @property
    def session(self) -> tuple[int, int]:
        """Return (cycle, index): whose matches share their boards."""
        return self.key.cycle, self.key.index

    @property
    def board(self) -> tuple[int, int, int]:
        """Return what names the board: it is the same round in each match of the session."""
        return self.key.cycle, self.key.index, self.number

    def position(self, seat: int) -> int:
        """Return how many seats to the left of the dealer a seat is: the hand of the board that it holds."""
        return (seat - self.dealer) % self.players

    def play_of(self, seat: int, trick: int) -> Play:
        """Return the card that a seat played to a trick, from 0."""
        leader = self.tricks[trick].leader
        return self.plays[trick * self.players + (seat - leader) % self.players]


def courses_of(record: MatchRecord) -> Iterator[Course]:
    """Yield the rounds of a match. Takes about 0.2 ms a round of four.

    Raises ValueError, which names the round, when the record contradicts the rules.
    """
    for number, played in enumerate(record.rounds):
        try:
            yield _course(record, number, played)
        except (IllegalMove, IndexError, ValueError) as error:
            raise ValueError(f"round {number}: the cards do not fit the rules ({error})") from error


def _course(record: MatchRecord, number: int, played: RoundRecord) -> Course:
    players = record.setup.players
    round_ = Round.deal(record.setup.boards[number], dealer_of(number, players))
    dealt = tuple(round_.hands)
    for seat, cards in enumerate(played.passes):
        round_.choose_pass(seat, cards)
    plays = tuple(_plays(round_, played))
    if not round_.over:
        raise ValueError(f"{len(plays)} cards were played of {players * hand_size(players)}")
    if tuple(round_.points) != played.points:
        raise ValueError(f"it says {list(played.points)} points where the cards give {round_.points}")
    suit = round_.papayoo_suit
    assert suit is not None, "a round is over and has no Papayoo"
    return Course(
        key=record.key,
        number=number,
        bots=tuple(seat.bot for seat in record.seats),
        dealer=round_.dealer,
        papayoo_suit=suit,
        dealt=dealt,
        passed=tuple(round_.passed),
        received=tuple(round_.received),
        plays=plays,
        tricks=tuple(round_.tricks),
        points=played.points,
        passes_by_stand_in=tuple(decision for decision in played.stand_in if decision < players),
        took_us=_times(played, plays),
        faults=tuple(
            Misdeed(fault.seat, fault.kind.value, fault.question, _times_charged(record, fault.seat))
            for fault in record.faults
            if (fault.round or 0) == number
        ),
        suits=record.setup.suits,
    )


def _times_charged(record: MatchRecord, seat: int) -> float:
    """Return as how many faults each fault of a seat was charged."""
    made = sum(fault.seat == seat for fault in record.faults)
    one = record.setup.terms.fault_points
    return record.seats[seat].charge / one / made if one else 1.0


def _plays(round_: Round, played: RoundRecord) -> Iterator[Play]:
    """Play the cards of a round, and yield each as it was before it lay on the table."""
    players = round_.players
    absent = set(played.stand_in)
    voids = [0] * players
    out = 0
    for hand in round_.hands:
        out |= hand
    for number, card in enumerate(played.plays):
        seat, legal, table = round_.turn, round_.legal(), tuple(round_.trick)
        phase = _phase(legal, table)
        yield Play(
            seat, round_.trick_number, phase, card, round_.hands[seat], legal, table, out, tuple(voids),
            players + number in absent,
        )  # fmt: skip
        if phase is Phase.DISCARD:
            voids[seat] |= 1 << suit_of(table[0])
        out &= ~(1 << card)
        round_.play(card)


def _phase(legal: int, table: tuple[int, ...]) -> Phase:
    if not table:
        return Phase.LEAD
    return Phase.FOLLOW if legal & SUIT_MASKS[suit_of(table[0])] else Phase.DISCARD


def _times(played: RoundRecord, plays: tuple[Play, ...]) -> tuple[int, ...]:
    """Return the time of each seat: its pass and its plays."""
    players = len(played.passes)
    took = list(played.took_us[:players])
    for play, time in zip(plays, played.took_us[players:], strict=False):
        took[play.seat] += time
    return tuple(took)
