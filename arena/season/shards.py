"""Parts of a league that are played on their own (`--shard`), and joined again (`arena merge`).

Parts need not talk to one another: the schedule alone says which sessions belong to which part, and all
deals follow from the secret that the databases of the parts share. A part takes no decision that needs the
whole league, such as whether the next cycle is played and by whom. A part begins with a copy of the league's
own database, in which the season was opened and its deals were committed to. A part can begin by itself only
where the league file gives a `seed`, for every part then derives the same secret.

Plays nothing, and writes no row: `arena.store.merging` joins the databases.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Self

from arena.errors import UsageError
from arena.league.cycles import cycles_of
from arena.league.reader import LoadedLeague
from arena.league.season import changed_keys
from arena.season.kept_cycles import kept_cycles, with_cycles
from arena.store.copying import copy_database
from arena.store.database import Database
from arena.store.lock import RunLock, holder_of
from arena.store.merging import Joined, join_databases
from arena.store.migration import bring_up_to_date
from arena.store.progress import Progress
from arena.store.reader import Reader
from arena.store.views import SeasonView, SessionKey, StretchView

__all__ = [
    "MAX_SHARDS",
    "Merged",
    "Shard",
    "differences",
    "merge",
    "part_of",
    "prepared",
    "shard_files",
    "undecided",
]

MAX_SHARDS = 10_000

_GIVEN = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")
_NAME = re.compile(r"\.shard-[0-9]+-of-[0-9]+$")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` (from 1) of `of` parts."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the part that is written as in "1/3". Raises ValueError, in words, for anything else."""
        found = _GIVEN.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r}: expected a part as K/N, such as 1/3")
        shard = cls(int(found[1]), int(found[2]))
        if not 1 <= shard.number <= shard.of <= MAX_SHARDS:
            raise ValueError(f"{text}: the parts of N are 1/N to N/N, and N is at most {MAX_SHARDS:,}")
        return shard

    @property
    def name(self) -> str:
        """Return the suffix to the league's id in the names of the part's files."""
        return f".shard-{self.number}-of-{self.of}"

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, session: SessionKey, sessions_per_cycle: int) -> bool:
        """Return whether a session belongs to this part.

        Sessions are counted through all cycles and dealt out in turn, so that parts are equally large even
        where a cycle has fewer sessions than there are parts. A session is never divided, because its matches
        share their boards and are compared with one another.
        """
        cycle, index = session
        return (cycle * sessions_per_cycle + index) % self.of == self.number - 1


def part_of(stem: str) -> str:
    """Return the suffix of a part in the name of its database without the ending; empty if there is none."""
    found = _NAME.search(stem)
    return found[0] if found else ""


def undecided(
    schedule: tuple[int, Callable[[int], int]],
    over: Container[SessionKey],
    decisions: Mapping[str, bool],
) -> str:
    """Return why a part may not be played, or an empty text when it may.

    A part may not be played when more than one cycle is open and something is decided between cycles.
    `schedule`: the planned cycles, and how many sessions a cycle has. `over`: the sessions with nothing left
    to play, as far as this part's database knows. `decisions`: what can be decided between cycles, in words,
    each with whether the league file asks for it.
    """
    cycles, sessions = schedule
    first = next(
        cycle
        for cycle in count()
        if cycle >= cycles or any((cycle, index) not in over for index in range(sessions(cycle)))
    )
    asked = [what for what, does in decisions.items() if does]
    if not asked or cycles - first <= 1:
        return ""
    return (
        f"{cycles - first} cycles are left to play, and between them the arena decides "
        f"{' and '.join(asked)}: that takes the whole league, a part sees only its own sessions"
    )


def prepared(loaded: LoadedLeague, shard: Shard) -> LoadedLeague:
    """Return the league as the part plays it, with files of its own; its database is made if necessary.

    Raises UsageError when there is no secret that all parts share, DatabaseBusy, StoreError.
    """
    part = shard_files(loaded, shard)
    own, whole = file_of(part), file_of(loaded)
    with RunLock(part.lock):
        if not own.exists():
            if whole.exists():
                _copy_begun(loaded, own)
            elif loaded.league.schedule.seed is None:
                raise UsageError(
                    f"{loaded.database}: no database, and without [schedule] seed each part would draw deals "
                    f"of its own. Begin the season once, and take that database to every machine that plays "
                    f"a part: arena run {loaded.path} --begin"
                )
        _check_stretch(part)
    return part


def file_of(loaded: LoadedLeague) -> Path:
    """Return the file of a league's database. UsageError where it is on a server: only files are joined."""
    if isinstance(loaded.database, str):
        raise UsageError(
            f"{loaded.path}: a league whose database is on a server is not played in parts: name a SQLite "
            "file in [store] url"
        )
    return loaded.database


def shard_files(loaded: LoadedLeague, shard: Shard) -> LoadedLeague:
    """Return the same league with its files named as those of the part."""
    return replace(loaded, part=shard.name)


def _copy_begun(loaded: LoadedLeague, target: Path) -> None:
    """Copy the league's database, in which the season was begun, to the part's database `target`.

    Raises UsageError when the league is being run, or when there are no deals left to play.
    """
    if holder_of(loaded.lock) is not None:
        raise UsageError(
            f"{loaded.database}: the league itself is being run, and would play the part's sessions too: "
            "stop it first"
        )
    with Database.open(loaded.database, read_only=True) as database:
        season = Reader(database).current_season()
    if season is None or not season.stretches or season.stretches[-1].ended_at is not None:
        raise UsageError(
            f"{loaded.database}: no committed deals are left to play; to begin: "
            f"arena run {loaded.path} --begin"
        )
    # Copied under another name and then renamed: a part never begins with half a database.
    draft = target.with_name(f"{target.name}.draft")
    draft.unlink(missing_ok=True)
    copy_database(loaded.database, draft)
    draft.replace(target)


def _check_stretch(part: LoadedLeague) -> None:
    """Refuse a part whose stretch is not the one that the league file asks for.

    A part ends with its stretch, and only the whole league begins the next one. Raises UsageError.
    """
    if not file_of(part).exists():
        return
    with Database.open(part.database, read_only=True) as database:
        reader = Reader(database)
        season = reader.current_season()
        if season is None or not season.stretches:
            return
        asked = cycles_of(with_cycles(part, kept_cycles(season, reader)).league)
    planned = season.stretches[-1].cycles_planned
    if planned != asked:
        raise UsageError(
            f"{part.database}: begun for {planned:,} cycles, the league file asks for {asked:,}. Join it to "
            f"the league, have that played to its end (arena run), begin the next stretch (arena run "
            f"--begin), and remove this file"
        )


@dataclass(frozen=True, slots=True)
class Merged:
    """What was new in each joined database, in the order given, and how far the league is now."""

    joined: tuple[Joined, ...]
    progress: Progress


def merge(target: Path, locks: Sequence[Path], parts: Sequence[Path]) -> Merged:
    """Join the databases `parts` to the one at `target`, which is made if there is none.

    `locks` keep runs of `target` out meanwhile; parts may be running. Each part is joined whole or not at
    all. Raises UsageError when there is nothing to join, or when a database does not belong to the same
    league, naming what differs; DatabaseBusy; StoreError.
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
        bring_up_to_date(target)
        ours = stack.enter_context(Database.open(target, create=True))
        joined = tuple(join_databases(ours, source) for source in sources)
        return Merged(joined, Reader(ours).progress(len(Reader(ours).seasons())))


def _check_alike(target: Path, sources: Sequence[Database]) -> None:
    """Check that all databases are of one league, before anything is joined.

    A target without a season yet goes with any part. Raises UsageError.
    """
    with ExitStack() as stack:
        every = list(sources)
        if target.exists() and target.stat().st_size:
            every.insert(0, stack.enter_context(Database.open(target, read_only=True)))
        known = [(one.name, seasons) for one in every if (seasons := Reader(one).seasons())]
        for name, seasons in known:
            if any(season.open for season in seasons):
                raise UsageError(
                    f"{name} is of an open league, which is not played in parts: its field changes, so there "
                    "is nothing to join. `arena archive` makes a copy of it"
                )
        name, first = known[0]
        for other, seasons in known[1:]:
            differing = list(differences(first, seasons))
            if differing:
                listed = "\n".join(f"  {difference}" for difference in differing)
                raise UsageError(f"{other} cannot be joined to {name}:\n{listed}")


def differences(ours: Sequence[SeasonView], theirs: Sequence[SeasonView]) -> Iterator[str]:
    """Yield in words what differs between databases that are not of the same league.

    The seasons must be the same, but `theirs` may have fewer stretches, as a part does that was copied
    before the last stretch began.
    """
    if len(ours) != len(theirs):
        yield f"seasons: {len(ours)} and {len(theirs)}"
        return
    for mine, their in zip(ours, theirs, strict=True):
        if mine.digest != their.digest:
            yield f"season {mine.number}: {mine.digest} and {their.digest}"
            for change in changed_keys(mine.keys, their.keys):
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
