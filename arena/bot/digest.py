"""The digest of a bot's folder: equal digests mean that the same bot plays. Only reads.

The digest is the SHA-256, in lowercase hex, of the line "papayoo-bot-folder-1\\n" and then, for every entry
in ascending order of the bytes of its path:

    <kind> " " <SHA-256 of its content in lowercase hex> " " <path> "\\0"

- path: relative to the folder, "/" between its parts, in the bytes of the file system.
- kind: "x" for a regular file that its owner may execute, "f" for any other regular file, "l" for a symbolic
  link. No other bit of the mode counts, nor owners and times: they change when a folder is cloned or copied.
- content: the bytes of a file; the target of a link, as it is written in the link.
- Folders are no entries of their own: an empty one does not count, as in git.
- Left out, with everything inside: whatever is called `__pycache__` or `.git` or ends in `.pyc`.

Refused, because a copy could not mean the same: a link that is absolute or whose target lies outside the
folder (inside it may also dangle), and what is neither file, folder nor link. Unreadable things are an
error that names them.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from arena.errors import BotFolderError

_HEADER = b"papayoo-bot-folder-1\n"


class EntryKind(Enum):
    """What an entry is, by its letter in the digest."""

    FILE = "f"
    PROGRAM = "x"
    LINK = "l"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file or link of a folder; `path` is relative to the folder."""

    path: str
    kind: EntryKind

    @property
    def bytes_of_path(self) -> bytes:
        """The path as it is sorted and digested."""
        return os.fsencode(self.path)


def folder_digest(folder: Path) -> str:
    """The digest of `folder` as the module describes it. Raises BotFolderError with the path at fault."""
    total = hashlib.sha256(_HEADER)
    for entry in folder_entries(folder):
        total.update(f"{entry.kind.value} {_content_digest(folder, entry)} ".encode())
        total.update(entry.bytes_of_path + b"\0")
    return total.hexdigest()


def folder_entries(folder: Path) -> list[Entry]:
    """The entries that count, in the order of the digest. Raises BotFolderError with the path at fault."""
    if not folder.is_dir():
        what = "is not a folder" if folder.exists() else "there is no such folder"
        raise BotFolderError(f"{folder}: {what}; a bot's folder holds its program")
    return sorted(_entries(folder, ""), key=lambda entry: entry.bytes_of_path)


def _entries(folder: Path, inside: str) -> Iterator[Entry]:
    try:
        names = sorted(path.name for path in (folder / inside).iterdir())
    except OSError as error:
        raise unreadable(folder / inside, error) from None
    for name in names:
        if name in {"__pycache__", ".git"} or name.endswith(".pyc"):
            continue
        path = f"{inside}/{name}" if inside else name
        mode = _mode(folder / path)
        if stat.S_ISDIR(mode):
            yield from _entries(folder, path)
        else:
            yield Entry(path, _kind(folder, path, mode))


def _kind(folder: Path, path: str, mode: int) -> EntryKind:
    if stat.S_ISLNK(mode):
        _check_link(folder, path)
        return EntryKind.LINK
    if not stat.S_ISREG(mode):
        raise BotFolderError(f"{folder / path}: neither a file nor a folder nor a link; it cannot be copied")
    return EntryKind.PROGRAM if mode & stat.S_IXUSR else EntryKind.FILE


def _check_link(folder: Path, path: str) -> None:
    """Refuse a link that a copy of the folder would not hold: by its text, and by where it really leads."""
    target = link_target(folder / path)
    if target.startswith("/"):
        raise BotFolderError(
            f"{folder / path}: a link to the absolute path {target}; make it relative, or copy the file"
        )
    depth = path.count("/")
    for part in target.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(part, 1)
        if depth < 0:
            break
    real = Path(os.path.realpath(folder / path))
    if depth < 0 or not real.is_relative_to(os.path.realpath(folder)):
        raise BotFolderError(
            f"{folder / path}: a link that leaves the folder, to {target}; copy the file instead"
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


def _mode(path: Path) -> int:
    try:
        return path.lstat().st_mode
    except OSError as error:
        raise unreadable(path, error) from None


def link_target(path: Path) -> str:
    """The target of a link exactly as it is written. Raises BotFolderError."""
    try:
        return os.readlink(path)  # noqa: PTH115 - a Path would rewrite the text of the link
    except OSError as error:
        raise unreadable(path, error) from None


def unreadable(path: Path, error: OSError) -> BotFolderError:
    """The error for something in a bot's folder that could not be read."""
    return BotFolderError(f"{path}: cannot be read: {error.strerror}")
