"""The end of a duel of which a bot is disqualified: nobody is left for the other one to play against.

Plays and stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.conduct.disqualify import Ruling, disqualified
from arena.store.views import SeasonView

__all__ = ["why_broken_off"]


def why_broken_off(season: SeasonView, rulings: Iterable[Ruling]) -> str:
    """Return why no further cycle of a duel is played, in words; empty for every other league.

    `rulings`: all of the season, in the order in which they were made. A reinstated bot can play on.
    """
    if not season.is_duel:
        return ""
    out = disqualified(rulings)
    names = [entry.name for entry in season.entries if entry.bot in out]
    if not names:
        return ""
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} disqualified, and a duel takes two"
