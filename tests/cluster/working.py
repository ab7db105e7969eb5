"""Workers for tests, without an engine: plain processes in which the functions of a worker are called."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from arena.bot.launch import BotCommand
from arena.bot.snapshot import Snapshot, take_snapshot
from arena.cluster.bundles import pieces
from arena.cluster.host_folder import FOLDER, HostFolder, host_id
from arena.cluster.host_referee import Played
from arena.cluster.orders import ORDER_LINES, Facts, HostMessage, Order, SandboxWish
from arena.referee.jobs import JobMessage, SessionJob, read_message, write_message
from arena.sandbox import Limits
from tests.referees import PATIENCE, descendants
from tests.tables import HOSTILE, deals_of, job, left_alive, setup_of

ROOT = Path(__file__).parents[2]
ARENA = version("papayoo-arena")
OFF = SandboxWish("off", needed=False, limits=Limits(), user="nobody")
REQUIRED = SandboxWish("require", needed=True, limits=Limits(), user="nobody")

_BODY = """
import pickle, sys, threading
from arena.cluster import worker
calls, answers, one = sys.stdin.buffer, sys.stdout.buffer, threading.Lock()
def call(number, name, arguments):
    try:
        answer = getattr(worker, name)(*arguments)
    except BaseException as error:
        answer = error
    with one:
        pickle.dump((number, answer), answers)
        answers.flush()
exec(pickle.load(calls))
while True:
    try:
        asked = pickle.load(calls)
    except EOFError:
        break
    threading.Thread(target=call, args=asked, daemon=True).start()
"""


class WorkerProcess:
    """A process with a worker, for a `with` statement.

    `folder`: the host folder. `first`: code that is run in it first, which knows the module as `worker`.
    `before`: a command that starts the process, with its arguments.
    """

    def __init__(
        self,
        folder: Path,
        *,
        first: str = "",
        environment: Mapping[str, str] | None = None,
        before: Sequence[str] = (),
        arguments: Sequence[str] = (),
    ) -> None:
        self._popen = subprocess.Popen(
            [*before, sys.executable, "-c", _BODY, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), FOLDER: str(folder), **(environment or {})},
            start_new_session=True,
        )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._calls, self._answers = self._popen.stdin, self._popen.stdout
        self._number = 0
        self._waiting: dict[int, Queue[Any]] = {}
        self.pid = self._popen.pid
        self._send(first)
        self._hearing = Thread(target=self._hear, daemon=True)
        self._hearing.start()

    def _send(self, what: object) -> None:
        pickle.dump(what, self._calls)
        self._calls.flush()

    def _hear(self) -> None:
        while True:
            try:
                number, answer = pickle.load(self._answers)
            except (EOFError, pickle.UnpicklingError):
                break
            self._waiting[number].put(answer)

    def __enter__(self) -> WorkerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        below = descendants(self.pid)
        with suppress(BrokenPipeError):
            self._calls.close()
        try:
            self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
            raise
        finally:
            self._hearing.join(PATIENCE)
            self._answers.close()
        assert not left_alive(below)

    def kill(self) -> None:
        """Kill -9 this process alone."""
        os.kill(self.pid, signal.SIGKILL)
        self._popen.wait()

    def asks(self, name: str, *arguments: object) -> Queue[Any]:
        """Call a function of the worker, and return where its answer comes to."""
        self._number += 1
        answer = self._waiting[self._number] = Queue()
        self._send((self._number, name, arguments))
        return answer

    def call(self, name: str, *arguments: object) -> Any:
        """Return what a function of the worker returns; what it raises is raised."""
        answer = self.asks(name, *arguments).get(timeout=PATIENCE)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def bring(self, snapshot: Snapshot) -> str:
        """Send a copy, if it is missing; return why it is not taken."""
        for digest in self.call("missing", [snapshot.digest]):
            for piece in pieces(snapshot.path):
                if why := self.call("take", digest, piece.place, piece.data, piece.last):
                    return str(why)
        return ""

    def begin(self, order: Order) -> list[HostMessage]:
        return said(self.call("begin", ORDER_LINES.write(order)))

    def play(self, run: str, *sessions: SessionJob) -> tuple[list[JobMessage], str]:
        """Have sessions played; return the messages, and how the process has ended if it has."""
        return heard(self.asks_to_play(run, *sessions).get(timeout=PATIENCE))

    def asks_to_play(self, run: str, *sessions: SessionJob, seconds: float = PATIENCE) -> Queue[Played]:
        """Have sessions played for so long, and return where the answer comes to."""
        return self.asks("play", run, [write_message(one) for one in sessions], seconds)

    @property
    def host(self) -> int:
        """The process id of its host process."""
        [pid] = [
            pid
            for pid in descendants(self.pid)
            if b"\0arena\0host\0" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        return pid


def said(lines: Sequence[bytes]) -> list[HostMessage]:
    return [ORDER_LINES.read(line) for line in lines]


def heard(played: Played) -> tuple[list[JobMessage], str]:
    return [read_message(line) for line in played.lines], played.ended


def host_folder(folder: Path) -> HostFolder:
    """The folder of this host below a folder that a worker was given."""
    return HostFolder(folder / host_id())


def hostile_bots(tmp_path: Path) -> Snapshot:
    """A copy of the hostile bots, of which "good" plays well."""
    return take_snapshot(HOSTILE, tmp_path / "copies")


def order_of(commands: Sequence[BotCommand], *, run: str = "league-1", wish: SandboxWish = OFF) -> Order:
    """An order for these bots. Workers claim no cores, because tests run side by side."""
    setup = replace(setup_of(commands, move_ms=5000), arena=ARENA)
    return Order(run, setup, wish, pinned=False)


def session(commands: Sequence[BotCommand], index: int = 0, orders: int = 1) -> SessionJob:
    """A session of so many matches between these bots."""
    matches = tuple(job([one.bot for one in commands], index, order) for order in range(orders))
    return SessionJob(0, index, deals_of(index).key.hex(), matches)


def facts_of(messages: Sequence[HostMessage]) -> Facts:
    [facts] = [one for one in messages if isinstance(one, Facts)]
    return facts
