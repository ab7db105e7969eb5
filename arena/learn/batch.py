"""Many rounds of Papayoo side by side, as arrays: an environment for learners that decide in batches.

    batch = Batch(rounds=4096, players=4, seed=1)
    while True:
        seen = batch.observe()
        batch.step(choose(seen))        # N cards, one for each round

All rounds are at the same point: first each seat chooses the cards that it passes, one after another, then
all tricks are played. After the last card new rounds begin by themselves. The rules are those of
`arena.papayoo.Round`, which the tests play beside this. Must not know messages, processes or matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.learn.boards import Boards, Sets
from arena.papayoo import (
    CARD_POINTS,
    CARDS,
    PAPAYOOS,
    SUIT_MASKS,
    SUITS,
    deck,
    hand_size,
    names_of,
    pass_count,
)
from arena.papayoo.cards import SUIT_OF

PLANES: Final = ("hand", "legal", "passed", "received", "trick", "best")
"""The planes of an observation before those of what each seat has played, see `Observation`."""

_SUITS: Final = np.array(SUIT_OF)
_SUIT_SETS: Final = np.array(SUIT_MASKS, dtype=np.uint64)
_WORTH: Final = np.array(CARD_POINTS, dtype=np.int16)
_ONE: Final = np.uint64(1)
_NONE: Final = np.uint64(0)


def fact_names(players: int) -> tuple[str, ...]:
    """Return the names of the columns of `Observation.facts` at a table of so many.

    Seats are relative, "points 1" are those of the left neighbour. What is not known yet is 0, and -1 for
    seats. A void is a suit that a seat has shown not to have.
    """
    return (
        "passing", "chosen so far", "trick", "cards in the trick", "dealer", "leader", "takes so far",
        "points in the trick", "papayoo S", "papayoo H", "papayoo D", "papayoo C",
        "led S", "led H", "led D", "led C", "led P",
        *(f"points {seat}" for seat in range(players)),
        *(f"cards {seat}" for seat in range(players)),
        *(f"void {seat} {suit}" for seat in range(players) for suit in SUITS),
    )  # fmt: skip


class IllegalActionError(ValueError):
    """A card that may not be chosen. `number`: of the first round in which one was."""

    def __init__(self, number: int, card: int, legal: int) -> None:
        super().__init__(f"round {number}: card {card} is not legal; legal are {' '.join(names_of(legal))}")
        self.number = number


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What the seats to act may know, N rounds of P players. Seats are relative: 0 is the one to act.

    planes: uint8, N x (6 + P) x 60: sets of cards as 0 and 1, in the order of `PLANES`: the hand, what is
        legal, what the seat passed (while it passes: what it has chosen so far), what it received, the cards
        of the trick in progress, the one of them that takes it so far; then, seat by seat, what each played.
    facts: int16, N x (17 + 7 P): the columns that `fact_names` names.
    legal: bool, N x 60: the same as its plane.
    seat: N seats at the table, the one to act in each round.
    """

    planes: NDArray[np.uint8]
    facts: NDArray[np.int16]
    legal: NDArray[np.bool_]
    seat: NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """The result of one decision in each round.

    rewards: int16, N x P: minus the points that a seat at the table took with this card, 0 if no trick ended.
    done: whether the rounds ended with it; then new ones have begun. points: N x P, of the rounds that ended,
        250 each; None while they go on.
    """

    rewards: NDArray[np.int16]
    done: bool
    points: NDArray[np.int16] | None


class Batch:
    """N rounds at one size of table.

    rounds: how many side by side. players: 3 to 8. seed: of the deals, or a generator. boards: deals to play
    in their order instead, again from the first after the last one. checked: whether illegal cards are looked
    for; without that they leave a round in disorder. renewed: whether new rounds begin when these have ended;
    else they are over until `reset`, and may still be observed.

    The dealer is seat 0 at first and the next seat in each new round, where boards do not say otherwise.
    """

    def __init__(
        self,
        rounds: int,
        players: int,
        seed: int | np.random.Generator = 0,
        boards: Boards | None = None,
        *,
        checked: bool = True,
        renewed: bool = True,
    ) -> None:
        if rounds < 1:
            raise ValueError(f"at least one round, not {rounds}")
        if boards is not None and boards.hands.shape[1] != players:
            raise ValueError(f"the boards are for {boards.hands.shape[1]} players, not {players}")
        self.rounds, self.players = rounds, players
        self.hand_size, self.pass_count = hand_size(players), pass_count(players)
        self.decisions = deck(players).bit_count() + players * self.pass_count
        """The decisions of a round: those of passing and one for each card."""
        self._random = np.random.default_rng(seed)
        self._boards = boards
        self._checked = checked
        self._renewed = renewed
        self._begun = 0
        self._all = np.arange(rounds)
        self._seats = np.arange(players)
        self.reset()

    def reset(self) -> None:
        """Begin new rounds."""
        count, players = self.rounds, self.players
        if self._boards is None:
            boards = Boards.drawn(self._random, count, players, self._begun % players)
        else:
            boards = self._boards.repeated(self._begun * count, count)
        self._begun += 1
        self._hands: Sets = boards.hands.copy()
        self._papayoo, self._dealer = boards.papayoo, boards.dealer
        self._passed = np.zeros((count, players), np.uint64)
        self._received = np.zeros((count, players), np.uint64)
        self._played = np.zeros((count, players), np.uint64)
        self._voids = np.zeros((count, players, len(SUIT_MASKS)), np.int16)
        self._points = np.zeros((count, players), np.int16)
        self._pot = np.zeros(count, np.int16)
        self._trick = np.zeros(count, np.uint64)
        self._led = np.zeros(count, np.intp)
        self._best = np.zeros(count, np.intp)
        self._taker = self._dealer.copy()
        self._leader = self._dealer.copy()
        self._history = np.zeros((self.decisions, count), np.uint8)
        self.at = 0
        self.turn = np.zeros(count, np.intp)
        self._legal: Sets = self._hands[:, 0].copy()

    @property
    def passing(self) -> bool:
        """Return whether cards to pass are being chosen."""
        return self.at < self.players * self.pass_count

    @property
    def _in_trick(self) -> int:
        """Return how many cards of the trick are played, the same in every round."""
        return 0 if self.passing else (self.at - self.players * self.pass_count) % self.players

    def step(self, cards: NDArray[np.integer]) -> Step:
        """Choose a card in each round, N numbers 0 to 59: one that is passed, or played.

        Raises IllegalActionError, before anything is changed, where a card is not legal; ValueError unless
        there is one for each round.
        """
        if cards.shape != (self.rounds,):  # numpy would play a single card in every round
            raise ValueError(f"one card for each of the {self.rounds} rounds, not the shape {cards.shape}")
        bits = np.left_shift(_ONE, cards.astype(np.uint64))
        if self._checked and not (wrong := (self._legal & bits) != _NONE).all():
            number = int(np.argmin(wrong))
            raise IllegalActionError(number, int(cards[number]), int(self._legal[number]))
        self._history[self.at] = cards
        rewards = np.zeros((self.rounds, self.players), np.int16)
        if self.passing:
            self._pass(bits)
        else:
            self._play(cards.astype(np.intp), bits, rewards)
        if self.at < self.decisions:
            return Step(rewards, False, None)
        points = self._points.copy()
        if self._renewed:
            self.reset()
        return Step(rewards, True, points)

    @property
    def points(self) -> NDArray[np.int16]:
        """Return the points that each seat at the table has taken in its round, N x P."""
        return self._points.copy()

    @property
    def over(self) -> bool:
        """Return whether the rounds have ended and no new ones have begun."""
        return self.at == self.decisions

    def _pass(self, bits: Sets) -> None:
        seat = self.at // self.pass_count
        self._passed[:, seat] |= bits
        self.at += 1
        if self.passing:
            seat = self.at // self.pass_count
            self.turn = np.full(self.rounds, seat)
            self._legal = self._hands[:, seat] & ~self._passed[:, seat]
            return
        self._received = np.roll(self._passed, 1, axis=1)
        self._hands = self._hands & ~self._passed | self._received
        self.turn = self._dealer.copy()
        self._legal = self._hands[self._all, self.turn]

    def _play(self, cards: NDArray[np.intp], bits: Sets, rewards: NDArray[np.int16]) -> None:
        every, seat, suits = self._all, self.turn, _SUITS[cards]
        self._hands[every, seat] ^= bits
        self._played[every, seat] |= bits
        if self._in_trick == 0:
            self._led, self._best, self._taker, self._leader = suits, cards, seat, seat
            self._trick = bits
        else:
            follows = suits == self._led
            self._voids[every, seat, self._led] |= ~follows
            higher = follows & (cards > self._best)
            self._best = np.where(higher, cards, self._best)
            self._taker = np.where(higher, seat, self._taker)
            self._trick = self._trick | bits
        self._pot = self._pot + _WORTH[self._papayoo, cards]
        self.at += 1
        if self._in_trick:
            self.turn = np.where(seat + 1 == self.players, 0, seat + 1)
            hands = self._hands[every, self.turn]
            follow = hands & _SUIT_SETS[self._led]
            self._legal = np.where(follow == _NONE, hands, follow)
            return
        rewards[every, self._taker] = -self._pot
        self._points[every, self._taker] += self._pot
        self._pot, self._trick = np.zeros_like(self._pot), np.zeros_like(self._trick)
        self._leader = self.turn = self._taker
        self._legal = self._hands[every, self.turn]

    def legal(self) -> NDArray[np.bool_]:
        """Return which cards may be chosen, N x 60."""
        return unpacked(self._legal[:, None])[:, 0].view(np.bool_)

    def observe(self, seats: NDArray[np.intp] | None = None) -> Observation:
        """Return what the seats to act may know, or what these seats may, N in all.

        Nothing is legal for a seat that is not to act.
        """
        turn = self.turn if seats is None else seats
        others = (turn[:, None] + self._seats) % self.players
        rows = self._all[:, None]
        own = self._all, turn
        sets = np.empty((self.rounds, len(PLANES) + self.players), np.uint64)
        sets[:, 0] = self._hands[own]
        sets[:, 1] = np.where(turn == self.turn, self._legal, _NONE)
        sets[:, 2] = self._passed[own]
        sets[:, 3] = self._received[own]
        sets[:, 4] = self._trick
        sets[:, 5] = np.left_shift(_ONE, self._best.astype(np.uint64)) if self._in_trick else _NONE
        sets[:, 6:] = self._played[rows, others]
        planes = unpacked(sets)
        return Observation(planes, self._facts(rows, others), planes[:, 1].view(np.bool_), turn)

    def _facts(self, rows: NDArray[np.intp], others: NDArray[np.intp]) -> NDArray[np.int16]:
        turn = others[:, 0]
        players, inside = self.players, self._in_trick
        facts = np.zeros((self.rounds, 17 + 7 * players), np.int16)
        facts[:, 4] = (self._dealer - turn) % players
        facts[:, 5:7] = -1
        if self.passing:
            facts[:, 0] = 1
            facts[:, 1] = np.clip(self.at - turn * self.pass_count, 0, self.pass_count)
            facts[:, 17 + players : 17 + 2 * players] = self.hand_size
            return facts
        trick = (self.at - players * self.pass_count) // players
        facts[:, 2] = trick
        facts[:, 3] = inside
        facts[:, 5] = (self._leader - turn) % players
        facts[self._all, 8 + self._papayoo] = 1
        if inside:
            facts[:, 6] = (self._taker - turn) % players
            facts[:, 7] = self._pot
            facts[self._all, 12 + self._led] = 1
        facts[:, 17 : 17 + players] = self._points[rows, others]
        gone = (others - self._leader[:, None]) % players < inside
        facts[:, 17 + players : 17 + 2 * players] = self.hand_size - trick - gone
        facts[:, 17 + 2 * players :] = self._voids[rows, others].reshape(self.rounds, -1)
        return facts

    def information(self, number: int) -> str:
        """Return all that the seat to act in a round knows, as one line of text.

        Equal texts mean equal knowledge: who it is and who deals, its hand as dealt, what it passed, what it
        received, the Papayoo, and every card played, trick by trick, with its leader.
        """
        seat, players = int(self.turn[number]), self.players
        passed, received = int(self._passed[number, seat]), int(self._received[number, seat])
        dealt = (int(self._hands[number, seat]) | int(self._played[number, seat]) | passed) & ~received
        parts = [
            f"{players} seats, {seat}, {int(self._dealer[number])} deals",
            f"dealt {' '.join(names_of(dealt))}",
            f"passed {' '.join(names_of(passed))}",
        ]
        if not self.passing:
            papayoo = names_of(1 << PAPAYOOS[int(self._papayoo[number])])[0]
            parts += [f"received {' '.join(names_of(received))}", f"Papayoo {papayoo}", *self._tricks(number)]
        return "; ".join(parts)

    def _tricks(self, number: int) -> list[str]:
        """Return the tricks of a round so far, each as its leader and its cards."""
        first, tricks, leader = self.players * self.pass_count, [], int(self._dealer[number])
        cards = [int(card) for card in self._history[first : self.at, number]]
        for begin in range(0, len(cards), self.players):
            trick = cards[begin : begin + self.players]
            tricks.append(f"{leader}: {' '.join(names_of(1 << card)[0] for card in trick)}")
            led = [card for card in trick if SUIT_OF[card] == SUIT_OF[trick[0]]]
            leader = (leader + trick.index(max(led))) % self.players
        return tricks


def unpacked(sets: Sets) -> NDArray[np.uint8]:
    """Return sets of cards as 0 and 1, with one more axis of 60."""
    # The bytes of a set from its lowest card on, whatever the machine's own order is.
    octets = np.ascontiguousarray(sets.astype("<u8", copy=False)).view(np.uint8)
    bits = np.unpackbits(octets.reshape(*sets.shape, 8), axis=-1, bitorder="little")
    return bits[..., :CARDS]
