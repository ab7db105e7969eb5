"""Copies of bots' folders, each under its digest: what a season runs, whatever the author does to the folder.

A copy holds what the digest covers and nothing else. Its files are made read-only, as a bot sees them in
the sandbox anyway. Does not build, start or look into bots.
"""

from __future__ import annotations

import errno
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from arena.bot.digest import EntryKind, folder_digest, folder_entries, link_target
from arena.errors import BotFolderError

_TAKEN = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}  # what rename says of a place that is not free
_FOLDER_MODE = 0o755
_FILE_MODES = {EntryKind.FILE: 0o444, EntryKind.PROGRAM: 0o555}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of a bot's folder. `digest` is that of the folder and of the copy, `path` the copy's folder."""

    digest: str
    path: Path


def take_snapshot(folder: Path, store: Path) -> Snapshot:
    """Copy `folder` to `store`/<digest>, unless a good copy is there already.

    The copy is made beside its place, checked by its digest and renamed into it, so it is never seen half
    done and several processes may do this at once. A copy that no longer has its digest (somebody wrote
    into it) is replaced. Raises BotFolderError when the folder cannot be read or copied, or changes while
    it is copied.
    """
    snapshot = Snapshot(digest := folder_digest(folder), store / digest)
    if is_intact(snapshot):
        return snapshot
    try:
        store.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".making-", dir=store) as workshop:
            copy = Path(workshop) / "copy"
            _copy(folder, copy)
            if folder_digest(copy) != digest:
                raise BotFolderError(f"{folder}: changed while it was copied; run again when it is complete")
            _put_in_place(copy, snapshot, Path(workshop))
    except OSError as error:
        raise BotFolderError(f"{folder}: cannot be copied to {store}: {error.strerror}") from None
    return snapshot


def is_intact(snapshot: Snapshot) -> bool:
    """Whether the copy is there and still has its digest."""
    if not snapshot.path.is_dir():
        return False
    try:
        return folder_digest(snapshot.path) == snapshot.digest
    except BotFolderError:
        return False


def _copy(folder: Path, copy: Path) -> None:
    copy.mkdir()
    for entry in folder_entries(folder):
        source, target = folder / entry.path, copy / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind is EntryKind.LINK:
            target.symlink_to(link_target(source))
        else:
            shutil.copyfile(source, target)
            target.chmod(_FILE_MODES[entry.kind])
    for path in [copy, *copy.rglob("*")]:  # bots may run as another user, whatever the umask of this one
        if path.is_dir() and not path.is_symlink():
            path.chmod(_FOLDER_MODE)


def _put_in_place(copy: Path, snapshot: Snapshot, workshop: Path) -> None:
    """Rename the copy to its place; a good copy that another process put there meanwhile stays."""
    while True:
        try:
            copy.rename(snapshot.path)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            if is_intact(snapshot):
                return
            _clear_away(snapshot.path, workshop)
        else:
            return


def _clear_away(path: Path, workshop: Path) -> None:
    """Move what is at `path` into the workshop, which is deleted afterwards."""
    away = tempfile.mkdtemp(prefix="away-", dir=workshop)
    try:
        path.rename(Path(away) / "old")
    except FileNotFoundError:
        return  # another process was quicker here too
