"""Finished matches on their way into the database: gathered for 200 ms, then stored together. Stores nothing.

A transaction costs a few milliseconds, because it waits for the disk, and a quick match takes hardly longer.
With one transaction for each match the coordinator would do nothing else.
"""

from __future__ import annotations

import math

import trio

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.store.playing import Hosts, Texts

__all__ = ["SAVE_SECONDS", "Gathering"]

SAVE_SECONDS = 0.2
"""The longest time that a finished match waits to be stored. A match that was not stored when the run is
killed is played again, so this is also what `kill -9` can cost."""


class Gathering:
    """The matches that are finished and not stored yet."""

    def __init__(self) -> None:
        self._records: list[MatchRecord] = []
        self._hosts: dict[MatchKey, int] = {}
        self._texts: dict[MatchKey, str] = {}
        self._waiting = trio.CancelScope()

    def add(self, record: MatchRecord, host: int, text: str = "") -> None:
        """Add a match that was played on a host, 0 if that is not known; the first one starts the clock.

        `text`: its record as JSON, if that is known.
        """
        if not self._records:
            self._waiting.deadline = trio.current_time() + SAVE_SECONDS
        self._records.append(record)
        if host:
            self._hosts[record.key] = host
        if text:
            self._texts[record.key] = text

    def take(self) -> tuple[list[MatchRecord], Hosts, Texts]:
        """Return all matches, to be stored now, their hosts and texts, and stop the clock."""
        # The scope stays: whoever waits in `is_due` must not be left with an old one.
        self._waiting.deadline = math.inf
        taken = self._records, self._hosts, self._texts
        self._records, self._hosts, self._texts = [], {}, {}
        return taken

    async def is_due(self) -> None:
        """Wait until the oldest match has waited for `SAVE_SECONDS`. For one task only."""
        # The deadline of a scope instead of an event and a sleep: `add` and `take` can move it at any time.
        with trio.CancelScope() as self._waiting:
            await trio.sleep_forever()
