"""Trains the network of Learned by letting it play against itself: `python train.py --batches 2000`.

Every seat plays by the same network, now and then at random, so that it meets what it would not do. From each
batch of rounds it learns what every choice cost: the points that the seat took until its next choice, and for
all that came later partly what it took and partly what the network expected then (TD(lambda); Sutton and
Barto, Reinforcement Learning, 2018, chapter 12). It learns by Adam (Kingma and Ba, 2015).

The same --batches and --seed give the same weights on the same machine. It uses one core. The weights are
written beside this file, and with --keep after 1, 2, 5, 10, ... percent too, for curve.py.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported: one core, as is said

import argparse
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from network import POINTS, Array, Network, Sight
from numpy.typing import NDArray

from arena.learn import Batch, Observation

ROUNDS = 384
"""How many rounds a batch has, side by side."""
TABLES = (4, 4, 3, 4, 4, 5, 4, 4, 6, 4, 4, 8, 4, 4, 7)
"""The sizes of table in turn: mostly four seats."""
MINIBATCH = 1024
LAMBDA = 0.5
"""How much of what came later is what the seat really took."""
AT_RANDOM = 0.1, 0.01
"""The share of choices at random, at the beginning and at the end."""
RATE = 2e-3, 1e-4
"""The step of learning, at the beginning and at the end."""
KEPT = (1, 2, 5, 10, 20, 50)


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """What was seen at each choice, M x FEATURES; the place chosen; and the points it cost, to be learnt."""

    features: Array
    places: NDArray[np.intp]
    costs: Array


@dataclass(frozen=True, slots=True, eq=False)
class _Turn:
    """One turn of a batch: the rounds in which there was a choice, who chose what, and what was expected."""

    features: Array
    places: NDArray[np.intp]
    rounds: NDArray[np.intp]
    seats: NDArray[np.intp]
    taken: Array
    expected: Array


class Adam:
    """Steps of learning: each weight moves by the mean of its slopes over the root of their mean square."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._means = [[np.zeros_like(part) for part in layer] for layer in network.layers]
        self._squares = [[np.zeros_like(part) for part in layer] for layer in network.layers]
        self._steps = 0

    def learn(self, seen: Choices, rate: float) -> float:
        """Learn some choices. Return the mean square of what was wrong before, in units of `POINTS`."""
        rows = np.arange(len(seen.places))
        found = self._network.activations(seen.features)
        wrong = found[-1][rows, seen.places] - seen.costs
        slope = np.zeros_like(found[-1])
        slope[rows, seen.places] = np.clip(wrong, -1, 1) / np.float32(len(rows))  # Huber's loss
        self._steps += 1
        for number in range(len(found) - 2, -1, -1):
            weights = self._network.layers[number][0]
            slopes = found[number].T @ slope, slope.sum(axis=0)
            slope = (slope @ weights.T) * (found[number] > 0) if number else slope
            self._step(number, slopes, rate)
        return float((wrong**2).mean())

    def _step(self, number: int, slopes: tuple[Array, Array], rate: float) -> None:
        first, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for which, slope in enumerate(slopes):
            mean, square = self._means[number][which], self._squares[number][which]
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope**2 - square)
            size = np.sqrt(square / np.float32(second)) + np.float32(1e-8)
            self._network.layers[number][which][...] -= np.float32(rate / first) * mean / size


def play(
    network: Network, batch: Batch, random: np.random.Generator, at_random: float, trust: float
) -> Choices:
    """Play a batch of rounds to the end, and return what is to be learnt. `trust`: the lambda."""
    turns, points = [], None
    while points is None:
        seen = batch.observe()
        cards = seen.legal.argmax(axis=1)
        free = np.flatnonzero(seen.legal.sum(axis=1) > 1)  # elsewhere there is nothing to choose
        if len(free):
            sight = Sight.of(
                Observation(seen.planes[free], seen.facts[free], seen.legal[free], seen.seat[free])
            )
            expected = np.where(sight.legal, network.expected(sight.features), np.inf)
            lots = np.where(sight.legal, random.random(expected.shape), 2).argmin(axis=1)
            places = np.where(random.random(len(free)) < at_random, lots, expected.argmin(axis=1))
            cards[free] = sight.cards[np.arange(len(free)), places]
            taken = batch.points[free, seen.seat[free]] / POINTS
            turns.append(_Turn(sight.features, places, free, seen.seat[free], taken, expected.min(axis=1)))
        points = batch.step(cards).points
    return Choices(
        np.concatenate([turn.features for turn in turns]),
        np.concatenate([turn.places for turn in turns]),
        np.concatenate(_costs(turns, points / POINTS, trust)),
    )


def _costs(turns: list[_Turn], taken: Array, trust: float) -> list[Array]:
    """Return what the choices of each turn cost, from the last turn back. `taken`: at the end, by seat."""
    later = np.zeros_like(taken)
    costs = []
    for turn in reversed(turns):
        who = turn.rounds, turn.seats
        costs.append((taken[who] - turn.taken + later[who]).astype(np.float32))
        taken[who] = turn.taken
        later[who] = (1 - trust) * turn.expected + trust * costs[-1]
    return costs[::-1]


def train(batches: int, seed: int, keep: Path | None = None) -> Network:
    """Return a network that has learnt from so many batches. Print a line a minute."""
    random = np.random.default_rng(seed)
    network = Network.new(random)
    adam = Adam(network)
    tables = {size: Batch(ROUNDS, size, random, checked=False) for size in sorted(set(TABLES))}
    kept = {max(1, batches * percent // 100): percent for percent in KEPT}
    choices, said = 0, 0.0
    for done in range(1, batches + 1):
        part = (done - 1) / batches
        at_random, rate = (first * (last / first) ** part for first, last in (AT_RANDOM, RATE))
        trust = 1 - (1 - LAMBDA) * min(1, 10 * part)  # what it expects at first is worth nothing
        found = play(network, tables[TABLES[done % len(TABLES)]], random, at_random, trust)
        wrong = _learn(adam, found, random, rate)
        choices += len(found.places)
        if (minutes := time.process_time() / 60) >= said + 1 or done in kept or done == batches:
            said = minutes
            print(
                f"{minutes:6.1f} min {done:7,} batches {choices:12,} choices  off by {wrong:5.1f} points",
                flush=True,
            )
        if keep is not None and done in kept:
            network.save(keep / f"{kept[done]:03}-percent.npz")
    return network


def _learn(adam: Adam, found: Choices, random: np.random.Generator, rate: float) -> float:
    """Learn a batch in small parts, in any order. Return by how many points the network was wrong."""
    order, wrong = random.permutation(len(found.places)), []
    for begin in range(0, len(order), MINIBATCH):
        rows = order[begin : begin + MINIBATCH]
        part = Choices(found.features[rows], found.places[rows], found.costs[rows])
        wrong.append(adam.learn(part, rate))
    return float(np.sqrt(np.mean(wrong)) * POINTS)


def main() -> None:
    parser = argparse.ArgumentParser(description="Train the network by letting it play against itself.")
    parser.add_argument("--batches", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for the weights after parts of the training")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights.npz"))
    given = parser.parse_args()
    if given.batches < 1:
        parser.error(f"--batches: at least 1, not {given.batches}")
    if given.keep is not None:
        given.keep.mkdir(parents=True, exist_ok=True)
    train(given.batches, given.seed, given.keep).save(given.out)


if __name__ == "__main__":
    main()
