"""Fresh kits, made and built for the tests; what is not installed is skipped, but not in CI."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.workbench.kits import Kit, kits, lacking, make_bot
from tests.bots.programs import need

HERE = Path(__file__).parent
NAME = "Sly-Fox_2.0 b"
"""Every kind of character that a name may have."""

IN_CI = os.environ.get("CI") == "true"
SECONDS = 60.0
"""For one step of building or running."""


def each() -> list[object]:
    """Every kit for `parametrize`; one worker has all tests of a kit, so that it is built once.

    Those but of Python are slow: their compilers are.
    """
    found: list[object] = []
    for kit in kits():
        marks = [pytest.mark.xdist_group(f"kit-{kit.lang}")]
        if kit.lang != "python":
            marks.append(pytest.mark.slow)
        found.append(pytest.param(kit, id=kit.lang, marks=marks))
    return found


def needed(kit: Kit) -> None:
    """Skip the test if a program is missing; in CI it fails."""
    for each in kit.needs:
        need(each.program)


def is_there(kit: Kit) -> bool:
    """Whether nothing is missing, or must not be: in CI."""
    return IN_CI or not lacking(kit)


def fresh(kit: Kit, above: Path) -> Path:
    """A new bot of that kit in a folder below `above`."""
    folder = above / NAME
    make_bot(kit, NAME, folder)
    return folder


def vectors_program(kit: Kit, above: Path) -> tuple[Path, list[str]]:
    """The kit's program for vectors, built: its folder and its command."""
    folder = fresh(kit, above)
    shutil.copytree(HERE / kit.lang, folder, dirs_exist_ok=True)
    told = tomllib.loads((folder / "vectors.toml").read_text(encoding="utf-8"))
    if "build" in told:
        done = subprocess.run(
            told["build"], cwd=folder, timeout=SECONDS, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert done.returncode == 0, done.stdout.decode()
    return folder, with_python(told["command"])


def with_python(command: Sequence[str]) -> list[str]:
    """The command, "{python}" being this interpreter."""
    return [sys.executable if word == "{python}" else word for word in command]


def talk(command: Sequence[str], folder: Path, lines: bytes) -> subprocess.CompletedProcess[bytes]:
    """Run a program to its end on these lines."""
    return subprocess.run(command, cwd=folder, input=lines, capture_output=True, timeout=SECONDS, check=False)
