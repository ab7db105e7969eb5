"""Checks of the looks that decided something: each is made again from the sessions and acts before it.

Reads no database and plays nothing. Every check is lazy and yields what is wrong in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.standings import Look
from arena.store.acts import voids_from
from arena.store.deciding_looks import SETTLED, DecidingLook, looks_from
from arena.store.history import Action
from arena.store.looks import Played, scoring_then
from arena.store.views import SeasonView

__all__ = ["check_looks"]


def check_looks(season: SeasonView, acts: Sequence[Action], played: Played) -> Iterator[str]:
    """Yield what is wrong with the looks that decided something in a season.

    `acts`: all of the database, oldest first. Raises StoreError for a look that cannot be read.
    """
    for before, look in looks_from(acts, season.number):
        stored = acts[before]
        if look.act(stored.at, stored.who) != stored:
            yield f"a look of season {season.number} is not as an arena writes it: {stored.detail[:200]}"
        elif look.what != SETTLED:
            yield f"a look decided {look.what!r}, which no arena decides"
        else:
            yield from _settled(season, look, acts[:before], played)


def _settled(season: SeasonView, look: DecidingLook, acts: Sequence[Action], played: Played) -> Iterator[str]:
    over = sum(one.cycle < look.cycles and one.is_over for one in played.progress.cycles)
    if over != look.cycles:
        yield f"it was settled after {look.cycles} cycles, of which {over} are over"
        return
    scoring, results = scoring_then(season, acts, played, look.cycles)
    void = voids_from(acts, season.number)
    again = DecidingLook.of(season.number, SETTLED, look.cycles, (scoring, results), void)
    for name, said, found in (
        ("field", look.field, again.field),
        ("sessions", look.sessions, again.sessions),
        ("void", look.void, again.void),
    ):
        if said != found:
            yield f"it was settled after {look.cycles} cycles with {name} = {said}; then it was {found}"
    seen = scoring.deciding_look(results)
    if not isinstance(seen, Look) or not seen.settled or seen.cycles != look.cycles:
        yield f"it was not settled after {look.cycles} cycles, by what counted then"
