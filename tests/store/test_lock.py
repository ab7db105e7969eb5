"""The lock of a run: one holder, whoever asks, and free again however the holder ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.errors import DatabaseBusy, StoreError
from arena.store.lock import RunLock
from tests.store.children import fork


def test_a_second_run_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    path = tmp_path / "spring.lock"
    with RunLock(path), pytest.raises(DatabaseBusy, match=rf"process {os.getpid()} .*spring\.lock"):
        RunLock(path).acquire()


def test_a_released_lock_can_be_taken_again(tmp_path: Path) -> None:
    lock = RunLock(tmp_path / "spring.lock")
    for _ in range(2):
        with lock:
            lock.acquire()  # holding it already is no error
    with RunLock(lock.path):
        assert lock.path.read_text() == f"{os.getpid()}\n"


def test_a_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "spring.lock"
    path.write_text("99999999 and much more that an earlier version may have left here\n")

    def hold() -> None:
        RunLock(path).acquire()
        time.sleep(30)

    child = fork(hold)
    deadline = time.monotonic() + 30
    while path.read_text() != f"{child}\n" and time.monotonic() < deadline:
        time.sleep(0.005)
    with pytest.raises(DatabaseBusy, match=f"process {child} "):
        RunLock(path).acquire()
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with RunLock(path):
        assert path.read_text() == f"{os.getpid()}\n"


def test_programs_started_meanwhile_do_not_keep_it(tmp_path: Path) -> None:
    path = tmp_path / "spring.lock"
    with RunLock(path):
        child = subprocess.Popen(
            [sys.executable, "-c", "print(flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            close_fds=False,
        )
        assert child.stdout is not None
        child.stdout.readline()  # it runs
    try:
        with RunLock(path):
            assert child.poll() is None
    finally:
        child.communicate(b"\n", timeout=10)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be made: No such file"):
        RunLock(tmp_path / "nowhere" / "spring.lock").acquire()
