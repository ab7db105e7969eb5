"""Leagues of closed stages played without processes, as `tests.open_played` plays open ones."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from arena.league.reader import read_league
from arena.runner.seasons import OpenSeason, begin_next_stage, open_phase, open_season
from tests.open_played import OpenPlay


class StagedPlay(OpenPlay):
    """A league of closed stages, by the path of its file."""

    def __init__(self, league: Path, fault_rates: Mapping[str, float] | None = None) -> None:
        super().__init__(league, fault_rates)
        self.whole = read_league(league)

    def season(self) -> OpenSeason:
        season = open_season(self.whole, self.database)
        self.loaded = season.loaded
        return season

    def stage(self, sessions: int | None = None) -> None:
        """Play the stage that is played now, to its end or so many sessions of it."""
        assert open_phase(self.season(), self.database) is not None
        self.play(sessions)

    def goes_on(self) -> bool:
        """Begin the next stage, if there is one to play."""
        return begin_next_stage(self.whole, self.database, self.said.append)
