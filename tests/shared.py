"""Folders that are made once for all workers of a test session: leagues that take long to play.

A test that changes such a folder must copy it first.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return the folder of that name. The first worker fills it with `make`, and the others wait for that."""
    base = factory.getbasetemp()
    common = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = common / f"shared-{name}"
    with (common / f"shared-{name}.lock").open("a") as lock:
        # A lock of the kernel, which releases it when a worker dies.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.fstat(lock.fileno()).st_size:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            lock.write("made")
    return folder


def copied(folder: Path, to: Path) -> Path:
    """Copy a shared folder, without the files that only an open database has beside it."""
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*-shm", "*-wal"))
    return to
