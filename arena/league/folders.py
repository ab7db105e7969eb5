"""Looks whether the bots' folders that a league file names are there, before a league is played.

Only a run asks for this: whoever looks at a league that was played does not need the folders any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from arena.league.problems import Problem

__all__ = ["missing_folder", "missing_folders"]


def missing_folders(raw: Mapping[str, object], root: Path) -> list[Problem]:
    """Return a problem for each `folder` of a bot that is no folder below `root`, with the nearest one.

    `raw`: what the file says. A folder that follows from the command is there, for a file in it is.
    """
    bots = raw.get("bots")
    given = [
        (number, bot["folder"])
        for number, bot in enumerate(bots if isinstance(bots, list) else [])
        if isinstance(bot, dict) and isinstance(bot.get("folder"), str)
    ]
    return [
        Problem(("bots", number, "folder"), what)
        for number, folder in given
        if (what := missing_folder(folder, root))
    ]


def missing_folder(folder: str, root: Path) -> str:
    """Return why `folder` is no folder below `root`, with the nearest one; empty if it is one."""
    return "" if _there(root / folder, Path.is_dir) else _what(folder, root)


def _there(path: Path, asked: Callable[[Path], bool]) -> bool:
    try:
        return asked(path)
    except (OSError, ValueError):  # no path at all; the model says what is wrong with it
        return False


def _what(folder: str, root: Path) -> str:
    if _there(root / folder, Path.exists):
        return f'"{folder}" is a file; expected the folder that holds the bot\'s files'
    return f'there is no folder "{folder}" beside this file{_near(PurePosixPath(folder), root)}'


def _near(folder: PurePosixPath, root: Path) -> str:
    try:
        names = [path.name for path in (root / folder.parent).iterdir() if path.is_dir()]
    except OSError:
        return ""
    near = get_close_matches(folder.name, names, n=1)
    return f'; did you mean "{folder.parent / near[0]}"?' if near else ""
