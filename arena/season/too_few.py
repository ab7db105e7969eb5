"""The end of a season of which too few bots are left: one of a duel, or fewer than a table has seats.

A season is a fixed field, so no bot is added to it. Plays and stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.conduct.disqualify import Ruling, disqualified
from arena.store.views import Role, SeasonView

__all__ = ["why_broken_off"]


def why_broken_off(season: SeasonView, rulings: Iterable[Ruling]) -> str:
    """Return why no further cycle of a season is played, in words; empty if the season goes on.

    `rulings`: all of the season, in the order in which they were made. A reinstated bot can play on.
    """
    out = disqualified(rulings)
    if season.open:  # it waits for others
        return ""
    bots = [entry for entry in season.entries if entry.role is not Role.STAND_IN]
    named = {entry.name: out[entry.bot].word for entry in bots if entry.bot in out}
    left = len(bots) - len(named)
    if not named:
        return ""
    if season.is_duel:
        return f"{_said(named)}, and a duel takes two"
    if season.plans_anew and left < season.seats:
        bots_left = "1 bot is" if left == 1 else f"{left or 'no'} bots are"
        return f"{_said(named)}, and {bots_left} left for {season.seats} seats"
    return ""


def _said(named: dict[str, str]) -> str:
    """Return what became of bots, given with a word each."""
    words = sorted(set(named.values()))
    return ", ".join(_each([name for name in named if named[name] == word], word) for word in words)


def _each(names: Sequence[str], word: str) -> str:
    return f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} {word}"
