"""The standings of a stored season: which entries are ranked and which sessions are not waited for.

Pure: what the store told goes in, standings come out. The score itself is `arena.standings`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arena.standings import Plan, SessionResult, Standings, standings
from arena.store.views import Progress, Role, SeasonView, SessionKey, SessionState

__all__ = ["season_standings"]

_NEVER = (SessionState.VOIDED, SessionState.LEFT_OUT)


def season_standings(
    season: SeasonView,
    progress: Progress,
    states: Mapping[SessionKey, SessionState],
    results: Sequence[SessionResult],
) -> Standings:
    """The standings from `results`, the complete sessions; `progress` and `states` are the season's.

    The stand-in is an entrant from its first session on. Raises SessionResultError for results
    that do not belong to this season.
    """
    seated = {bot for result in results for bot in result.card_points}
    field = [entry for entry in season.entries if entry.role is not Role.STAND_IN or entry.bot in seated]
    cycles = len(progress.cycles)
    never = frozenset(key for key, state in states.items() if state in _NEVER)
    return standings(
        results,
        [entry.bot for entry in field],
        season.seats,
        house=[entry.bot for entry in field if entry.role is not Role.ENTRANT],
        plan=Plan(season.sessions_per_cycle, cycles, never) if cycles else None,
    )
