"""A command that is run in the tests' own process does not keep a Ctrl-C that was meant for the tests."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.cli.calling import Arena


def test_an_interruption_ends_the_tests(arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.store.scoring.scored", lambda *_: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        arena("standings", stopped)
