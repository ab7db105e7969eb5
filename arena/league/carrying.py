"""What a league file announces of its stages' sizes, and whether earlier stages may count in the last one.

It knows only what the file says, so a field is as large as it will be if nobody is disqualified and no two
bots share the last place. What really was played decides again when the last stage begins
(`arena.season.carrying`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.league.cycles import cycles_of
from arena.league.house import schedule_field
from arena.league.model import BotSection, League
from arena.league.stages import stage_league
from arena.schedule import Field
from arena.standings.carry import StagePlan, carry_error

__all__ = ["Planned", "carry_refusal", "planned"]


@dataclass(frozen=True, slots=True)
class Planned:
    """A closed stage: its field, the rounds of a match, and its cycles."""

    field: Field
    rounds: int
    cycles: int

    @property
    def plan(self) -> StagePlan:
        """Return how many bots play in it, and how many rounds each of them."""
        return StagePlan(self.field.bots, self.cycles * self.field.rounds_of_each(self.rounds))


def planned(league: League) -> Planned:
    """Return the size of a stage from its league, see `stage_league`."""
    return Planned(schedule_field(league, ""), league.league.rounds, cycles_of(league))


def carry_refusal(league: League) -> str:
    """Return why the last stage of a league must not count earlier ones; else an empty text."""
    return carry_error(list(_plans(league)), league.league.seats)


def _plans(league: League) -> Iterator[StagePlan]:
    """Yield the plan of each stage, with what is not known beforehand as None."""
    bots: tuple[BotSection, ...] | None = None
    for number, stage in enumerate(league.stages, 1):
        own = stage_league(league, number, bots)
        if own.league.open or own.schedule.stop != "cycles":
            yield StagePlan(None, None)
            return
        yield planned(own).plan
        if number == len(league.stages):
            return
        if not isinstance(stage.keep, int):
            yield StagePlan(None, None)
            return
        ranked = tuple(bot for bot in own.bots if bot.role == "entrant")
        bots = ranked[: min(stage.keep, stage.at_most or stage.keep)]
