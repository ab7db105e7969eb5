"""The number of cycles of a season that was begun: where the league file says "auto", it stays as it was.

So a season that was begun with a number of cycles that the file does not give now is played as long as it was
announced.
"""

from __future__ import annotations

from dataclasses import replace

from arena.league.cycles import cycles_of
from arena.league.reader import LoadedLeague
from arena.store import read
from arena.store.database import Database
from arena.store.scoring import noted_cycles
from arena.store.views import SeasonView

__all__ = ["kept_cycles", "with_cycles"]


def kept_cycles(season: SeasonView, database: Database) -> int:
    """Return the number of cycles of a stored season, 0 if none was noted or planned yet.

    It is what the last run noted. The number that the last phase was planned for may be smaller, because a
    phase that ended early ends with fewer cycles.
    """
    planned = season.phases[-1].cycles_planned if season.phases else 0
    return max(noted_cycles(read.actions(database)), planned)


def with_cycles(loaded: LoadedLeague, kept: int = 0) -> LoadedLeague:
    """Return the league with `cycles` as a number: the file's, or for "auto" that of the season that goes on.

    `kept`: the `kept_cycles` of that season, 0 for a new one.
    """
    schedule = loaded.league.schedule
    kept = 0 if loaded.league.league.open else kept  # there they are the cycles of one phase
    cycles = kept if kept and schedule.cycles == "auto" else cycles_of(loaded.league)
    league = loaded.league.model_copy(update={"schedule": schedule.model_copy(update={"cycles": cycles})})
    return replace(loaded, league=league)
