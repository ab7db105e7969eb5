"""The limits of a stored season beyond which a bot is excluded, from its document and its entries."""

from __future__ import annotations

from arena.conduct.exclusion import Limits, bars_of
from arena.store.views import Role, SeasonView

__all__ = ["limits_of"]


def limits_of(season: SeasonView) -> Limits | None:
    """Return the limits of a season; None where they take out nobody, or its document does not say them.

    House bots and the opponents of a gauntlet can be excluded too, so they count.
    """
    faults, stages = season.section("faults"), season.section("stage").get("of", 1)
    share = faults.get("disqualify_share")
    if not (isinstance(share, int | float) and share < 1):
        return None
    judged = [entry for entry in season.entries if entry.role is not Role.STAND_IN]
    bots = [entry.bot for entry in sorted(judged, key=lambda entry: entry.number)]
    return Limits(share, bars_of(bots, season.open, stages if isinstance(stages, int) else 1))
