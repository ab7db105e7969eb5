"""Control groups (version 2) for bots, where the arena has been given some: hard limits, cores, freezing.

Groups are made only below the arena's own group, and only if that was handed over (systemd: `Delegate=yes`)
and nobody else is in it: `systemd-run --user --scope -p Delegate=yes arena run league.toml`. Anywhere else,
and with version 1, there are none, and `arena.bot.limits` does what it can without. When the kernel fails
to do as asked, that means the same as no groups: nothing here raises. See cgroups(7) and the kernel's
cgroup-v2 documentation.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["BotGroup", "open_home"]

MOUNT = Path("/sys/fs/cgroup")
"""Where control groups of version 2 are mounted."""
OWN = Path("/proc/self/cgroup")
"""The kernel's list of the groups of this process."""
_WANTED = ("memory", "cpuset")
_DELEGATED = ("user.delegate", "trusted.delegate")
"""Attributes by which systemd says that a group belongs to whoever runs in it."""


def open_home(mount: Path = MOUNT, own: Path = OWN) -> Path | None:
    """Prepare the arena's own group to hold those of bots, and move this process into a group below it.

    Returns the folder in which `BotGroup` makes its groups, or None where that cannot be. It must be called
    before any other process is started.
    """
    base = _own_group(mount, own)
    if base is None or not _is_ours(base):
        return None
    leaf = base / f"arena-{os.getpid()}"
    try:
        if _pids(base) != [os.getpid()]:
            return None
        # A group that has groups below it may hold no process itself (the kernel's rule of no internal
        # processes), so this process moves down first.
        leaf.mkdir(exist_ok=True)
        _write(leaf / "cgroup.procs", os.getpid())
        offered = (base / "cgroup.controllers").read_text(encoding="ascii").split()
        wanted = [f"+{name}" for name in _WANTED if name in offered]
        _write(base / "cgroup.subtree_control", " ".join(wanted))
    except OSError:
        with contextlib.suppress(OSError):
            # Back to where it was, as if nothing had been tried.
            _write(base / "cgroup.procs", os.getpid())
            leaf.rmdir()
        return None
    return base


def _own_group(mount: Path, own: Path) -> Path | None:
    """Return this process's group of version 2, or None if it is the root group or cannot limit memory."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
        paths = [line.removeprefix("0::/") for line in lines if line.startswith("0::/")]
        if not paths:
            return None
        base = mount / paths[0]
        controllers = (base / "cgroup.controllers").read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError):
        return None
    # The root group has no file cgroup.type.
    return base if "memory" in controllers and (base / "cgroup.type").exists() else None


def _is_ours(base: Path) -> bool:
    """Return whether the group was handed over to this user."""
    for name in _DELEGATED:
        with contextlib.suppress(OSError):
            return os.getxattr(base, name) == b"1"
    # Root may write anywhere, so for root only systemd's mark counts.
    return os.geteuid() != 0 and os.access(base / "cgroup.subtree_control", os.W_OK)


class BotGroup:
    """The control group of one bot, made by `make`. `remove` must be called when its processes have ended."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def make(cls, home: Path, name: str, memory_mib: int, cores: Iterable[int]) -> BotGroup | None:
        """Return a group that ends all its processes together when they need more memory, or None if refused.

        `memory_mib` 0 sets no limit.
        """
        path = home / name
        group = cls(path)
        try:
            path.mkdir(exist_ok=True)
            if memory_mib:
                _write(path / "memory.max", memory_mib << 20)
                # Otherwise the kernel would end only one process of the bot.
                _write(path / "memory.oom.group", 1)
                # Without this, a bot over its limit could go on in swap space. The file is missing where the
                # kernel does not account for swap.
                if (path / "memory.swap.max").exists():
                    _write(path / "memory.swap.max", 0)
            if (path / "cpuset.cpus").exists():
                _write(path / "cpuset.cpus", ",".join(map(str, sorted(cores))))
        except OSError:
            group.remove()
            return None
        return group

    def enter(self, pids: Iterable[int]) -> None:
        """Move these processes into the group. Processes that they start later begin in it."""
        inside = set(self.pids())
        for pid in pids:
            if pid not in inside:
                with contextlib.suppress(OSError):
                    _write(self._path / "cgroup.procs", pid)

    def pids(self) -> list[int]:
        """Return the processes in the group."""
        try:
            return _pids(self._path)
        except (OSError, ValueError):
            return []

    def freeze(self, frozen: bool) -> bool:
        """Stop all processes of the group, or let them go on. Return False when the kernel refuses."""
        try:
            _write(self._path / "cgroup.freeze", int(frozen))
        except OSError:
            return False
        return True

    def kill(self) -> None:
        """Kill all processes of the group at once, also those just being forked (since Linux 5.14)."""
        with contextlib.suppress(OSError):
            _write(self._path / "cgroup.kill", 1)

    def ran_out_of_memory(self) -> bool:
        """Return whether the kernel has ended the group for its limit of memory."""
        try:
            events = (self._path / "memory.events").read_text(encoding="ascii").splitlines()
        except OSError:
            return False
        return any(line.startswith("oom_kill ") and line != "oom_kill 0" for line in events)

    def remove(self) -> None:
        """Remove the group. It stays if a process is still in it."""
        with contextlib.suppress(OSError):
            self._path.rmdir()


def _pids(path: Path) -> list[int]:
    return [int(line) for line in (path / "cgroup.procs").read_text(encoding="ascii").split()]


def _write(path: Path, value: object) -> None:
    """Write the value in one system call: the kernel takes each write as a whole command."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, str(value).encode("ascii"))
    finally:
        os.close(descriptor)
