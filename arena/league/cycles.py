"""The number of cycles of a league, and whether that is enough for verdicts.

It knows only what the league file says. What a stored season was begun with is `arena.season.opening`.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.league.house import field_of, schedule_field
from arena.league.model import League
from arena.score.counting import cycles_to_first_look

LEAST_CYCLES = 8
"""The fewest cycles that "auto" stands for."""
_KEPT = 9, 10
"""The share of the cycles, as a fraction, that is enough for verdicts where "auto" chose the cycles. The rest
is for sessions that are void or left out: one of them would leave a small league without any verdict."""


@dataclass(frozen=True, slots=True)
class FirstVerdicts:
    """When verdicts become possible: after so many complete `cycles`.

    `sessions`: played by then. `of_each`: of these, the sessions of each ranked bot.
    """

    cycles: int
    sessions: int
    of_each: int


def first_verdicts(league: League) -> FirstVerdicts | None:
    """Return when the first verdicts of a league are possible; None if a single bot is ranked.

    The only candidate of a gauntlet is compared with its opponents.
    """
    field = schedule_field(league, "")
    ranked = sum(bot.role == "entrant" for bot in field_of(league))
    if ranked < (1 if field.is_gauntlet else 2):
        return None
    cycles = cycles_to_first_look(field.sessions_of_each, field.is_gauntlet)
    return FirstVerdicts(cycles, cycles * field.sessions_per_cycle, cycles * field.sessions_of_each)


def cycles_of(league: League) -> int:
    """Return how many cycles a season has that begins with this league file.

    "auto" stands for `LEAST_CYCLES`, or for more where verdicts need more. They are possible too when one
    session of ten is lost. In an open league the cycles are those of one
    phase, and "auto" stands for 1.
    """
    asked = league.schedule.cycles
    if asked != "auto":
        return asked
    if league.league.open:
        return 1
    first = first_verdicts(league)
    kept, of = _KEPT
    return LEAST_CYCLES if first is None else max(LEAST_CYCLES, -(-first.cycles * of // kept))
