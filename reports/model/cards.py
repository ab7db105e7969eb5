"""A round as a match page shows it: cards by the names that the bots saw, in the order of play."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CardFace", "HandRow", "RoundPart", "TrickRow"]


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


@dataclass(frozen=True, slots=True)
class RoundPart:
    """One round of a match: who dealt, which card the die made the Papayoo, hands and tricks."""

    number: int
    dealer: int
    papayoo: CardFace
    hands: tuple[HandRow, ...]
    tricks: tuple[TrickRow, ...]
