"""Whether what every decision goes through is compiled here, or interpreted. Imports none of it.

The modules are named in pyproject.toml. `ARENA_COMPILE=1` before the installation command compiles them
(hatch_build.py).
"""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec

__all__ = ["WORTH_COMPILING", "is_compiled"]

WORTH_COMPILING = "ARENA_COMPILE=1 before the installation command halves what a decision costs the referee"
"""What is said where it would pay: docs/speed.md has the figures."""


def is_compiled() -> bool:
    """Whether the referee of this installation is: the state machine of a match tells for all of it."""
    found = find_spec("arena.match.game")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
