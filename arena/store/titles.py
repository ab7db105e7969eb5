"""Says what a season is called on pages, on terminals and in addresses. Decides and reads nothing."""

from __future__ import annotations

from arena.store.stage import stage_of
from arena.store.views import SeasonView

__all__ = ["season_folder", "season_title"]


def season_title(season: SeasonView) -> str:
    """Return what people call a season: "Season 2", or "Stage 2: Final" in a league with stages.

    The name of a stage is the one under which it began. StoreError for a season that does not say it.
    """
    stage = stage_of(season)
    if stage is None:
        return f"Season {season.number}"
    if stage.name == f"Stage {stage.number}":  # that of a stage without a name
        return f"Stage {stage.number}"
    return f"Stage {stage.number}: {stage.name}"


def season_folder(number: int) -> str:
    """Return the name of the folder that has the pages of a season when another one has begun: "season-2"."""
    return f"season-{number}"
