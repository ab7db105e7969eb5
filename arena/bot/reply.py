"""The result of a question to a bot: plain data between a link and whoever asked. Decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from arena.bot.answers import Settled
from arena.bot.turn_meter import UNKNOWN, Used

__all__ = ["Closed", "Prompt", "Reply"]


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, or what was wrong.

    `wall_us`: the microseconds since the clock of the question began. In the time of an answer, the lateness
    of the referee itself does not count. `used`: what the bot has used since the referee began to wait for it
    in the event loop. Nothing is known of an answer that came before that. `extended_us`: by how much its
    deadline moved because the bot had no core; that does not count in the time of an answer either.
    """

    settled: Settled
    wall_us: int
    used: Used = UNKNOWN
    extended_us: int = 0


Prompt: TypeAlias = tuple[tuple[str, ...], int]
"""The cards of an answer that came at once, and its time in microseconds as in `Reply`. It is a plain pair,
because nearly every decision makes one."""
Closed: TypeAlias = list[tuple[str, Prompt | Reply]]
"""Closed questions, as (id, result), in the order in which they were closed."""
