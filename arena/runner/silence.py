"""For how long a referee that works may say nothing. Listens to nobody: the coordinator does."""

from __future__ import annotations

from collections.abc import Iterable

from arena.bot.launch import BotCommand
from arena.league.model import League
from arena.papayoo import hand_size

__all__ = ["longest_silence"]

_MARGIN_SECONDS = 60.0
"""For what has no clock: a referee starts, ends processes, waits for the disk or for an engine."""


def longest_silence(league: League, commands: Iterable[BotCommand]) -> float:
    """Return the seconds after which a referee that has matches of these bots and says nothing hangs.

    It tells of each match when that is over, and of little else. So it may be silent for as long as the
    matches of all its tables take together, one after another, by their clocks:

        60 s + 2 * tables * seats * (start + bank + rounds * (1 + cards) * move)

    Each seat has a process started, in `start_seconds` at most, has its bank once, and is asked for a pass
    and for each of its cards in every round. Twice, because a deadline moves by as much again for a bot that
    had no core. Faults only shorten a match, so `max_faults` has no part in it. Every league has clocks.
    """
    start_ms = max((command.start_ms for command in commands), default=league.time.start_ms)
    asked_ms = league.league.rounds * (1 + hand_size(league.league.seats)) * league.time.move_ms
    seat_ms = start_ms + league.time.bank_ms + asked_ms
    return _MARGIN_SECONDS + 2 * league.process.tables * league.league.seats * seat_ms / 1000
