"""When a bot thinks too much while it has no question. Pure: it is told times and judges them.

A leaky bucket: what a bot uses off turn beyond a fifth of a core fills it, what it leaves unused of
that fifth drains it, and it holds one second. Thus a burst, as when a runtime compiles or a bot
prepares itself, is nobody's concern; to spin without end shows after 1.25 s off turn.
"""

from __future__ import annotations

__all__ = ["ALLOWED_SHARE", "BURST_US", "OffTurn"]

ALLOWED_SHARE = 0.20
"""Of one core, in the time without a question."""
BURST_US = 1_000_000
"""Processor time beyond the allowed share before it is too much."""


class OffTurn:
    """One process's account. All times in microseconds; totals only grow."""

    def __init__(self) -> None:
        self._cpu_us = 0
        self._wall_us = 0
        self._over_us = 0.0

    def add(self, cpu_us: int, wall_us: int) -> bool:
        """Told the totals off turn so far; whether it has been too much."""
        cpu, self._cpu_us = max(0, cpu_us - self._cpu_us), max(cpu_us, self._cpu_us)
        wall, self._wall_us = max(0, wall_us - self._wall_us), max(wall_us, self._wall_us)
        self._over_us = max(0.0, self._over_us + cpu - ALLOWED_SHARE * wall)
        return self._over_us > BURST_US
