"""The copies from which the versions of an open season are played: made when they come, and again if need be.

A copy can be damaged or removed, by hand or by a bot without a sandbox. It starts and stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from arena.bot.snapshot import Snapshot, is_intact, take_snapshot
from arena.errors import BotFolderError
from arena.season.open_field import CHANGING, Waiting
from arena.store.views import Entry

__all__ = ["kept"]

_GONE = (
    "its copy was damaged or removed, and no folder holds its files any more; it plays again when its folder "
    "is as it was"
)


def kept(entries: Iterable[Entry], folders: Mapping[str, Path], store: Path) -> list[Waiting]:
    """Copy versions that are not copied or not as they were; return which cannot be copied, and why.

    `folders`: by digest, the folders that are there now.
    """
    waiting = []
    for entry in entries:
        if is_intact(Snapshot(entry.digest, store / entry.digest)):
            continue
        folder = folders.get(entry.digest)
        waiting += [Waiting(entry.bot, _GONE)] if folder is None else _copied(entry, folder, store)
    return waiting


def _copied(entry: Entry, folder: Path, store: Path) -> list[Waiting]:
    try:
        fits = take_snapshot(folder, store).digest == entry.digest
    except BotFolderError as error:
        return [Waiting(entry.bot, str(error))]
    return [] if fits else [Waiting(entry.bot, CHANGING)]
