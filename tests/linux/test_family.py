"""A family, as it is started out of a sandbox: it ends as its bot ends, and nothing of it is left after that.

Both forms are tried: in a process namespace, and under a supervisor.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from arena.linux import namespace
from arena.linux.namespace import has_namespaces, in_family
from arena.linux.process_tree import below
from tests.linux.families import run as run_script
from tests.running import Run, assert_nothing_runs, make_league
from tests.tables import left_alive

_PATIENCE = 30.0


@pytest.fixture(params=["namespace", "supervisor"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "supervisor":
        monkeypatch.setattr(namespace, "has_namespaces", lambda: False)
    elif not has_namespaces():
        pytest.skip("bubblewrap makes no namespace here")
    return str(request.param)


@pytest.mark.usefixtures("form")
def test_a_program_that_cannot_be_executed_is_named() -> None:
    done = subprocess.run(in_family(["/dev/null"]), capture_output=True, text=True, timeout=_PATIENCE)
    assert done.returncode in (126, 127)
    assert "/dev/null: Permission denied\n" in done.stderr


def test_all_of_it_ends_when_who_started_it_is_gone(form: str) -> None:
    caller = f"""
        import subprocess, sys, time
        from arena.linux import namespace
        if {form != "namespace"}:
            namespace.has_namespaces = lambda: False
        bot = "import os, time; os.fork() or os.setsid(); os.write(1, b'lives' + bytes([10])); time.sleep(60)"
        subprocess.Popen(namespace.in_family([sys.executable, "-c", bot]), start_new_session=True)
        time.sleep(60)
    """
    argv = [sys.executable, "-c", textwrap.dedent(caller)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as popen:
        assert popen.stdout is not None
        assert [popen.stdout.readline() for _ in range(2)] == ["lives\n"] * 2
        pids = [member.pid for member in below(popen.pid)]
        popen.kill()
    assert len(pids) >= 3
    assert left_alive(pids) == []


@pytest.mark.parametrize("form", ["namespace"], indirect=True)
@pytest.mark.usefixtures("form")
def test_in_a_namespace_a_bot_sees_its_own_processes_alone() -> None:
    code = "import os; print(os.getpid(), [name for name in os.listdir('/proc') if name.isdecimal()])"
    code += "; print(os.geteuid(), os.getegid())"
    argv = in_family([sys.executable, "-c", code])
    said = subprocess.run(argv, capture_output=True, text=True, timeout=_PATIENCE, check=True).stdout
    assert said == f"2 ['1', '2']\n{os.geteuid()} {os.getegid()}\n"


_BREED = """
    if not hasattr(run, "bred"):
        run.bred = True
        if os.fork() == 0:
            os.setsid()
            open("../../../bred", "w").close()
            time.sleep(600)
"""
"""A bot's trick: a child in a session of its own, which holds the bot's standard output."""


@pytest.mark.slow
def test_nothing_outlives_an_arena_that_is_killed_as_a_whole(tmp_path: Path) -> None:
    run = Run(make_league(tmp_path, bots=3, slow=0.01, trick=_BREED))
    run.wait_for(lambda: run.referees() and (tmp_path / "bred").exists())
    for pid in (run.process.pid, *run.referees()):
        os.kill(pid, signal.SIGSTOP)  # so that none sees the other go
    for pid in (*run.referees(), run.process.pid):
        os.kill(pid, signal.SIGKILL)
    run.process.wait()
    assert_nothing_runs(tmp_path)


# Orphans, in a process of its own: a test must not adopt strangers


def test_orphans_are_those_that_nobody_started_outside_the_sessions_of_those_that_somebody_did() -> None:
    run_script("""
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
        lost = [pid for pid in pids if pid not in own_session]
        assert len(own_session) == len(lost) == 1
        soon(lambda: kill_orphans() == 0)
        assert not runs(lost[0]) and runs(own_session[0]) and runs(started)
        os.kill(started, signal.SIGKILL)
        os.waitpid(started, 0)
        not_mine(started)
        soon(lambda: kill_orphans() == 0)
        assert children() == [] and not runs(own_session[0])
    """)


def test_a_coordinator_adopts_orphans_and_spares_whom_it_found() -> None:
    run_script("""
        before = subprocess.Popen(["sleep", "60"], start_new_session=True)
        with adopting_orphans():
            _, (helper,) = fork(lambda writing: orphan(writing, False))
            _, (lost,) = fork(lambda writing: orphan(writing, True))
            soon(lambda: lost in children())
            assert kill_orphans()
            soon(lambda: not runs(lost))
            assert runs(before.pid) and runs(helper), "our own session is not a bot's"
            _, (late,) = fork(lambda writing: orphan(writing, True))
            soon(lambda: late in children())
        assert not runs(late)
        assert kill_orphans() == 0, "it adopts nobody any more"
        assert runs(before.pid) and runs(helper)
        kill_children()
    """)
