"""Decides which bots can be compared at all: whether shared line-ups connect the field.

It must not look at points: connection depends only on who sat with whom. It is found by union-find.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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

    def members(self) -> list[list[int]]:
        """Return the bots of each group, groups in the order of their first bots."""
        found: dict[int, list[int]] = {}
        for bot in range(len(self._parent)):
            found.setdefault(self._root(bot), []).append(bot)
        return list(found.values())


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


def firmly_connected(line_ups: Sequence[LineUp], size: int) -> list[list[int]]:
    """Return the groups of the bots 0..size-1 that no single session holds together, by their first bots.

    `line_ups`: those of all sessions. They are joined without the sessions whose deletion would separate
    bots that are connected: the cut vertices (Tarjan, 1972) of the graph of bots and sessions.
    """
    cut = _cut_sessions(line_ups, size)
    groups = _Groups(size)
    for number, line_up in enumerate(line_ups):
        if number not in cut:
            groups.join(line_up)
    return groups.members()


def _cut_sessions(line_ups: Sequence[LineUp], size: int) -> set[int]:
    """Return the numbers of the sessions whose deletion separates bots that are connected."""
    # Vertices: the bots 0..size-1, then the sessions.
    linked: list[list[int]] = [[] for _ in range(size)] + [list(line_up) for line_up in line_ups]
    for number, line_up in enumerate(line_ups):
        for bot in line_up:
            linked[bot].append(size + number)
    entered, lowest = [0] * len(linked), [0] * len(linked)
    cut: set[int] = set()
    time = 0
    for first in range(size):  # a search begins with a bot, so no session is its root
        if entered[first]:
            continue
        time += 1
        entered[first] = lowest[first] = time
        path = [(first, -1, iter(linked[first]))]
        while path:
            vertex, before, others = path[-1]
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[vertex])
                    if above >= size and lowest[vertex] >= entered[above]:
                        cut.add(above - size)
            elif not entered[other]:
                time += 1
                entered[other] = lowest[other] = time
                path.append((other, vertex, iter(linked[other])))
            elif other != before:
                lowest[vertex] = min(lowest[vertex], entered[other])
    return cut
