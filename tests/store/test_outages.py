"""A server that is lost: Ctrl-C is heard meanwhile, and a read goes on where it was, in the same state."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from arena.errors import Interrupted, ServerGone, StoreError
from arena.store.outages import Patience, through_outages

GONE = ServerGone("The server is gone", "why")


def lost() -> None:
    raise GONE


def test_a_signal_ends_the_waiting() -> None:
    said: list[str] = []
    before = signal.getsignal(signal.SIGTERM)
    tries = iter([None, None])

    def ask() -> None:
        if next(tries, "over") == "over":
            signal.raise_signal(signal.SIGTERM)
        lost()

    with pytest.raises(Interrupted, match=r"stopped while the server of the database x was gone. What was"):
        Patience(60.0, said.append).wait(GONE, "x", ask)
    assert len(said) == 1
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_at_the_last_moment_reaches_who_listens() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        Patience(60.0).wait(GONE, "x", lambda: signal.raise_signal(signal.SIGTERM))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def ask() -> None:
        signal.raise_signal(signal.SIGHUP)
        lost()

    try:
        with pytest.raises(StoreError, match=r"has not come back within 0\.1 s"):
            Patience(0.1).wait(GONE, "x", ask)
    finally:
        signal.signal(signal.SIGHUP, before)


@dataclass
class Waiting:
    name: str = "x"
    waits: int = 0

    def wait_until_back(self, gone: ServerGone) -> None:
        self.waits += 1


@dataclass
class Answers:
    """What a server answers: the numbers, and how many of them before it is lost."""

    numbers: list[int]
    until: int | None = None


@through_outages
@dataclass
class Asking:
    answers: list[Answers]
    _database: Waiting = field(default_factory=Waiting)

    def each(self) -> Iterator[int]:
        answer = self.answers.pop(0)
        yield from answer.numbers[: answer.until]
        if answer.until is not None:
            raise ServerGone("The server is gone")


@pytest.mark.parametrize("until", [0, 1, 2, 3])
def test_a_read_goes_on_where_it_was(until: int) -> None:
    asking = Asking([Answers([1, 2, 3], until), Answers([1, 2, 3], until), Answers([1, 2, 3])])
    assert list(asking.each()) == [1, 2, 3]
    assert asking._database.waits == 2


@pytest.mark.parametrize("then", [[1, 5, 2, 3], [1], []])
def test_a_read_of_what_has_changed_meanwhile_is_ended(then: list[int]) -> None:
    asking = Asking([Answers([1, 2, 3], 2), Answers(then)])
    found: list[int] = []
    with pytest.raises(StoreError, match="was changed while its server was gone: run again"):
        found.extend(asking.each())
    assert found == [1, 2]


def test_a_server_that_is_lost_again_and_again_ends_it() -> None:
    asking = Asking([Answers([1, 2], 1) for _ in range(20)])
    with pytest.raises(ServerGone):
        list(asking.each())


def test_who_stops_reading_waits_for_nothing() -> None:
    asking = Asking([Answers([1, 2, 3], 2)])
    read: Callable[[], Iterator[int]] = asking.each
    reading = read()
    assert next(reading) == 1
    reading.close()  # type: ignore[attr-defined]
    assert asking._database.waits == 0
