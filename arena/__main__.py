"""The entry point of `arena` and of `python -m arena`. Does nothing but start the command line."""

from __future__ import annotations

import sys

from arena.cli.exits import guarded
from arena.cli.program import run_program


def main() -> None:
    """Run the command line on this process's arguments and end the process with its exit code."""
    sys.exit(guarded(run_program))


if __name__ == "__main__":
    main()
