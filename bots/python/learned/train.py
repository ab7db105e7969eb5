"""Trains the network of Learned by playing against itself: `python train.py --minutes 15`.

Every seat plays by the same network. After each batch of rounds the network learns how many points the seat
took from each of its choices to the end of the round (Monte Carlo, without bootstrapping), by Adam (Kingma and
Ba, 2015). A choice at random now and then shows it what else there is. It prints a line a minute, and writes
weights.npz beside itself at the end.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one core, as is said

import argparse
import time
from pathlib import Path

import numpy as np
from network import POINTS, Array, Network, features

from arena.learn import Batch

_ROUNDS = 512
_MINIBATCH = 2048
_RANDOM = 0.1, 0.02
"""The share of choices at random, at the beginning and at the end."""
_RATE = 1e-3, 1e-4
"""The step of learning, at the beginning and at the end."""
_SIZES = (4, 4, 3, 4, 4, 5, 4, 4, 6, 4, 4, 8, 4, 4, 7)
"""The tables played at, in turn: mostly of four."""


class Adam:
    """The steps of learning: a moving mean of each slope and of its square."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._means = [(np.zeros_like(w), np.zeros_like(b)) for w, b in network.layers]
        self._squares = [(np.zeros_like(w), np.zeros_like(b)) for w, b in network.layers]
        self._steps = 0

    def learn(self, seen: Array, cards: np.ndarray, points: Array, rate: float) -> float:
        """Learn that these cards led to these points. Return the mean square of what was wrong before."""
        layers, rows = self._network.layers, np.arange(len(cards))
        found = self._network.activations(seen)
        wrong = found[-1][rows, cards] - points
        slope = np.zeros_like(found[-1])
        slope[rows, cards] = np.clip(wrong, -1, 1) / len(
            cards
        )  # of a loss that is straight from 1 on (Huber)
        self._steps += 1
        for number in range(len(layers) - 1, -1, -1):
            weights, _ = layers[number]
            slopes = found[number].T @ slope, slope.sum(axis=0)
            if number:
                slope = (slope @ weights.T) * (found[number] > 0)
            self._step(number, slopes, rate)
        return float(np.mean(wrong**2))

    def _step(self, number: int, slopes: tuple[Array, Array], rate: float) -> None:
        first, second = 1 - 0.9**self._steps, 1 - 0.999**self._steps
        for which, slope in enumerate(slopes):
            mean, square = self._means[number][which], self._squares[number][which]
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            part = self._network.layers[number][which]
            part -= np.float32(rate) * (mean / first) / (np.sqrt(square / second) + 1e-8)


def played(
    network: Network, batch: Batch, random: np.random.Generator, share: float
) -> tuple[Array, np.ndarray, Array]:
    """Play a batch of rounds, and return what was seen, chosen and taken afterwards at each real choice."""
    kept: list[tuple[Array, np.ndarray, np.ndarray, np.ndarray, Array]] = []
    every = np.arange(batch.rounds)
    while True:
        seen = batch.observe()
        shown = features(seen)
        choice = np.flatnonzero(seen.legal.sum(axis=1) > 1)
        cards = seen.legal.argmax(axis=1)
        expected = np.where(seen.legal[choice], network.expected(shown[choice]), np.inf)
        at_random = np.where(seen.legal[choice], random.random(expected.shape), 2).argmin(axis=1)
        cards[choice] = np.where(random.random(len(choice)) < share, at_random, expected.argmin(axis=1))
        taken = batch.points[every, seen.seat]
        kept.append((shown[choice], cards[choice], choice, seen.seat[choice], taken[choice]))
        step = batch.step(cards)
        if step.points is not None:
            final = step.points
            break
    points = [(final[choice, seat] - taken) / POINTS for _, _, choice, seat, taken in kept]
    return (
        np.concatenate([row[0] for row in kept]),
        np.concatenate([row[1] for row in kept]),
        np.concatenate(points).astype(np.float32),
    )


def train(minutes: float, seed: int) -> Network:
    """Return a network that has learnt for so long on one core."""
    random = np.random.default_rng(seed)
    network = Network.new(random)
    adam = Adam(network)
    batches = {size: Batch(_ROUNDS, size, random, checked=False) for size in sorted(set(_SIZES))}
    begin, said, turn, decisions = time.process_time(), 0.0, 0, 0
    while (part := (time.process_time() - begin) / (60 * minutes)) < 1:
        share, rate = (a * (b / a) ** part for a, b in (_RANDOM, _RATE))
        seen, cards, points = played(network, batches[_SIZES[turn % len(_SIZES)]], random, share)
        order, wrong = random.permutation(len(cards)), []
        for at in range(0, len(order), _MINIBATCH):
            rows = order[at : at + _MINIBATCH]
            wrong.append(adam.learn(seen[rows], cards[rows], points[rows], rate))
        turn, decisions = turn + 1, decisions + len(cards)
        if (spent := time.process_time() - begin) > said + 60:
            said = spent
            error = float(np.sqrt(np.mean(wrong)) * POINTS)
            print(
                f"{spent / 60:5.1f} min  {turn:5} batches  {decisions:11,} choices  off by {error:5.1f} points",
                flush=True,
            )
    return network


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=15.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("weights.npz"))
    given = parser.parse_args()
    train(given.minutes, given.seed).save(given.out)
