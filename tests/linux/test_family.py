"""A family, as it is started out of a sandbox: it ends as its bot ends, and nothing of it is left after that.

Both forms are tried: in a process namespace, and under a supervisor.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.linux import namespace
from arena.linux.family import Family, adopting_orphans
from arena.linux.namespace import has_namespaces, in_family, program_of
from arena.linux.process_tree import below, children, read_file
from tests.linux.families import run
from tests.referees import is_between
from tests.tables import left_alive, state_of, until

_MARK = "FAMILY_TEST"
_PATIENCE = 30.0


class Started(Family):
    """A Python script as a family. `mark` is in the environment of everything that it starts."""

    def __init__(self, script: str, *, namespace: bool) -> None:
        self.mark = f"{_MARK}={uuid.uuid4().hex}"
        prelude = "import os, signal, sys, time\ntell = lambda text: os.write(1, f'{text}\\n'.encode())\n"
        self.popen = subprocess.Popen(
            in_family([sys.executable, "-c", prelude + textwrap.dedent(script)]),
            env={**os.environ, _MARK: self.mark.partition("=")[2]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            text=True,
        )
        super().__init__(self.popen, namespace=namespace)

    def says(self) -> str:
        """Return the next line of its output, empty at the end."""
        assert self.popen.stdout is not None
        return self.popen.stdout.readline().strip()

    def hears(self, text: str) -> None:
        """Write to its input."""
        assert self.popen.stdin is not None
        self.popen.stdin.write(text)
        self.popen.stdin.flush()

    async def ends(self) -> int | None:
        """Wait until it has ended by itself with all that it started, and return its status."""
        await self.wait_until_gone()
        return self.status()

    def runs(self) -> list[int]:
        """Return everything that it started and that is still there."""
        pids = [int(entry.name) for entry in os.scandir("/proc") if entry.name.isdecimal()]
        return [pid for pid in pids if self.mark.encode() in _environment(pid) and pid != self.pid]


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


@pytest.fixture(params=["namespace", "supervisor"])
def form(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "supervisor":
        monkeypatch.setattr(namespace, "has_namespaces", lambda: False)
    elif not has_namespaces():
        pytest.skip("bubblewrap makes no namespace here")
    return str(request.param)


Start = Callable[[str], Started]


@pytest.fixture
def start(form: str) -> Iterator[Start]:
    """Start scripts as families, and see that nothing of them is left."""
    started: list[Started] = []

    def one_more(script: str) -> Started:
        started.append(Started(script, namespace=form == "namespace"))
        return started[-1]

    with adopting_orphans():
        yield one_more
        for one in started:
            for stream in (one.popen.stdin, one.popen.stdout, one.popen.stderr):
                assert stream is not None
                stream.close()
    left = [pid for one in started for pid in one.runs()]
    for one in started:
        one.popen.kill()
        one.popen.wait()
    assert left == []


@pytest.mark.parametrize("code", [3, -signal.SIGSEGV, -signal.SIGKILL])
async def test_it_ends_as_its_program_ends(start: Start, code: int) -> None:
    one = start(f"os.kill(os.getpid(), {-code})" if code < 0 else f"sys.exit({code})")
    status = await one.ends()
    assert status is not None
    assert (one.signal_in(status) or status) == abs(code)


@pytest.mark.usefixtures("form")
def test_a_program_that_cannot_be_executed_is_named() -> None:
    done = subprocess.run(in_family(["/dev/null"]), capture_output=True, text=True, timeout=_PATIENCE)
    assert done.returncode in (126, 127)
    assert "/dev/null: Permission denied\n" in done.stderr


async def test_nobody_else_holds_its_input_and_output_open(start: Start) -> None:
    one = start("os.close(0), os.close(1), time.sleep(60)")
    assert one.says() == ""
    assert one.popen.stdin is not None
    _write_until_it_breaks(one.popen.stdin.fileno())
    await one.end()


def _write_until_it_breaks(descriptor: int) -> None:
    """Write until nobody can read it any more: others may let go of it a moment after the bot."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        try:
            os.write(descriptor, b"x")
        except BrokenPipeError:
            return
        time.sleep(0.01)
    raise AssertionError("somebody holds it open")


async def test_signals_reach_the_bot_alone(start: Start) -> None:
    one = start("""
        tell(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        tell(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(5))
        os.kill(0, signal.SIGTERM)  # its group
        time.sleep(60)
    """)
    assert [one.says(), one.says()] == ["set()", "True"]
    assert await one.ends() == 5


async def test_daemons_stay_below_it_and_go_with_the_bot(start: Start) -> None:
    one = start("""
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    tell("lives")
                    time.sleep(60)
                os._exit(0)
            os.wait()
        sys.stdin.read()
    """)
    assert [one.says() for _ in range(3)] == ["lives"] * 3
    await until(lambda: len({member.pid for member in below(one.pid)} & set(one.runs())) >= 4)
    one.popen.communicate("", timeout=_PATIENCE)
    await one.wait_until_gone()
    assert one.runs() == []


async def test_orphans_that_have_ended_are_reaped(start: Start) -> None:
    one = start("""
        for _ in range(50):
            if os.fork() == 0:
                if os.fork() == 0:
                    time.sleep(0.05)
                os._exit(0)
            os.wait()
        tell("done")
        time.sleep(60)
    """)
    assert one.says() == "done"
    # With a namespace its first process is one of them.
    await until(lambda: len(below(one.pid)) <= 2)
    await one.end()


@pytest.mark.parametrize(
    ("chain", "by_itself"),
    [
        pytest.param("150, True", True, id="each lives"),
        pytest.param("10**5, False", True, id="each ends after forking"),
        pytest.param("10**5, False", False, id="each ends after forking, and it is killed"),
    ],
)
async def test_a_deep_chain_of_forks_ends(start: Start, chain: str, by_itself: bool) -> None:
    one = start(f"""
        def chain(length, stays):
            for number in range(length):
                if os.fork() != 0:
                    if stays:
                        time.sleep(60)
                    os._exit(0)
                if number % 2:
                    os.setsid()
                if number == 40:
                    tell("deep")
            time.sleep(60)

        if os.fork() == 0:
            chain({chain})
        if {by_itself}:
            sys.stdin.readline()
            sys.exit(5)
        time.sleep(60)
    """)
    assert one.says() == "deep"
    if by_itself:
        one.hears("\n")
        assert await one.ends() == 5
    else:
        await one.end()
        assert one.status() == -signal.SIGKILL
    assert one.runs() == []


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


async def test_what_is_stopped_ends_all_the_same(start: Start) -> None:
    one = start("tell('lives'), time.sleep(60)")
    assert one.says() == "lives"
    for pid in (one.pid, *(member.pid for member in below(one.pid))):
        os.kill(pid, signal.SIGSTOP)
        await until(lambda pid=pid: state_of(pid) == "T")
    await one.end()
    assert one.status() == -signal.SIGKILL


async def test_no_bot_outlives_what_stands_above_it(start: Start, form: str) -> None:
    one = start("""
        tell("lives")
        if os.fork() == 0:
            os.setsid()
            time.sleep(60)
        sys.stdin.readline()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(0.5)
        sys.exit(4)
    """)
    assert one.says() == "lives"
    one.hears("\n")
    # The kernel protects the first process of a namespace from those inside.
    assert await one.ends() == (4 if form == "namespace" else -signal.SIGKILL)
    assert one.runs() == []


@pytest.mark.parametrize("form", ["namespace"], indirect=True)
async def test_in_a_namespace_a_bot_sees_its_own_processes_alone(start: Start) -> None:
    one = start("""
        tell(os.getpid())
        tell(sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()))
        tell((os.geteuid(), os.getegid()))
        time.sleep(60)
    """)
    assert [one.says(), one.says()] == ["2", "[1, 2]"]
    assert one.says() == str((os.geteuid(), os.getegid()))
    await one.end()


async def test_the_program_behind_it_is_found(start: Start) -> None:
    one = start("""
        if os.fork() == 0:
            time.sleep(600)
        tell("lives")
        sys.stdin.read()
    """)
    assert one.says() == "lives"
    found = program_of(one.pid)
    assert read_file(f"/proc/{found}/cmdline").split(b"\0")[:2] == [sys.executable.encode(), b"-c"]
    assert len(children(found)) == 1
    assert is_between(one.pid)
    assert not is_between(found)
    await one.end()
    assert program_of(found) == found, "it is gone"


# Orphans, in a process of its own: a test must not adopt strangers


def test_orphans_are_those_that_nobody_started_outside_the_sessions_of_those_that_somebody_did() -> None:
    run("""
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


def test_a_process_that_adopts_nobody_has_no_orphans() -> None:
    run("""
        other = subprocess.Popen(["sleep", "60"])
        assert kill_orphans() == 0 and runs(other.pid)
        other.kill()
        other.wait()
    """)


def test_a_coordinator_adopts_orphans_and_spares_whom_it_found() -> None:
    run("""
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
