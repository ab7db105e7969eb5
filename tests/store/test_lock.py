"""The lock of a run: one holder, whoever asks, and free again however the holder ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from arena.errors import DatabaseBusy, StoreError
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.lock import RunLock
from tests.store.children import NOBODY, fork, outcome
from tests.store.samples import opened


def test_a_second_run_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    path = tmp_path / "spring.lock"
    with RunLock(path), pytest.raises(DatabaseBusy, match=rf"process {os.getpid()} .*spring\.lock"):
        RunLock(path).acquire()


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


def test_a_second_run_never_writes_beside_the_first_even_without_a_lock_file(tmp_path: Path) -> None:
    line = LogLine(1, "info", "run", "began")
    with opened(tmp_path / "spring.db") as first, Database.open(tmp_path / "spring.db") as second:
        first.claim()
        write.log(first, line)
        write.log(second, line)  # an act of the organiser, such as `arena void`, needs no claim
        second.claim()
        write.log(second, line)
        with pytest.raises(StoreError, match="has begun, as the lock of this one"):
            write.log(first, line)
        assert len(read.logs(first)) == 3
    with Database.open(tmp_path / "spring.db") as third:
        third.claim()
        write.log(third, line)


def test_another_user_is_kept_out_too() -> None:
    if os.geteuid():
        pytest.skip("only root can become another user")
    # Not below the folder of the tests, which other users may not enter.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        path = Path(folder) / "spring.lock"

        def second() -> str:
            os.setuid(NOBODY)
            RunLock(path).acquire()
            return "locked"

        with RunLock(path):
            path.chmod(0o666)
            assert f"process {os.getpid()} " in str(outcome(second))
        assert outcome(second) == "locked"
