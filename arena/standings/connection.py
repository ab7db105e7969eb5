"""Decides which bots can be compared at all: whether shared line-ups connect the field.

It must not look at points: connection depends only on who sat with whom. It is found by union-find.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

LineUp = tuple[int, ...]
"""The bots of a table by their numbers 0..N-1, in any order; a bot with several seats occurs as often."""


class _Groups:
    """Union-find over the bots 0..size-1, with path halving."""

    __slots__ = ("_parent", "count")

    def __init__(self, size: int) -> None:
        self.count = size
        self._parent = list(range(size))

    def _root(self, bot: int) -> int:
        parent = self._parent
        while parent[bot] != bot:
            parent[bot] = parent[parent[bot]]
            bot = parent[bot]
        return bot

    def join(self, line_up: LineUp) -> bool:
        """Put all bots of a line-up into one group. Return whether that joined any groups."""
        before = self.count
        first = self._root(line_up[0])
        for bot in line_up[1:]:
            root = self._root(bot)
            if root != first:
                self._parent[root] = first
                self.count -= 1
        return self.count < before


def connected(line_ups: Iterable[LineUp], size: int) -> bool:
    """Return whether the line-ups join all bots 0..size-1 into one group (no bots: not connected)."""
    groups = _Groups(size)
    for line_up in line_ups:
        if groups.join(line_up) and groups.count == 1:
            return True
    return groups.count == 1


def connected_without_any(sessions: Mapping[LineUp, int], size: int) -> bool:
    """Return whether the field stays connected whichever one session is deleted.

    `sessions` counts the sessions of each line-up. Deleting a session can matter only if its line-up occurs
    once, and if it is one of the at most size - 1 line-ups that joined groups after those that occur more
    often. These are so few that each is simply left out and tried.
    """
    often = [line_up for line_up, count in sessions.items() if count > 1]
    once = [line_up for line_up, count in sessions.items() if count == 1]
    groups = _Groups(size)
    for line_up in often:
        groups.join(line_up)
    bridges = [line_up for line_up in once if groups.join(line_up)]
    if groups.count != 1:
        return False
    return all(connected((line_up for line_up in sessions if line_up != bridge), size) for bridge in bridges)
