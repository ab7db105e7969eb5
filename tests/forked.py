"""Starts `arena` without importing it anew, which would be most of the work of a short run.

A server of each test process has imported what the commands import, and forks. From there on a fork is what
`python -m arena` is: a process with its own session, descriptors, folder and environment, which ends as
others do. The first referees of a run and the writer of its pages are forks of the run, made before it began.
That they start from nothing is seen where the tests have `arena` started by the shell, and in CI's clone.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from ctypes import memmove
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, NoReturn

from arena.bot import launch
from arena.linux.family import mine

_IMPORTED = (
    "arena.cli.league_files",
    "arena.cli.organiser.pages",
    "arena.cli.progress",
    "arena.runner.run",
    "arena.verify.verify",
    "arena.workbench.one_match",
)
launch.NICE = launch.BUILD_NICE = 0
"""Bots and builds do not give way to the tests beside them, or a league would take up to three times as long.

It is set before any module that uses it is imported, in the processes of the tests and in the server.
"""
_LONGEST = 1 << 17
"""Bytes of a request: most of them are the environment."""


class Forked:
    """A process of `arena` with these arguments, and what tests need of `subprocess.Popen`.

    `files`: the descriptors of its standard input, output and error; they stay the caller's.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        files: tuple[int, int, int],
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        ignored: Sequence[signal.Signals] = (),
    ) -> None:
        request = {
            "arguments": [*arguments],
            "folder": os.fspath(folder or Path.cwd()),
            "environment": {**os.environ, **(environment or {})},
            "ignored": [int(number) for number in ignored],
        }
        socket.send_fds(_server(), [json.dumps(request).encode()], files)
        self.pid = int(_server().recv(_LONGEST))
        self.returncode: int | None = None
        self._pidfd = os.pidfd_open(self.pid)

    def poll(self) -> int | None:
        """Its exit code, or minus the number of the signal that killed it; None while it runs."""
        if self.returncode is None and select.select([self._pidfd], [], [], 0)[0]:
            self.wait()
        return self.returncode

    def wait(self, seconds: float | None = None) -> int:
        """Wait for its end and return its exit code. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self._pidfd], [], [], seconds)[0]:
                raise subprocess.TimeoutExpired("arena", seconds or 0)
            os.close(self._pidfd)
            _server().send(str(self.pid).encode())
            self.returncode = int(_server().recv(_LONGEST))
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, as the kernel does when memory is short."""
        self.send_signal(signal.SIGKILL)


@cache
def _server() -> socket.socket:
    """The socket to the server of this test process, which ends with it."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        server = subprocess.Popen(
            [sys.executable, "-c", f"from tests.forked import serve; serve({theirs.fileno()})"],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    atexit.register(server.wait)
    atexit.register(ours.close)  # before that
    return ours


def serve(descriptor: int) -> None:
    """Fork for each request until the socket is closed, and run `arena` in the forks."""
    for name in _IMPORTED:
        import_module(name)
    newcomers = import_module("arena.runner.newcomers")
    newcomers.REST_SECONDS = 0.2  # nobody is still copying what a test has entered
    gc.freeze()
    with socket.socket(fileno=descriptor) as channel:
        while True:
            asked, files, *_ = socket.recv_fds(channel, _LONGEST, 3)
            if not asked:
                return
            if not files:
                _, status = os.waitpid(int(asked), 0)
                channel.send(str(os.waitstatus_to_exitcode(status)).encode())
                continue
            if not (pid := os.fork()):
                break
            for file in files:
                os.close(file)
            channel.send(str(pid).encode())
    _become(files, **json.loads(asked))


def _become(
    files: list[int], arguments: list[str], folder: str, environment: dict[str, str], ignored: list[int]
) -> NoReturn:
    from arena.__main__ import main

    os.setsid()
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    for ignoring in ignored:
        signal.signal(ignoring, signal.SIG_IGN)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if arguments[0] == "run" and "PYTHONPATH" not in environment:  # with it they shall import something
        _prepare_children()
    sys.argv = ["arena", *arguments]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - they stay open to the end
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    main()


class _Prepared:
    """A fork that waited and is at work now: what `Child` needs of `subprocess.Popen`."""

    def __init__(self, waiting: socket.socket, arguments: Sequence[str], errors: int) -> None:
        stdin, written = os.pipe()
        read, stdout = os.pipe()
        socket.send_fds(waiting, [json.dumps(arguments).encode()], [stdin, stdout, errors])
        self.pid = int(waiting.recv(_LONGEST))
        os.close(stdin)
        os.close(stdout)
        self.stdin, self.stdout = os.fdopen(written, "wb", 0), os.fdopen(read, "rb", 0)
        self._code: int | None = None

    def poll(self, options: int = os.WNOHANG) -> int | None:
        if self._code is None and (found := os.waitpid(self.pid, options))[0]:
            self._code = os.waitstatus_to_exitcode(found[1])
        return self._code

    def wait(self) -> int | None:
        return self.poll(0)


def _prepare_children(count: int = 4) -> None:
    """Fork what this run will start first; others start from nothing. Who waits is in no league's folder."""
    from arena.referee import child

    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for _ in range(count):
        if not (pid := os.fork()):
            ours.close()
            _wait_for_work(theirs)
        mine(pid)
    theirs.close()
    left, start = iter(range(count)), child._popen

    def popen(command: Sequence[str], errors: BinaryIO) -> _Prepared | subprocess.Popen[bytes]:
        if command[0] != "arena" or next(left, None) is None:
            return start(command, errors)
        return _Prepared(ours, command[1:], errors.fileno())

    vars(child)["_popen"] = popen


def _wait_for_work(channel: socket.socket) -> NoReturn:
    folder = str(Path.cwd())
    os.chdir("/")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    asked, files, *_ = socket.recv_fds(channel, _LONGEST, 3)
    if not asked:
        os._exit(0)
    arguments = json.loads(asked)
    _call_itself([sys.executable, "-P", "-m", "arena", *arguments])
    channel.send(str(os.getpid()).encode())
    channel.close()
    _become(files, arguments, folder, dict(os.environ), [])


def _call_itself(words: Sequence[str]) -> None:
    """Let the command line of this process be these words, as far as there is room."""
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[45]), int(fields[46])
    line = b"".join(word.encode() + b"\0" for word in words)
    memmove(begin, line[: end - begin].ljust(end - begin, b"\0"), end - begin)
