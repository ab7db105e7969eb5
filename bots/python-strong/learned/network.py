"""The network of Learned: what it sees of a round, and the points that it expects from each card.

Numpy only. The trainer and the bot share it, so that the bot plays as it was trained. Must not know messages.

All plain suits are alike but for the Papayoo's. So the network sees them in an order of its own: the
Papayoo's first, then the longest in the hand. What it learns about one suit it knows of all.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.learn import PLANES, Observation, fact_names

__all__ = ["FEATURES", "POINTS", "Array", "Network", "Sight"]

Array = NDArray[np.float32]

POINTS = np.float32(20)
"""The network counts in units of so many points."""

_HAND, _LEGAL, _PASSED, _RECEIVED, _TRICK, _BEST = range(len(PLANES))
_CARDS, _SUITS, _PLAIN = 60, 5, 4
_SUIT = np.array([min(card // 10, _PLAIN) for card in range(_CARDS)])
_IN_SUIT = (_SUIT[:, None] == np.arange(_SUITS)).astype(np.float32)
_RANK = np.where(_SUIT < _PLAIN, np.arange(_CARDS) % 10, np.arange(_CARDS) - 40)
_BELOW = ((_SUIT[:, None] == _SUIT) & (_RANK[:, None] < _RANK)).astype(np.float32)
_CARD_PLANES = 9
FEATURES = _CARD_PLANES * _CARDS + 6 * _SUITS + 9
"""The numbers that the network sees, whatever the size of the table."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What the network sees of N rounds.

    features: N x FEATURES. cards: N x 60, the card that stands at each of the network's places.
    legal: N x 60, which places may be chosen.
    """

    features: Array
    cards: NDArray[np.intp]
    legal: NDArray[np.bool_]

    @classmethod
    def of(cls, seen: Observation) -> Sight:
        """Return what the network sees of an observation.

        Planes of cards: the hand, what was passed and is not played, what was received, the trick, its best
        card, what was played, what others hold, and for each card of the hand how many of those are below and
        above it. Then of each suit how many are in the hand and with others, how many seats have none, how
        many of those who play after this one, whether the left one has, and whether it was led. At last the
        phase, how far the round is, who plays after, and the points.
        """
        suits = _order(seen)
        cards = (10 * suits[:, :_PLAIN, None] + np.arange(10)).reshape(len(suits), -1)
        cards = np.concatenate([cards, np.broadcast_to(np.arange(40, _CARDS), (len(suits), 20))], axis=1)
        planes = np.take_along_axis(seen.planes, cards[:, None], axis=2)
        shown = _planes(planes)
        parts = [shown.reshape(len(suits), -1), _of_suits(seen, suits, shown), _of_round(seen)]
        return cls(np.concatenate(parts, axis=1, dtype=np.float32), cards, planes[:, _LEGAL].view(np.bool_))


def _order(seen: Observation) -> NDArray[np.intp]:
    """Return the suits in the network's order, N x 5."""
    column = _columns(seen)
    hand = seen.planes[:, _HAND, :40].reshape(-1, _PLAIN, 10).astype(np.int64)
    held = 1024 * hand.sum(axis=2) + hand @ (1 << np.arange(10))
    papayoo = seen.facts[:, column["papayoo S"] : column["papayoo S"] + _PLAIN]
    order = np.argsort(-(held + (papayoo.astype(np.int64) << 20)), axis=1, kind="stable")
    return np.concatenate([order, np.full((len(order), 1), _PLAIN)], axis=1)


def _columns(seen: Observation) -> dict[str, int]:
    return {name: number for number, name in enumerate(fact_names(seen.planes.shape[1] - len(PLANES)))}


def _planes(planes: NDArray[np.uint8]) -> Array:
    """Return the planes of cards, N x 9 x 60."""
    players = planes.shape[1] - len(PLANES)
    hand, played = planes[:, _HAND], planes[:, len(PLANES) :].any(axis=1)
    dealt = (_RANK > 0) | (_SUIT == _PLAIN) if players > 6 else np.ones(_CARDS, bool)
    others = (dealt & ~played & ~hand.astype(bool)).astype(np.float32)
    below, above = hand * (others @ _BELOW) / 10, hand * (others @ _BELOW.T) / 10
    shown = [
        hand,
        planes[:, _PASSED] & ~played,
        planes[:, _RECEIVED] & hand,
        planes[:, _TRICK],
        planes[:, _BEST],
    ]
    return np.stack([*shown, played, others, below, above], axis=1).astype(np.float32)


def _of_suits(seen: Observation, suits: NDArray[np.intp], shown: Array) -> Array:
    """Return what is known of each suit, N x 30."""
    column, count = _columns(seen), len(suits)
    players = seen.planes.shape[1] - len(PLANES)
    voids = seen.facts[:, column["void 0 S"] :].reshape(count, players, _SUITS)
    later = np.arange(players) + seen.facts[:, column["cards in the trick"], None] < players
    later[:, 0] = False  # the seats 1, 2, ... that play after this one
    led = seen.facts[:, column["led S"] : column["led S"] + _SUITS]
    real = [voids[:, 1:].sum(axis=1) / 3, (voids * later[:, :, None]).sum(axis=1) / 3, voids[:, 1], led]
    counts = [shown[:, plane] @ _IN_SUIT / 10 for plane in (0, 6)]
    return np.concatenate([*counts, *(np.take_along_axis(part, suits, 1) for part in real)], axis=1)


def _of_round(seen: Observation) -> Array:
    """Return what is known of the round, N x 9."""
    column = _columns(seen)
    players = seen.planes.shape[1] - len(PLANES)
    facts = seen.facts.astype(np.float32)
    points = facts[:, column["points 0"] : column["points 0"] + players] / POINTS
    inside, left = facts[:, column["cards in the trick"]], facts[:, column["cards 0"]]
    return np.stack(
        [
            facts[:, column["passing"]], facts[:, column["chosen so far"]] / 5, left / 20, inside / 7,
            (players - 1 - inside) / 7, np.full(len(facts), players / 8, np.float32),
            facts[:, column["points in the trick"]] / POINTS, points[:, 0], points[:, 1:].max(axis=1),
        ],
        axis=1,
    )  # fmt: skip


class Network:
    """Layers of sums with a bend at zero between them. `layers`: a matrix and a row of each."""

    def __init__(self, layers: list[tuple[Array, Array]]) -> None:
        self.layers = layers

    @classmethod
    def new(cls, random: np.random.Generator, hidden: tuple[int, ...] = (256, 128)) -> Network:
        """Return a network that has learnt nothing. `hidden`: the sizes of the layers between."""
        return cls(
            [
                (
                    (random.standard_normal(size) * np.sqrt(2 / size[0])).astype(np.float32),
                    np.zeros(size[1], np.float32),
                )
                for size in pairwise((FEATURES, *hidden, _CARDS))
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
        parts: dict[str, Any] = {}
        for number, (weights, bias) in enumerate(self.layers):
            parts |= {f"w{number}": weights.astype(np.float16), f"b{number}": bias.astype(np.float16)}
        np.savez_compressed(path, **parts)

    def expected(self, features: Array) -> Array:
        """Return the points, in units of `POINTS`, that each place is expected to cost the seat."""
        return self.activations(features)[-1]

    def activations(self, features: Array) -> list[Array]:
        """Return what each layer gives, the features first."""
        found = [features]
        for number, (weights, bias) in enumerate(self.layers):
            sums = found[-1] @ weights + bias
            found.append(np.maximum(sums, 0) if number < len(self.layers) - 1 else sums)
        return found

    def choose(self, seen: Observation) -> NDArray[np.intp]:
        """Return the legal card with the fewest expected points in each round."""
        sight = Sight.of(seen)
        places = np.where(sight.legal, self.expected(sight.features), np.inf).argmin(axis=1)
        return sight.cards[np.arange(len(places)), places]
