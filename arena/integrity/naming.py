"""What is estimated of pairs, and which of them are named.

It is decided by Holm's step-down, first over the pairs of one author, then over all. Each family
has half of the error, so that the few pairs of one author are found sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TypeVar

LEVEL = 0.01
"""The most leagues, as a share, in which a pair is named for nothing but the luck of what was compared."""

Bots = TypeVar("Bots", bound=tuple[str, str])


@dataclass(frozen=True, slots=True)
class Effect:
    """An estimate with its standard error."""

    value: float
    error: float


def name_pairs(chances: Mapping[Bots, float], authors: Mapping[str, str]) -> Set[Bots]:
    """Return the pairs that are named, from the p-value of each. An author of "" is unknown."""
    known = {bot: author for bot, author in authors.items() if author}
    related = {
        pair: chance
        for pair, chance in chances.items()
        if pair[0] in known and known[pair[0]] == known.get(pair[1])
    }
    return _step_down(related, LEVEL / 2) | _step_down(chances, LEVEL / 2)


def _step_down(chances: Mapping[Bots, float], level: float) -> Set[Bots]:
    named: set[Bots] = set()
    for pair in sorted(chances, key=lambda pair: chances[pair]):
        if chances[pair] > level / (len(chances) - len(named)):
            break
        named.add(pair)
    return named
