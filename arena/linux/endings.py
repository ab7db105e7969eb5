"""How a process of the arena has ended, in words for people. Ends and waits for nothing."""

from __future__ import annotations

_LAST_LINES = 3


def how_it_ended(code: int) -> str:
    """Return in words what an exit code says; minus the number of a signal is of one that killed it."""
    return f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"


def last_lines(said: bytes) -> str:
    """Return the last lines of what a process said, each after a newline and indented, or ""."""
    lines = [line for line in said.decode("utf-8", "replace").split("\n") if line.strip()]
    return "".join(f"\n    {line}" for line in lines[-_LAST_LINES:])
