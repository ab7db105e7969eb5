"""Builds the leaderboard of a changing field: who is present is ranked, who has left stands apart.

It must not claim that a rank is sure (that is `open_look`) and must not format numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from arena.standings.open_field import open_fit
from arena.standings.results import SessionResult
from arena.standings.table import Lines, Plan, Standings, by_points, progress, ranks_of


def open_standings(
    sessions: Iterable[SessionResult],
    entries: Sequence[str],
    seats: int,
    *,
    present: Collection[str],
    house: Collection[str] = (),
    disqualified: Collection[str] = (),
    plan: Plan | None = None,
) -> Standings:
    """Build the leaderboard of those who are `present` from all complete sessions.

    `entries`: all that ever played or are to play, in the order in which they came. Who has left is in
    `retired`, with a score measured by those who are present where there is one, and without a ±.
    """
    played = list(sessions)
    result = open_fit(played, present, seats)
    ordered = by_points(entries, result.scores)
    here = [entry for entry in ordered if entry in present]
    ranked = [entry for entry in here if entry not in house]
    lines = Lines(result, ranks_of(ranked, result.scores), house, disqualified)
    return Standings(
        rows=lines.of(ranked),
        house=lines.of([entry for entry in here if entry in house]),
        par=result.par,
        comparable=result.comparable,
        intervals=result.intervals,
        provisional=None if plan is None else progress(played, plan),
        fit=result,
        retired=lines.of([entry for entry in ordered if entry not in present and entry not in house]),
    )
