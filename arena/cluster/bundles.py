"""A bundle: a bot's copy as bytes in pieces, and back, checked by its digest. Knows no host and no engine.

    "papayoo-bundle-1\\n", then for each entry in the order of the digest (`arena.bot.snapshot`):
    its kind (1 byte: f, x, l), the length of its path (4 bytes), the length of its content (8 bytes), both
    big-endian, then the path and the content, which is the target of a link

There is nothing else: no owners, times, modes or folders. A bundle may come from strangers. It is unpacked
beside its place, files first and links last, so that nothing is written through a link; and it is put into
its place only if the folder has the digest that it is to have.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from arena.bot.snapshot import (
    BOT_BOUNDS,
    FILE_MODES,
    Entry,
    EntryKind,
    Snapshot,
    folder_entries,
    keep_copy,
    left_out,
    link_target,
    open_folders,
    unreadable,
)
from arena.errors import BotFolderError
from arena.linux.folders import TooMuchError, middle_left_out
from protocol.refusal import visible

__all__ = ["MOST_BYTES", "PIECE_BYTES", "Piece", "pieces", "unpack"]

PIECE_BYTES = 8 << 20
"""The most bytes in a piece."""

_MAGIC = b"papayoo-bundle-1\n"
_HEAD = struct.Struct(">cIQ")
_MOST_PATH = 4096
"""The most bytes of a path or of the target of a link: Linux allows no longer ones."""
_MOST_NAME = 255
_AT_ONCE = 1 << 20

MOST_BYTES = BOT_BOUNDS.total_bytes + len(_MAGIC) + BOT_BOUNDS.entries * (_HEAD.size + 2 * _MOST_PATH)
"""No bundle is longer."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a bundle. `place`: the number of bytes before it. `last`: whether none comes after it."""

    place: int
    data: bytes
    last: bool


def pieces(folder: Path, most: int = PIECE_BYTES) -> Iterator[Piece]:
    """Yield the bundle of a bot's copy in pieces of at most so many bytes; there is always a last one.

    Raises BotFolderError when the folder cannot be read or changes meanwhile.
    """
    place, waiting = 0, bytearray()
    for part in _parts(folder):
        waiting += part
        while len(waiting) > most:
            yield Piece(place, bytes(waiting[:most]), last=False)
            place += most
            del waiting[:most]
    yield Piece(place, bytes(waiting), last=True)


def _parts(folder: Path) -> Iterator[bytes]:
    yield _MAGIC
    for entry in folder_entries(folder):
        path, source = entry.bytes_of_path, folder / entry.path
        if entry.kind is EntryKind.LINK:
            target = os.fsencode(link_target(source))
            yield _head(entry, len(target)) + path + target
            continue
        try:
            with source.open("rb") as file:
                left = os.fstat(file.fileno()).st_size
                yield _head(entry, left) + path
                while left and (data := file.read(min(left, _AT_ONCE))):
                    left -= len(data)
                    yield data
        except OSError as error:
            raise unreadable(source, error) from None
        if left:
            raise BotFolderError(f"{source}: has become shorter while it was read")


def _head(entry: Entry, size: int) -> bytes:
    return _HEAD.pack(entry.kind.value.encode(), len(entry.bytes_of_path), size)


def unpack(bundle: IO[bytes], snapshot: Snapshot) -> None:
    """Unpack a bundle to the place of this copy. A good copy that is there already stays.

    Raises BotFolderError for a bundle that is none or holds another folder, OSError when it cannot be
    written.
    """
    bundle.seek(0)
    try:
        if not keep_copy(snapshot, partial(_fill, bundle)):
            raise BotFolderError("its digest is another one")
    except BotFolderError as error:
        raise BotFolderError(f"the bundle {snapshot.digest} is refused: {error.message}") from None


def _fill(bundle: IO[bytes], copy: Path) -> None:
    """Make the new folder `copy` with what is in a bundle."""
    if bundle.read(len(_MAGIC)) != _MAGIC:
        raise BotFolderError("it is none of this arena's")
    copy.mkdir()
    links: list[tuple[str, bytes]] = []
    count = total = 0
    while (found := _next(bundle)) is not None:
        entry, size = found
        count, total = count + 1, total + size
        if count > BOT_BOUNDS.entries or size > BOT_BOUNDS.file_bytes or total > BOT_BOUNDS.total_bytes:
            raise BotFolderError(f"there is more in it than a bot's folder holds: {BOT_BOUNDS}")
        if entry.kind is EntryKind.LINK:
            links.append((entry.path, _exactly(bundle, size)))
        else:
            _write(bundle, copy, entry, size)
    _link(copy, links)
    try:
        open_folders(copy)
    except TooMuchError as error:
        raise BotFolderError(str(error)) from None


def _link(copy: Path, links: list[tuple[str, bytes]]) -> None:
    """Make the links, after all folders above them: else a link could be made through another one."""
    for place, target in [(_new_place(copy, path), target) for path, target in links]:
        if not target or b"\0" in target:
            raise BotFolderError(f"{place.name!r} is a link to nothing")
        try:
            place.symlink_to(os.fsdecode(target))
        except FileExistsError:
            raise BotFolderError(f"{place.name!r} is in it twice") from None


def _next(bundle: IO[bytes]) -> tuple[Entry, int] | None:
    """Return the next entry and the length of its content, or None at the end. Raises BotFolderError."""
    head = bundle.read(_HEAD.size)
    if not head:
        return None
    if len(head) < _HEAD.size:
        raise BotFolderError("it ends too early")
    kind, length, size = _HEAD.unpack(head)
    if kind not in {b"f", b"x", b"l"}:
        raise BotFolderError(f"an entry in it is neither file nor link: {kind!r}")
    if length > _MOST_PATH or (kind == b"l" and size > _MOST_PATH):
        raise BotFolderError("a path in it is too long")
    path = os.fsdecode(_exactly(bundle, length))
    parts = path.split("/")
    # What the digest does not cover would come with a bot that nobody has looked at.
    if "\0" in path or any(part in {"", ".", ".."} or left_out(part) or _is_long(part) for part in parts):
        raise BotFolderError(f"{middle_left_out(visible(path))!r} is no path in a bot's folder")
    if len(parts) > BOT_BOUNDS.depth + 1:
        raise BotFolderError(f"{middle_left_out(visible(path))!r}: more than {BOT_BOUNDS.depth} levels")
    return Entry(path, EntryKind(kind.decode())), size


def _is_long(name: str) -> bool:
    return len(os.fsencode(name)) > _MOST_NAME


def _exactly(bundle: IO[bytes], size: int) -> bytes:
    data = bundle.read(size)
    if len(data) != size:
        raise BotFolderError("it ends too early")
    return data


def _write(bundle: IO[bytes], copy: Path, entry: Entry, size: int) -> None:
    place = _new_place(copy, entry.path)
    # No link is there yet, so this never leads outside; and "x" never writes into what is there.
    with place.open("xb") as file:
        while size:
            data = _exactly(bundle, min(size, _AT_ONCE))
            size -= len(data)
            file.write(data)
    place.chmod(FILE_MODES[entry.kind])


def _new_place(copy: Path, path: str) -> Path:
    """Return the place of an entry, with the folders above it. Raises BotFolderError if it is taken."""
    place = copy / path
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise BotFolderError(f"{visible(path)!r} is below a file") from None
    if os.path.lexists(place):
        raise BotFolderError(f"{visible(path)!r} is in it twice")
    return place
