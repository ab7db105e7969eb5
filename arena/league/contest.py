"""Makes the folder of a new contest: a league file, folders for entries, a README for authors.

It works from an installed arena, without a clone. It plays nothing.
"""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path
from string import Template

from arena.errors import UsageError
from arena.league import texts
from arena.league.house import house_folder

ENTRIES = "entries"
"""The folder in which the bots of a contest are."""

_SAMPLES = ("count", "low")
"""The sample bots that a new contest begins with, so that it can be played at once."""


def make_contest(folder: Path, name: str = "") -> None:
    """Make a contest in `folder`, which may exist if it is empty. `name`: by default that of the folder.

    Raises UsageError when the name is not allowed, or the folder is not empty or cannot be written.
    """
    name = name or folder.resolve().name
    try:
        texts.name(name)
    except ValueError as error:
        raise UsageError(f"{name!r}: no name for a league: {error}") from None
    if '"' in name or "\\" in name:
        raise UsageError(f"{name!r}: give a name without quotes: --name 'Spring'")
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: is not empty; take another folder")
        (folder / ENTRIES).mkdir(parents=True)
        told = {"name": name}
        (folder / "league.toml").write_text(_template("league.toml", told), encoding="utf-8")
        (folder / "README.md").write_text(_template("README.md", told), encoding="utf-8")
        for sample in _SAMPLES:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(house_folder().with_name(sample), folder / ENTRIES / sample, ignore=ignored)
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror}") from None


def _template(file: str, told: dict[str, str]) -> str:
    text = (files("arena.league") / "contest" / file).read_text(encoding="utf-8")
    return Template(text).substitute(told)
