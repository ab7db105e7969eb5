"""How much processor time a bot may use in a match, from the league. Measures nothing."""

from __future__ import annotations

from arena.league.model import BotSection, League
from arena.papayoo import hand_size

__all__ = ["ALLOWANCE_MS", "match_cpu_ms"]

ALLOWANCE_MS = 1000
"""For what belongs to no question: hearing the news, tidying up, one burst off turn."""


def match_cpu_ms(league: League, bot: BotSection) -> int:
    """The limit for one match in milliseconds: `cpu_seconds`, or if that is 0 what the clocks allow.

    That is all the questions of a match times the time for one, and the bank, on as many cores as the
    bot has threads, and `ALLOWANCE_MS` besides.
    """
    if league.sandbox.cpu_seconds:
        return league.sandbox.cpu_seconds * 1000
    questions = league.league.rounds * (1 + hand_size(league.league.seats))
    return (questions * league.time.move_ms + league.time.bank_ms) * bot.threads + ALLOWANCE_MS
