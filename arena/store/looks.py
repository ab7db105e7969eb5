"""What a look that decided something was made from: the score of a season as it was then.

A look follows from the sessions played by then and from the acts before it. So it can be made again after
later acts, which change scores and never what was decided. It has no SQL and decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arena.conduct.exclusion import disqualified
from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.store import read
from arena.store.acts import rulings_from, voids_from
from arena.store.database import Database
from arena.store.decisions import Decision, claims_from
from arena.store.history import Action
from arena.store.scoring import noted_margin, scoring_of
from arena.store.views import Progress, SeasonView, SessionKey, SessionState

__all__ = ["Played", "played_of", "scoring_then"]


@dataclass(frozen=True, slots=True)
class Played:
    """What was played of a season.

    `results`: of all sessions that were played to their end, void ones too, in the order of the schedule.
    """

    results: Sequence[SessionResult]
    states: Mapping[SessionKey, SessionState]
    progress: Progress


def played_of(database: Database, season: int) -> Played:
    """Return what was played of a season, from the database."""
    results = read.session_results(database, season, void=True)
    return Played(results, read.session_states(database, season), read.progress(database, season))


def scoring_then(
    season: SeasonView, acts: Sequence[Action], decisions: Sequence[Decision], played: Played, cycles: int
) -> tuple[Scoring, list[SessionResult]]:
    """Return how a season was scored when `acts` had been made and `cycles` cycles were over, and from what.

    Acts that came later do not matter: what they made void counted then, and whom they took out was there.
    Nor do `decisions` after later cycles.
    """
    void = voids_from(acts, season.number)
    rulings = rulings_from(acts, [one for one in decisions if one.cycles <= cycles], season.number)
    states = {
        key: SessionState.COMPLETE if state is SessionState.VOIDED and key not in void else state
        for key, state in played.states.items()
        if key[0] < cycles
    }
    over = tuple(one for one in played.progress.cycles if one.cycle < cycles)
    begun = tuple(one for one in season.phases if one.first_cycle < cycles)
    scoring = scoring_of(
        replace(season, phases=begun),
        replace(played.progress, cycles=over),
        states,
        noted_margin(acts, season.number),
        disqualified(rulings),
    )
    texts = {f"{cycle}.{index}" for cycle, index in void}
    claimed = claims_from([one for one in decisions if one.cycles < cycles], texts)
    return replace(scoring, claimed=frozenset(claimed)), [
        one for one in played.results if one.cycle < cycles and one.key not in void
    ]
