"""The policy of every seat in a rollout: Sharp's, a little simplified, in a few microseconds a card.

The constants and formulas are those of bots/python/sharp/bot.py, which explains them. The policy looks only
at what the seat may know: its hand and the cards that are still out. It must not know searches or clocks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, final

from arena.papayoo import CARD_POINTS, CARDS, PAPAYOOS, PAYOO, SUIT_MASKS, Round, cards_of, mask_of, rank_of
from arena.papayoo.cards import SUIT_OF

NO_CARD: Final = -1
"""What stands for no card at all."""

_PLAIN_RANK: Final = 2.4
_PLAIN_LONG: Final = 1.0
_LATER: Final = 0.5
_KEEP_PAPAYOO: Final = 25.0
_KEEP_CATCHER: Final = 6.0
_KEEP_PLAIN: Final = 11.0
_KEEP_PAYOO: Final = 8.0
_KEEP_PAYOO_RANK: Final = 0.3
_THROWN: Final = 0.8
_CAUGHT: Final = 20.0

# `rank_of` checks its argument, which takes 0.1 us.
_RANK: Final[tuple[int, ...]] = tuple(rank_of(card) for card in range(CARDS))
_BELOW: Final[tuple[int, ...]] = tuple((1 << card) - 1 for card in range(CARDS + 1))
_LAST: Final[tuple[int, ...]] = tuple(mask.bit_length() - 1 for mask in SUIT_MASKS)
"""The highest card of each suit."""


def worst_first(hand: int) -> list[int]:
    """Return the cards of a hand, those that Sharp would pass before others first."""

    def badness(card: int) -> float:
        if SUIT_OF[card] == PAYOO:
            return _RANK[card]
        return _PLAIN_RANK * _RANK[card] - _PLAIN_LONG * (hand & SUIT_MASKS[SUIT_OF[card]]).bit_count()

    return sorted(cards_of(hand), key=badness)[::-1]  # of equal cards the higher first


def passed(hand: int, count: int) -> int:
    """Return the `count` cards of a hand that Sharp would pass, as a mask."""
    return mask_of(worst_first(hand)[:count])


def best_of(trick: Sequence[int]) -> int:
    """Return the card that is winning a trick, or NO_CARD if the trick is empty."""
    if not trick:
        return NO_CARD
    best = trick[0]
    last = _LAST[SUIT_OF[best]]
    for card in trick:
        if best < card <= last:
            best = card
    return best


@final
class _Prospect:
    """What follows from a card and from what is unseen of its suit.

    danger: the points that keeping the card may cost. unseen, lower: how many cards of its suit are unseen,
    and of these how many are lower. ends: of a Payoo, the sum of the highest and the lowest rank of these
    lower ones, or 0. caught: the points that it may catch from a seat that follows.
    """

    __slots__ = ("caught", "danger", "ends", "lower", "unseen")

    def __init__(self, danger: float, unseen: int, lower: int, ends: int, caught: float) -> None:
        self.danger = danger
        self.unseen = unseen
        self.lower = lower
        self.ends = ends
        self.caught = caught


class Policy:
    """The policy at a table of so many players, after the die has shown a suit.

    What follows from cards is kept once computed, since rollouts ask for the same again and again. It may
    grow large in thousands of rounds: make a new policy for each decision.
    """

    def __init__(self, players: int, papayoo_suit: int) -> None:
        self._players = players
        self._suit = papayoo_suit
        self._papayoo = PAPAYOOS[papayoo_suit]
        self._points = CARD_POINTS[papayoo_suit]
        self._none = _all_chances_of_none(players)
        self._prospects: list[dict[int, _Prospect]] = [
            {} for _ in range(CARDS)
        ]  # by what is unseen of the suit
        self._thrown: dict[int, float] = {}  # by the Payoos unseen

    def play_out(self, round_: Round, seat: int) -> int:
        """Play a round to its end and return the points of a seat."""
        out = 0  # all cards still to be played
        for hand in round_.hands:
            out |= hand
        while not round_.over:
            legal = round_.legal()
            if legal & (legal - 1):
                card = self.choose(legal, out & ~round_.hands[round_.turn], round_.trick)
            else:
                card = legal.bit_length() - 1
            out ^= 1 << card
            round_.apply(card)
        return round_.points[seat]

    def choose(self, legal: int, unseen: int, trick: Sequence[int]) -> int:
        """Return which of its `legal` cards a seat plays onto a trick. `unseen`: the cards in other hands."""
        if not trick:
            return self._least(cards_of(legal), unseen, (self._players - 1, 0), (1e9, NO_CARD))
        best = best_of(trick)
        if not legal & SUIT_MASKS[SUIT_OF[best]]:
            return self._throw(legal, unseen)
        if legal < 1 << best:  # every legal card stays under
            return self._papayoo if legal >> self._papayoo & 1 else legal.bit_length() - 1
        return self._follow(trick, legal, unseen, best)

    def _follow(self, trick: Sequence[int], legal: int, unseen: int, best: int) -> int:
        pot = 0
        for card in trick:
            pot += self._points[card]
        least, chosen = 1e9, NO_CARD
        under = legal & _BELOW[best]
        if under:
            chosen = self._papayoo if under >> self._papayoo & 1 else under.bit_length() - 1
            least = -_LATER * self._prospect(chosen, unseen).danger
        above = cards_of(legal & ~_BELOW[best])
        return self._least(above, unseen, (self._players - 1 - len(trick), pot), (least, chosen))

    def _least(self, cards: list[int], unseen: int, trick: tuple[int, int], before: tuple[float, int]) -> int:
        """Return which of some cards that win the trick so far costs least.

        `trick`: the seats still to play, and the points in it. `before`: what another card costs, and that
        card, which is returned if none costs less.
        """
        later, pot = trick
        least, chosen = before
        none = self._none[unseen.bit_count()]
        thrown = self._thrown_of(unseen)
        for card in cards:
            prospect = self._prospect(card, unseen)
            void = none[prospect.unseen]
            followed = prospect.caught
            if prospect.ends:
                followed = (1 - void) * prospect.ends / 2
            chance = (1 - none[prospect.lower] + void) ** later
            taking = chance * (pot + self._points[card] + later * (void * thrown + followed))
            cost = taking - _LATER * prospect.danger
            if cost < least:
                least, chosen = cost, card
        return chosen

    def _throw(self, legal: int, unseen: int) -> int:
        """Return the card that is most dangerous to keep: the Papayoo, or the highest card of a suit."""
        if legal >> self._papayoo & 1:
            return self._papayoo
        most, chosen = -1e9, NO_CARD
        for mask in SUIT_MASKS:
            if legal & mask:
                card = (legal & mask).bit_length() - 1
                danger = self._prospect(card, unseen).danger
                if danger > most:
                    most, chosen = danger, card
        return chosen

    def _prospect(self, card: int, unseen: int) -> _Prospect:
        of_suit = unseen & SUIT_MASKS[SUIT_OF[card]]
        prospects = self._prospects[card]
        prospect = prospects.get(of_suit)
        if prospect is None:
            prospect = prospects[of_suit] = self._prospect_of(card, of_suit)
        return prospect

    def _prospect_of(self, card: int, of_suit: int) -> _Prospect:
        lower = of_suit & _BELOW[card]
        ends, caught = 0, 0.0
        if SUIT_OF[card] == PAYOO:
            if lower:
                ends = lower.bit_length() + (lower & -lower).bit_length() - 80
        elif self._catches(card, of_suit):
            caught = _CAUGHT / of_suit.bit_count()
        danger = self._danger_of(card, of_suit)
        return _Prospect(danger, of_suit.bit_count(), lower.bit_count(), ends, caught)

    def _danger_of(self, card: int, of_suit: int) -> float:
        """Estimate the points that keeping a card may cost."""
        if card == self._papayoo:
            return _KEEP_PAPAYOO
        below = (of_suit & _BELOW[card]).bit_count() / max(1, of_suit.bit_count())
        if SUIT_OF[card] == PAYOO:
            return _KEEP_PAYOO * below + _KEEP_PAYOO_RANK * _RANK[card]
        if not of_suit:
            return -1.0
        return _KEEP_PLAIN * below + _KEEP_CATCHER * self._catches(card, of_suit)

    def _catches(self, card: int, of_suit: int) -> bool:
        return SUIT_OF[card] == self._suit and card > self._papayoo and bool(of_suit >> self._papayoo & 1)

    def _thrown_of(self, unseen: int) -> float:
        """Return the points that a seat throws when it cannot follow."""
        payoos = unseen & SUIT_MASKS[PAYOO]
        thrown = self._thrown.get(payoos)
        if thrown is None:
            highest = [_RANK[card] for card in cards_of(payoos)[-4:]]
            thrown = self._thrown[payoos] = _THROWN * sum(highest) / max(1, len(highest))
        return thrown


@cache
def _all_chances_of_none(players: int) -> list[list[float]]:
    return [_chances_of_none(unseen, players) for unseen in range(CARDS + 1)]


def _chances_of_none(unseen: int, players: int) -> list[float]:
    """Return the chance that a seat has none of n cards, by n, when `unseen` cards are unseen in all."""
    others = max(1, unseen)
    return [(1 - n / others) ** (others / (players - 1)) for n in range(others + 1)]


def alike(legal: int, between: int, papayoo_suit: int) -> list[int]:
    """Return the legal cards in groups of equal effect, as masks, ascending by their lowest card.

    Plain cards of a suit that score nothing have the same effect when no card between them is in another hand
    or wins the trick in progress: `between` is the set of all these cards.
    """
    points = CARD_POINTS[papayoo_suit]
    groups: list[int] = []
    for card in cards_of(legal):
        lower = legal & SUIT_MASKS[SUIT_OF[card]] & ((1 << card) - 1)
        neighbour = lower.bit_length() - 1
        gap = (1 << card) - (2 << neighbour) if lower else 0
        if lower and not points[card] and not points[neighbour] and not between & gap:
            groups[-1] |= 1 << card
        else:
            groups.append(1 << card)
    return groups
