"""What a bot sees of this machine's files: which paths are shown, read-only, and what is laid over them.

It answers with mounts and makes none. What is not shown does not exist in the sandbox: no home, no
/etc but what loaders and runtimes read, no other bot, no database.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import arena
import protocol

_ETC = Path(__file__).with_name("etc")
_SYSTEM = ("bin", "lib", "lib32", "lib64", "libx32", "sbin", "usr")
_OF_ETC = ("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "ssl/certs/java")
_ETC_PATTERNS = ("java*", "jvm*", "mono", "php", "perl", "lua*", "gcrypt", "fonts")
"""The places where Debian keeps parts of runtimes: a Java without its /etc/java-17-openjdk does not start."""
_OF_PYTHON = ("bin", "lib", "lib64", "pyvenv.cfg")
"""Parts of a Python's prefix.

The whole prefix may be the folder of the league, with a virtual environment in it.
"""
_ASK_SECONDS = 10.0
_NEVER_WHOLE = (Path("/"), Path("/home"), Path("/root"), Path("/var"), Path("/etc"), Path("/tmp"))  # noqa: S108


class MountKind(StrEnum):
    """The kinds of mount; the value is the option of bubblewrap that makes it."""

    SHOW = "--ro-bind"
    WRITE = "--bind"
    LINK = "--symlink"
    HIDE = "--tmpfs"


@dataclass(frozen=True, slots=True)
class Mount:
    """One thing at `path`. `source`: the path outside, or the text of a link; nothing for HIDE."""

    kind: MountKind
    path: Path
    source: str = ""


def mounts(shown: Iterable[Path], hidden: Iterable[Path]) -> list[Mount]:
    """Return the mounts of the system's folders and `shown`, less `hidden`, in the order of mounting."""
    found = {mount.path: mount for mount in _system()}
    for path in shown:
        if not _covered(path, found.values()):
            found.setdefault(path, Mount(MountKind.SHOW, path, str(path)))
    for path in hidden:
        if _covered(path, found.values()) and path.exists():
            # A folder is hidden behind an empty one, a file behind an empty file.
            folder = path.is_dir()
            found[path] = Mount(
                MountKind.HIDE if folder else MountKind.SHOW, path, "" if folder else os.devnull
            )
    # Deeper paths come later: so a path that is shown lies open inside one that is hidden, and the other way
    # about.
    return sorted(found.values(), key=lambda mount: len(mount.path.parts))


def _covered(path: Path, by: Iterable[Mount]) -> bool:
    return any(
        mount.kind is MountKind.SHOW and path != mount.path and path.is_relative_to(mount.path)
        for mount in by
    )


@cache
def _system() -> tuple[Mount, ...]:
    return tuple(_of_system())


def _of_system() -> Iterator[Mount]:
    for name in _SYSTEM:
        path = Path("/", name)
        if path.is_symlink():
            yield Mount(MountKind.LINK, path, str(path.readlink()))
        elif path.is_dir():
            yield Mount(MountKind.SHOW, path, str(path))
    etc = Path("/etc")
    for path in (*(etc / name for name in _OF_ETC), *(p for x in _ETC_PATTERNS for p in sorted(etc.glob(x)))):
        if path.exists():
            yield Mount(MountKind.SHOW, path, str(path))
    for own in sorted(_ETC.iterdir()):
        yield Mount(MountKind.SHOW, etc / own.name, str(own))


@cache
def interpreter_paths() -> tuple[Path, ...]:
    """Return what "{python}" needs: the interpreter with its libraries, and the packages of the arena.

    The packages are `arena` and `protocol`, with the module `papayoo_bot` beside them, and never the folder
    above them: with an editable installation that is the repository.
    """
    paths = [
        Path(prefix, name)
        for prefix in dict.fromkeys((sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix))
        for name in _OF_PYTHON
    ]
    paths += _hops(Path(sys.executable))
    paths += [Path(module.__file__).parent for module in (arena, protocol) if module.__file__ is not None]
    paths.append(Path(arena.__file__).parents[1] / "papayoo_bot.py")
    return tuple(dict.fromkeys(path for path in paths if path.exists()))


def find_program(name: str, folder: Path, path: str) -> Path | None:
    """Return the file that a command names, or None if there is none.

    With a slash the name is below the folder or absolute; else the PATH is searched.
    """
    if "/" in name:
        return folder / name if (folder / name).exists() else None
    found = shutil.which(name, path=path)
    return None if found is None else _real_program(Path(found).absolute())


@cache
def _real_program(program: Path) -> Path:
    """Return the program that a proxy of rustup stands for, and any other program as it is.

    The proxy looks for the toolchain in the home, which bots do not have.
    """
    if program.resolve().name != "rustup" or program.name == "rustup":
        return program
    asked = [str(program.resolve()), "which", program.name]
    try:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=_ASK_SECONDS, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return program
    return Path(told.strip())


def program_paths(program: Path) -> tuple[Path, ...]:
    """Return what must be shown for a program outside of its bot's folder: its installation, if any.

    Without an installation only the program itself is shown. An installation is the folder above the
    program's `bin`, if it has libraries or an environment's pyvenv.cfg and is nobody's home; for a shim of
    pyenv and its like, the folder above `shims`.
    """
    real = program.resolve()
    found = [root for hop in (*_hops(program), real) if (root := _installation(hop)) is not None]
    return tuple(dict.fromkeys((*found, *_hops(program), real)))


def _installation(program: Path) -> Path | None:
    folder, root = program.parent, program.parent.parent
    whole = folder.name == "shims" or (
        folder.name in {"bin", "sbin"}
        and any((root / name).exists() for name in ("lib", "lib64", "libexec", "share", "pyvenv.cfg"))
    )
    # A home or ~/.local holds more than programs, so only the program itself is shown of it.
    private = root in _NEVER_WHOLE or home().is_relative_to(root) or root.name == ".local"
    return root if whole and not private else None


def home() -> Path:
    """Return the home of the user who runs the arena.

    It is the root where there is none, as for a user without a name.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


def _hops(program: Path) -> list[Path]:
    """Return the program and everything it links to, one after another, each as it is written."""
    hops = [program]
    # The kernel follows no more than 40 links either.
    while hops[-1].is_symlink() and len(hops) < 40:
        hops.append(hops[-1].parent / hops[-1].readlink())
    return hops


def seen_path(path: str, view: Iterable[Mount]) -> str:
    """Return the folders of a PATH that are shown; the others would only tell the organiser's habits."""
    shown = [mount.path for mount in view if mount.kind in {MountKind.SHOW, MountKind.LINK}]
    folders = [folder for folder in path.split(":") if folder.startswith("/")]
    return ":".join(
        folder for folder in folders if any(Path(folder).is_relative_to(place) for place in shown)
    )
