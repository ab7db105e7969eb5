"""Reads the earlier stages of a contest, and which of their sessions count in the last one.

A decision that is stored with the stage says whether they do. It has no SQL and computes no score.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.errors import StoreError
from arena.standings import Earlier, SessionResult
from arena.standings.earlier import NOTHING
from arena.store.reader import Reader
from arena.store.stage import decision_of
from arena.store.views import Role, SeasonView

__all__ = ["earlier_of", "stages_before"]


def stages_before(reader: Reader, season: SeasonView) -> list[SeasonView]:
    """Return the seasons of the earlier stages of the same contest, oldest first.

    StoreError if one of them is not there.
    """
    stored = {one.number: one for one in reader.seasons()}
    found: list[SeasonView] = []
    while (decision := decision_of(season)) is not None:
        if decision.season >= season.number or decision.season not in stored:
            raise StoreError(f"Season {season.number} follows season {decision.season}, which is not there")
        season = stored[decision.season]
        found.append(season)
    return found[::-1]


def earlier_of(reader: Reader, season: SeasonView) -> Earlier:
    """Return what counts of earlier stages in the score of a season.

    StoreError for a season that does not say so, or if the database cannot be read.
    """
    decision = decision_of(season)
    if decision is None or not decision.carried:
        return NOTHING
    stages = stages_before(reader, season)
    programs = {entry.bot: entry.digest for entry in season.entries}
    results = [_results(reader, one, programs) for one in stages[::-1]]
    entrants = [entry for entry in stages[0].entries if entry.role is Role.ENTRANT]
    return Earlier.of(results[::-1], [entry.bot for entry in season.entries], len(entrants))


def _results(reader: Reader, season: SeasonView, programs: dict[str, str]) -> list[SessionResult]:
    """Return the sessions of a season that count. `programs`: the files of each bot of later ones, by id.

    House bots may have the same id with other files. They are other bots then.
    """
    others = {
        entry.bot: f"{entry.bot} of season {season.number}"
        for entry in season.entries
        if programs.setdefault(entry.bot, entry.digest) != entry.digest
    }
    results = reader.session_results(season.number)
    return [_renamed(one, others) for one in results] if others else results


def _renamed(result: SessionResult, others: Mapping[str, str]) -> SessionResult:
    def named(points: Mapping[str, int]) -> dict[str, int]:
        return {others.get(bot, bot): value for bot, value in points.items()}

    return replace(
        result,
        card_points=named(result.card_points),
        fault_points=named(result.fault_points),
        seat_rounds=named(result.seat_rounds),
    )
