"""How a process of the arena has ended, in words for people. Ends and waits for nothing."""

from __future__ import annotations

import signal

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that tell a process of the arena to end."""
SIGNALLED = 128
"""What a process that was told to end by a signal adds to its number, for its exit code."""
_LAST_LINES = 3


def was_told_to_end(code: int) -> bool:
    """Return whether a process of the arena with this exit code was told to end by a signal."""
    return code - SIGNALLED in ENDING_SIGNALS


def how_it_ended(code: int) -> str:
    """Return in words what an exit code says; minus the number of a signal is of one that killed it."""
    if was_told_to_end(code):
        return f"was told to end by {signal.Signals(code - SIGNALLED).name}"
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


def last_lines(said: bytes) -> str:
    """Return the last lines of what a process said, each after a newline and indented, or ""."""
    lines = [line for line in said.decode("utf-8", "replace").split("\n") if line.strip()]
    return "".join(f"\n    {line}" for line in lines[-_LAST_LINES:])
