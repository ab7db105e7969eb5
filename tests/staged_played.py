"""Leagues of closed stages played without processes, as `tests.open_played` plays open ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.conduct.disqualify import Ruling
from arena.league.reader import read_league
from arena.season.next_stage import begin_next_stage
from arena.season.opening import OpenSeason, now_ms, open_season
from arena.season.stretches import open_stretch
from arena.store.acts import void_act
from tests.open_played import OpenPlay
from tests.running import make_league

__all__ = ["STAGES", "StagedPlay", "carried_league", "play_carried"]

STAGES = """\
[faults]
disqualify_share = 0.2
[[stages]]
name = "Heats"
keep = 4
cycles = 1
[[stages]]
name = "Final"
cycles = 6
rounds = 4
carry = true
"""


def carried_league(folder: Path, stages: str = STAGES, bots: int = 5) -> Path:
    """Write a league of 3 seats with a final in which its heats count, and return the path of its file."""
    return make_league(folder, bots=bots, more=stages)


class StagedPlay(OpenPlay):
    """A league of closed stages, by the path of its file."""

    def __init__(self, league: Path, fault_rates: Mapping[str, float] | None = None) -> None:
        super().__init__(league, fault_rates)
        self.whole = read_league(league)

    def season(self) -> OpenSeason:
        season = open_season(self.whole, self.reader, self.writer)
        self.loaded = season.loaded
        return season

    def changes_after(self, rulings: Sequence[Ruling], cycles: int) -> str:
        return ""

    def stage(self, sessions: int | None = None) -> None:
        """Play the stage that is played now, to its end or so many sessions of it."""
        assert open_stretch(self.season(), self.reader, self.writer) is not None
        self.play(sessions)

    def goes_on(self) -> bool:
        """Begin the next stage, if there is one to play."""
        return begin_next_stage(self.whole, self.reader, self.writer, self.said.append)


def play_carried(folder: Path) -> None:
    """Play heats of five bots, of which a session is made void, and a final of four to its end."""
    with StagedPlay(carried_league(folder)) as play:
        play.stage()
        play.writer.void(1, (0, 3), void_act(1, (0, 3), "a power cut", (now_ms(), "test")))
        assert play.goes_on()
        play.stage()
        assert not play.goes_on(), "it is the last stage"
