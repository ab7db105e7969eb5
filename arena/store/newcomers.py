"""Who is still catching up in an open season.

It computes no score: it reads what the score was made from.
"""

from __future__ import annotations

from arena.schedule.catch_up import quota
from arena.score.counting import eligible, sessions_of_each
from arena.store.scoring import Scored
from arena.store.views import Role, SeasonView

__all__ = ["newcomers"]


def newcomers(season: SeasonView, score: Scored) -> dict[str, tuple[int, int]]:
    """Return by entry how many sessions of a newcomer count, and how many are needed: "3 of 23 sessions".

    They are the present ranked entries that have fewer than the quota of the catch-up (`arena.schedule`), and
    those that have no score yet. Empty in a closed season. Nobody needs fewer than one.
    """
    present, waiting = score.scoring.present, score.standings.fit.counted.waiting
    if present is None:
        return {}
    ranked = {entry.bot for entry in season.entries if entry.role is Role.ENTRANT}
    played = sessions_of_each(eligible(score.results, present))
    sessions = {entry: played[entry] for entry in present if entry in ranked}
    needed = quota(sessions.values())
    return {
        entry: (counted, max(1, needed, counted))
        for entry, counted in sorted(sessions.items())
        if counted < needed or entry in waiting
    }
