"""Calls `arena` inside the test's own process, as the entry point does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from arena.cli.exits import INTERRUPTED, guarded
from arena.cli.program import run_program


@dataclass(frozen=True, slots=True)
class Called:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


_STOPPING = "stopping: running matches are being finished"
"""A league that was interrupted may all the same be over when they are."""

Arena = Callable[..., Called]


def caller(capsys: pytest.CaptureFixture[str]) -> Arena:
    """A function that runs `arena` with its arguments, which may be paths.

    Raises KeyboardInterrupt when the command was interrupted: that was meant for the tests.
    """

    def call(*arguments: object) -> Called:
        capsys.readouterr()
        code = guarded(lambda: run_program([str(argument) for argument in arguments]))
        written = capsys.readouterr()
        assert "\nTraceback" not in f"\n{written.err}", "a bot's own is indented"
        if code == INTERRUPTED or _STOPPING in written.err:
            raise KeyboardInterrupt
        return Called(code, written.out, written.err)

    return call
