"""Says what a season is called on pages, on terminals and in addresses. Decides and reads nothing."""

from __future__ import annotations

from arena.store.views import SeasonView

__all__ = ["season_folder", "season_title"]


def season_title(season: SeasonView) -> str:
    """Return what people call a season: "Season 2"."""
    return f"Season {season.number}"


def season_folder(number: int) -> str:
    """Return the name of the folder that has the pages of a season when another one has begun: "season-2"."""
    return f"season-{number}"
