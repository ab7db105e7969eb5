"""What is said to people about the sandbox that bots play in: the name of none, and two warnings."""

from __future__ import annotations

from arena.sandbox.cures import Failure
from arena.sandbox.sandbox import Sandbox

__all__ = ["NONE", "talkative", "unprotected"]

NONE = "off"
"""The level without a sandbox. With one it is a `Level`. It is stored with each match."""


def unprotected(failure: Failure) -> str:
    """Return the warning that bots run without a sandbox, for the terminal."""
    return (
        "WARNING: bots run WITHOUT A SANDBOX, with your rights: they can read and change your files.\n"
        f"  why:  {failure.why}\n"
        f"  cure: {failure.cure}\n"
        "  To play only in a sandbox: --sandbox require"
    )


def talkative(sandbox: Sandbox) -> str:
    """Return the warning that bots can talk to each other, for the terminal; "" if nothing is missing."""
    if not sandbox.weaker:
        return ""
    return (
        f"WARNING: bots that work together can signal to each other: sandbox at level {sandbox.level}.\n"
        f"  why:  {sandbox.weaker}\n"
        "  cure: see docs/sandbox.md, levels"
    )
