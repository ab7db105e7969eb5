"""What a question to a bot came to, and when: plain data between a link and who asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arena.bot.answers import Settled
from arena.bot.turn_meter import UNKNOWN, Used

__all__ = ["Closed", "Prompt", "Reply"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, or what was wrong. Times are microseconds since its clock began; what the referee was late
    itself is not in the time of an answer.

    `used` is what the bot has used since the referee began to wait for it in the event loop; nothing is
    known of an answer that came before.
    """

    settled: Settled
    wall_us: int
    used: Used = UNKNOWN


Prompt: TypeAlias = tuple[tuple[str, ...], int]
"""The cards of an answer that came at once, and its time in microseconds as in `Reply`: a plain pair, for
nearly every decision makes one."""
Closed: TypeAlias = list[tuple[str, Prompt | Reply]]
"""Questions that are closed, by id, in the order in which that came about, and what each came to."""
