"""A tree of processes is ended to the last one, in a process of its own: a test must not adopt strangers."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import contextlib, os, signal, subprocess, sys, time
from arena.linux.process_tree import children
from arena.linux.reaper import kill_children, set_subreaper

def fork(work, count=1):
    "Start it; its id, and the ids that it tells."
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        work(writing)
        time.sleep(60)
        os._exit(0)
    os.close(writing)
    told = b""
    while told.count(b" ") < count:
        told += os.read(reading, 100)
    return pid, [int(word) for word in told.split()]

def orphan(writing, new_session):
    "Leave a grandchild that ignores what can be ignored, and end."
    if os.fork() == 0:
        if new_session:
            os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(writing, b"%d " % os.getpid())
        time.sleep(60)
        os._exit(0)
    os._exit(0)

def runs(pid):
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False

def soon(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
"""


def _run(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(script)], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("new_session", [True, False])
def test_an_orphan_is_adopted_and_ended(new_session: bool) -> None:
    _run(f"""
        set_subreaper(True)
        child, (stray,) = fork(lambda writing: orphan(writing, {new_session}))
        os.waitpid(child, 0)
        soon(lambda: stray in children())
        assert kill_children()
        assert children() == [] and not runs(stray)
    """)


def test_a_family_is_ended_to_the_last_generation() -> None:
    _run("""
        set_subreaper(True)

        def family(writing):
            for _ in range(5):
                if os.fork() != 0:
                    time.sleep(60)
                os.setsid()
            os.write(writing, b"%d " % os.getpid())

        _, (youngest,) = fork(family)
        assert kill_children()
        assert children() == [] and not runs(youngest)
        assert kill_children(), "there is nobody"
    """)


def test_who_starts_others_without_end_is_caught() -> None:
    _run("""
        set_subreaper(True)

        def hop(writing):
            os.write(writing, b"1 ")
            while True:  # each ends when it has started the next
                if os.fork() != 0:
                    os._exit(0)
                with contextlib.suppress(OSError):
                    os.setsid()

        fork(hop)
        assert kill_children(20)
        assert children() == []
    """)
