"""Makes the archives of `arena archive`, and unpacks and checks them for `arena verify`.

An archive holds one folder, laid out like the league's own: league file, database, pages, bots' copies.
"""

from __future__ import annotations

import json
import platform
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from arena.bot.snapshot import Snapshot, copy_folder, folder_digest, is_intact
from arena.cli.league_files import OpenLeague, opened
from arena.cli.organiser.pages import write_pages
from arena.errors import BotFolderError, UsageError
from arena.linux.folders import workshop
from arena.match.stand_in import STAND_IN
from arena.season.bundle import BundleError, pack, unpack, wrong_sums
from arena.store.copying import copy_database
from arena.store.reader import Reader

__all__ = ["make_archive", "unpacked"]

_MANIFEST = "archive.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Archived:
    """What was bundled. `bots`: how many copies of bots' folders.

    `open_stretch`: the stretch that has not ended, whose secret must be kept; None if all have ended.
    `chained`: whether the secrets of stretches to come are in it, see `arena.deals.chained_secret`.
    """

    files: int
    size: int
    bots: int
    open_stretch: int | None
    chained: bool


@dataclass(frozen=True, slots=True)
class Unpacked:
    """An archive unpacked into a temporary folder. `bots`: how many bots' copies there are.

    `wrong`: the files that do not match their sums or digests, each with what is wrong.
    """

    database: Path
    pages: Path
    bots: int
    wrong: tuple[tuple[str, str], ...]


def make_archive(league: OpenLeague, league_file: bytes | None, target: Path, with_bots: bool) -> Archived:
    """Bundle a league into the file `target`, all of it or nothing. `league_file`: its bytes, if it is known.

    Raises UsageError when the file cannot be written or a bot's copy is missing, StoreError when the
    database cannot be read.
    """
    try:
        with workshop(".archive-", target.absolute().parent) as making:
            folder = making / league.files.id
            folder.mkdir()
            bots = _fill(league, league_file, folder, with_bots)
            part = making / "part"
            files = pack(folder, part)
            part.replace(target)
    except OSError as error:
        place = error.filename or target
        raise UsageError(f"the archive cannot be made: {place}: {error.strerror or error}") from error
    return Archived(files, target.stat().st_size, bots, _open_stretch(league), _chained(league))


def _fill(league: OpenLeague, league_file: bytes | None, folder: Path, with_bots: bool) -> int:
    """Write everything but the sums into `folder`, and return how many bots' copies there are."""
    database = folder / f"{league.files.id}.db"
    copy_database(league.files.database, database)
    with opened(database) as copy:
        write_pages(copy, _pages(folder))
        text = copy.season.league_text.encode() if league_file is None else league_file
        copies = _copies(copy.reader) if with_bots else {}
    (folder / "league.toml").write_bytes(text)
    own = Path(f"{league.files.id}.arena", "bots")
    store, archived = league.files.lock.parent / own, folder / own
    if copies:
        archived.mkdir(parents=True)
    for digest, bot in sorted(copies.items()):
        snapshot = Snapshot(digest, store / digest)
        if not is_intact(snapshot):
            raise UsageError(
                f"{snapshot.path}: the copy of {bot} is missing or was changed; "
                "--without-bots leaves all copies out"
            )
        copy_folder(snapshot.path, archived / digest)
    manifest = {
        "format": _FORMAT,
        "database": database.name,
        "bots": sorted(copies),
        "versions": {
            "arena": version("papayoo-arena"),
            "python": platform.python_version(),
            "sqlite": sqlite3.sqlite_version,
        },
    }
    (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return len(copies)


def _pages(folder: Path) -> Path:
    """Return the folder of the pages in an archive, wherever the league itself has them."""
    return folder / f"{folder.name}-report"


def _copies(reader: Reader) -> dict[str, str]:
    """Return the digests of all bots of all seasons, each with the name of one bot that has it."""
    entries = [entry for season in reader.seasons() for entry in season.entries]
    return {entry.digest: entry.name for entry in entries if entry.bot != STAND_IN}


def _open_stretch(league: OpenLeague) -> int | None:
    return next((s.number for s in league.season.stretches if s.ended_at is None), None)


def _chained(league: OpenLeague) -> bool:
    return bool(league.reader.chain_end(league.season.number))


@contextmanager
def unpacked(path: Path) -> Iterator[Unpacked]:
    """Unpack an archive for the time of the block. Raises BundleError if `arena archive` did not make it."""
    with workshop("arena-archive-") as place:
        folder = unpack(path, place)
        wrong = tuple(wrong_sums(folder))
        database, digests = _manifest(path, folder)
        store = folder / f"{folder.name}.arena" / "bots"
        if not wrong:
            wrong = tuple(_wrong_bots(folder, store, digests))
        yield Unpacked(database, _pages(folder), len(digests), wrong)


def _manifest(path: Path, folder: Path) -> tuple[Path, list[str]]:
    """Return the path of the database, and the digests of the bots' copies."""
    try:
        said = json.loads((folder / _MANIFEST).read_bytes())
    except (OSError, ValueError) as error:
        raise BundleError(f"{path}: it has no readable {_MANIFEST}; was it made by arena archive?") from error
    match said:
        case {"format": int() as number} if number > _FORMAT:
            raise BundleError(f"{path}: it was made by a newer arena (format {number}): update the arena")
        case {"format": 1, "database": str() as name, "bots": list() as bots}:
            database = folder / name
            if database.parent == folder and database.is_file() and not database.is_symlink():
                return database, [str(digest) for digest in bots]
    raise BundleError(f"{path}: its {_MANIFEST} does not say where the database is")


def _wrong_bots(folder: Path, store: Path, digests: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the copies that do not match their digest, are missing, or are not in the manifest."""
    present = {copy.name for copy in store.iterdir()} if store.is_dir() else set()
    for digest in sorted(present | set(digests)):
        copy = store / digest
        name = copy.relative_to(folder).as_posix() if digest in present else digest
        if digest not in digests:
            yield name, f"not listed in {_MANIFEST}"
        elif digest not in present:
            yield name, f"this bot's copy is listed in {_MANIFEST}, but missing"
        else:
            try:
                found = folder_digest(copy)
            except BotFolderError as error:
                found = error.message
            if found != digest:
                yield name, f"the digest of this copy is {found}"
