"""When a bot thinks too much while it has no question. Pure: it is told times and judges them.

A leaky bucket: what a bot uses off turn beyond a fifth of a core fills it, what it leaves unused of
that fifth drains it, and it holds one second. Thus a burst, as when a runtime compiles or a bot
prepares itself, is nobody's concern; to spin without end shows after 1.25 s off turn.

Each process has such a bucket, which drains while it has no question. All processes of a bot together
have another one: those that wait for a match share a core, so none of ten need ever exceed a fifth of
it while together they take all of it. That one holds a second for each that runs, for each starts and
compiles by itself, and drains at all times. A bot for which either has flowed over uses too much.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ALLOWED_SHARE", "BURST_US", "BotOffTurn", "OffTurn"]

ALLOWED_SHARE: Final = 0.20
"""Of one core, in the time without a question."""
BURST_US = 1_000_000  # not Final: tests lower it, also where this is compiled
"""Processor time beyond the allowed share, for each process, before it is too much."""


class _Bucket:
    """What was used beyond the allowed share, in microseconds."""

    def __init__(self) -> None:
        self._over_us = 0.0

    def pour(self, cpu_us: int, wall_us: int) -> float:
        """So much more was used in so much more time; what is in it then."""
        self._over_us = max(0.0, self._over_us + cpu_us - ALLOWED_SHARE * wall_us)
        return self._over_us


class BotOffTurn:
    """The account of all processes of one bot in one referee."""

    def __init__(self) -> None:
        self.too_much = False
        """Whether it has ever been too much: for one process, or for all together."""
        self.processes = 0
        self._bucket = _Bucket()
        self._now_us: int | None = None

    def add(self, cpu_us: int, now_us: int) -> None:
        """One of the processes has used so much more. `now_us`: of any clock that never goes back."""
        wall_us = 0 if self._now_us is None else now_us - self._now_us
        self._now_us = now_us
        if self._bucket.pour(cpu_us, wall_us) > max(1, self.processes) * BURST_US:
            self.too_much = True


class OffTurn:
    """The account of one process of `bot`. All times in microseconds; totals only grow."""

    def __init__(self, bot: BotOffTurn) -> None:
        self._bot = bot
        self._bot.processes += 1
        self._bucket = _Bucket()
        self._cpu_us = 0
        self._wall_us = 0

    def add(self, cpu_us: int, wall_us: int, now_us: int) -> bool:
        """Told the totals off turn so far; whether it has been too much, for this process or its bot."""
        cpu, self._cpu_us = max(0, cpu_us - self._cpu_us), max(cpu_us, self._cpu_us)
        wall, self._wall_us = max(0, wall_us - self._wall_us), max(wall_us, self._wall_us)
        if self._bucket.pour(cpu, wall) > BURST_US:
            self._bot.too_much = True
        self._bot.add(cpu, now_us)
        return self._bot.too_much

    def close(self) -> None:
        """The process has ended; what it used stays counted."""
        self._bot.processes -= 1
