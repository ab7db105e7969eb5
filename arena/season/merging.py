"""Joining the parts of a league that were played on their own into one database: `arena merge`.

Says what differs when a database is of another league, season or secret. Joins nothing itself: that is
`arena.store.merging`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UsageError
from arena.league.season import changed_keys
from arena.store.database import Database
from arena.store.lock import RunLock
from arena.store.merging import Joined, join_databases
from arena.store.reader import Reader
from arena.store.views import Progress, SeasonView, StretchView

__all__ = ["Merged", "differences", "merge"]


@dataclass(frozen=True, slots=True)
class Merged:
    """What was new in each database, in the order given, and how far the league is now."""

    joined: tuple[Joined, ...]
    progress: Progress


def merge(target: Path, locks: Sequence[Path], parts: Sequence[Path]) -> Merged:
    """Join the databases `parts` to the one at `target`, which is made if there is none.

    `locks` keep runs of `target` out meanwhile; parts may be running. Each part is joined whole or not at
    all. UsageError when there is nothing to join, and naming what differs when a database does not belong
    to the same league; DatabaseBusy; StoreError.
    """
    for part in parts:
        if part.resolve() == target.resolve():
            raise UsageError(f"{part}: that is the database to which the others are joined")
    with ExitStack() as stack:
        for lock in locks:
            stack.enter_context(RunLock(lock))
        sources = [stack.enter_context(Database.open(part, read_only=True)) for part in parts]
        for source in sources:
            if not Reader(source).seasons():
                raise UsageError(f"{source.name}: there is no season in it")
        _check_alike(target, sources)
        ours = stack.enter_context(Database.open(target, create=True))
        joined = tuple(join_databases(ours, source) for source in sources)
        return Merged(joined, Reader(ours).progress(len(Reader(ours).seasons())))


def _check_alike(target: Path, sources: Sequence[Database]) -> None:
    """All of them, before anything is joined; a database without a season yet is like any."""
    with ExitStack() as stack:
        every = list(sources)
        if target.exists() and target.stat().st_size:
            every.insert(0, stack.enter_context(Database.open(target, read_only=True)))
        known = [(one.name, seasons) for one in every if (seasons := Reader(one).seasons())]
        name, first = known[0]
        for other, seasons in known[1:]:
            differing = list(differences(first, seasons))
            if differing:
                listed = "\n".join(f"  {difference}" for difference in differing)
                raise UsageError(f"{other} cannot be joined to {name}:\n{listed}")


def differences(ours: Sequence[SeasonView], theirs: Sequence[SeasonView]) -> Iterator[str]:
    """Why two databases are not of the same league: what differs, in words; nothing when they are.

    The seasons must be the same, but the stretches of `theirs` may be fewer, as in a part that was copied
    before the last one was begun.
    """
    if len(ours) != len(theirs):
        yield f"seasons: {len(ours)} and {len(theirs)}"
        return
    for mine, their in zip(ours, theirs, strict=True):
        if mine.digest != their.digest:
            yield f"season {mine.number}: {mine.digest} and {their.digest}"
            for change in changed_keys(json.loads(mine.document), json.loads(their.document)):
                yield f"  {change}"
            return
        if len(their.stretches) > len(mine.stretches):
            yield f"stretches of season {mine.number}: {len(mine.stretches)} and {len(their.stretches)}"
        for one, other in zip(mine.stretches, their.stretches, strict=False):
            yield from _stretch(one, other)


def _stretch(ours: StretchView, theirs: StretchView) -> Iterator[str]:
    where = f"season {ours.season}, stretch {ours.number}"
    for what, mine, their in (
        ("deals committed to", ours.commitment, theirs.commitment),
        ("public draw", ours.public_draw, theirs.public_draw),
        ("league file (SHA-256)", ours.league_digest, theirs.league_digest),
        ("first session", (ours.first_cycle, ours.first_index), (theirs.first_cycle, theirs.first_index)),
    ):
        if mine != their:
            yield f"{where}: {what}: {mine} and {their}"
    if theirs.cycles_planned != ours.cycles_planned and ours.ended_at is None:
        yield f"{where}: cycles: {ours.cycles_planned} and {theirs.cycles_planned}"
