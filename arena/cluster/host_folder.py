"""The folder of a host: copies of bots, their builds, and the lock of the one process that may use them.

It is `$PAPAYOO_ARENA_HOST_FOLDER`, else `papayoo-arena` in `$XDG_CACHE_HOME` or `~/.cache`. Homes may lie
on a disk that many machines share, while builds and locks are of one machine: so each has a folder below it.

    <host>/bundles/<digest>    copies of bots, as `arena.bot.snapshot` describes them
    <host>/built/              what `arena.bot.build` makes of them
    <host>/lock                locked (flock) by the host process that plays; the kernel frees it with that
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import re
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from arena.bot.snapshot import MAKING
from arena.linux.folders import remove_tree
from arena.sandbox import home

FOLDER = "PAPAYOO_ARENA_HOST_FOLDER"
"""The environment variable that names another folder."""
UNUSED_SECONDS = 30 * 24 * 3600.0
"""What nobody has used for so long is removed."""
_DIGEST = re.compile(r"[0-9a-f]{64}")


def _machine() -> str:
    """Return a name that all processes of this user on this machine have in common, and no others."""
    told = [platform.node(), str(os.geteuid())]
    with suppress(OSError):
        # It is not to be shown as it is, see machine-id(5).
        told.append(Path("/etc/machine-id").read_text(encoding="ascii").strip())
    return _digest("papayoo-arena-host", *told)


def _digest(*told: str) -> str:
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class HostFolder:
    """The folder of this host."""

    path: Path

    @classmethod
    def here(cls) -> HostFolder:
        """Return the folder that the environment names. It need not be there yet."""
        named, cache = os.environ.get(FOLDER), os.environ.get("XDG_CACHE_HOME") or ""
        if named:
            return cls(Path(named).resolve() / _machine())
        # The rule of the XDG base directories: a path that is not absolute does not count.
        base = Path(cache) if cache.startswith("/") else home() / ".cache"
        return cls(base.resolve() / "papayoo-arena" / _machine())

    @property
    def id(self) -> str:
        """Return the name of this host, by which the bots that it has left are found, too."""
        return _digest(_machine(), str(self.path))

    @property
    def built(self) -> Path:
        """Return the folder of the builds."""
        return self.path / "built"

    def make(self) -> None:
        """Make the folder, for this user alone. Raises OSError."""
        for folder in (self.path, self.path / "bundles", self.built):
            folder.mkdir(parents=True, exist_ok=True)
        self.path.chmod(0o700)

    def lock(self) -> bool:
        """Lock the folder until this process ends, unless another one has, and return whether it is locked.

        Raises OSError.
        """
        file = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            return False
        return True

    def bundle(self, digest: str) -> Path:
        """Return the place of a bot's copy. Raises ValueError for what is no digest."""
        if not _DIGEST.fullmatch(digest):
            raise ValueError(f"no digest: {digest[:80]!r}")
        return self.path / "bundles" / digest

    def tidy(self, used: Iterable[Path]) -> None:
        """Note that these copies and builds are used now, and remove those that nobody has used for long.

        Also what a killed process was making. What cannot be removed stays.
        """
        for folder in used:
            with suppress(OSError):
                os.utime(self._stamp(folder))
        for found in (*(self.path / "bundles").iterdir(), *self.built.iterdir()):
            with suppress(OSError):
                old = time.time() - self._stamp(found).lstat().st_mtime > UNUSED_SECONDS
                if found.is_dir() and (old or found.name.startswith(MAKING)):
                    remove_tree(found)
                elif old:
                    found.unlink()

    def _stamp(self, folder: Path) -> Path:
        """Return the file or folder whose time says when a copy or a build was used last."""
        mark = folder.with_name(f"{folder.name}.mark")
        return mark if folder.parent == self.built and mark.exists() else folder
