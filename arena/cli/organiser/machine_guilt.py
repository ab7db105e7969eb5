"""Says whose late answers and slow starts the machine rather than the bot looks guilty of. Prints nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from arena.match.fault_wording import is_late
from arena.match.faults import FaultKind
from arena.store import read
from arena.store.database import Database

__all__ = ["LATE", "held_up"]

LATE = frozenset({FaultKind.TIMEOUT, FaultKind.START_FAILED})
"""The kinds of faults that a machine without a free core can cause."""

_HELD_UP = 0.5
"""The share of its time for which a bot must have waited for a core, as on the bots' pages."""


def held_up(database: Database, season: int, bots: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each of these bots that was held up at most of its late faults, with a sentence about it.

    Faults of which the wait for a core is not known do not count.
    """
    for bot in bots:
        known = [
            seen.fault
            for seen in read.faults(database, season, bot)
            if is_late(seen.fault) and seen.fault.queued_us is not None and seen.fault.wall_us
        ]
        guilty = sum((fault.queued_us or 0) >= _HELD_UP * fault.wall_us for fault in known)
        if 2 * guilty > len(known):
            yield bot, _sentence(bot, guilty, len(known))


def _sentence(bot: str, guilty: int, known: int) -> str:
    of = "the only late answer or start" if known == 1 else f"{guilty:,} of {known:,} late answers and starts"
    return (
        f"{of} of {bot} had no core for half of the time or more: the machine looks guilty, not the bot; "
        "play with fewer jobs, or leave the machine alone"
    )
