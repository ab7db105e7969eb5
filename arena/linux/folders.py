"""Walks and removes folders that strangers have filled, however deep and full they are. Knows no bot.

`shutil.rmtree`, `Path.rglob` and, before Python 3.12, `os.walk` call themselves for every level of folders,
and end with RecursionError in a folder that is a thousand deep. Nothing here does: a walk has a list of the
folders that are left, and stops at the first thing beyond its bounds; a removal has no bounds, for what is
too deep must still go away.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_OPEN_MODE = 0o755
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


_MOST_SHOWN = 200


def middle_left_out(path: str) -> str:
    """Return a path to be shown, its middle left out if it is very long."""
    half = _MOST_SHOWN // 2
    return path if len(path) <= _MOST_SHOWN else f"{path[:half]}…{path[-half:]}"


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that a folder may hold.

    `depth`: levels of folders below it. `path_bytes`: the length of a path in it, so that what lies in it can
    be copied to any place. `entries`: files, links and folders. `file_bytes`, `total_bytes`: the lengths of
    one file and of all, holes included, for whoever reads or copies a file reads its holes too.
    """

    depth: int
    path_bytes: int
    entries: int
    file_bytes: int
    total_bytes: int

    def __str__(self) -> str:
        return (
            f"at most {self.depth} levels of folders, paths of {_size(self.path_bytes)}, "
            f"{self.entries:,} files and folders, "
            f"{_size(self.file_bytes)} in a file and {_size(self.total_bytes)} in all"
        )


class TooMuchError(Exception):
    """A folder holds more than its bounds allow. `path`: where that was noticed, relative to the folder."""

    def __init__(self, path: str, text: str) -> None:
        super().__init__(f"{path}: {text}")
        self.path = path
        self.text = text


@dataclass(frozen=True, slots=True)
class Found:
    """A file, link or folder: its path relative to the folder that is walked, its mode and its bytes."""

    path: str
    mode: int
    size: int

    @property
    def is_folder(self) -> bool:
        """Return whether it is a folder, not a link to one."""
        return stat.S_ISDIR(self.mode)


def walk(
    folder: Path,
    bounds: Bounds,
    *,
    skip: Callable[[str], bool] = lambda name: False,
    open_up: bool = False,
    moving: bool = False,
) -> Iterator[Found]:
    """Yield everything below `folder`, in no order, each folder before what is in it; links are not followed.

    `skip`: the names that are left out, with everything in them. `open_up`: make each folder accessible
    before it is entered. `moving`: others are changing the folder, so what cannot be looked at is left out.
    Raises TooMuchError at the first thing beyond the bounds, OSError for what cannot be looked at.
    """
    count = total = 0
    waiting = [("", 0)]
    while waiting:
        inside, depth = waiting.pop()
        if depth > bounds.depth:
            raise TooMuchError(inside, f"more than {bounds.depth} levels of folders")
        # One more than may be there is enough to see that there are too many, in a folder of any size.
        for found in _inside(folder, inside, bounds.entries + 1, (open_up, moving)):
            if skip(found.path.rpartition("/")[2]):
                continue
            count += 1
            if count > bounds.entries:
                raise TooMuchError(found.path, f"more than {bounds.entries:,} files and folders")
            if len(os.fsencode(found.path)) > bounds.path_bytes:
                raise TooMuchError(found.path, f"a path of more than {_size(bounds.path_bytes)}")
            if stat.S_ISREG(found.mode):
                total += found.size
                _check_size(found, total, bounds)
            if found.is_folder:
                waiting.append((found.path, depth + 1))
            yield found


def _inside(folder: Path, inside: str, most: int, how: tuple[bool, bool]) -> list[Found]:
    """Return what is directly in one folder. `how`: `open_up` and `moving` of the walk."""
    open_up, moving = how
    gone: list[type[OSError]] = [OSError] if moving else []
    place, found = folder / inside, []
    with contextlib.suppress(*gone):
        if open_up:
            place.chmod(_OPEN_MODE)
        with os.scandir(place) as entries:
            for entry in itertools.islice(entries, most):
                with contextlib.suppress(*gone):
                    about = entry.stat(follow_symlinks=False)
                    path = f"{inside}/{entry.name}" if inside else entry.name
                    found.append(Found(path, about.st_mode, about.st_size))
    return found


def _check_size(found: Found, total: int, bounds: Bounds) -> None:
    if found.size > bounds.file_bytes:
        said = f"a file of {_size(found.size)}, more than {_size(bounds.file_bytes)}"
        raise TooMuchError(found.path, said)
    if total > bounds.total_bytes:
        raise TooMuchError(found.path, f"with this file more than {_size(bounds.total_bytes)} in all")


def _size(count: int) -> str:
    for shift, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB")):
        if count >= 1 << shift:
            return f"{count / (1 << shift):.3g} {unit}"
    return f"{count:,} bytes"


def remove_tree(folder: Path) -> None:
    """Remove a folder with everything in it, however deep it is. Does nothing if there is none.

    A folder inside is emptied of its files, and its own folders are moved up beside it first. So no path
    grows long, and two open folders are enough for any depth. Raises OSError.
    """
    try:
        _open_up(folder, None)
        top = os.open(folder, _FOLDER)
    except FileNotFoundError:
        return
    try:
        names = (f".removing-{secrets.token_hex(8)}-{number}" for number in itertools.count())
        while left := _names_in(top):
            for name in left:
                _remove_one(top, name, names)
    finally:
        os.close(top)
    folder.rmdir()


def _remove_one(top: int, name: str, names: Iterator[str]) -> None:
    """Remove what has this name in the open folder `top`; folders in it move up under new names."""
    if not _is_folder(top, name):
        os.unlink(name, dir_fd=top)
        return
    _open_up(name, top)
    inside = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner in _names_in(inside):
            if _is_folder(inside, inner):
                _open_up(inner, inside)
                os.rename(inner, next(names), src_dir_fd=inside, dst_dir_fd=top)
            else:
                os.unlink(inner, dir_fd=inside)
    finally:
        os.close(inside)
    os.rmdir(name, dir_fd=top)


def _names_in(folder: int) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries]


def _is_folder(parent: int, name: str) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _open_up(name: str | Path, parent: int | None) -> None:
    """Make a folder accessible to its owner. Never a link: `chmod` alone would follow it."""
    file = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        # Root may enter it all the same, and whose it is then does not matter.
        with contextlib.suppress(PermissionError):
            Path(f"/proc/self/fd/{file}").chmod(0o700)
    finally:
        os.close(file)


@contextmanager
def workshop(prefix: str, parent: Path | None = None) -> Iterator[Path]:
    """Make a temporary folder, in `parent` or where such folders are, and remove it after the block."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    try:
        yield folder
    finally:
        remove_tree(folder)
