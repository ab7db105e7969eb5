"""The search: deals the hidden cards again and again, and plays each choice to the end of the round.

All options are tried in the same guessed deals ("worlds"), so their differences are much more certain than
their means. Options that are clearly worse are dropped on the way.

The time that the question allows decides how much is played, but counted in cards rather than in seconds: a
cautious number for each millisecond. So the same questions after the same seed have the same answers, as
long as the machine manages that number in the time. The clock cuts a search short only when the machine does
not: when half of the time is gone, or when other programs had the processor for so long that a few more such
stalls would make the answer late. The bank is left for such accidents of the machine.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import sqrt
from random import Random
from time import monotonic

from arena.papayoo import (
    PLAIN_SUITS,
    Board,
    Position,
    Round,
    deck,
    hand_size,
    pass_count,
)
from arena.strategy import NO_CARD, Dealer, Policy, Seen, alike, best_of, passed, worst_first

CARDS_PER_MS = 30  # to play for a card; one core of 2020 plays about 200
PASS_CARDS_PER_MS = 60  # to play for a pass, of which there is one in a round
LONGEST_MS = 2000  # more time than this is not used: it would gain next to nothing
WORLDS_A_LAP = 12  # between two times that options are dropped
FEW_WORLDS = 4
CLEARLY = 1.5  # an option is dropped when it is worse by so many standard errors of the difference
BETTER = 1.4  # and is preferred to Sharp's choice when it is better by so many
PASS_FROM = 2  # that many cards more than are passed are tried, in all combinations

SHARE = 0.5  # of the time of a question
RESERVE = 0.015  # seconds off that, for reading and writing
SHORT_GAP = 0.01  # seconds between two looks at the clock that mean nothing
STALLS_LEFT = 6


class Effort:
    """The effort for one question: cards to play, and time on the clock."""

    stall = 0.0
    """The longest recent time, in seconds, that the machine gave to other programs during a search."""

    def __init__(self, move_ms: int, cards_per_ms: int) -> None:
        Effort.stall *= 0.9  # the cause of the stall may be over
        self.cards = min(move_ms, LONGEST_MS) * cards_per_ms
        self._looked = monotonic()
        self._end = self._looked + move_ms / 1000 - RESERVE
        self._deadline = self._looked + SHARE * move_ms / 1000 - RESERVE

    def time_is_up(self) -> bool:
        """Return whether the search must end at once. To be asked before each playout."""
        now = monotonic()
        gap, self._looked = now - self._looked, now
        if gap > SHORT_GAP:
            Effort.stall = max(Effort.stall, gap)
        return now > self._deadline or now > self._end - STALLS_LEFT * Effort.stall


Outcome = Callable[[int], int]
"""The points of an option in one world. An option is a set of cards, as a mask."""


def race(options: list[int], new_world: Callable[[], Outcome], length: int, effort: Effort) -> int:
    """Return the best option. `length`: the cards of a playout.

    The first option, which is Sharp's choice, is taken unless another one is better by more than chance
    explains: in a few worlds some option always looks good.
    """
    points: dict[int, list[int]] = {option: [] for option in options}
    world = 0
    while len(points) > 1 and effort.cards > 0 and _try(points, new_world(), length, effort):
        world += 1
        if world % WORLDS_A_LAP == 0:
            leader = points[_best(points)]
            points = {option: own for option, own in points.items() if not _is_worse(own, leader, CLEARLY)}
    best, first = _best(points), points.get(options[0])
    in_doubt = world < FEW_WORLDS or (first is not None and not _is_worse(first, points[best], BETTER))
    return options[0] if first is not None and in_doubt else best


def _try(points: dict[int, list[int]], outcome: Outcome, length: int, effort: Effort) -> bool:
    """Try all options in one more world. Returns False when the time is up; then the world does not count."""
    found = []
    for option in points:
        if effort.time_is_up():
            return False
        effort.cards -= length
        found.append(outcome(option))
    for own, result in zip(points.values(), found, strict=True):
        own.append(result)
    return True


def _best(points: dict[int, list[int]]) -> int:
    return min(points, key=lambda option: sum(points[option]))


def _is_worse(one: list[int], other: list[int], errors: float) -> bool:
    """Return whether one option is worse by more than `errors` standard errors of the difference."""
    worlds = len(one)
    differences = [mine - theirs for mine, theirs in zip(one, other, strict=True)]
    mean = sum(differences) / worlds
    variance = sum([(difference - mean) ** 2 for difference in differences]) / (worlds - 1) + 1.0
    return mean > errors * sqrt(variance / worlds)


def search_card(position: Position, seen: Seen, legal: int, chance: Random, effort: Effort) -> int:
    """Return the card to play. Of the hands in `position` only that of `seen.me` is used."""
    me = seen.me
    hand = position.hands[me]
    policy = Policy(len(position.hands), position.papayoo_suit)
    best = best_of(position.trick)
    first = policy.choose(legal, seen.hidden, position.trick)
    between = seen.hidden | (1 << best if best != NO_CARD else 0)
    lowest = [group & -group for group in alike(legal, between, position.papayoo_suit)]
    options = [1 << first, *(card for card in lowest if card != 1 << first)]
    if len(options) == 1 or not seen.agrees:
        return first
    dealer = Dealer(seen, chance)

    def new_world() -> Outcome:
        hands = dealer.deal()
        hands[me] = hand
        world = Round.position(_with_hands(position, hands))

        def outcome(option: int) -> int:
            round_ = world.copy()
            round_.apply(option.bit_length() - 1)
            return policy.play_out(round_, me)

        return outcome

    length = hand.bit_count() * len(position.hands)
    return race(options, new_world, length, effort).bit_length() - 1


def _with_hands(position: Position, hands: list[int]) -> Position:
    return Position(
        papayoo_suit=position.papayoo_suit,
        dealer=position.dealer,
        leader=position.leader,
        hands=tuple(hands),
        trick=position.trick,
        points=position.points,
    )


def search_pass(hand: int, players: int, seat: int, chance: Random, effort: Effort) -> int:
    """Return the cards to pass, as a mask. Seats are counted from the dealer here, and so is `seat`."""
    how_many, everything = pass_count(players), deck(players)
    others = [position for position in range(players) if position != seat]
    held = [hand_size(players)] * players
    dealer = Dealer(Seen(seat, held, [0] * players, [everything] * players, everything & ~hand), chance)
    policies = [Policy(players, suit) for suit in PLAIN_SUITS]

    def new_world() -> Outcome:
        hands = dealer.deal()
        hands[seat] = hand
        suit = chance.randrange(len(PLAIN_SUITS))
        world = Round.deal(Board(tuple(hands), suit), 0)
        for other in others:
            world.choose_pass(other, passed(hands[other], how_many))

        def outcome(option: int) -> int:
            round_ = world.copy()
            round_.choose_pass(seat, option)
            return policies[suit].play_out(round_, seat)

        return outcome

    return race(_passes(hand, how_many), new_world, everything.bit_count(), effort)


def _passes(hand: int, how_many: int) -> list[int]:
    """Return all ways to pass from the cards that are worst to keep, Sharp's choice first."""
    worst = worst_first(hand)[: how_many + PASS_FROM]
    return [sum(1 << card for card in cards) for cards in combinations(worst, how_many)]
