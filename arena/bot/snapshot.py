"""Copies of bots' folders, each under its digest. Builds and starts nothing.

A season runs the copies, so what an author changes later does not reach it. A copy holds what the digest
covers and nothing else. Its files are made read-only, as a bot sees them in the sandbox anyway.

Equal digests mean that the same bot plays. The digest is the SHA-256, in lowercase hex, of the line
"papayoo-bot-folder-1\\n" and then, for every entry in ascending order of the bytes of its path:

    <kind> " " <SHA-256 of its content in lowercase hex> " " <path> "\\0"

- path: relative to the folder, "/" between its parts, in the bytes of the file system.
- kind: "x" for a regular file that its owner may execute, "f" for any other regular file, "l" for a
  symbolic link. No other bit of the mode counts, nor owners and times: cloning or copying changes them.
- content: the bytes of a file; the target of a link, as it is written in the link.
- Folders are no entries of their own: an empty one does not count, as in git.
- Left out, with everything inside: whatever is called `__pycache__` or `.git` or ends in `.pyc`.

Refused, because a copy could not mean the same: a link that is absolute or whose target lies outside the
folder (inside it may also dangle), and what is neither file, folder nor link. So is a folder beyond
`BOT_BOUNDS`. What cannot be read is an error that names it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path

from arena.errors import BotFolderError
from arena.linux.folders import Bounds, TooMuchError, middle_left_out, walk, workshop
from protocol.refusal import visible

BOT_BOUNDS = Bounds(depth=64, path_bytes=1024, entries=100_000, file_bytes=1 << 30, total_bytes=2 << 30)
"""The most that a bot's folder may hold, before and after its build."""

_TAKEN = {errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR}
"""The errors with which a rename fails when its target is not free."""
_FOLDER_MODE = 0o755
MAKING = ".making-"
"""The beginning of the name of a folder in a store in which a copy is being made."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A copy of a bot's folder. `digest`: that of the folder and of the copy. `path`: the copy's folder."""

    digest: str
    path: Path


def take_snapshot(folder: Path, store: Path) -> Snapshot:
    """Copy `folder` to `store`/<digest>, unless a good copy is there already, and return the copy.

    The copy is made beside its place, checked by its digest and renamed into the place. So it is never seen
    half done, and several processes may do this at once. A copy that no longer has its digest, because
    somebody wrote into it, is replaced. Raises BotFolderError when the folder cannot be read or copied, or
    changes while it is copied.
    """
    snapshot = Snapshot(digest := folder_digest(folder), store / digest)
    if is_intact(snapshot):
        return snapshot
    try:
        if not keep_copy(snapshot, partial(copy_folder, folder)):
            raise BotFolderError(f"{folder}: changed while it was copied; run again when it is complete")
    except OSError as error:
        raise BotFolderError(f"{folder}: cannot be copied to {store}: {error.strerror}") from None
    return snapshot


def keep_copy(snapshot: Snapshot, fill: Callable[[Path], None]) -> bool:
    """Have `fill` make the folder of a copy, and put it into its place if it has the digest of `snapshot`.

    Return whether it has. Raises OSError when the copy cannot be written, and what `fill` raises.
    """
    store = snapshot.path.parent
    store.mkdir(parents=True, exist_ok=True)
    with workshop(MAKING, store) as making:
        copy = making / "copy"
        fill(copy)
        if folder_digest(copy) != snapshot.digest:
            return False
        _put_in_place(copy, snapshot, making)
    return True


def is_intact(snapshot: Snapshot) -> bool:
    """Return whether the copy is there and still has its digest."""
    if not snapshot.path.is_dir():
        return False
    try:
        return folder_digest(snapshot.path) == snapshot.digest
    except BotFolderError:
        return False


def copy_folder(folder: Path, copy: Path) -> None:
    """Copy what counts of a bot's folder to the new folder `copy`, whose parent exists.

    Raises BotFolderError with the path at fault, OSError when the copy cannot be written.
    """
    copy.mkdir()
    for entry in folder_entries(folder):
        source, target = folder / entry.path, copy / entry.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if entry.kind is EntryKind.LINK:
            target.symlink_to(link_target(source))
        else:
            shutil.copyfile(source, target)
            target.chmod(FILE_MODES[entry.kind])
    open_folders(copy)


def open_folders(copy: Path) -> None:
    """Give the folders of a copy the mode that they all have. Raises OSError, TooMuchError."""
    # Bots may run as another user, who must be able to read the folders whatever umask this user has.
    copy.chmod(_FOLDER_MODE)
    for found in walk(copy, BOT_BOUNDS):
        if found.is_folder:
            (copy / found.path).chmod(_FOLDER_MODE)


def _put_in_place(copy: Path, snapshot: Snapshot, making: Path) -> None:
    """Rename the copy to its place. A good copy that another process put there meanwhile stays."""
    while True:
        try:
            copy.rename(snapshot.path)
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
            if is_intact(snapshot):
                return
            _clear_away(snapshot.path, making)
        else:
            return


def _clear_away(path: Path, making: Path) -> None:
    """Move what is at `path` into the workshop, which is deleted afterwards."""
    away = tempfile.mkdtemp(prefix="away-", dir=making)
    try:
        path.rename(Path(away) / "old")
    # Another process was quicker here too.
    except FileNotFoundError:
        return


_HEADER = b"papayoo-bot-folder-1\n"


class EntryKind(Enum):
    """The kind of an entry. The value is its letter in the digest."""

    FILE = "f"
    PROGRAM = "x"
    LINK = "l"


FILE_MODES = {EntryKind.FILE: 0o444, EntryKind.PROGRAM: 0o555}


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or link of a folder; `path` is relative to the folder."""

    path: str
    kind: EntryKind

    @property
    def bytes_of_path(self) -> bytes:
        """Return the path as it is sorted and digested."""
        return os.fsencode(self.path)


def folder_digest(folder: Path) -> str:
    """Return the digest of `folder`, as the module describes it.

    Raises BotFolderError with the path at fault.
    """
    total = hashlib.sha256(_HEADER)
    for entry in folder_entries(folder):
        total.update(f"{entry.kind.value} {_content_digest(folder, entry)} ".encode())
        total.update(entry.bytes_of_path + b"\0")
    return total.hexdigest()


def folder_entries(folder: Path) -> list[Entry]:
    """Return the entries that count, in the order of the digest.

    Raises BotFolderError with the path at fault.
    """
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "there is no such folder"
        raise BotFolderError(f"{folder}: {what}; a bot's folder holds its program")
    try:
        found = [(one.path, one.mode) for one in walk(folder, BOT_BOUNDS, skip=left_out) if not one.is_folder]
    except TooMuchError as error:
        raise BotFolderError(f"{too_much(folder, error)}; a bot's folder holds {BOT_BOUNDS}") from None
    except OSError as error:
        raise unreadable(Path(error.filename or folder), error) from None
    entries = [Entry(path, _kind(folder, path, mode)) for path, mode in found]
    return sorted(entries, key=lambda entry: entry.bytes_of_path)


def changed_files(before: Path, after: Path) -> list[str]:
    """Return the paths of the files that differ between two folders, by name; none if one cannot be read."""
    try:
        old, new = (
            {entry.path: (entry.kind, _content_digest(folder, entry)) for entry in folder_entries(folder)}
            for folder in (before, after)
        )
    except BotFolderError:
        return []
    return sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))


def left_out(name: str) -> bool:
    """Return whether what has this name is no part of a bot, so that the digest does not cover it."""
    return name in {"__pycache__", ".git"} or name.endswith(".pyc")


def too_much(folder: Path, error: TooMuchError) -> str:
    """Return in words what is beyond the bounds, and where."""
    return f"{_shown(folder / error.path)}: {error.text}"


def _shown(path: Path) -> str:
    """Return a path as text without control characters, its middle left out if it is very long."""
    return middle_left_out(visible(str(path)))


@contextmanager
def naming(bot: str) -> Iterator[None]:
    """Put the bot's id before the error about its folder. Raises BotFolderError."""
    try:
        yield
    except BotFolderError as error:
        raise BotFolderError(f"{bot}: {error.message}") from None


def _kind(folder: Path, path: str, mode: int) -> EntryKind:
    if stat.S_ISLNK(mode):
        _check_link(folder, path)
        return EntryKind.LINK
    if not stat.S_ISREG(mode):
        raise BotFolderError(
            f"{_shown(folder / path)}: neither a file nor a folder nor a link; it cannot be copied"
        )
    return EntryKind.PROGRAM if mode & stat.S_IXUSR else EntryKind.FILE


def _check_link(folder: Path, path: str) -> None:
    """Refuse a link that is absolute or leaves the folder, by its text or by where it really leads.

    Raises BotFolderError.
    """
    target = link_target(folder / path)
    if target.startswith("/"):
        raise BotFolderError(
            f"{_shown(folder / path)}: a link to the absolute path {visible(target)}; "
            "make it relative, or copy the file"
        )
    depth = path.count("/")
    for part in target.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            break
    try:
        real = Path(os.path.realpath(folder / path))
    except RecursionError:  # it calls itself for every link
        raise BotFolderError(f"{_shown(folder / path)}: leads through very many links") from None
    if depth < 0 or not real.is_relative_to(os.path.realpath(folder)):
        raise BotFolderError(
            f"{_shown(folder / path)}: a link that leaves the folder, to {visible(target)}; "
            "copy the file instead"
        )


def _content_digest(folder: Path, entry: Entry) -> str:
    path = folder / entry.path
    if entry.kind is EntryKind.LINK:
        return hashlib.sha256(os.fsencode(link_target(path))).hexdigest()
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise unreadable(path, error) from None


def link_target(path: Path) -> str:
    """Return the target of a link exactly as it is written. Raises BotFolderError."""
    try:
        return os.readlink(path)  # noqa: PTH115 - a Path would rewrite the text of the link
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> BotFolderError:
    """Return the error for something in a bot's folder that cannot be read."""
    return BotFolderError(f"{_shown(path)}: cannot be read: {error.strerror}")
