"""How a stored season is scored: which entries are ranked, which sessions are not waited for, the margin.

The one place where what the store tells becomes arguments of `arena.standings`, for the terminal, the
pages and `verify` alike. Imports no SQL; the score itself is `arena.standings`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.conduct.disqualify import disqualified
from arena.standings import Look, NoLook, Plan, Scoring, SessionResult, Standings
from arena.store.views import Action, Progress, Role, SeasonView, SessionKey, SessionState

if TYPE_CHECKING:
    from arena.store.reader import Reader

__all__ = ["NOTED_KEYS", "Scored", "noted_margin", "scored", "scoring_of"]

NOTED_KEYS = "league file"
"""What the acts are called that note the keys of a league file that may change within a season."""

_NEVER = (SessionState.VOIDED, SessionState.LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Scored:
    """The score of a season as it is now. `results`: the complete sessions that it is made from."""

    scoring: Scoring
    results: tuple[SessionResult, ...]
    standings: Standings
    look: Look | NoLook


def scored(reader: Reader, season: SeasonView) -> Scored:
    """Score a season from all that counts now. StoreError when the database cannot be read."""
    number = season.number
    scoring = scoring_of(
        season,
        reader.progress(number),
        reader.session_states(number),
        noted_margin(reader.actions()),
        disqualified(reader.rulings(number)),
    )
    results = tuple(reader.session_results(number))
    standings = scoring.standings(results)
    return Scored(scoring, results, standings, scoring.look(results, standings.fit))


def scoring_of(
    season: SeasonView,
    progress: Progress,
    states: Mapping[SessionKey, SessionState],
    margin: float = 0.0,
    out: Collection[str] = (),
) -> Scoring:
    """How a season is scored, from what the reader tells of it.

    `margin`: in points a round. `out`: the bots that are disqualified.
    """
    cycles = len(progress.cycles)
    never = frozenset(key for key, state in states.items() if state in _NEVER)
    return Scoring(
        bots=tuple(entry.bot for entry in season.entries),
        seats=season.seats,
        house=_with_role(season, Role.HOUSE),
        stand_ins=_with_role(season, Role.STAND_IN),
        disqualified=frozenset(out),
        plan=Plan(season.sessions_per_cycle, cycles, never) if cycles else None,
        margin=margin,
        gauntlet=season.line_ups == "gauntlet",
    )


def noted_margin(actions: Iterable[Action]) -> float:
    """The margin that the last run noted from its league file, in points.

    0 where none was noted: then no two bots are ever called level, which claims nothing wrongly.
    """
    noted = [act.detail for act in actions if act.what == NOTED_KEYS]
    try:
        return float(json.loads(noted[-1])["free"]["schedule"]["margin"]) if noted else 0.0
    except (ValueError, LookupError, TypeError):
        return 0.0


def _with_role(season: SeasonView, role: Role) -> frozenset[str]:
    return frozenset(entry.bot for entry in season.entries if entry.role is role)
