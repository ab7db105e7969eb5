"""Families of processes, made by scripts in a process of their own: a test must not adopt strangers."""

from __future__ import annotations

import subprocess
import sys
import textwrap

_PRELUDE = """
import contextlib, os, signal, subprocess, sys, time
from arena.linux.process_tree import below, children, look_up, signal_member, stop_below, tree
from arena.linux.reaper import kill_children, set_subreaper
from arena.linux.family import adopting_orphans, become_subreaper, kill_orphans, mine, not_mine

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

def state(pid):
    return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0]

def runs(pid):
    try:
        return state(pid) not in "ZX"
    except OSError:
        return False

def soon(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
"""


def run(script: str, prelude: str = "", end: str = "") -> None:
    """Run a script, with `prelude` before it and `end` after it. It must say nothing against it."""
    program = "\n".join((_PRELUDE, prelude, textwrap.dedent(script), end))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
