"""Reviews decisions in several processes of low priority, until all are done or it is told to stop.

Nothing outlives it: the kernel ends its processes with it, whatever ended it. It stores nothing.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice

from arena.errors import ArenaError, InternalError, StoreError
from arena.linux.reaper import die_with_parent
from arena.linux.scheduling import give_way, give_way_to_all
from arena.match.record import MatchRecord
from arena.review.one import review_one
from arena.review.reviewed import Reviewed
from arena.review.sample import Asked

__all__ = ["Crew", "Work", "review_all"]

_LOOK_SECONDS = 0.5
"""How long to wait for a result at most before looking whether to stop."""
_HELD_BACK = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
"""What a terminal sends to all processes of a command. The main one alone answers, and ends the others."""


@dataclass(frozen=True, slots=True)
class Work:
    """A decision that is to be reviewed, with the record of its match."""

    record: MatchRecord
    asked: Asked


@dataclass(frozen=True, slots=True)
class Crew:
    """How decisions are reviewed: by how many processes, from what seed, in how many worlds.

    `cores`: the only ones that they may use; none for any. `beside_a_run`: every other program of the machine
    goes first, and not only those of this session.
    """

    jobs: int
    seed: str
    worlds: int
    cores: frozenset[int] = frozenset()
    beside_a_run: bool = False


def review_all(
    works: Iterable[Work], crew: Crew, found: Callable[[Reviewed], None], enough: Callable[[], bool]
) -> None:
    """Review one decision after the other; `found` is told of each as soon as it is done.

    Nothing more is begun as soon as `enough` says so; what is begun then is waited for. Must be called in the
    main thread. Raises StoreError for cards that do not fit the rules, ArenaError when a process is lost, and
    lets KeyboardInterrupt pass at once.
    """
    left = iter(works)
    first = list(islice(left, 1))
    if not first or enough():
        return
    with _pool(crew) as pool:
        running: dict[Future[Reviewed], Work] = {}
        waiting: Iterator[Work] = chain(first, left)
        while True:
            # One more than there are processes, so that none of them has to wait.
            for work in islice(waiting, crew.jobs + 1 - len(running)):
                running[_begin_with(pool, work, crew)] = work
            if not running:
                return
            done, _ = wait(running, _LOOK_SECONDS, FIRST_COMPLETED)
            for future in done:
                found(_result(future, running.pop(future)))
            if enough():
                waiting = iter(())


def _begin_with(pool: ProcessPoolExecutor, work: Work, crew: Crew) -> Future[Reviewed]:
    with _held_back():  # a process may start with any task, and inherits what is held back
        return pool.submit(review_one, work.record, work.asked.place, crew.seed, crew.worlds)


def _result(future: Future[Reviewed], work: Work) -> Reviewed:
    key = work.record.key
    where = f"session {key.cycle}.{key.index}, seat order {key.order}"
    try:
        return replace(future.result(), in_sample=work.asked.in_sample)
    except BrokenProcessPool as error:
        raise ArenaError(
            "A process of the review ended before its time: it was killed, or the memory was not enough. "
            "What was found is kept; the same command goes on"
        ) from error
    except ValueError as error:
        raise StoreError(f"The match of {where} cannot be reviewed: {error}") from error
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise InternalError(f"A decision of {where} could not be reviewed ({said[:200]})") from error


@contextmanager
def _pool(crew: Crew) -> Iterator[ProcessPoolExecutor]:
    """Give processes, and end them with the block: after an error at once, whatever they are doing."""
    before = {process.pid for process in multiprocessing.active_children()}
    context = multiprocessing.get_context("spawn")
    begin = (os.getpid(), crew.cores, crew.beside_a_run)
    pool = ProcessPoolExecutor(crew.jobs, context, _begin, begin)
    try:
        yield pool
        pool.shutdown()
    finally:
        for process in multiprocessing.active_children():
            if process.pid not in before:
                process.kill()
        # Waited for, and after the kill: the pool's own thread would else close a pipe while Python, at its
        # end, writes to it, and a traceback would be the last that a reader sees.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _held_back() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_BACK)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int, cores: frozenset[int], beside_a_run: bool) -> None:
    """Prepare a process of the crew: it ends with its parent and gives way to others."""
    die_with_parent(signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)
    if cores:
        os.sched_setaffinity(0, cores)
    (give_way_to_all if beside_a_run else give_way)()
