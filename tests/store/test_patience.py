"""A server that is lost: Ctrl-C is heard meanwhile, and the waiting for it has an end."""

from __future__ import annotations

import signal

import pytest

from arena.errors import Interrupted, ServerGone, StoreError
from arena.store.transaction import Patience

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

    patience = Patience(60.0, said.append)
    with pytest.raises(Interrupted, match=r"stopped while the server of the database x was gone. What was"):
        patience.wait(GONE, "x", ask)
    assert len(said) == 1
    with pytest.raises(Interrupted):  # what is stored while the run ends
        patience.wait(GONE, "x", lambda: pytest.fail("nobody asks any more"))
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_signal_at_the_last_moment_reaches_who_listens() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        Patience(60.0).wait(GONE, "x", lambda: signal.raise_signal(signal.SIGTERM))
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]


def test_a_signal_that_is_ignored_stays_ignored_and_nothing_waits_twice() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    patience = Patience(0.1)

    def ask() -> None:
        signal.raise_signal(signal.SIGHUP)
        lost()

    try:
        with pytest.raises(StoreError, match=r"has not come back within 0\.1 s"):
            patience.wait(GONE, "x", ask)
    finally:
        signal.signal(signal.SIGHUP, before)
    with pytest.raises(StoreError, match="has not come back within"):
        patience.wait(GONE, "x", lambda: pytest.fail("nobody asks any more"))
