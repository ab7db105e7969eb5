"""A decision as patterns and situations look at it: what the seat saw, and what it chose.

It looks at nothing that the seat could not know, and judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.match.stand_in import STAND_IN
from arena.papayoo import CARD_POINTS, CARDS, PAPAYOOS, SUIT_MASKS, cards_of, rank_of
from arena.papayoo.cards import SUIT_OF
from arena.review.course import Course, Play
from arena.review.phases import Phase

__all__ = ["RANK", "Sight", "sights_of"]

# `rank_of` checks its argument, which takes 0.1 us.
RANK: Final[tuple[int, ...]] = tuple(rank_of(card) for card in range(CARDS))
"""The rank of each card."""
_NOBODY: Final = -1


@dataclass(slots=True)
class Sight:
    """One decision of a bot that had a choice. Sets of cards are masks.

    `question`: 0 the pass, t + 1 the play to trick t. `chosen`: the card, or those passed. `card`: the card
    played, -1 at a pass. `legal`: of a pass the hand. `table`: the cards before it in the trick. `others`:
    the cards that the other seats hold. `voids`: the suits that another seat has shown not to have, as bits.
    `papayoo`: the Papayoo, -1 at a pass. `under`: the legal cards that follow suit and stay below the card
    that is winning; 0 unless it follows. `pot`: the points on the table. `taken`: its points so far in this
    round.
    """

    course: Course
    seat: int
    phase: Phase
    question: int
    hand: int
    legal: int
    chosen: int
    card: int
    table: tuple[int, ...]
    others: int
    voids: int
    papayoo: int
    under: int
    pot: int
    taken: int

    @property
    def bot(self) -> str:
        """Return who decides."""
        return self.course.bots[self.seat]

    @property
    def last(self) -> bool:
        """Return whether nobody plays after it."""
        return len(self.table) == self.course.players - 1

    def ranks(self) -> list[int]:
        """Return the ranks of what it could choose, in the order of the cards."""
        return [RANK[card] for card in cards_of(self.legal)]


def sights_of(course: Course) -> Iterator[Sight]:
    """Yield the decisions of a round that bots took themselves and that had a choice. Takes about 0.1 ms."""
    everything = 0
    for hand in course.dealt:
        everything |= hand
    for seat, bot in enumerate(course.bots):
        if bot != STAND_IN and seat not in course.passes_by_stand_in:
            hand = course.dealt[seat]
            yield Sight(
                course, seat, Phase.PASS, 0, hand, hand, course.passed[seat], _NOBODY, (), everything & ~hand,
                0, _NOBODY, 0, 0, 0,
            )  # fmt: skip
    taken = [0] * course.players
    for number, play in enumerate(course.plays):
        if not play.by_stand_in and not play.forced:
            yield _of_play(course, play, taken[play.seat])
        if (number + 1) % course.players == 0:
            trick = course.tricks[play.trick]
            taken[trick.taker] += trick.points


def _of_play(course: Course, play: Play, taken: int) -> Sight:
    under, pot = 0, 0
    if play.table:
        worth = CARD_POINTS[course.papayoo_suit]
        for card in play.table:
            pot += worth[card]
        if play.phase is Phase.FOLLOW:
            led = SUIT_MASKS[SUIT_OF[play.table[0]]]
            best = max([card for card in play.table if led >> card & 1])
            under = play.legal & ((1 << best) - 1)
    voids = 0
    for seat, suits in enumerate(play.voids):
        if seat != play.seat:
            voids |= suits
    return Sight(
        course, play.seat, play.phase, play.trick + 1, play.hand, play.legal, 1 << play.card, play.card,
        play.table, play.out & ~play.hand, voids, PAPAYOOS[course.papayoo_suit], under, pot, taken,
    )  # fmt: skip
