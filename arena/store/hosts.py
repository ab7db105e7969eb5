"""The machines that a league is played on, as plain data: what is stored of each, and how they compare.

It holds no SQL, so that the code of pages can import it quickly. A machine's name is for the organiser and
for exports; pages must not show it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.store.views import MatchView, SessionKey

__all__ = ["Comparison", "Host", "HostTimes", "HostView", "compared", "moved_sessions"]

_FEWEST = 10
"""The parts of sessions that a host and all others must have before one of them is called slower."""
_ERRORS = 3.0
"""By how many standard errors it must be slower. Chance alone does that with 1 host in 700."""
_LEAST = 0.05
"""By how much more time than on the others. Less than that hardly changes how long a bot can think."""


@dataclass(frozen=True, slots=True)
class Host:
    """A machine, and what of the arena is installed there.

    `name`: its own, and `machine` tells it from others of that name (`arena.cluster.orders.Facts.host`); both
    are empty for the machine of a run without a cluster. `cores`: those that the arena may use. `compiled`:
    whether its referee is. `sandbox`: its level, or "off". `arena`, `python`: versions. `pace_us`: the time
    that a fixed piece of the arena's own work takes on it; 0 if that was not measured.
    """

    name: str
    machine: str
    processor: str
    cores: int
    compiled: bool
    sandbox: str
    arena: str
    python: str
    pace_us: int


@dataclass(frozen=True, slots=True)
class HostView(Host):
    """A stored host. `id`: by which matches name it, from 1. `pace_us`: as it was first measured.

    `first_seen_at`: milliseconds since 1970 (UTC).
    """

    id: int
    first_seen_at: int


@dataclass(frozen=True, slots=True)
class HostTimes:
    """How long bots took on a host, from the parts of sessions played there.

    Each part gives one number: for each of its bots the mean time of a decision, divided by the mean of the
    same bot on all hosts, averaged over the bots. Bots that played on one host only do not count. `parts`:
    how many numbers; `total`, `squares`: the sums of them and of their squares.
    """

    host: int
    parts: int
    total: float
    squares: float

    def __add__(self, more: HostTimes) -> HostTimes:
        """Return both together, as of this host."""
        return HostTimes(
            self.host, self.parts + more.parts, self.total + more.total, self.squares + more.squares
        )

    @property
    def mean(self) -> float:
        """Return the mean of the numbers: 1 is usual, more is slower."""
        return self.total / self.parts if self.parts else math.nan

    @property
    def error(self) -> float:
        """Return the standard error of the mean; infinite where it is not known."""
        if self.parts < 2:
            return math.inf
        variance = (self.squares - self.parts * self.mean**2) / (self.parts - 1)
        return math.sqrt(max(0.0, variance) / self.parts)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The time for a decision on a host against all hosts: 1.00 is usual. `error`: the standard error.

    It is infinite where it is not known. `slower`: whether it is slower than the other hosts, beyond chance.
    """

    relative: float
    error: float
    slower: bool


def compared(times: Sequence[HostTimes]) -> dict[int, Comparison]:
    """Return how hosts compare, by id. Those without a bot that played elsewhere too are absent."""
    found = {}
    for own in times:
        others = sum((one for one in times if one is not own), HostTimes(own.host, 0, 0.0, 0.0))
        if own.parts and others.parts:
            more, error = own.mean - others.mean, math.hypot(own.error, others.error)
            enough = min(own.parts, others.parts) >= _FEWEST
            slower = enough and more > max(_LEAST * others.mean, _ERRORS * error)
            found[own.host] = Comparison(own.mean, own.error, slower)
    return found


def moved_sessions(matches: Iterable[MatchView]) -> frozenset[SessionKey]:
    """Return the sessions whose matches were finished on several hosts, as when one was lost."""
    hosts: defaultdict[SessionKey, set[int]] = defaultdict(set)
    for match in matches:
        if match.host is not None:
            hosts[match.cycle, match.index].add(match.host)
    return frozenset(session for session, where in hosts.items() if len(where) > 1)
