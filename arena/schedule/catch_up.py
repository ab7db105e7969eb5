"""How newcomers catch up: how many sessions they owe, and the line-ups in which they play them.

It is pure: it is told how many sessions of each entry count, and who has met whom in the schedule so far.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from operator import add

from arena.deals.draws import Draws
from arena.schedule.planners import EvenOrders

MOST_OWED = 32
"""The most sessions that an entry catches up to, however many the others have."""

LEAST_COUNTED = 16
"""The sessions that an entry needs for verdicts: who lost the ones it had catches up to at least so many."""

MOST_NEWCOMERS = 2
"""The most entries of one line-up that are catching up: min(2, k - 1), and a table has 3 seats or more.

With three of them at a table the ± of their scores was far too narrow in simulated leagues.
"""

_SHARE = (7, 10)
_FIRST_COUNTS = 3
_SEATED = 1 << 60
"""More meetings than there are: nobody sits twice at a table."""

Owed = tuple[tuple[int, int], ...]
"""Sessions to catch up: (entry, sessions), ascending by entry, sessions at least 1."""


def quota(counted: Iterable[int]) -> int:
    """Return q, the sessions up to which entries catch up, from the counted sessions of each present entry.

    q = min(32, ceil(0.7 * median of the incumbents' counted sessions)), and incumbents are those who have q
    or more: beginning with all entries, q is computed and those below it are left out, until nobody is below.
    The median of an even number is the mean of the middle two.
    """
    incumbents = sorted(counted)
    while incumbents:
        twice = incumbents[(len(incumbents) - 1) // 2] + incumbents[len(incumbents) // 2]
        times, of = _SHARE
        q = min(MOST_OWED, -(-times * twice // (2 * of)))
        below = bisect_left(incumbents, q)
        if not below:
            return q
        # Nobody is left out for good by a low median: without them it can only be higher.
        del incumbents[:below]
    return 0


def in_debt(counted: Mapping[int, int], sat: Mapping[int, int]) -> Owed:
    """Return how many sessions each entry owes when a phase begins.

    counted: of each ranked entry that is present, how many of its sessions count in the score.
    sat: in how many sessions of the schedule so far each entry sits.

    An entry owes what it lacks of `quota`: also if it was away for a while, or could not catch up in one
    phase. If it has sat in 16 sessions, of which fewer count because rivals have left, it owes what it
    lacks of 16. Nobody owes anything where those who would are half of the entries or more.
    """
    q = quota(counted.values())
    goals = {
        entry: max(q, LEAST_COUNTED) if sat.get(entry, 0) >= LEAST_COUNTED > sessions else q
        for entry, sessions in sorted(counted.items())
    }
    owed = tuple((entry, goal - counted[entry]) for entry, goal in goals.items() if goal > counted[entry])
    return () if 2 * len(owed) >= len(counted) else owed


def shared(owed: Owed, share: int) -> Owed:
    """Return the sessions owed, at most `share` of each entry."""
    return tuple((entry, min(sessions, share)) for entry, sessions in owed)


@dataclass
class Meetings:
    """In how many sessions of a schedule any two entries sit together, and in how many each sits.

    It knows nothing of results: a session counts whether or not it was played.
    """

    sat: Counter[int] = field(default_factory=Counter)
    _met: dict[int, Counter[int]] = field(default_factory=dict)

    def add(self, line_up: Iterable[int]) -> None:
        """Count a session."""
        for one, other in permutations(line_up, 2):
            self._met.setdefault(one, Counter())[other] += 1
        self.sat.update(line_up)

    def among(self, entries: Sequence[int]) -> list[list[int]]:
        """Return a square of meetings: row i has those of the i-th entry with each of them, in order."""
        nobody: Counter[int] = Counter()
        return [[self._met.get(one, nobody)[other] for other in entries] for one in entries]

    def copy(self) -> Meetings:
        """Return the same counts, to be counted on apart."""
        return Meetings(self.sat.copy(), {entry: row.copy() for entry, row in self._met.items()})


@dataclass(frozen=True, slots=True)
class Table:
    """A line-up of a catch-up block, in the order in which it was drawn, and the stream of its draws."""

    entries: tuple[int, ...]
    draws: Draws


def tables(entries: Sequence[int], owed: Owed, seats: int, meetings: Meetings, text: str) -> Iterator[Table]:
    """Yield the line-ups of a catch-up block, until everybody has the sessions that it owes.

    entries: the numbers of all who are in the field, ascending, those who owe included.
    meetings: those of all earlier cycles of the season; it is not changed.
    text: the beginning of the text of the draws; the n-th line-up, from 0, draws from `text|n`.

    First sits the one that still owes most. Then, k - 1 times, sits the entry with the fewest meetings with
    those already seated, meetings with the first counting three times, in the schedule so far and in the
    line-ups yielded before. Ties are drawn among the entries, ascending. Two at most of a line-up owe
    sessions; who owes none any longer sits no more. So besides those who owe there must be k - 1 entries.
    """
    met = meetings.among(entries)
    places = {entry: place for place, entry in enumerate(entries)}
    left = {places[entry]: sessions for entry, sessions in owed}
    settled = [place for place in range(len(entries)) if place not in left]
    number = 0
    while left:
        draws = Draws(f"{text}|{number}")
        most = max(left.values())
        first = _drawn(draws, [place for place, owes in left.items() if owes == most])
        seated = _table(first, seats, met, sorted([*settled, *left]), settled, draws)
        for one, other in permutations(seated, 2):
            met[one][other] += 1
        left = {place: owes - (place in seated) for place, owes in left.items()}
        left = {place: owes for place, owes in left.items() if owes}
        number += 1
        yield Table(tuple(entries[place] for place in seated), draws)


def _table(
    first: int,
    seats: int,
    met: Sequence[Sequence[int]],
    everybody: Sequence[int],
    settled: Sequence[int],
    draws: Draws,
) -> list[int]:
    """Return a line-up; `everybody` may sit, until two owe sessions: then only the `settled`."""
    seated, owing = [first], 1
    known, pool = set(settled), everybody
    cost = [_FIRST_COUNTS * times for times in met[first]]
    cost[first] = _SEATED
    while len(seated) < seats:
        least = min(cost[place] for place in pool)
        chosen = _drawn(draws, [place for place in pool if cost[place] == least])
        seated.append(chosen)
        owing += chosen not in known
        pool = settled if owing == MOST_NEWCOMERS else everybody
        cost = list(map(add, cost, met[chosen]))
        cost[chosen] = _SEATED
    return seated


def _drawn(draws: Draws, ties: Sequence[int]) -> int:
    return ties[draws.below(len(ties))]


def in_order(block: Iterable[Table], entries: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Return the order of each line-up of a block, which evens out who sits next to whom in the block.

    Each line-up is first shuffled from its own draws: otherwise the search, which takes the first of the
    best orders, would always put newcomers at the same place.
    """
    orders = EvenOrders(len(entries), seats)
    places = {entry: place for place, entry in enumerate(entries)}
    found = []
    for table in block:
        line_up = table.draws.shuffled(sorted(places[entry] for entry in table.entries))
        found.append(tuple(entries[place] for place in orders.place(line_up)))
    return found
