"""Says what a bot's command would miss, without starting it: a program, a script, the right to execute.

It looks at the bot's own folder, as its author keeps it. What only a start can tell is left to the roll call.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from pathlib import Path

from arena.bot.launch import BotCommand

__all__ = ["what_is_missing"]

_SCRIPTS = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".lua", ".sh", ".php", ".jar"})
"""The endings by which a word of a command is taken for a file that must be there."""
_PROGRAM_NEXT = frozenset({"-c", "-e", "-m", "-cp", "-classpath", "--class-path", "--eval"})
"""The options after which no script is named: a text, a module or a list of files comes."""
_SEVERAL = re.compile(r"[\s:;]")
"""What separates several words in one: then it is a text for a shell, or a list of files."""
_PYTHON = "{python}"
_LONGEST_HEAD = 256
"""The bytes of a file in which the system looks for the name of an interpreter."""


def what_is_missing(command: BotCommand) -> str | None:
    """Return why a bot could not be built or started, as a sentence, or None if nothing seems to be missing.

    What a build makes is not looked for: only the build itself, and a program that is not in the folder.
    """
    try:
        return _missing(command, Path(command.folder))
    except OSError as error:
        return f"{error.filename} cannot be looked at: {error.strerror}"


def _missing(command: BotCommand, folder: Path) -> str | None:
    if not command.build:
        return _program(command.argv[0], folder) or _script(command.argv, folder)
    why = _program(command.build[0], folder) or _script(command.build, folder)
    if why is not None:
        return f"it cannot be built: {why}"
    made_here = "/" in command.argv[0] and not command.argv[0].startswith("/")
    return None if made_here else _program(command.argv[0], folder)


def _program(program: str, folder: Path) -> str | None:
    if program == _PYTHON:
        return None
    if "/" not in program:
        path = os.environ.get("PATH", os.defpath)
        return None if shutil.which(program, path=path) else f"there is no program {program} on this machine"
    file = folder / program
    if not file.is_file():
        return f"there is no program {program}{_inside(program, folder)}"
    if not _is_executable(file):
        return f"{program} is not executable: chmod +x {file}"
    return _interpreter(program, file)


def _is_executable(file: Path) -> bool:
    """Return whether the owner may execute it, for the copy that is run keeps only that."""
    return bool(file.stat().st_mode & stat.S_IXUSR)


def _interpreter(program: str, file: Path) -> str | None:
    """Return what is wrong with the interpreter that a script names in its first line."""
    with file.open("rb") as opened:
        head = opened.read(_LONGEST_HEAD).partition(b"\n")[0].decode("utf-8", "replace")
    named, *rest = head.removeprefix("#!").split() or [""]
    if not head.startswith("#!") or not named:
        return None
    # What `env` looks for is known only if it has no options.
    needed = rest[0] if Path(named).name == "env" and len(rest) == 1 else named
    return None if shutil.which(needed) else f"{program} needs {needed}, which is not on this machine"


def _script(words: tuple[str, ...], folder: Path) -> str | None:
    """Return that the first word that names a script names none."""
    for word in words[1:]:
        if word in _PROGRAM_NEXT:
            return None
        if not word.startswith("-") and not _SEVERAL.search(word) and Path(word).suffix in _SCRIPTS:
            found = (folder / word).exists()
            return None if found else f"there is no file {word}{_inside(word, folder)}"
    return None


def _inside(name: str, folder: Path) -> str:
    return "" if name.startswith("/") else f" in {folder}"
