"""Tries inside a sandbox what a bot must not be able to do, and prints what it could do. Part of the probe.

It writes one line to standard output and ends with code 0: "closed", or "open: " with what is open.

    python -I check.py SHARED HIDDEN ...

    SHARED    "-", or what must not be the same inside: numbers of devices and namespaces, with commas between
    HIDDEN    folders that must not be seen
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

_CLONE_NEWUSER = 0x10000000


def _open_doors(shared: str, hidden: list[str]) -> Iterator[str]:
    status = dict(line.split(":\t", 1) for line in _read("/proc/self/status").splitlines() if ":\t" in line)
    if os.getuid() == 0 or any(int(status[name], 16) for name in ("CapPrm", "CapEff", "CapInh", "CapAmb")):
        yield "it has rights of root"
    if status["NoNewPrivs"] != "1":
        yield "it can gain rights"
    if ctypes.CDLL(None).unshare(_CLONE_NEWUSER) == 0:
        yield "it can make user namespaces"
    if any(
        ":" in line and line.split(":")[0].strip() != "lo" for line in _read("/proc/net/dev").splitlines()
    ):
        yield "it has a network"
    if sum(path.name.isdecimal() for path in Path("/proc").iterdir()) > 3:
        yield "it sees processes of others"
    yield from (f"it can write in {folder}" for folder in ("/", "/dev", "/home", ".") if _can_write(folder))
    yield from (f"it cannot write in {folder}" for folder in ("/tmp", "/dev/shm") if not _can_write(folder))  # noqa: S108
    yield from (f"it sees {folder}" for folder in hidden if _has_files(folder))
    if shared != "-":
        yield from _shared(set(map(int, shared.split(","))))


def _shared(outside: set[int]) -> Iterator[str]:
    """Yield what it has in common with other sandboxes."""
    if Path.cwd().stat().st_dev in outside or Path(sys.executable).stat().st_dev in outside:
        yield "it shares files with others"
    spaces = [path for path in Path("/proc/self/ns").iterdir() if path.stat().st_ino in outside]
    if spaces:
        yield f"it shares namespaces with others ({', '.join(sorted(path.name for path in spaces))})"
    if _has_text("/proc/vmstat") or _has_text("/proc/sys/fs/file-nr"):
        yield "it sees what this machine counts"


def _has_text(path: str) -> bool:
    try:
        return bool(_read(path))
    except OSError:
        return False


def _read(path: str) -> str:
    return Path(path).read_text(encoding="ascii", errors="replace")


def _can_write(folder: str) -> bool:
    path = Path(folder, "papayoo-arena-check")
    try:
        path.touch()
        path.unlink()
    except OSError:
        return False
    return True


def _has_files(folder: str) -> bool:
    """Return whether there are files but the module that bots import: in a clone it lies beside the arena."""
    try:
        return any(path.is_file() and path.name != "papayoo_bot.py" for path in Path(folder).iterdir())
    except OSError:
        return False


if __name__ == "__main__":
    found = list(_open_doors(sys.argv[1], sys.argv[2:]))
    print("open: " + ", ".join(found) if found else "closed")
