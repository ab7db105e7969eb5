"""Checks of decision blocks: their ends, where a stretch ended, what was begun and decided by then.

Reads no database and plays nothing. Every check is lazy and yields what is wrong in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from arena.errors import StoreError
from arena.schedule import DecisionBlocks, Schedule, planned_blocks
from arena.season.agenda import OVER
from arena.season.too_few import why_broken_off
from arena.store.acts import rulings_from
from arena.store.deciding_looks import looks_from
from arena.store.free_cycles import next_stretch_begins
from arena.store.history import Action
from arena.store.planned import stretch_blocks
from arena.store.views import SeasonView, SessionKey, SessionState, SessionView, StretchView
from arena.verify.ruling_check import Decided

__all__ = ["begins_after", "check_blocks", "free_cycles", "over_blocks"]


def begins_after(season: SeasonView, earlier: Sequence[StretchView], acts: Sequence[Action]) -> int:
    """Return the first cycle of a stretch that follows the `earlier` ones. `acts`: all of the database.

    What was played ahead before it is after the end of the last of them.
    """
    return next_stretch_begins(replace(season, stretches=tuple(earlier)), acts)


def check_blocks(season: SeasonView, stretch: StretchView, acts: Sequence[Action]) -> Iterator[str]:
    """Yield what is wrong with the blocks of a stretch, and with where it ended by them."""
    number = stretch.number
    try:
        blocks = stretch_blocks(stretch)
    except StoreError as error:
        yield str(error)
        return
    if blocks != planned_blocks(stretch.first_cycle, blocks.planned):
        yield f"the blocks of stretch {number} end at {stretch.blocks}, which does not follow from its plan"
    ended = stretch.cycles_planned
    if season.open and (ended > blocks.planned or stretch.ended_at is None):
        pass  # its document says how many
    elif ended > blocks.planned or (ended < blocks.planned and stretch.ended_at is None):
        yield f"stretch {number} has {ended} cycles, its last block ends at {blocks.planned}"
    elif ended < blocks.planned and not _may_end(season, ended, blocks, acts):
        yield f"stretch {number} ended after {ended} of {blocks.planned} cycles, and nothing says why"
    for _, look in looks_from(acts, season.number):
        if stretch.first_cycle < look.cycles < blocks.planned and look.cycles not in blocks.ends:
            yield f"it was settled after {look.cycles} cycles, where no block of stretch {number} ends"


def _may_end(season: SeasonView, cycles: int, blocks: DecisionBlocks, acts: Sequence[Action]) -> bool:
    """Return whether a stretch could end there: settled, with too few bots, or for another open field."""
    if season.open:
        return cycles == blocks.first or cycles in blocks.ends
    if any(look.cycles == cycles for _, look in looks_from(acts, season.number)):
        return True
    # Who was reinstated from there on was out when it ended.
    rulings = [
        one
        for one in rulings_from(acts, season.number)
        if one.from_cycle < cycles or (one.out and one.from_cycle == cycles)
    ]
    return bool(why_broken_off(season, rulings))


def free_cycles(season: SeasonView, acts: Sequence[Action]) -> frozenset[int]:
    """Return the cycles from which on an act of the organiser can hold."""
    found = {0}
    for stretch in season.stretches:
        blocks = stretch_blocks(stretch)
        follows = begins_after(season, season.stretches[: stretch.number + 1], acts)
        found |= {stretch.first_cycle, follows}
        found.update(end for end in blocks.ends if stretch.ended_at is None or end <= follows)
    return frozenset(found)


def over_blocks(
    season: SeasonView, plan: Schedule, sessions: Mapping[SessionKey, SessionView]
) -> tuple[Decided, ...]:
    """Return the ends of all decision blocks of a season that are over."""
    over = Counter(cycle for (cycle, _), view in sessions.items() if view.state in OVER)
    found: list[Decided] = []
    for stretch in season.stretches:
        cycles = range(stretch.first_cycle, stretch.cycles_planned)
        done = next((cycle for cycle in cycles if over[cycle] < plan.sessions_in(cycle)), cycles.stop)
        of_it = [key[0] for key, view in sessions.items() if view.stretch == stretch.number and _counts(view)]
        blocks = stretch_blocks(stretch)
        decided = blocks.decided_before(max(of_it, default=stretch.first_cycle))
        if stretch.ended_at is not None and done == cycles.stop:
            decided = done
        ends = (end for end in blocks.ends if end <= done)
        found += [Decided(end, blocks.beyond(end), end <= decided) for end in ends]
    return tuple(found)


def _counts(session: SessionView) -> bool:
    return session.state is not SessionState.AFTER_END
