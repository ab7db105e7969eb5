"""What is stray and what is spared, in a process of its own: a test must not adopt strangers."""

from __future__ import annotations

import subprocess
import sys
import textwrap

PRELUDE = """
import os, signal, subprocess, sys, time
from arena.linux.process_tree import children
from arena.linux.reaper import kill_children
from arena.linux.strays import become_subreaper, kill_strays, mine, not_mine

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


def test_strays_are_those_that_nobody_started_outside_the_sessions_of_those_that_somebody_did() -> None:
    _run("""
        become_subreaper()

        def bot(writing):
            os.setsid()
            for new_session in (True, False):
                if os.fork() == 0:
                    orphan(writing, new_session)
                os.wait()

        started, pids = fork(bot, 2)
        mine(started)
        own_session = [pid for pid in pids if os.getsid(pid) == started]
        stray = [pid for pid in pids if pid not in own_session]
        assert len(own_session) == len(stray) == 1
        soon(lambda: kill_strays() == 0)
        assert not runs(stray[0]) and runs(own_session[0]) and runs(started)
        os.kill(started, signal.SIGKILL)
        os.waitpid(started, 0)
        not_mine(started)
        soon(lambda: kill_strays() == 0)
        assert children() == [] and not runs(own_session[0])
    """)


def test_a_process_that_adopts_nobody_has_no_strays() -> None:
    _run("""
        other = subprocess.Popen(["sleep", "60"])
        assert kill_strays() == 0 and runs(other.pid)
        other.kill()
        other.wait()
    """)


def test_a_coordinator_adopts_orphans_and_spares_whom_it_found() -> None:
    _run("""
        from arena.linux.strays import adopting_orphans

        before = subprocess.Popen(["sleep", "60"], start_new_session=True)
        with adopting_orphans():
            _, (helper,) = fork(lambda writing: orphan(writing, False))
            _, (stray,) = fork(lambda writing: orphan(writing, True))
            soon(lambda: stray in children())
            assert kill_strays() == 1
            soon(lambda: not runs(stray))
            assert runs(before.pid) and runs(helper), "our own session is not a bot's"
            _, (late,) = fork(lambda writing: orphan(writing, True))
            soon(lambda: late in children())
        assert not runs(late)
        assert kill_strays() == 0, "it adopts nobody any more"
        assert runs(before.pid) and runs(helper)
        kill_children()
    """)
