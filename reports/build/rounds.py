"""Plays a stored round again with the rules of the game, into what a match page shows of it.

Cards leave here only under the names that the bots saw (the match's relabelled suits).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from arena.match.record import MatchRecord, RoundRecord
from arena.match.relabel import Relabelling
from arena.papayoo import PAPAYOOS, IllegalMove, Round, Trick, dealer_of
from reports.model.cards import CardFace, HandRow, RoundPart, TrickRow

__all__ = ["NotReplayableError", "round_parts"]


class NotReplayableError(ValueError):
    """A stored round that the rules of the game do not allow: the database was changed by hand.

    ValueError
    └── NotReplayableError
    """


def round_parts(record: MatchRecord, bots: Sequence[str]) -> tuple[RoundPart, ...]:
    """The rounds of a match, ready to be shown. `bots`: names by seat. Raises NotReplayableError."""
    labels = Relabelling(record.setup.suits)
    return tuple(_Replayed(record, number, labels).part(bots) for number in range(len(record.rounds)))


class _Replayed:
    """One round played again."""

    def __init__(self, record: MatchRecord, number: int, labels: Relabelling) -> None:
        board = record.setup.boards[number]
        self._number = number
        self._names = labels.card_names
        self._labels = labels
        self._papayoo = PAPAYOOS[board.papayoo_suit]
        self._dealer = dealer_of(number, board.players)
        self._dealt = board.hands_by_seat(self._dealer)
        self._stand_in = frozenset(record.rounds[number].stand_in)
        try:
            self._round = _played(Round.deal(board, self._dealer), record.rounds[number])
        except (IllegalMove, IndexError) as error:
            raise NotReplayableError(f"round {number} cannot be played again: {error}") from error

    def part(self, bots: Sequence[str]) -> RoundPart:
        """What the page shows."""
        papayoo = CardFace(self._names[self._papayoo], papayoo=True)
        hands = tuple(self._hand(seat, bot) for seat, bot in enumerate(bots))
        return RoundPart(self._number, self._dealer, papayoo, hands, tuple(self._tricks()))

    def _hand(self, seat: int, bot: str) -> HandRow:
        played = self._round
        masks = (self._dealt[seat], played.passed[seat], played.received[seat])
        dealt, passed, received = (tuple(self._faces(mask)) for mask in masks)
        return HandRow(seat, bot, dealt, passed, received, passed_by_stand_in=seat in self._stand_in)

    def _faces(self, mask: int) -> Iterator[CardFace]:
        papayoo = self._names[self._papayoo]
        return (CardFace(name, papayoo=name == papayoo) for name in self._labels.names(mask))

    def _tricks(self) -> Iterator[TrickRow]:
        players = self._round.players
        running = accumulate(self._round.tricks, _add_points, initial=(0,) * players)
        next(running)
        for number, (trick, points) in enumerate(zip(self._round.tricks, running, strict=True)):
            first = players * (number + 1)  # decisions count from 0: first the passes, then the plays
            faces = [self._face(card, first + turn) for turn, card in enumerate(trick.cards)]
            by_seat = tuple(faces[(seat - trick.leader) % players] for seat in range(players))
            yield TrickRow(number, trick.leader, by_seat, trick.taker, trick.points, points)

    def _face(self, card: int, decision: int) -> CardFace:
        return CardFace(self._names[card], card == self._papayoo, decision in self._stand_in)


def _add_points(points: tuple[int, ...], trick: Trick) -> tuple[int, ...]:
    return tuple(have + trick.points * (seat == trick.taker) for seat, have in enumerate(points))


def _played(round_: Round, record: RoundRecord) -> Round:
    for seat, cards in enumerate(record.passes):
        round_.choose_pass(seat, cards)
    for card in record.plays:
        round_.play(card)
    if not round_.over or tuple(round_.points) != record.points:
        raise NotReplayableError(f"its cards do not make the stored points {list(record.points)}")
    return round_
