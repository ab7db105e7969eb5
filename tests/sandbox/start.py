"""Run as a program: become a command in the sandbox, which is known to work here. For `starting`.

python start.py JSON    with folder, argv, limits, read_only, hidden, writable, level
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

from arena.sandbox import Level, Limits, Sandbox, wrap
from arena.sandbox.probing import nobody


def strongest() -> Level:
    """Return the level that is in force where nothing is missing, for who runs this."""
    return Level.OWN_USERS if os.geteuid() == 0 else Level.OWN_FILES


def main() -> None:
    asked = json.loads(sys.argv[1])
    sandbox = Sandbox(
        bwrap=shutil.which("bwrap") or "",
        user=nobody() if os.geteuid() == 0 else None,
        disable_userns=True,
        limits=Limits(**asked["limits"]),
        read_only=tuple(asked["read_only"]),
        hidden=tuple(asked["hidden"]),
        level=Level(asked["level"]) if asked["level"] else strongest(),
    )
    folder = Path(asked["folder"])
    argv, environment = wrap(sandbox, asked["argv"], folder, nice=10, writable=asked["writable"])
    os.chdir(folder)
    os.execve(argv[0], argv, environment)


if __name__ == "__main__":
    main()
