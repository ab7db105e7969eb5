"""The folder of a host: what its workers share, and the locks by which they do. Starts nothing.

It is `$PAPAYOO_ARENA_HOST_FOLDER`, else `papayoo-arena` in `$XDG_CACHE_HOME` or `~/.cache`. Homes may lie
on a disk that many machines share, while builds and locks are of one machine: so each has a folder below it.

    <host>/bundles/<digest>    copies of bots, as `arena.bot.snapshot` describes them
    <host>/built/              what `arena.bot.build` makes of them
    <host>/rolls/              what the first worker found when it made bots ready
    <host>/locks/              files that are locked (flock); they stay, and mean nothing by being there

The kernel drops a lock when its holder ends, however it ends.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import itertools
import os
import platform
import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bot.snapshot import MAKING
from arena.linux.folders import remove_tree
from arena.sandbox import home

__all__ = ["FOLDER", "HostFolder", "Lock", "host_id"]

FOLDER = "PAPAYOO_ARENA_HOST_FOLDER"
"""The environment variable that names another folder."""
UNUSED_SECONDS = 30 * 24 * 3600.0
"""What nobody has used for so long is removed."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_PRIVATE = 0o700
_NO_ROOM_IN_MEMORY = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}


def host_id() -> str:
    """Return a name that all processes of this user on this machine have in common, and no others."""
    told = [platform.node(), str(os.geteuid())]
    with suppress(OSError):
        # It is not to be shown as it is, see machine-id(5).
        told.append(Path("/etc/machine-id").read_text(encoding="ascii").strip())
    return hashlib.sha256("\0".join(["papayoo-arena-host", *told]).encode()).hexdigest()[:16]


class Lock:
    """A lock between the processes of a host. `take` must not be called twice in a row."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = -1

    def try_to_take(self) -> bool:
        """Take the lock unless another process has it, and return whether it was taken. Raises OSError."""
        return self._take(fcntl.LOCK_EX | fcntl.LOCK_NB)

    def take(self) -> None:
        """Take the lock, and wait for it without limit. Raises OSError."""
        self._take(fcntl.LOCK_EX)

    def _take(self, how: int) -> bool:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        # Python's files are not inherited by the programs that this one starts.
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, how)
        except BlockingIOError:
            os.close(file)
            return False
        except BaseException:
            os.close(file)
            raise
        self._file = file
        return True

    def release(self) -> None:
        """Let others take it."""
        os.close(self._file)
        self._file = -1

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock for a block. Raises OSError."""
        self.take()
        try:
            yield
        finally:
            self.release()


@dataclass(frozen=True, slots=True)
class HostFolder:
    """The folder of this host."""

    path: Path

    @classmethod
    def here(cls) -> HostFolder:
        """Return the folder that the environment names. It need not be there yet."""
        named = os.environ.get(FOLDER)
        if named:
            return cls(Path(named).resolve() / host_id())
        cache = os.environ.get("XDG_CACHE_HOME") or ""
        # The rule of the XDG base directories: a path that is not absolute does not count.
        base = Path(cache) if cache.startswith("/") else home() / ".cache"
        return cls(base.resolve() / "papayoo-arena" / host_id())

    @property
    def bundles(self) -> Path:
        """Return the folder of the copies of bots."""
        return self.path / "bundles"

    @property
    def built(self) -> Path:
        """Return the folder of the builds."""
        return self.path / "built"

    @property
    def rolls(self) -> Path:
        """Return the folder of what was found when bots were made ready."""
        return self.path / "rolls"

    def make(self) -> None:
        """Make the folder, for this user alone, and try whether it can be written. Raises OSError."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.path.chmod(_PRIVATE)
        for folder in (self.bundles, self.built, self.rolls):
            folder.mkdir(exist_ok=True)
        trial = self.path / f".trial-{os.getpid()}"
        try:
            trial.write_bytes(b"x")
        finally:
            trial.unlink(missing_ok=True)

    def no_room(self, error: OSError) -> str:
        """Return in words that the folder cannot be written, and what to do."""
        if error.filename is None and error.errno in _NO_ROOM_IN_MEMORY:
            return f"there is no room for another process or open file: {error.strerror}"
        where = error.filename or self.path
        return f"{where}: {error.strerror}; make room there, or name another folder with {FOLDER}"

    def lock(self, name: str) -> Lock:
        """Return the lock of this name."""
        return Lock(self.path / "locks" / name)

    def claim_place(self) -> tuple[int, Lock]:
        """Return the lowest number that no other worker of this host has, and its lock. Raises OSError."""
        for number in itertools.count():
            if (lock := self.lock(f"place-{number}")).try_to_take():
                return number, lock
        raise AssertionError("the numbers do not end")

    def mark_of_place(self, number: int) -> str:
        """Return the mark of what the worker at a place starts (`arena.linux.leftovers`)."""
        return hashlib.sha256(f"{self.path}\0{number}".encode()).hexdigest()[:16]

    def bundle(self, digest: str) -> Path:
        """Return the place of a bot's copy. Raises ValueError for what is no digest."""
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"no digest: {digest[:80]!r}")
        return self.bundles / digest

    def note_use(self, folders: Iterable[Path]) -> None:
        """Note that these copies and builds are in use now. What cannot be noted is left out."""
        for folder in folders:
            with suppress(OSError):
                os.utime(self._stamp(folder))

    def _stamp(self, folder: Path) -> Path:
        """Return the file or folder whose time says when a copy or a build was used last.

        That of a build is its mark, which `arena.bot.build` puts beside it at the end.
        """
        mark = folder.with_name(f"{folder.name}.mark")
        return mark if folder.parent == self.built and mark.exists() else folder

    def remove_unused(self) -> None:
        """Remove the copies, builds and notes that nobody has used for long.

        Only for the holder of the lock "ready", after noting what is used. What cannot be removed stays.
        """
        for folder in (*_in(self.bundles), *(one for one in _in(self.built) if one.is_dir())):
            if _is_old(self._stamp(folder)):
                with suppress(OSError):
                    remove_tree(folder)
        for file in (*_in(self.rolls), *_in(self.built)):
            if not file.is_dir() and _is_old(file):
                file.unlink(missing_ok=True)

    def remove_remains(self) -> None:
        """Remove copies that were not made to their ends. Only for the holder of the lock "bundles"."""
        for folder in self.bundles.glob(f"{MAKING}*"):
            remove_tree(folder)


def _in(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_old(path: Path) -> bool:
    """Return whether the time of a file or folder is long ago. One that is not there is not old."""
    try:
        return time.time() - path.lstat().st_mtime > UNUSED_SECONDS
    except OSError:
        return False
