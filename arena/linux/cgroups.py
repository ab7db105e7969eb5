"""Control groups (version 2) for bots, where some are given to us: a hard limit of memory, cores, freezing.

Only below our own group, and only if that was handed over (systemd: `Delegate=yes`) and nobody else
is in it: `systemd-run --user --scope -p Delegate=yes arena run league.toml`. Anywhere else, and with
version 1, there are none, and `watchdog` does what it can without. Every failure of the kernel to do
as asked means the same as no groups: nothing here raises. See cgroups(7) and the kernel's cgroup-v2.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["BotGroup", "open_home"]

MOUNT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
_WANTED = ("memory", "cpuset")
_DELEGATED = ("user.delegate", "trusted.delegate")
"""Attributes by which systemd says that a group belongs to who runs in it."""


def open_home(mount: Path = MOUNT, own: Path = OWN) -> Path | None:
    """Prepare our own group to hold those of bots, and move there below with this process.

    Returns the folder in which `BotGroup` makes them; None where that cannot be. To be called before
    any other process is started. Processes may only be in groups without groups below, hence the move.
    """
    base = _own_group(mount, own)
    if base is None or not _is_ours(base):
        return None
    leaf = base / f"arena-{os.getpid()}"
    try:
        if _pids(base) != [os.getpid()]:
            return None
        leaf.mkdir(exist_ok=True)
        _write(leaf / "cgroup.procs", os.getpid())
        offered = (base / "cgroup.controllers").read_text(encoding="ascii").split()
        wanted = [f"+{name}" for name in _WANTED if name in offered]
        _write(base / "cgroup.subtree_control", " ".join(wanted))
    except OSError:
        with contextlib.suppress(OSError):
            _write(base / "cgroup.procs", os.getpid())
            leaf.rmdir()
        return None
    return base


def _own_group(mount: Path, own: Path) -> Path | None:
    """Our group of version 2, if it is no root and can limit memory."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
        paths = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
        if not paths:
            return None
        base = mount / paths[0]
        controllers = (base / "cgroup.controllers").read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return None
    return base if "memory" in controllers and (base / "cgroup.type").exists() else None


def _is_ours(base: Path) -> bool:
    """Whether it was handed over. Root may write anywhere, so it needs to be told."""
    for name in _DELEGATED:
        with contextlib.suppress(OSError):
            return os.getxattr(base, name) == b"1"
    return os.geteuid() != 0 and os.access(base / "cgroup.subtree_control", os.W_OK)


class BotGroup:
    """The group of one bot. Made by `make`; `remove` must be called when its processes have ended."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def make(cls, home: Path, name: str, memory_mib: int, cores: Iterable[int]) -> BotGroup | None:
        """A group that ends all its processes together when they need more memory. 0: no limit."""
        path = home / name
        group = cls(path)
        try:
            path.mkdir(exist_ok=True)
            if memory_mib:
                _write(path / "memory.max", memory_mib << 20)
                _write(path / "memory.oom.group", 1)
                if (path / "memory.swap.max").exists():
                    _write(path / "memory.swap.max", 0)
            if (path / "cpuset.cpus").exists():
                _write(path / "cpuset.cpus", ",".join(map(str, sorted(cores))))
        except OSError:
            group.remove()
            return None
        return group

    def enter(self, pids: Iterable[int]) -> None:
        """Move these processes into the group; those that they start later begin there."""
        inside = set(self.pids())
        for pid in pids:
            if pid not in inside:
                with contextlib.suppress(OSError):
                    _write(self._path / "cgroup.procs", pid)

    def pids(self) -> list[int]:
        """The processes in it."""
        try:
            return _pids(self._path)
        except (OSError, ValueError):
            return []

    def freeze(self, frozen: bool) -> bool:
        """Stop all its processes, or let them go on; False when the kernel will not."""
        try:
            _write(self._path / "cgroup.freeze", int(frozen))
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Kill all its processes at once, those that are being born too (since Linux 5.14)."""
        with contextlib.suppress(OSError):
            _write(self._path / "cgroup.kill", 1)

    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has ended it for its limit of memory."""
        try:
            events = (self._path / "memory.events").read_text(encoding="ascii").splitlines()
        except OSError:
            return False
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in events)

    def remove(self) -> None:
        """Give it back; it stays if somebody is in it."""
        with contextlib.suppress(OSError):
            self._path.rmdir()


def _pids(path: Path) -> list[int]:
    return [int(line) for line in (path / "cgroup.procs").read_text(encoding="ascii").split()]


def _write(path: Path, value: object) -> None:
    """In one write, as the kernel wants it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, str(value).encode("ascii"))
    finally:
        os.close(descriptor)
