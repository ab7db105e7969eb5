"""What is made once for all workers of a test session, for it takes long: leagues that were really played.

Who changes such a folder copies it first.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

__all__ = ["copied", "once"]


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of that name, filled by `make` if no worker has filled it yet; the others wait for it."""
    base = factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = common / f"shared-{name}"
    with (common / f"shared-{name}.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the kernel gives it back when a worker dies
        if not os.fstat(lock.fileno()).st_size:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            lock.write("made")
    return folder


def copied(folder: Path, to: Path) -> Path:
    """A copy of a shared folder, without what only an open database has beside it."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*-shm", "*-wal"))
    return to
