"""The end of a season of which too few bots are left: one of a duel, or fewer than a table has seats.

A season is a fixed field, so no bot is added to it. Plays and stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.conduct.disqualify import Ruling, disqualified
from arena.store.views import Role, SeasonView
from arena.wording import listed

__all__ = ["too_few_from", "why_broken_off", "why_cut_short"]


def why_broken_off(season: SeasonView, rulings: Iterable[Ruling]) -> str:
    """Return why no further cycle of a season is played, in words; empty if the season goes on.

    `rulings`: all of the season, in the order in which they were made. A reinstated bot can play on.
    """
    out = disqualified(rulings)
    if season.open:  # it waits for others
        return ""
    bots = [entry for entry in season.entries if entry.role is not Role.STAND_IN]
    gone = [entry.name for entry in bots if entry.bot in out]
    left = len(bots) - len(gone)
    if not gone:
        return ""
    told = f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} excluded"
    if season.is_duel:
        return f"{told}, and a duel takes two"
    if season.plans_anew and left < season.seats:
        bots_left = "1 bot is" if left == 1 else f"{left or 'no'} bots are"
        return f"{told}, and {bots_left} left for {season.seats} seats"
    return ""


def too_few_from(season: SeasonView, rulings: Iterable[Ruling]) -> tuple[int, str] | None:
    """Return from which cycle on too few bots of a season are left, and why; None if it goes on.

    `rulings`: as in `why_broken_off`. Some of them may be on cycles that are still to come.
    """
    made = list(rulings)
    if not (why := why_broken_off(season, made)):
        return None
    cycles = sorted({ruling.from_cycle for ruling in made}, reverse=True)
    first = cycles[0]
    for cycle in cycles:
        if not why_broken_off(season, [ruling for ruling in made if ruling.from_cycle <= cycle]):
            break
        first = cycle
    return first, why


def why_cut_short(season: SeasonView, rulings: Iterable[Ruling], cycles: int) -> str:
    """Return what to tell when some of the `cycles` asked for are not played for want of bots.

    Empty if the season goes on, and if all of them were played before the bots left.
    """
    why = why_broken_off(season, rulings)
    last = season.phases[-1] if season.phases else None
    # A phase that ended early ends with the cycles that were played.
    if not why or (last is not None and last.ended_at is not None and last.cycles_planned >= cycles):
        return ""
    what = "duel" if season.is_duel else "season"
    return f"the {what} is over: {why}; arena reinstate lets a bot play again"
