"""Deals the hidden cards again, in ways that fit what a seat has seen of the round.

It considers what a seat can hold, not what it probably holds: all deals that fit are about equally likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random


@dataclass(frozen=True, slots=True)
class Seen:
    """The knowledge of a seat, `me`, about the other hands. Lists are by seat; its own entries do not count.

    held: the number of cards that each seat holds. known: the cards that it holds for sure. possible: the
    cards that it may hold, which are those of the suits in which it is not void. hidden: all cards in the
    other hands. Sets of cards are masks.
    """

    me: int
    held: list[int]
    known: list[int]
    possible: list[int]
    hidden: int

    @property
    def agrees(self) -> bool:
        """Whether the numbers of cards agree, as they do if no event was missed."""
        others = [seat for seat in range(len(self.held)) if seat != self.me]
        fits = all(
            self.known[seat].bit_count() <= self.held[seat] and not self.known[seat] & ~self.hidden
            for seat in others
        )
        return fits and sum(self.held[seat] for seat in others) == self.hidden.bit_count()


class Dealer:
    """Deals the cards that are hidden from a seat, again and again. `seen` must agree.

    If voids make every deal impossible, which happens only if an event was missed, the voids are forgotten.
    """

    def __init__(self, seen: Seen, chance: Random) -> None:
        self._seen = seen
        self._random = chance.random
        self._shuffle = chance.shuffle
        self._others = [seat for seat in range(len(seen.held)) if seat != seen.me]
        known = 0
        for seat in self._others:
            known |= seen.known[seat]
        self._cards = [card for card in range(60) if (seen.hidden & ~known) >> card & 1]
        self._free = all(seen.possible[seat] & seen.hidden == seen.hidden for seat in self._others)
        self._seats = {card: self._seats_of(card) for card in self._cards}
        self._may = [sum(1 << seat for seat in self._seats[card]) for card in self._cards]

    def _seats_of(self, card: int) -> list[int]:
        return [seat for seat in self._others if self._free or self._seen.possible[seat] >> card & 1]

    def deal(self) -> list[int]:
        """Return the hands by seat, as masks; 0 for the seat that asks."""
        while (owner := self._deal_out()) is None:
            self._free = True
            self._seats = {card: self._seats_of(card) for card in self._cards}
        if not self._free:
            self._mix(owner)
        hands = list(self._seen.known)
        hands[self._seen.me] = 0
        for card, seat in owner.items():
            hands[seat] |= 1 << card
        return hands

    def _deal_out(self) -> dict[int, int] | None:
        """Return a seat for each card, or None if there is no such deal."""
        cards = self._cards[:]
        self._shuffle(cards)
        # The cards with the fewest possible seats first: they leave the least room for choice later.
        if not self._free:
            cards.sort(key=lambda card: len(self._seats[card]))
        room = [
            held - known.bit_count() for held, known in zip(self._seen.held, self._seen.known, strict=True)
        ]
        owner: dict[int, int] = {}
        for card in cards:
            if not self._find_seat(card, owner, room, set()):
                return None
        return owner

    def _find_seat(self, card: int, owner: dict[int, int], room: list[int], tried: set[int]) -> bool:
        """Give a card to a seat with room, with every free place equally likely, or make room for it.

        To make room, a card dealt before goes to another seat (an augmenting path), so that a deal is found
        if there is one. `tried`: the seats that need not be tried again. Returns False if there is no deal.
        """
        seats = self._seats[card]
        place = int(self._random() * sum([room[seat] for seat in seats]))
        for seat in seats:
            if place < room[seat]:
                owner[card] = seat
                room[seat] -= 1
                return True
            place -= room[seat]
        for seat in seats:
            if seat in tried:
                continue
            tried.add(seat)
            for other in [other for other, holder in owner.items() if holder == seat]:
                if self._find_seat(other, owner, room, tried):
                    owner[card] = seat  # in the place of the other
                    return True
        return False

    def _mix(self, owner: dict[int, int]) -> None:
        """Exchange cards at random, two or three in a ring, where voids allow it.

        Dealing one by one favours some deals. After these exchanges all deals are about equally likely.
        """
        cards, random = self._cards, self._random
        size = len(cards)
        may = self._may
        seats = [owner[card] for card in cards]
        for _ in range(2 * size):
            first, second, third = int(random() * size), int(random() * size), int(random() * size)
            ring = random() < 0.25
            if first == second or (ring and third in (first, second)):
                continue
            last = third if ring else first  # whose seat the second card gets
            one, other, final = seats[first], seats[second], seats[last]
            if not may[first] >> other & 1 or not may[second] >> final & 1:
                continue
            if ring:
                if not may[third] >> one & 1:
                    continue
                seats[third] = one
            seats[first], seats[second] = other, final
        owner.update(zip(cards, seats, strict=True))
