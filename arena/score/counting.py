"""Decides which sessions count for those who are in the field now, and who is compared. Looks at no points.

An entry is a bot, or in an open season one version of a bot. Who has left the field is departed: what it
played says how strong the others are, so it stays in the fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import median

from arena.score.results import SessionResult

LEAST_SESSIONS = 2
"""Counted sessions below which an entry says nothing: without one of them it could not be compared."""

ENOUGH_SESSIONS = 16
"""Counted sessions of each of two bots that a verdict on them needs.

With 12 sessions a bot, false separations were measured at 5-9 %; with 18, at 0.5-1.3 %.
"""

LEAST_CYCLES = 3
"""Complete cycles that verdicts need, to see how form varies between them."""

MOST_IN_FULL = 300
"""The entries up to which departed ones are kept in full, so that sessions with several of them count."""

LineUp = tuple[int, ...]
"""The bots of a table by their numbers 0..N-1, in any order; a bot with several seats occurs as often."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Which sessions count, and for whom.

    `sessions`: those that count, in the order of the schedule. `present`, `departed`: the entries in them,
    sorted by id; `sole`: the departed ones that sit in no counted session with another one. `measured`: the
    present ones that scores are measured against; the others have too few sessions yet. `waiting`: the
    entries of the field that have no score yet, sorted. `played`: the complete sessions of each entry.
    """

    sessions: tuple[SessionResult, ...]
    present: tuple[str, ...]
    departed: tuple[str, ...]
    sole: frozenset[str]
    measured: frozenset[str]
    waiting: tuple[str, ...]
    played: Mapping[str, int]
    counted: Mapping[str, int]


def count_sessions(sessions: Iterable[SessionResult], field: Collection[str]) -> Counted:
    """Choose the sessions that count for the entries that are in the `field`, house bots included.

    All do, but those with several departed entries where the field has seen very many; of these the ones that
    left last count. Entries with fewer than two sessions are left out with these: a newcomer waits, who
    departed is dropped. So are entries that only a single session connects with the others. So nobody else
    loses a score or a ± by them.
    """
    ordered = sorted(sessions, key=lambda session: session.key)
    here = set(field)
    chosen, sole = _with_departed(ordered, here)
    firm = _firm(chosen, here)
    counted = sessions_of_each(firm)
    present = tuple(sorted(counted.keys() & here))
    return Counted(
        sessions=tuple(firm),
        present=present,
        departed=tuple(sorted(counted.keys() - here)),
        sole=sole,
        measured=_measured(present, counted),
        waiting=tuple(sorted(here.difference(present))),
        played=sessions_of_each(ordered),
        counted=counted,
    )


def eligible(sessions: Iterable[SessionResult], present: Collection[str]) -> list[SessionResult]:
    """Return the sessions with at most one entry that is not `present`, in the order given.

    These say most of the present field, so they decide who has to catch up.
    """
    here = set(present)
    return [session for session in sessions if len(session.card_points.keys() - here) <= 1]


def cycles_to_first_look(of_each: int, gauntlet: bool = False) -> int:
    """Return how many complete cycles the first verdicts need.

    `of_each`: the sessions of a cycle in which each ranked bot sits. `gauntlet`: its candidates play the same
    boards at the same time, so form does not matter.
    """
    return max(1 if gauntlet else LEAST_CYCLES, ceil(ENOUGH_SESSIONS / of_each))


def sessions_of_each(sessions: Iterable[SessionResult]) -> Counter[str]:
    """Return in how many of the sessions each entry sat."""
    return Counter(bot for session in sessions for bot in session.card_points)


def line_ups_of(sessions: Iterable[SessionResult], names: Sequence[str]) -> list[LineUp]:
    """Return the line-up of each session as ascending numbers, one for each seat."""
    numbers = {name: number for number, name in enumerate(names)}
    return [
        tuple(sorted(numbers[bot] for bot in session.card_points for _ in range(session.seats(bot))))
        for session in sessions
    ]


def _measured(present: Sequence[str], counted: Mapping[str, int]) -> frozenset[str]:
    """Return the present entries with half as many sessions as is usual, or with enough for verdicts.

    A newcomer's first sessions say little of it, and would move the mean of the field by much.
    """
    if not present:
        return frozenset()
    least = min(float(ENOUGH_SESSIONS), median(counted[entry] for entry in present) / 2.0)
    return frozenset(entry for entry in present if counted[entry] >= least)


def _with_departed(
    ordered: Sequence[SessionResult], here: Collection[str]
) -> tuple[list[SessionResult], frozenset[str]]:
    """Return the sessions that may count, and the departed entries that meet no other one in them.

    A fit costs the cube of the entries that are kept in full. Whoever departed and sits with present entries
    only need not be.
    """
    gone = [session.card_points.keys() - here for session in ordered]
    together = [away for away in gone if len(away) > 1]
    last = {bot: place for place, away in enumerate(together) for bot in away}
    most = max(0, MOST_IN_FULL - len(here))
    kept = set(sorted(last, key=lambda bot: (-last[bot], bot))[:most])
    chosen = [session for session, away in zip(ordered, gone, strict=True) if len(away) <= 1 or away <= kept]
    return chosen, frozenset(bot for away in gone for bot in away if bot not in kept)


def _firm(sessions: list[SessionResult], present: Collection[str]) -> list[SessionResult]:
    """Return the sessions of the entries that stay connected whichever one of these sessions is deleted."""
    while sessions:
        played = sessions_of_each(sessions)
        left = [s for s in sessions if all(played[bot] >= LEAST_SESSIONS for bot in s.card_points)]
        if len(left) == len(sessions):
            names = sorted(played)
            groups = _firmly_connected(line_ups_of(left, names), len(names))
            # Of groups of equal size, that with the first entry by id.
            core = max(groups, key=lambda group: sum(names[i] in present for i in group))
            if len(core) == len(names):
                return left
            inside = {names[i] for i in core}
            left = [session for session in left if inside.issuperset(session.card_points)]
        sessions = left
    return []


def _firmly_connected(line_ups: Sequence[LineUp], size: int) -> list[list[int]]:
    """Return the groups of the bots 0..size-1 that no single session holds together, by their first bots.

    `line_ups`: those of all sessions. They are joined without the sessions whose deletion would separate
    bots that are connected: the cut vertices (Tarjan, 1972) of the graph of bots and sessions.
    """
    cut = _cut_sessions(line_ups, size)
    groups = [{bot} for bot in range(size)]
    for number, line_up in enumerate(line_ups):
        if number not in cut:
            joined = [group for group in groups if not group.isdisjoint(line_up)]
            if len(joined) > 1:
                groups = [group for group in groups if group.isdisjoint(line_up)]
                groups.append(set[int]().union(*joined))
    return sorted(map(sorted, groups))


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
