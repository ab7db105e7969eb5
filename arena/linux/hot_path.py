"""Whether what every decision goes through is compiled here, or interpreted. Imports none of it.

The modules are named in pyproject.toml and compiled while the arena is installed (hatch_build.py).
"""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec

__all__ = ["is_compiled"]


def is_compiled() -> bool:
    """Whether the referee of this installation is: the state machine of a match tells for all of it."""
    found = find_spec("arena.match.game")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))
