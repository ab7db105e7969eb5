"""The network of Learned: what it sees of an observation, and the points that it expects from each card.

Numpy only. The trainer and the bot share it, so that the bot plays as it was trained. Must not know messages.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.learn import Observation, fact_names
from arena.learn.batch import PLANES

__all__ = ["FEATURES", "Network", "features"]

Array = NDArray[np.float32]

_HAND, _, _PASSED, _RECEIVED, _TRICK, _BEST = range(len(PLANES))
_CARD_PLANES = 6
_SUITS = 5
FEATURES = _CARD_PLANES * 60 + 4 + 4 + 5 + 3 + 3 * _SUITS + 1
"""The numbers that the network sees of an observation, whatever the size of the table."""

POINTS = np.float32(20)
"""The network counts in units of so many points."""


def features(seen: Observation) -> Array:
    """Return what the network sees, one row of `FEATURES` for each round.

    Six planes of cards: the hand, what was passed and is not played, what was received, the trick, its best
    card, and all that was played. Then the phase of the round, the Papayoo, the led suit, points, and of each
    suit: how many others have none, how many of those who play after this seat, and whether the left one.
    """
    count, planes = seen.planes.shape[:2]
    players = planes - len(PLANES)
    column = {name: number for number, name in enumerate(fact_names(players))}
    facts = seen.facts.astype(np.float32)
    played = seen.planes[:, len(PLANES) :].any(axis=1)
    cards = np.stack(
        [
            seen.planes[:, _HAND], seen.planes[:, _PASSED] & ~played, seen.planes[:, _RECEIVED],
            seen.planes[:, _TRICK], seen.planes[:, _BEST], played,
        ],
        axis=1,
    ).reshape(count, -1).astype(np.float32)  # fmt: skip
    voids = facts[:, column["void 0 S"] :].reshape(count, players, _SUITS)
    inside = facts[:, column["cards in the trick"], None]
    later = np.arange(players)[None, :] + inside < players  # the seats 1, 2, ... that play after this one
    later[:, 0] = False
    left = facts[:, [column["cards 0"]]]
    points = facts[:, column["points 0"] : column["points 0"] + players] / POINTS
    rest = [
        facts[:, [column["passing"]]], facts[:, [column["chosen so far"]]] / 5, left / 20,
        (players - 1 - inside) / 7, facts[:, column["papayoo S"] : column["papayoo S"] + 4],
        facts[:, column["led S"] : column["led S"] + 5], facts[:, [column["points in the trick"]]] / POINTS,
        points[:, :1], points[:, 1:].max(axis=1, keepdims=True),
        voids[:, 1:].sum(axis=1) / 3, (voids * later[:, :, None]).sum(axis=1) / 3, voids[:, 1],
        np.full((count, 1), players / 8, np.float32),
    ]  # fmt: skip
    return np.concatenate([cards, *rest], axis=1).astype(np.float32)


class Network:
    """Layers of sums with a bend at zero between them. `layers`: a matrix and a row of each."""

    def __init__(self, layers: list[tuple[Array, Array]]) -> None:
        self.layers = layers

    @classmethod
    def new(cls, random: np.random.Generator, hidden: tuple[int, ...] = (256, 128)) -> Network:
        """Return a network that has learnt nothing."""
        sizes = (FEATURES, *hidden, 60)
        return cls(
            [
                (
                    (random.standard_normal((a, b)) * np.sqrt(2 / a)).astype(np.float32),
                    np.zeros(b, np.float32),
                )
                for a, b in zip(sizes, sizes[1:], strict=False)
            ]
        )

    @classmethod
    def load(cls, path: Path) -> Network:
        """Return the network of a file."""
        with np.load(path) as found:
            count = len(found.files) // 2
            return cls(
                [(found[f"w{n}"].astype(np.float32), found[f"b{n}"].astype(np.float32)) for n in range(count)]
            )

    def save(self, path: Path) -> None:
        """Write the network, with half of its digits."""
        parts = {
            f"{name}{n}": part
            for n, pair in enumerate(self.layers)
            for name, part in zip("wb", pair, strict=True)
        }
        np.savez_compressed(path, **{name: part.astype(np.float16) for name, part in parts.items()})

    def expected(self, seen: Array) -> Array:
        """Return the points (in units of `POINTS`) that the seat is expected to take with each card, N x 60."""
        return self.activations(seen)[-1]

    def activations(self, seen: Array) -> list[Array]:
        """Return what each layer gives, the features first."""
        found = [seen]
        for number, (weights, bias) in enumerate(self.layers):
            sums = found[-1] @ weights + bias
            found.append(np.maximum(sums, 0) if number < len(self.layers) - 1 else sums)
        return found

    def choose(self, seen: Observation) -> NDArray[np.intp]:
        """Return the legal card with the fewest expected points in each round."""
        return np.where(seen.legal, self.expected(features(seen)), np.inf).argmin(axis=1)
