"""This installation of the arena: whether its hot path is compiled, and how to start another Python with it.

The compiled modules are named in pyproject.toml; `ARENA_COMPILE=1` before the installation command compiles
them (hatch_build.py). Imports none of them, and starts nothing.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import arena

__all__ = ["WORTH_COMPILING", "is_compiled", "same_python"]

WORTH_COMPILING = "ARENA_COMPILE=1 before the installation command halves what a decision costs the referee"
"""What is said where it would pay: docs/speed.md has the figures."""


def is_compiled() -> bool:
    """Whether the referee of this installation is: the state machine of a match tells for all of it."""
    found = find_spec("arena.match.game")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))


def same_python(*arguments: str) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment of the interpreter with these arguments."""
    packages = str(Path(arena.__file__).parents[1])
    environment = dict(os.environ)
    if packages != sysconfig.get_path("purelib"):  # else it is found anyway, and behind the standard library
        inherited = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = packages if inherited is None else f"{packages}{os.pathsep}{inherited}"
    return [sys.executable, "-P", *arguments], environment
