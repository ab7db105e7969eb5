"""This installation of the arena: whether its hot path is compiled, and how to start another Python with it.

The compiled modules are named in pyproject.toml; `ARENA_COMPILE=1` before the installation command compiles
them (hatch_build.py). This module must not import any of them, and starts nothing.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path

import arena

WORTH_COMPILING = "ARENA_COMPILE=1 before the installation command halves the referee's time for a decision"
"""The advice where compiling would pay. docs/speed.md has the figures."""


def is_compiled() -> bool:
    """Return whether the referee of this installation is compiled."""
    # All modules are compiled together, so one of them tells for all.
    found = find_spec("arena.match.game")
    return found is not None and (found.origin or "").endswith(tuple(EXTENSION_SUFFIXES))


def same_python(*arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return the command line and the environment that start this interpreter with these arguments.

    The other interpreter finds the same installation of the arena.
    """
    packages = str(Path(arena.__file__).parents[1])
    environment = dict(os.environ)
    # In site-packages the arena is found anyway, and PYTHONPATH would put its neighbours before the standard
    # library.
    if packages != sysconfig.get_path("purelib"):
        inherited = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = packages if inherited is None else f"{packages}{os.pathsep}{inherited}"
    return [sys.executable, "-P", *arguments], environment
