"""Programs started in the real sandbox, by root and by an ordinary user, whoever runs the tests.

Without bubblewrap the tests that need it are skipped, but in CI they fail: there it must be.
"""

from __future__ import annotations

import fcntl
import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import Failure, Limits, Sandbox, probe

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
_NOBODY = ("--reuid=65534", "--regid=65534", "--clear-groups", "--pdeathsig=KILL", "--")
START = Path(__file__).with_name("start.py")
INMATES = Path(__file__).with_name("inmates")
STARTERS = ("root", "ordinary")


def needs_sandbox(starter: str = "root") -> None:
    """Skip the test where there can be no sandbox; in CI that is a failure."""
    if starter == "root" and os.geteuid() != 0:
        pytest.skip("only root can try what root does")
    found = _found()
    if isinstance(found, Failure):
        assert "CI" not in os.environ, str(found)
        pytest.skip(str(found))


def weak_bubblewrap(path: Path) -> None:
    """Make a bubblewrap that gives none of the rights by which a sandbox makes things its own.

    It needs the real one, see `needs_sandbox`.
    """
    real = _found()
    assert isinstance(real, Sandbox)
    less = (
        'for a; do shift; case "$a" in CAP_MKNOD|CAP_SYS_RESOURCE) a=CAP_KILL;; esac; set -- "$@" "$a"; done'
    )
    path.write_text(f'#!/bin/sh\n{less}\nexec {real.bwrap} "$@"\n')
    path.chmod(0o755)


def is_locked() -> bool:
    """Say whether any process holds the locks: one on what all eventfds of this machine are."""
    with open(os.eventfd(0), "rb", buffering=0) as file:  # noqa: PTH123 - it has no path
        found = fcntl.fcntl(
            file, fcntl.F_OFD_GETLK, struct.pack("hhqqi", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
        )
    return bool(struct.unpack("hhqqi", found)[0] != fcntl.F_UNLCK)


@cache
def _found() -> Sandbox | Failure:
    return probe(Limits())


@dataclass(frozen=True, slots=True)
class Cell:
    """A folder with a program in it, and who starts it."""

    starter: str
    folder: Path

    def holds(self, name: str, text: str) -> Path:
        """Put a file into the folder, readable for all."""
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
        return path

    def inmate(self, name: str) -> None:
        """Put one of the programs of the folder inmates/ there, as bot.py."""
        self.holds("bot.py", (INMATES / f"{name}.py").read_text(encoding="utf-8"))

    def argv(
        self,
        *argv: str,
        limits: Mapping[str, int] | None = None,
        read_only: Sequence[str] = (),
        hidden: Sequence[str] = (),
        writable: bool = False,
        open_to_all: Path | None = None,
        before: Sequence[str] = (),
        level: str = "",
    ) -> list[str]:
        """The command line that starts `argv` in the sandbox; by default bot.py.

        `open_to_all`: a folder above its own that an ordinary user can read too. `before`: the beginning
        of a command line that starts the rest of it, as who starts the bot. `level`: how far sandboxes are
        kept apart, by default as far as can be.
        """
        asked = {
            "folder": str(self.folder),
            "argv": argv or ("{python}", "bot.py"),
            "limits": limits or {},
            "read_only": read_only,
            "hidden": hidden,
            "writable": writable,
            "level": level,
        }
        command = [*before, sys.executable, str(START), json.dumps(asked)]
        if self.starter == "root" or os.geteuid() != 0:
            return command
        return [*as_ordinary_user(open_to_all or self.folder), *command]

    def run(self, *argv: str, said: str = "", **how: Any) -> subprocess.CompletedProcess[str]:
        """Start it as `argv` says, and wait for its end. `said`: its standard input."""
        return subprocess.run(
            self.argv(*argv, **how),
            input=said,
            capture_output=True,
            text=True,
            timeout=60,
            start_new_session=True,
            env=ENVIRONMENT,
            check=False,
        )


def as_ordinary_user(folder: Path) -> list[str]:
    """For root: what makes the rest of a command line run as nobody, on a machine where nobody can read us.

    The folders that only root may enter are replaced by open ones with what is needed in them.
    """
    needed = [Path(sys.prefix), Path(sys.base_prefix), ROOT, folder]
    closed = dict.fromkeys(private for path in needed for private in _private(path))
    bwrap = ["bwrap", "--die-with-parent", "--dev-bind", "/", "/"]
    for path in closed:
        bwrap += ["--perms", "0755", "--tmpfs", str(path)]
    for path in needed:
        for parent in reversed(path.parents):
            if any(parent.is_relative_to(private) for private in closed):
                bwrap += ["--perms", "0755", "--dir", str(parent)]
        bwrap += ["--bind", str(path), str(path)]
    aside = ["sh", "-c", '3<&0 4>&1 </dev/null >/dev/null exec "$@"', "sh"]
    back = ["sh", "-c", 'exec "$@" <&3 >&4 3<&- 4>&-', "sh"]  # else bubblewrap holds both open
    return [*aside, *bwrap, "--", "setpriv", *_NOBODY, *back]


def _private(path: Path) -> Iterator[Path]:
    for folder in reversed((path, *path.parents)):
        if not folder.stat().st_mode & 0o001:
            yield folder
            return
