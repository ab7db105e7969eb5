"""The phases of a closed season: the one to play now, its deals, and whether another follows.

Those of an open season begin in `arrivals`, with whoever is there. Plays nothing.
"""

from __future__ import annotations

import secrets

from arena.deals import SECRET_BYTES, PhaseDeals, commitment, phase_key, seeded_secret
from arena.league.reader import LoadedLeague
from arena.season.decide import History, conduct_of, decision_in_force, why_broken_off, why_cut_short
from arena.season.opening import OpenSeason, now_ms, stored_season
from arena.standings import Look
from arena.store import read, write
from arena.store.database import Database
from arena.store.inputs import NewPhase
from arena.store.planned import season_plan
from arena.store.scoring import scored
from arena.store.views import PhaseView, SeasonView

__all__ = ["is_settled", "open_phase", "unfinished_phase", "why_nothing_is_left"]


def open_phase(season: OpenSeason, database: Database) -> tuple[PhaseView, PhaseDeals] | None:
    """Return the phase to play and its deals, or None when nothing is left to play.

    If the last phase has ended, a new one is opened. Its deals are committed to here, before its first
    match.
    """
    if (unfinished := unfinished_phase(database)) is not None:
        return unfinished
    view = stored_season(database)
    last = view.phases[-1] if view.phases else None
    if why_broken_off(view, read.rulings(database, view.number)):
        return None
    if last is not None and is_settled(season.loaded, view, database):
        return None
    first = _begins(season, view, database)
    if first is None:
        return None
    number = 0 if last is None else last.number + 1
    schedule = season.loaded.league.schedule
    if schedule.seed is None:
        secret = secrets.token_bytes(SECRET_BYTES)
    else:
        secret = seeded_secret(schedule.seed, number, view.number)
    write.open_phase(
        database,
        NewPhase(
            season=view.number,
            number=number,
            secret=secret,
            commitment=commitment(secret),
            committed_at=now_ms(),
            league_digest=season.loaded.digest,
            cycles_planned=season.cycles,
            first_cycle=first,
            public_draw=schedule.public_draw,
            predictable=schedule.seed is not None,
        ),
    )
    # Read again, so that a phase is played as it was stored, whether it is new or resumed.
    return open_phase(season, database)


def unfinished_phase(database: Database) -> tuple[PhaseView, PhaseDeals] | None:
    """Return the phase that was begun and has not ended, and its deals; None if there is none."""
    view = stored_season(database)
    phase = view.unfinished
    return None if phase is None else (phase, _deals(view, phase, database))


def is_settled(loaded: LoadedLeague, view: SeasonView, database: Database) -> bool:
    """Return whether the league is to stop when it is settled, and was settled in this season.

    What was decided is stored, and nothing that is ruled later changes it. Where nothing is decided, or where
    the league was played on since, it is what counts now.
    """
    if loaded.league.schedule.stop != "settled":
        return False
    acts, decisions = read.actions(database), read.decisions(database, view.number)
    history = History(view, acts, decisions, conduct_of(view))
    if view.phases and decision_in_force(view, history, view.phases[-1].cycles_planned) is not None:
        return True
    score = scored(database, view)
    seen = score.scoring.deciding_look(score.results)
    return isinstance(seen, Look) and seen.settled


def why_nothing_is_left(season: OpenSeason, database: Database) -> str:
    """Return what to tell when `open_phase` finds nothing to play although more was asked for.

    Empty if everything was played, or the league is settled.
    """
    view = stored_season(database)
    if is_settled(season.loaded, view, database):
        return ""
    return why_cut_short(view, read.rulings(database, view.number), season.cycles)


def _deals(season: SeasonView, phase: PhaseView, database: Database) -> PhaseDeals:
    secret = read.phase_secret(database, phase.season, phase.number)
    return PhaseDeals(phase_key(secret, phase.public_draw))


def _begins(season: OpenSeason, view: SeasonView, database: Database) -> int | None:
    """Return the first cycle of the phase that follows; None if no cycle is left to play."""
    first = view.phases[-1].cycles_planned if view.phases else 0
    plan = season_plan(view, read.rulings(database, view.number))
    return first if first < season.cycles and plan.sessions_in(first) else None
