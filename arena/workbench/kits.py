"""Kits: a folder for each language, from which `arena new` makes the folder of a new bot. Starts nothing.

A kit is `bots/kits/<lang>/` with its `kit.toml`; tests/kits/README.md says what one has to hold.
"""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import cast

from arena.errors import UsageError
from arena.league.bot_file import BOT_FILE, bot_file_text
from arena.league.given_bots import sample_names

__all__ = ["Kit", "Need", "cure", "find_kit", "kits", "lacking", "make_bot"]

_ABOUT = "kit.toml"
_MARK = "@NAME@"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9_-])?")
"""Names that are safe in a string literal of any language, and as a folder."""


@dataclass(frozen=True, slots=True)
class Need:
    """A program that building or running takes, and the package of Debian 12 that has it."""

    program: str
    package: str


@dataclass(frozen=True, slots=True)
class Kit:
    """One language. `edit` and `protocol` name files of `folder`; commands are as in a league file."""

    lang: str
    title: str
    command: tuple[str, ...]
    build: tuple[str, ...]
    edit: str
    protocol: str
    needs: tuple[Need, ...]
    folder: Path


def kits() -> tuple[Kit, ...]:
    """Every kit there is, by language."""
    folder = Path(str(files("arena"))).parent / "bots" / "kits"  # not asked of `bots`: see `house_folder`
    return tuple(_read(about) for about in sorted(folder.glob(f"*/{_ABOUT}")))


def find_kit(lang: str) -> Kit:
    """The kit of a language: its id, its title, or the ending of its files, as in "cpp", "C++" or "rs".

    Raises UsageError with the nearest right one.
    """
    known = kits()
    wanted = lang.casefold()
    for kit in known:
        if wanted in _words(kit):
            return kit
    near = get_close_matches(wanted, [word for kit in known for word in _words(kit)], n=1, cutoff=0.5)
    meant = next((kit.lang for kit in known if near and near[0] in _words(kit)), None)
    hint = f"did you mean {meant}?" if meant else f"there are {', '.join(kit.lang for kit in known)}"
    raise UsageError(f"no kit for {lang or repr(lang)}; {hint}")


def _words(kit: Kit) -> tuple[str, ...]:
    return kit.lang, kit.title.casefold(), kit.edit.rpartition(".")[2]


def lacking(kit: Kit) -> tuple[Need, ...]:
    """What this machine does not have of what the kit needs."""
    return tuple(need for need in kit.needs if shutil.which(need.program) is None)


def cure(kit: Kit) -> str:
    """The command that installs what this machine lacks for the kit, in Debian 12."""
    return f"apt install {' '.join(dict.fromkeys(need.package for need in lacking(kit)))}"


def make_bot(kit: Kit, name: str, folder: Path) -> None:
    """Make a bot of that name from a kit in `folder`, which may exist if it is empty.

    Raises UsageError when the name cannot be one, or the folder cannot be written.
    """
    _check_name(name)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: exists already; take another name, or remove it")
        folder.mkdir(exist_ok=True)
        for source in sorted(kit.folder.rglob("*")):
            if source.name != _ABOUT and "__pycache__" not in source.parts:
                _copy(source, folder / source.relative_to(kit.folder), name)
        (folder / BOT_FILE).write_text(bot_file_text(name, kit.command, kit.build), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{error.filename or folder}: {error.strerror}") from None


def _check_name(name: str) -> None:
    if "/" in name or "\\" in name:
        raise UsageError(f"{name}: a name, not a path; the folder is made here, in the current folder")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r}: a name is 1 to 40 of A-Z a-z 0-9 space - _ . and begins with a letter or digit"
        )
    if name in sample_names():
        raise UsageError(f"{name}: is the name of a sample bot; take another")


def _copy(source: Path, target: Path, name: str) -> None:
    if source.is_dir():
        target.mkdir()
        return
    target.write_bytes(source.read_bytes().replace(_MARK.encode(), name.encode()))


def _read(about: Path) -> Kit:
    """The kit of a kit.toml, which is ours: a key that is missing is a mistake of ours."""
    told: Mapping[str, object] = tomllib.loads(about.read_text(encoding="utf-8"))
    needs = cast("list[dict[str, str]]", told.get("needs", []))
    return Kit(
        lang=about.parent.name,
        title=cast("str", told["title"]),
        command=tuple(cast("list[str]", told["command"])),
        build=tuple(cast("list[str]", told.get("build", []))),
        edit=cast("str", told["edit"]),
        protocol=cast("str", told["protocol"]),
        needs=tuple(Need(need["program"], need["package"]) for need in needs),
        folder=about.parent,
    )
