"""Gives bots letters: who shares one cannot be told apart. It must not compare bots.

A letter is a maximal clique of the graph of pairs that are not separated, and there are as many as cover all
pairs. Where every pair is judged by the same standard error these are all maximal cliques, and at most as
many as bots; other graphs may have exponentially many, which nobody wants to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from string import ascii_lowercase


def letters(ordered: Sequence[str], separated: Callable[[str, str], bool]) -> dict[str, tuple[str, ...]]:
    """Return the letters of each bot of `ordered` (best score first); `separated` is symmetric.

    Every pair that is not separated shares a letter, and no separated pair does. No letter is held by a part
    of the holders of another only. a, b, ... go by the best score they hold, then by the second best and so
    on; after z come aa, ab, ...
    """
    linked = [0] * len(ordered)
    for i, one in enumerate(ordered):
        for j in range(i + 1, len(ordered)):
            if not separated(one, ordered[j]):
                linked[i] |= 1 << j
                linked[j] |= 1 << i
    names: dict[str, list[str]] = {bot: [] for bot in ordered}
    for number, clique in enumerate(sorted(tuple(_bits(clique)) for clique in _cover(linked))):
        for i in clique:
            names[ordered[i]].append(_name(number))
    return {bot: tuple(own) for bot, own in names.items()}


def _name(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ... for 0, 1, ..."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[digit] + name
    return name


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers in a set of numbers, ascending; bit i stands for i."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def _cover(linked: Sequence[int]) -> set[int]:
    """Return maximal cliques that hold every pair that is linked, and everybody."""
    found = set()
    left = list(linked)  # the pairs that no clique holds yet
    for i in range(len(linked)):
        while left[i] or not linked[i]:
            clique, common = 1 << i, linked[i]
            others = left[i]
            while common:
                # Pairs that are left come first, so that few cliques are enough.
                lowest = (others & common or common) & -(others & common or common)
                clique |= lowest
                common &= linked[lowest.bit_length() - 1]
            found.add(clique)
            for member in _bits(clique):
                left[member] &= ~clique
            if not linked[i]:
                break
    return found
