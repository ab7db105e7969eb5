"""A bundle: a bot's copy as a tar archive, and back, checked by its digest. Knows no host and no engine.

It holds the files and links of the copy and nothing else: no owners, times or folders. It is unpacked beside
its place, files first and links last, so that nothing is written through a link; and it is put into its place
only if the folder has the digest that it is to have.
"""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from arena.bot.snapshot import (
    BOT_BOUNDS,
    FILE_MODES,
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
from arena.linux.folders import TooMuchError


def pieces(folder: Path, most: int) -> Iterator[bytes]:
    """Yield the bundle of a bot's copy in pieces of at most so many bytes.

    Raises BotFolderError when the folder cannot be read, OSError when there is no room for the bundle.
    """
    with TemporaryFile() as bundle:
        with tarfile.open(fileobj=bundle, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for entry in folder_entries(folder):
                _add(tar, folder / entry.path, entry.path, entry.kind)
        bundle.seek(0)
        while piece := bundle.read(most):
            yield piece


def _add(tar: tarfile.TarFile, source: Path, path: str, kind: EntryKind) -> None:
    info = tarfile.TarInfo(path)
    if kind is EntryKind.LINK:
        info.type, info.linkname = tarfile.SYMTYPE, link_target(source)
        return tar.addfile(info)
    info.mode = FILE_MODES[kind]
    try:
        with source.open("rb") as file:
            info.size = source.stat().st_size
            return tar.addfile(info, file)
    except OSError as error:
        raise unreadable(source, error) from None


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
    copy.mkdir()
    try:
        _extract(bundle, copy)
        open_folders(copy)
    except (tarfile.TarError, FileExistsError, NotADirectoryError, ValueError, TooMuchError) as error:
        raise BotFolderError(str(error)) from None


def _extract(bundle: IO[bytes], copy: Path) -> None:
    links: list[tarfile.TarInfo] = []
    total = 0
    with tarfile.open(fileobj=bundle, mode="r:") as tar:
        for number, info in enumerate(tar):
            total += info.size
            if number >= BOT_BOUNDS.entries or total > BOT_BOUNDS.total_bytes:
                raise ValueError(f"there is more in it than a bot's folder holds: {BOT_BOUNDS}")
            # What the digest does not cover would come with a bot that nobody has looked at.
            if any(part in {"", ".", ".."} or left_out(part) for part in info.name.split("/")):
                raise ValueError(f"{info.name!r} is no path in a bot's folder")
            if info.issym():
                links.append(info)
            elif (content := tar.extractfile(info)) is not None and info.isreg():
                place = copy / info.name
                place.parent.mkdir(parents=True, exist_ok=True)
                with place.open("xb") as file:
                    shutil.copyfileobj(content, file)
                place.chmod(FILE_MODES[EntryKind.PROGRAM if info.mode & 0o100 else EntryKind.FILE])
            else:
                raise ValueError(f"{info.name!r} is neither a file nor a link")
    # After all folders above them: else a link could be made through another one.
    for place in [copy / info.name for info in links]:
        place.parent.mkdir(parents=True, exist_ok=True)
    for info in links:
        (copy / info.name).symlink_to(info.linkname)
