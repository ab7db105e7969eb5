"""A family, as it is started out of a sandbox: it ends as its bot ends, and nothing of it is left after that.

Both forms are tried: in a process namespace, and under a supervisor.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.linux import namespace
from arena.linux.family import Family, adopting_orphans
from arena.linux.namespace import has_namespaces, in_family
from arena.linux.process_tree import below
from tests.linux.families import run
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


@pytest.mark.usefixtures("form")
def test_a_program_that_cannot_be_executed_is_named() -> None:
    done = subprocess.run(in_family(["/dev/null"]), capture_output=True, text=True, timeout=_PATIENCE)
    assert done.returncode in (126, 127)
    assert "/dev/null: Permission denied\n" in done.stderr


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
