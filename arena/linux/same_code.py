"""Another Python with the very arena that this one runs, wherever that lies. Starts nothing.

The current folder often is a clone of the arena, or of another version of it, and `python -m` would look
there first.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import arena

__all__ = ["same_python"]


def same_python(*arguments: str) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment of the interpreter with these arguments."""
    packages = str(Path(arena.__file__).parents[1])
    environment = dict(os.environ)
    if packages != sysconfig.get_path("purelib"):  # else it is found anyway, and behind the standard library
        inherited = environment.get("PYTHONPATH")
        environment["PYTHONPATH"] = packages if inherited is None else f"{packages}{os.pathsep}{inherited}"
    return [sys.executable, "-P", *arguments], environment
