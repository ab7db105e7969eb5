"""Letters of a leaderboard: two bots share one unless one of them is surely ahead.

It must not know scores or errors: it gets bots in order and says which pairs are separated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_lowercase


def letters(ordered: Sequence[str], separated: Callable[[str, str], bool]) -> dict[str, tuple[str, ...]]:
    """The letters of each bot of `ordered` (best score first); `separated` is symmetric.

    A letter is a maximal clique of the graph of pairs that are not separated, so every unseparated
    pair shares a letter and no separated pair does. a, b, ... go by the best score they hold, then
    the second best and so on; after z come aa, ab, ...
    """
    bots = range(len(ordered))
    linked = [{j for j in bots if i != j and not separated(ordered[i], ordered[j])} for i in bots]
    found: list[tuple[int, ...]] = []
    _cliques(linked, set(), set(bots), set(), found)
    names: dict[str, list[str]] = {bot: [] for bot in ordered}
    for number, clique in enumerate(sorted(found)):
        for i in clique:
            names[ordered[i]].append(letter_name(number))
    return {bot: tuple(own) for bot, own in names.items()}


def letter_name(number: int) -> str:
    """a, b, ..., z, aa, ab, ... for 0, 1, ..."""
    name = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, len(ascii_lowercase))
        name = ascii_lowercase[digit] + name
    return name


def _cliques(
    linked: Sequence[set[int]],
    clique: set[int],
    candidates: set[int],
    seen: set[int],
    found: list[tuple[int, ...]],
) -> None:
    """Bron and Kerbosch's search for all maximal cliques, with Tomita's choice of pivot."""
    if not candidates and not seen:
        if clique:
            found.append(tuple(sorted(clique)))
        return
    pivot = max(candidates | seen, key=lambda i: len(linked[i] & candidates))
    for i in sorted(candidates - linked[pivot]):
        _cliques(linked, clique | {i}, candidates & linked[i], seen & linked[i], found)
        candidates = candidates - {i}
        seen = seen | {i}
