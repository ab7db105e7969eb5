"""The phase that begins next: its cycles, its commitment, who plays in it and who catches up. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from arena.deals import CHAIN_LENGTH, chained_secret, commitment, seeded_secret
from arena.errors import UsageError
from arena.league.cycles import cycles_of
from arena.league.reader import LoadedLeague
from arena.schedule import OpenPlan, catch_up_block
from arena.score.counting import eligible, sessions_of_each
from arena.score.results import SessionResult
from arena.season.decide import why_broken_off
from arena.store.stored_season import StoredSeason, open_plan, season_plan, with_house
from arena.store.views import Entry, NewPhase, Role, SeasonView


def closed_phase(stored: StoredSeason, loaded: LoadedLeague, drawn: bytes, at: int) -> NewPhase | None:
    """Return the phase of a closed season that follows the last one; None if no cycle is left to play.

    `drawn`: its secret, unless that follows from a seed. `at`: the time.
    """
    view, cycles = stored.view, cycles_of(loaded.league)
    first = view.phases[-1].cycles_planned if view.phases else 0
    if why_broken_off(view, stored.rulings) or first >= cycles:
        return None
    if not season_plan(view, stored.rulings).sessions_in(first):
        return None
    return _phase(view, loaded, drawn, at, (first, cycles))


def next_open_phase(
    stored: StoredSeason,
    loaded: LoadedLeague,
    field: Sequence[Entry],
    results: Iterable[SessionResult],
    secret: tuple[bytes, bytes],
    at: int,
) -> NewPhase:
    """Return the phase of an open season in which this field plays, house bots too.

    `results`: of the sessions that count. `secret`: one that was drawn for it, and the end of the season's
    chain of secrets, from which its secret follows if there is one. Raises UsageError after the last phase
    that a chain has secrets for.
    """
    view, (drawn, chain_end) = stored.view, secret
    number, plan, cycles = len(view.phases), open_plan(view), cycles_of(loaded.league)
    if chain_end and number >= CHAIN_LENGTH:
        raise UsageError(
            f"{loaded.path}: a season with a public_draw has {CHAIN_LENGTH:,} phases at most; "
            f"begin a new one: arena run {loaded.path} --new-season 'why'"
        )
    entries = sorted(field, key=lambda entry: entry.number)
    behind = owed(view, plan, entries, cycles, results)
    new = _phase(
        view,
        loaded,
        chained_secret(chain_end, number) if chain_end else drawn,
        at,
        (plan.cycles, plan.cycles + cycles + bool(behind)),
    )
    return replace(
        new,
        entries=tuple(entry.bot for entry in entries),
        owed=behind,
        first_match=plan.first_match(plan.cycles),
        acts=len(stored.acts),
    )


def _phase(
    view: SeasonView, loaded: LoadedLeague, secret: bytes, at: int, cycles: tuple[int, int]
) -> NewPhase:
    """Return the next phase of a season, of the cycles from the first to before the second of `cycles`.

    Its secret is `secret`, unless the league has a seed.
    """
    schedule, number = loaded.league.schedule, len(view.phases)
    if schedule.seed is not None:
        secret = seeded_secret(schedule.seed, number, view.number)
    return NewPhase(
        season=view.number,
        number=number,
        secret=secret,
        commitment=commitment(secret),
        committed_at=at,
        league_digest=loaded.digest,
        cycles_planned=cycles[1],
        first_cycle=cycles[0],
        public_draw=schedule.public_draw,
        predictable=schedule.seed is not None,
    )


def owed(
    view: SeasonView,
    plan: OpenPlan,
    field: Sequence[Entry],
    cycles: int,
    results: Iterable[SessionResult],
) -> tuple[tuple[str, int], ...]:
    """Return which entries of a field catch up, each with its sessions, before so many balanced cycles.

    `view`, `plan`: of the phases before it. `results`: of the sessions that counted then.
    """
    ids = {entry.number: entry.bot for entry in field}
    counted = sessions_of_each(eligible(results, with_house(view, ids.values())))
    ranked = {entry.number: counted[entry.bot] for entry in field if entry.role is Role.ENTRANT}
    due = catch_up_block(plan, list(ids), cycles, ranked)
    return tuple((ids[number], sessions) for number, sessions in due)
