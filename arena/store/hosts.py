"""The machines that a league is played on, as plain data.

It holds no SQL, so that the code of pages can import it quickly. A machine's name is for the organiser and
for exports; pages must not show it.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Host", "HostView"]


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
