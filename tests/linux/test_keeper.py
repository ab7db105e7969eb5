"""The keeper of a bot, as a program: it ends as its bot ends, and nothing of the bot is left after it.

Every form is tried: compiled, with a process namespace and without, and the one in Python.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.linux import keeper
from arena.linux.keeper import compiled_keeper, dismiss, go_on, kept, rest, started_by
from arena.linux.process_tree import below, children, look_up
from tests.referees import DEAF, is_keeper
from tests.tables import left_alive, state_of

_MARK = "KEEPER_TEST"
_PATIENCE = 30.0
_SOURCE = Path(keeper.__file__).with_name("keeper.c")


class Kept:
    """A Python script under a keeper. `mark` is in the environment of everything that it starts."""

    def __init__(self, argv: list[str], script: str) -> None:
        self.mark = f"{_MARK}={uuid.uuid4().hex}"
        prelude = "import os, signal, sys, time\ntell = lambda text: os.write(1, f'{text}\\n'.encode())\n"
        self.popen = subprocess.Popen(
            [*argv, sys.executable, "-c", prelude + textwrap.dedent(script)],
            env={**os.environ, _MARK: self.mark.partition("=")[2]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
            text=True,
        )

    def says(self) -> str:
        """Return the next line of its output, empty at the end."""
        assert self.popen.stdout is not None
        return self.popen.stdout.readline().strip()

    def end(self) -> int:
        """Dismiss the keeper, and return how it ended."""
        dismiss(self.popen.pid)
        return self.popen.wait(_PATIENCE)

    def runs(self) -> list[int]:
        """Return everything that it started and that is still there, the keeper too."""
        pids = [int(entry.name) for entry in os.scandir("/proc") if entry.name.isdecimal()]
        return [pid for pid in pids if self.mark.encode() in _environment(pid)]


def _environment(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled keeper of this source, whether or not this installation has it."""
    if (found := compiled_keeper()) is not None:
        return found
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    made = tmp_path_factory.mktemp("keeper") / "keeper-made"  # as `is_keeper` knows it
    subprocess.run(["cc", "-O2", "-std=gnu11", "-o", made, _SOURCE], check=True)
    return made


@pytest.fixture(params=["own", "plain", "slow"])
def form(request: pytest.FixtureRequest) -> str:
    return str(request.param)


Keep = Callable[[str], Kept]


@pytest.fixture
def keep(form: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Keep]:
    """Start scripts under a keeper of this form, and see that nothing of them is left."""
    program = None if form == "slow" else request.getfixturevalue("compiled")
    monkeypatch.setattr(keeper, "compiled_keeper", lambda: program)
    argv = [*kept([], own_processes=form == "own")]
    started: list[Kept] = []

    def start(script: str) -> Kept:
        started.append(Kept(argv, script))
        return started[-1]

    yield start
    for one in started:
        if one.popen.poll() is None:
            one.end()
        for stream in (one.popen.stdin, one.popen.stdout, one.popen.stderr):
            assert stream is not None
            stream.close()
        left = one.runs()
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        assert left == []


@pytest.mark.parametrize("code", [3, -signal.SIGSEGV, -signal.SIGKILL])
def test_it_ends_as_its_program_ends(keep: Keep, code: int) -> None:
    ends = f"os.kill(os.getpid(), {-code})" if code < 0 else f"sys.exit({code})"
    assert keep(ends).popen.wait(_PATIENCE) == code


@pytest.mark.usefixtures("keep")
def test_it_hears_of_its_programs_end_where_it_was_started_to_ignore_that(form: str) -> None:
    argv = kept(["sh", "-c", "exit 3"], own_processes=form == "own")
    done = subprocess.run([*DEAF, *argv], timeout=_PATIENCE)
    assert done.returncode == 3


def test_a_program_that_cannot_be_executed_is_named(keep: Keep, form: str) -> None:
    argv = [*kept(["/dev/null"], own_processes=form == "own")]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=_PATIENCE)
    assert (done.returncode, done.stderr) == (127, "cannot be started: /dev/null: Permission denied\n")


def test_it_holds_nothing_of_the_input_and_output_open(keep: Keep) -> None:
    bot = keep("os.close(0), os.close(1), time.sleep(60)")
    assert bot.says() == ""
    assert bot.popen.stdin is not None
    _written_until_it_breaks(bot.popen.stdin.fileno())


def _soon(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _written_until_it_breaks(descriptor: int) -> None:
    """Write until nobody can read it any more: the keeper may let go of it a moment after the bot."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        try:
            os.write(descriptor, b"x")
        except BrokenPipeError:
            return
        time.sleep(0.01)
    raise AssertionError("somebody holds it open")


def test_signals_reach_the_bot_as_without_a_keeper(keep: Keep) -> None:
    bot = keep("""
        tell(signal.pthread_sigmask(signal.SIG_BLOCK, ()))
        tell(signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
        os.kill(0, signal.SIGTERM)  # its group, in which the keeper is not
    """)
    assert [bot.says(), bot.says()] == ["set()", "True"]
    assert bot.popen.wait(_PATIENCE) == -signal.SIGTERM


def test_daemons_stay_below_it_and_go_with_the_bot(keep: Keep) -> None:
    bot = keep("""
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
    assert [bot.says() for _ in range(3)] == ["lives"] * 3
    deadline = time.monotonic() + _PATIENCE
    while len(pids := {member.pid for member in below(bot.popen.pid)} & set(bot.runs())) < 4:
        assert time.monotonic() < deadline  # whose parent just ends is below nobody for a moment
    bot.popen.communicate("", timeout=_PATIENCE)
    assert bot.popen.returncode == 0
    assert left_alive(pids, patience=0) == []


def test_orphans_that_have_ended_are_reaped(keep: Keep) -> None:
    bot = keep("""
        for _ in range(50):
            if os.fork() == 0:
                if os.fork() == 0:
                    time.sleep(0.05)
                os._exit(0)
            os.wait()
        tell("done")
        time.sleep(60)
    """)
    assert bot.says() == "done"
    # With a namespace its first process is one of them.
    _soon(lambda: len(below(bot.popen.pid)) <= 2)


@pytest.mark.parametrize(
    ("chain", "ends_by_itself"),
    [
        pytest.param("150, True", True, id="each lives"),
        pytest.param("10**5, False", True, id="each ends after forking"),
        pytest.param("10**5, False", False, id="each ends after forking, and it is dismissed"),
    ],
)
def test_a_deep_chain_of_forks_ends(keep: Keep, chain: str, ends_by_itself: bool) -> None:
    bot = keep(f"""
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
        if {ends_by_itself}:
            sys.stdin.readline()
            sys.exit(5)
        time.sleep(60)
    """)
    assert bot.says() == "deep"
    if ends_by_itself:
        assert bot.popen.stdin is not None
        bot.popen.stdin.write("\n")
        bot.popen.stdin.flush()
        assert bot.popen.wait(_PATIENCE) == 5
    else:
        assert bot.end() == -signal.SIGKILL
    assert bot.runs() == []


@pytest.mark.usefixtures("keep")
def test_it_ends_all_when_who_started_it_is_gone(form: str) -> None:
    caller = f"""
        import os, subprocess, sys, time
        from arena.linux.keeper import kept
        from arena.linux import keeper
        keeper.compiled_keeper = lambda: {str(keeper.compiled_keeper() or "") or None!r}
        bot = "import os, time; os.fork() or os.setsid(); os.write(1, b'lives' + bytes([10])); time.sleep(60)"
        subprocess.Popen(kept([sys.executable, "-c", bot], own_processes={form == "own"}), process_group=0)
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


def test_all_that_it_keeps_rests_and_goes_on_and_can_be_ended_meanwhile(keep: Keep) -> None:
    bot = keep("""
        if os.fork() == 0 and os.fork() == 0:
            os.setsid()
        tell("lives")
        while True:
            pass
    """)
    assert [bot.says() for _ in range(3)] == ["lives"] * 3

    def stopped() -> set[bool]:
        pids = [member.pid for member in below(bot.popen.pid) if not is_keeper(member.pid)]
        assert len(pids) == 3
        return {state_of(pid) == "T" for pid in pids}

    for _ in range(3):
        rest(bot.popen.pid)
        _soon(lambda: stopped() == {True})
        go_on(bot.popen.pid)
        _soon(lambda: stopped() == {False})
    rest(bot.popen.pid)
    _soon(lambda: stopped() == {True})
    assert bot.end() == -signal.SIGKILL


def test_a_stopped_keeper_ends_all_the_same(keep: Keep) -> None:
    bot = keep("tell('lives'), time.sleep(60)")
    assert bot.says() == "lives"
    os.kill(bot.popen.pid, signal.SIGSTOP)
    assert bot.end() == -signal.SIGKILL


def test_no_bot_outlives_its_keeper(keep: Keep, form: str) -> None:
    bot = keep("""
        tell("lives")
        sys.stdin.readline()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(0.5)
        sys.exit(4)
    """)
    assert bot.says() == "lives"
    first = below(bot.popen.pid)
    assert bot.popen.stdin is not None
    bot.popen.stdin.write("\n")
    bot.popen.stdin.flush()
    # The kernel protects the first process of a namespace from those inside.
    inside = form == "own" and len(first) == 2
    assert bot.popen.wait(_PATIENCE) == (4 if inside else -signal.SIGKILL)
    assert left_alive([member.pid for member in first]) == []


@pytest.mark.parametrize("form", ["own"])
def test_a_bot_of_its_own_namespace_sees_its_own_processes_alone(keep: Keep) -> None:
    bot = keep("""
        tell(os.getpid())
        tell(sorted(int(name) for name in os.listdir("/proc") if name.isdecimal()))
        tell((os.geteuid(), os.getegid()))
        time.sleep(60)
    """)
    if bot.says() != "2":
        pytest.skip("no process namespace can be made here")
    assert bot.says() == "[1, 2]"
    assert bot.says() == str((os.geteuid(), os.getegid()))
    assert all(look_up(member.pid) for member in below(bot.popen.pid))


def test_the_program_that_it_keeps_is_found(keep: Keep) -> None:
    bot = keep("""
        if os.fork() == 0:
            time.sleep(600)
        tell("lives")
        sys.stdin.read()
    """)
    assert bot.says() == "lives"
    found = started_by(bot.popen.pid)
    assert Path(f"/proc/{found}/cmdline").read_bytes().split(b"\0")[:2] == [sys.executable.encode(), b"-c"]
    assert len(children(found)) == 1
    bot.end()
    assert started_by(found) == found, "it is gone"


def test_one_of_an_older_source_is_not_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    source = tmp_path / "keeper.c"
    source.write_bytes(_SOURCE.read_bytes())
    monkeypatch.setattr(keeper, "_SOURCE", source)
    found = keeper.compiled_keeper.__wrapped__
    assert found() is None
    program = tmp_path / f"keeper-{_digest(source)}"
    program.write_bytes(b"")
    assert found() is None, "it cannot be executed"
    program.chmod(0o755)
    assert found() == program
    source.write_bytes(b"changed")
    assert found() is None


def _digest(source: Path) -> str:
    """What `sha256sum` prints of it, as far as it is in the name."""
    told = subprocess.run(["sha256sum", source], capture_output=True, text=True, check=True)
    return told.stdout[:16]
