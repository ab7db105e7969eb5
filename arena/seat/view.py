"""What a person at a table sees: frozen data, made by `arena.seat.seat`. Decides nothing.

Cards are named as on the wire. All of it follows from what the seat was told, so no card is in it that the
seat may not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from arena.papayoo import SUITS, mask_of, parse_card, points_of


class Stage(Enum):
    """How far the match is, as the seat knows it."""

    BEFORE = "before"
    """It has not begun."""
    PASSING = "passing"
    """Cards are being passed."""
    PLAYING = "playing"
    """Cards are being played."""
    ROUND_OVER = "round_over"
    """A round is over, and the next one is not dealt."""
    MATCH_OVER = "match_over"
    """The match is over."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A card that was played, and the seat that played it."""

    seat: int
    card: str


@dataclass(frozen=True, slots=True)
class Taken:
    """A whole trick: its cards in the order of play, who took it, and the points in it."""

    cards: tuple[Fallen, ...]
    taker: int
    points: int

    @classmethod
    def of(cls, cards: tuple[Fallen, ...], taker: int, papayoo: str) -> Taken:
        """Return the trick of these cards with its points. `papayoo`: the 7 that counts 40, such as "H7"."""
        mask = mask_of(parse_card(one.card) for one in cards)
        return cls(cards, taker, points_of(mask, SUITS.index(papayoo[0])))


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it. `round` and `trick_number` count from 0.

    `question`: the id of the question that is open, "" when the seat has nothing to answer; then `legal`
    is empty and `count` is 0. `legal`: the cards that may be chosen now, of which `count` are wanted.
    `hand`: the own cards, without those that were just passed or played. `passed`, `received`: of this
    round, empty before they are known. `papayoo`: the 7 that counts 40 points, "" before the die is
    rolled. `trick`: the cards on the table. `tricks`: those of this round that were taken. `points`: the
    card points of this round by seat; `scores`: those of the rounds before. `turn`: whose turn it is as
    far as the seat knows. During the pass nobody hears who has chosen, and a seat hears of a card that
    falls after its own with its next message. `stood_in`: how many decisions of this seat the stand-in
    has made. `places`: by seat, at the end. `bye`: why this seat is told nothing more, "" while it is.
    """

    stage: Stage = Stage.BEFORE
    players: int = 0
    seat: int = 0
    rounds: int = 0
    round: int = 0
    dealer: int = 0
    question: str = ""
    count: int = 0
    hand: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    received: tuple[str, ...] = ()
    papayoo: str = ""
    trick: tuple[Fallen, ...] = ()
    tricks: tuple[Taken, ...] = ()
    points: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    turn: int | None = None
    stood_in: int = 0
    places: tuple[int, ...] = ()
    bye: str = ""

    @property
    def trick_number(self) -> int:
        """Return the number of the trick that is being played."""
        return len(self.tricks)

    @property
    def totals(self) -> tuple[int, ...]:
        """Return the card points of the match so far, by seat. Points for faults are not told to seats."""
        return tuple(before + now for before, now in zip(self.scores, self.points, strict=True))

    @property
    def left(self) -> int:
        """Return the seat that gets the cards which this seat passes."""
        return (self.seat + 1) % self.players

    @property
    def right(self) -> int:
        """Return the seat that passes its cards to this seat."""
        return (self.seat - 1) % self.players
