"""Finished matches on their way into the database: gathered for 200 ms, then stored together. Stores nothing.

A transaction costs a few milliseconds (it waits for the disk), a quick match hardly more: one transaction
for each match would keep the coordinator busy with nothing else.
"""

from __future__ import annotations

import math

import trio

from arena.match.record import MatchRecord

__all__ = ["SAVE_SECONDS", "Gathering"]

SAVE_SECONDS = 0.2
"""How long finished matches wait at most to be stored. What was not stored when a run is killed is played
again, so this is also what `kill -9` can cost."""


class Gathering:
    """The matches that are finished and not stored."""

    def __init__(self) -> None:
        self._records: list[MatchRecord] = []
        self._waiting = trio.CancelScope()

    def add(self, record: MatchRecord) -> None:
        """Add one; the first one starts the clock."""
        if not self._records:
            self._waiting.deadline = trio.current_time() + SAVE_SECONDS
        self._records.append(record)

    def take(self) -> list[MatchRecord]:
        """Take them all, to be stored now; the clock stops."""
        self._waiting.deadline = math.inf
        records, self._records = self._records, []
        return records

    async def is_due(self) -> None:
        """Return when the oldest has waited for `SAVE_SECONDS`. For one task only."""
        with trio.CancelScope() as self._waiting:
            await trio.sleep_forever()
