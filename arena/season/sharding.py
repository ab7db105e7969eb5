"""Before a part of a league is played on its own: where it keeps its things, and what it begins with.

All parts must deal from the same secret. So a part begins with a copy of the league's own database,
in which the season was opened and its deals were committed to; only where the league file gives a `seed`
can a part begin by itself, for then every part comes to the same secret.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.errors import UsageError
from arena.league.reader import LoadedLeague
from arena.season.shard import Shard
from arena.store.copying import copy_database
from arena.store.database import Database
from arena.store.lock import RunLock, holder_of
from arena.store.reader import Reader

__all__ = ["prepared", "shard_files"]


def prepared(loaded: LoadedLeague, shard: Shard) -> LoadedLeague:
    """The league as the part plays it, with files of its own, its database made where that is needed.

    Raises UsageError when there is no secret that all parts share, DatabaseBusy, StoreError.
    """
    part = shard_files(loaded, shard)
    with RunLock(part.lock):
        if not part.database.exists():
            if loaded.database.exists():
                _copy_begun(loaded, part.database)
            elif loaded.league.schedule.seed is None:
                raise UsageError(
                    f"{loaded.database}: no database, and without [schedule] seed each part would draw deals "
                    f"of its own. Begin the season once, and take that database to every machine that plays "
                    f"a part: arena run {loaded.path} --begin"
                )
        _check_stretch(part)
    return part


def shard_files(loaded: LoadedLeague, shard: Shard) -> LoadedLeague:
    """The same league, its files named as those of the part."""
    return replace(loaded, part=shard.name)


def _copy_begun(loaded: LoadedLeague, target: Path) -> None:
    """The part begins with what is known of the season; whole or not at all."""
    if holder_of(loaded.lock) is not None:
        raise UsageError(
            f"{loaded.database}: the league itself is being run, and would play what is the part's: "
            "stop it first"
        )
    with Database.open(loaded.database, read_only=True) as database:
        season = Reader(database).current_season()
    if season is None or not season.stretches or season.stretches[-1].ended_at is not None:
        raise UsageError(
            f"{loaded.database}: no deals are committed to that could still be played; to begin: "
            f"arena run {loaded.path} --begin"
        )
    draft = target.with_name(f"{target.name}.draft")
    draft.unlink(missing_ok=True)
    copy_database(loaded.database, draft)
    draft.replace(target)


def _check_stretch(part: LoadedLeague) -> None:
    """A part ends with its stretch: the next one is begun in the whole league."""
    if not part.database.exists():
        return
    with Database.open(part.database, read_only=True) as database:
        season = Reader(database).current_season()
    if season is None or not season.stretches:
        return
    planned, asked = season.stretches[-1].cycles_planned, part.league.schedule.cycles
    if planned != asked:
        raise UsageError(
            f"{part.database}: begun for {planned:,} cycles, the league file asks for {asked:,}. Join it to "
            f"the league, have that played to its end (arena run), begin the next stretch (arena run "
            f"--begin), and remove this file"
        )
