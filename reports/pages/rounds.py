"""Builds a round as a match page shows it: played again by the rules, cards in the order of play.

Cards leave here only under the names that the bots saw (the match's relabelled suits).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from arena.match.record import MatchRecord, RoundRecord
from arena.match.relabel import Relabelling
from arena.papayoo import CARD_NAMES, PAPAYOOS, IllegalMove, Round, dealer_of, parse_card
from reports.selection import MatchLink


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card on a page.

    `name`: "S7"; `papayoo`: whether it scores 40; `stand_in`: whether the stand-in chose it. `suit`: the
    letter of its suit in lower case, also its class in the style sheet; `rank`: the rest of its name, "7".
    ValueError for what is no card: so markup may have the name as it is.
    """

    name: str
    papayoo: bool = False
    stand_in: bool = False
    suit: str = field(init=False)
    rank: str = field(init=False)

    def __post_init__(self) -> None:
        """Take the name apart once: pages ask for its parts again and again."""
        parse_card(self.name)
        object.__setattr__(self, "suit", self.name[0].lower())
        object.__setattr__(self, "rank", self.name[1:])


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or a card, which stands apart from it."""

    text: str
    card: CardFace | None = None


Sentence = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class HandRow:
    """The cards that one seat was dealt, and those of them that it passed to the left."""

    seat: int
    bot: str
    dealt: tuple[CardFace, ...]
    passed: tuple[CardFace, ...]
    passed_by_stand_in: bool


@dataclass(frozen=True, slots=True)
class TrickRow:
    """One trick. `cards` and `running` (points so far in this round) are by seat, not in order of play."""

    number: int
    leader: int
    cards: tuple[CardFace, ...]
    taker: int
    points: int
    running: tuple[int, ...]

    @property
    def led(self) -> str:
        """Return the suit that was led, and of the taker's card: its class in the style sheet."""
        return self.cards[self.leader].suit

    @property
    def so_far(self) -> int:
        """Return the points of the taker in this round, with this trick."""
        return self.running[self.taker]

    @property
    def stand_in(self) -> bool:
        """Return whether the stand-in played one of its cards, as it does after every fault."""
        return any(face.stand_in for face in self.cards)


@dataclass(frozen=True, slots=True)
class OtherRow:
    """The same board in another match of the session, by seat here: who had the hand there, with its points.

    `away`: how many more than in this match.
    """

    link: MatchLink
    bots: tuple[str, ...]
    points: tuple[int, ...]
    away: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundPart:
    """One round of a match: the dealer, the Papayoo, hands and tricks.

    `others`: the same board in the other matches of the session.
    """

    number: int
    dealer: int
    papayoo: CardFace
    hands: tuple[HandRow, ...]
    tricks: tuple[TrickRow, ...]
    others: tuple[OtherRow, ...] = ()


class NotReplayableError(ValueError):
    """A stored round breaks the rules of the game: the database was changed by hand.

    ValueError
    └── NotReplayableError
    """


def round_parts(record: MatchRecord, bots: Sequence[str]) -> tuple[RoundPart, ...]:
    """Build the rounds of a match. `bots`: names by seat. Raises NotReplayableError."""
    labels = Relabelling.of(record.setup.suits)
    return tuple(_Replayed(record, number, labels).part(bots) for number in range(len(record.rounds)))


class _Replayed:
    """Plays one round again."""

    def __init__(self, record: MatchRecord, number: int, labels: Relabelling) -> None:
        board = record.setup.boards[number]
        self._number = number
        self._names = labels.card_names
        self._labels = labels
        self._papayoo = PAPAYOOS[board.papayoo_suit]
        self._face_of = _faces_by_name(self._names[self._papayoo])
        self._dealer = dealer_of(number, board.players)
        self._dealt = board.hands_by_seat(self._dealer)
        self._stand_in = frozenset(record.rounds[number].stand_in)
        try:
            self._round = _played(Round.deal(board, self._dealer), record.rounds[number])
        except (IllegalMove, IndexError) as error:
            raise NotReplayableError(f"round {number} cannot be played again: {error}") from error

    def part(self, bots: Sequence[str]) -> RoundPart:
        """Return what the page shows."""
        papayoo = self._face_of[self._names[self._papayoo]]
        hands = tuple(self._hand(seat, bot) for seat, bot in enumerate(bots))
        return RoundPart(self._number, self._dealer, papayoo, hands, tuple(self._tricks()))

    def _hand(self, seat: int, bot: str) -> HandRow:
        dealt, passed = self._faces(self._dealt[seat]), self._faces(self._round.passed[seat])
        return HandRow(seat, bot, dealt, passed, passed_by_stand_in=seat in self._stand_in)

    def _faces(self, mask: int) -> tuple[CardFace, ...]:
        face_of = self._face_of
        return tuple([face_of[name] for name in self._labels.names(mask)])

    def _tricks(self) -> Iterator[TrickRow]:
        players = self._round.players
        running = [0] * players
        for number, trick in enumerate(self._round.tricks):
            running[trick.taker] += trick.points
            first = players * (number + 1)  # decisions count from 0: first the passes, then the plays
            faces = [self._face(card, first + turn) for turn, card in enumerate(trick.cards)]
            seat_0 = players - trick.leader  # the turn of seat 0; beyond the last if it leads
            by_seat = (*faces[seat_0:], *faces[:seat_0])
            yield TrickRow(number, trick.leader, by_seat, trick.taker, trick.points, tuple(running))

    def _face(self, card: int, decision: int) -> CardFace:
        face = self._face_of[self._names[card]]
        return replace(face, stand_in=True) if decision in self._stand_in else face


@cache
def _faces_by_name(papayoo: str) -> Mapping[str, CardFace]:
    """Return all cards by name. `papayoo`: the name of the one that scores 40.

    A page has hundreds of cards, and these objects serve all of them but those of the stand-in.
    """
    return {name: CardFace(name, papayoo=name == papayoo) for name in CARD_NAMES}


def _played(round_: Round, record: RoundRecord) -> Round:
    for seat, cards in enumerate(record.passes):
        round_.choose_pass(seat, cards)
    for card in record.plays:
        round_.play(card)
    if not round_.over or tuple(round_.points) != record.points:
        raise NotReplayableError(f"its cards do not make the stored points {list(record.points)}")
    return round_
