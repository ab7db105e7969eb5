"""Judges whether a bot thinks too much while it has no question. Pure: it is told times, and stops nothing.

The measure is a leaky bucket. What a bot uses off turn beyond a fifth of a core fills it, what the bot
leaves unused of that fifth drains it, and it holds one second. So a burst is allowed, as when a runtime
compiles or a bot prepares itself. A bot that spins without end is found after 1.25 s off turn.

Each process has such a bucket, which drains while the process has no question. All processes of a bot
together have another bucket. Without it, ten processes that wait for a match and share a core could take the
whole core together, while none of them exceeds a fifth. That bucket holds a second for each process that
runs, because each starts and compiles by itself, and it drains at all times. A bot uses too much when either
kind of bucket has flowed over.
"""

from __future__ import annotations

from typing import Final

__all__ = ["ALLOWED_SHARE", "BURST_US", "BotOffTurn", "OffTurn"]

ALLOWED_SHARE: Final = 0.20
"""The share of one core that is allowed in the time without a question."""
# Not Final, because tests lower it, also where this is compiled.
BURST_US = 1_000_000
"""The processor time beyond the allowed share that each process may use, in microseconds."""


class _Bucket:
    """The processor time that was used beyond the allowed share, in microseconds."""

    def __init__(self) -> None:
        self._over_us = 0.0

    def pour(self, cpu_us: int, wall_us: int) -> float:
        """Add what was used in `wall_us` more time, and return what is in the bucket then."""
        self._over_us = max(0.0, self._over_us + cpu_us - ALLOWED_SHARE * wall_us)
        return self._over_us


class BotOffTurn:
    """The account of all processes of one bot in one referee."""

    def __init__(self) -> None:
        self.too_much = False
        """Whether one process, or all of them together, have ever used too much."""
        self.processes = 0
        self._bucket = _Bucket()
        self._now_us: int | None = None

    def add(self, cpu_us: int, now_us: int) -> None:
        """Add what one of the processes has used. `now_us`: the time of any clock that never goes back."""
        wall_us = 0 if self._now_us is None else now_us - self._now_us
        self._now_us = now_us
        if self._bucket.pour(cpu_us, wall_us) > max(1, self.processes) * BURST_US:
            self.too_much = True


class OffTurn:
    """The account of one process of `bot`. All times are in microseconds, and totals only grow."""

    def __init__(self, bot: BotOffTurn) -> None:
        self._bot = bot
        self._bot.processes += 1
        self._bucket = _Bucket()
        self._cpu_us = 0
        self._wall_us = 0

    def add(self, cpu_us: int, wall_us: int, now_us: int) -> bool:
        """Take in the totals off turn so far, and return whether the bot has ever used too much.

        It has if this process, another one of the bot, or all of them together have used too much.
        """
        cpu, self._cpu_us = max(0, cpu_us - self._cpu_us), max(cpu_us, self._cpu_us)
        wall, self._wall_us = max(0, wall_us - self._wall_us), max(wall_us, self._wall_us)
        if self._bucket.pour(cpu, wall) > BURST_US:
            self._bot.too_much = True
        self._bot.add(cpu, now_us)
        return self._bot.too_much

    def close(self) -> None:
        """Note that the process has ended. What it used stays counted."""
        self._bot.processes -= 1
