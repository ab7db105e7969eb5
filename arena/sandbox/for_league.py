"""The sandbox that a league is played in: what its file asks for, and the error when there is none.

It starts no bot, only the probe's own program.
"""

from __future__ import annotations

from pathlib import Path

from arena.errors import NoSandbox
from arena.league.model import SandboxSection
from arena.league.reader import LoadedLeague
from arena.sandbox import Failure, Limits, Sandbox, home, probe


def league_sandbox(loaded: LoadedLeague, mode: str) -> Sandbox | Failure | None:
    """Return the sandbox for this league's bots, why there is none, or None when none is asked for.

    `mode` is as in the league file. Raises UsageError when a sandbox is required and cannot be had, or when
    [sandbox] names a path that does not exist.
    """
    return None if mode == "off" else asked_sandbox(loaded.league.sandbox, mode, _hidden(loaded))


def asked_sandbox(asked: SandboxSection, mode: str, hidden: tuple[str, ...]) -> Sandbox | Failure:
    """Return the sandbox that a section [sandbox] asks for, or why there is none.

    `hidden`: folders and files that no bot may see. Raises UsageError as `league_sandbox` does.
    """
    found = probe(Limits(asked.processes), asked.read_only, hidden)
    if isinstance(found, Failure) and mode == "require":
        raise NoSandbox(
            f"A sandbox is required, but does not work here; no match was played.\n"
            f"  why:  {found.why}\n"
            f"  cure: {found.cure}\n"
            "See docs/sandbox.md; to play programs that you trust without one: --sandbox off"
        )
    return found


def _hidden(loaded: LoadedLeague) -> tuple[str, ...]:
    """Return what no bot may see, even inside a folder that is shown: the league, its data, the home."""
    folders = [loaded.path.resolve().parent, loaded.arena_folder.resolve(), home()]
    files = [loaded.path.resolve()]
    if isinstance(loaded.database, Path):
        database = loaded.database.resolve()
        folders.append(database.parent)
        # SQLite's log and its index lie beside the database and hold the same data.
        files += [database.with_name(database.name + end) for end in ("", "-wal", "-shm")]
    return tuple(dict.fromkeys(str(path) for path in (*folders, *files)))
