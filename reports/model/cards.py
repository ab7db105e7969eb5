"""A round as a match page shows it: cards by the names that the bots saw, in the order of play."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.common import MatchLink

__all__ = ["CardFace", "HandRow", "OtherCell", "OtherRow", "RoundPart", "TrickRow"]


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card on a page. `name`: "S7"; `papayoo`: it is the one that scores 40; `stand_in`: who played it."""

    name: str
    papayoo: bool = False
    stand_in: bool = False

    @property
    def suit(self) -> str:
        """The letter of its suit in lower case, which is also its class in the style sheet."""
        return self.name[0].lower()

    @property
    def rank(self) -> str:
        """Its name without the suit: "7"."""
        return self.name[1:]


@dataclass(frozen=True, slots=True)
class HandRow:
    """What one seat was dealt, passed to the left and received from the right."""

    seat: int
    bot: str
    dealt: tuple[CardFace, ...]
    passed: tuple[CardFace, ...]
    received: tuple[CardFace, ...]
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
        """The suit that was led, which the taker's card is of too: its class in the style sheet."""
        return self.cards[self.leader].suit

    @property
    def so_far(self) -> int:
        """The points of the taker in this round, with these."""
        return self.running[self.taker]

    @property
    def stand_in(self) -> bool:
        """Whether the stand-in played one of its cards: so it does wherever there was a fault."""
        return any(face.stand_in for face in self.cards)


@dataclass(frozen=True, slots=True)
class OtherCell:
    """What a bot took with the cards of a seat, and how much more that is than in this match.

    `side`: "below" when it is less, "above" when it is more, "across" when it is the same.
    """

    bot: str
    points: int
    difference: str
    side: str


@dataclass(frozen=True, slots=True)
class OtherRow:
    """The same board in another match of the session, by seat."""

    link: MatchLink
    cells: tuple[OtherCell, ...]


@dataclass(frozen=True, slots=True)
class RoundPart:
    """One round of a match: who dealt, which card the die made the Papayoo, hands and tricks.

    `others`: the same board in the other matches of the session.
    """

    number: int
    dealer: int
    papayoo: CardFace
    hands: tuple[HandRow, ...]
    tricks: tuple[TrickRow, ...]
    others: tuple[OtherRow, ...] = ()
