"""Checks of decision cycles: where a stretch ended, what was begun and decided by then.

Reads no database and plays nothing. Every check is lazy and yields what is wrong in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from arena.errors import StoreError
from arena.schedule import DecisionCycles, Schedule
from arena.season.agenda import OVER
from arena.season.too_few import why_broken_off
from arena.store.acts import rulings_from
from arena.store.deciding_looks import looks_from
from arena.store.history import Action
from arena.store.planned import decisions_of
from arena.store.views import SeasonView, SessionKey, SessionView, StretchView
from arena.verify.ruling_check import Decided

__all__ = ["check_end", "decisions_over"]


def check_end(season: SeasonView, stretch: StretchView, acts: Sequence[Action]) -> Iterator[str]:
    """Yield what is wrong with where a stretch ended. `acts`: all of the database."""
    number = stretch.number
    try:
        decisions = decisions_of(season, stretch)
    except StoreError as error:
        yield str(error)
        return
    ended, planned = stretch.cycles_planned, decisions.planned
    if ended > planned or (ended < planned and stretch.ended_at is None):
        yield f"stretch {number} has {ended} cycles, {planned} were planned"
    elif ended < planned and not _may_end(season, ended, decisions, acts):
        yield f"stretch {number} ended after {ended} of {planned} cycles, and nothing says why"
    for _, look in looks_from(acts, season.number):
        if stretch.first_cycle < look.cycles <= planned and look.cycles not in decisions.ends:
            yield f"it was settled after {look.cycles} cycles, which is no decision cycle of stretch {number}"


def _may_end(season: SeasonView, cycles: int, decisions: DecisionCycles, acts: Sequence[Action]) -> bool:
    """Return whether a stretch could end there: settled, with too few bots, or for another open field."""
    if season.open:
        return cycles >= decisions.first
    if any(decisions.effect(look.cycles) == cycles for _, look in looks_from(acts, season.number)):
        return True
    # Who was reinstated from there on was out when it ended.
    rulings = [
        one
        for one in rulings_from(acts, season.number)
        if one.from_cycle < cycles or (one.out and one.from_cycle == cycles)
    ]
    return bool(why_broken_off(season, rulings))


def decisions_over(
    season: SeasonView, plan: Schedule, sessions: Mapping[SessionKey, SessionView]
) -> tuple[Decided, ...]:
    """Return the decision cycles of a season that are over."""
    over = Counter(cycle for (cycle, _), view in sessions.items() if view.state in OVER)
    found: list[Decided] = []
    for stretch in season.stretches:
        cycles = range(stretch.first_cycle, stretch.cycles_planned)
        done = next((cycle for cycle in cycles if over[cycle] < plan.sessions_in(cycle)), cycles.stop)
        of_it = [key[0] for key, view in sessions.items() if view.stretch == stretch.number]
        decisions = decisions_of(season, stretch)
        decided = decisions.decided_before(max(of_it, default=stretch.first_cycle))
        if stretch.ended_at is not None and done == cycles.stop:
            decided = done
        ends = (end for end in decisions.ends if end <= done)
        found += [Decided(end, decisions.effect(end), end <= decided) for end in ends]
    return tuple(found)
