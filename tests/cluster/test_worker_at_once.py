"""A worker of which several things are asked at one moment, with host processes in memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Event

import pytest

from arena.cluster import worker as module
from arena.cluster.host_folder import FOLDER
from arena.cluster.host_referee import Played
from arena.cluster.orders import ORDER_LINES, Ready, Unready, Why
from arena.cluster.worker import _STOP, Worker

PATIENCE = 30.0
READY = ORDER_LINES.write(Ready(0))
DONE = b"SessionDone {}\n"
JOB = b"SessionJob {}\n"


def order(run: str) -> bytes:
    return b'Order {"run":"%s"}\n' % run.encode()


class Host:
    """A host process. `answer`: what it says to its order. `told`: the lines that it was told."""

    started: list[Host]
    answer = READY
    starting: Callable[[], object] | None = None
    """Called once, while the next one is being started."""

    def __init__(self, mark: str, arguments: list[str]) -> None:
        self.told: list[bytes] = []
        self.lines: Queue[bytes] = Queue()
        self.has_ended = Event()
        if starting := Host.starting:
            Host.starting = None
            starting()
        Host.started.append(self)

    @property
    def alive(self) -> bool:
        return not self.has_ended.is_set()

    def send(self, lines: list[bytes]) -> None:
        for line in lines if self.alive else ():
            self.told.append(line)
            if line.startswith(b"Order "):
                self.lines.put(Host.answer)
            if line == _STOP:
                self.close()

    def line(self, until: float = math.inf) -> bytes | None:
        try:
            return self.lines.get(timeout=PATIENCE if math.isinf(until) else 0.01)
        except Empty:
            return None

    def close(self) -> str:
        self.has_ended.set()
        self.lines.put(b"")
        return "its process ended with exit code 0"


@pytest.fixture
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker that plays for the run mine-1."""
    monkeypatch.setenv(FOLDER, str(tmp_path))
    monkeypatch.setattr(module, "HostClient", Host)
    monkeypatch.setattr(Host, "started", [], raising=False)
    monkeypatch.setattr(Host, "starting", None)
    monkeypatch.setattr(Host, "answer", READY)
    made = Worker()
    assert made.begin(order("mine-1")) == [READY]
    yield made
    if made._idle is not None:
        made._idle.cancel()


def test_a_stop_holds_though_the_process_is_just_being_started_again(worker: Worker) -> None:
    Host.started[0].close()
    Host.starting = lambda: worker.stop("mine-1")
    played = worker.play("mine-1", [JOB], 0.0)
    assert (played.lines, played.left, played.ended) == ([], 0, "it was told to stop before it began")
    assert JOB not in Host.started[1].told


def test_a_run_that_takes_over_while_a_process_is_being_started_has_it_ended(worker: Worker) -> None:
    Host.started[0].close()
    Host.starting = lambda: worker.take_over("mine-2")
    assert worker.play("mine-1", [JOB], 0.0).unready
    assert not Host.started[1].alive
    assert worker.begin(order("mine-2")) == [READY]
    assert Host.started[2].alive


def test_a_run_that_takes_over_ends_what_is_being_played_and_not_as_if_all_were_done(worker: Worker) -> None:
    class TakenOver(Queue[bytes]):
        def get(self, block: bool = True, timeout: float | None = None) -> bytes:
            worker.take_over("mine-2")
            return super().get(block, timeout)

    [host] = Host.started
    host.lines = TakenOver()
    host.lines.put(b"Met {}\n")
    assert worker.play("mine-1", [JOB, JOB], math.inf) == Played(
        [b"Met {}\n"], ended="its process ended with exit code 0"
    )


def test_of_two_leagues_that_ask_at_one_moment_the_first_to_begin_plays(worker: Worker) -> None:
    worker.leave("mine-1")
    assert worker.take_over("mine-2") == ""
    assert worker.take_over("theirs-1") == ""
    assert worker.begin(order("theirs-1")) == [READY]
    answer = ORDER_LINES.read(worker.begin(order("mine-2"))[-1])
    assert isinstance(answer, Unready)
    assert (answer.why, answer.text.partition(";")[0]) == (Why.BUSY, "it plays for another league")
    assert Host.started[-1].alive
