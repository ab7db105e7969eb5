"""Kits: a folder for each language, from which `arena new` makes the folder of a new bot. Starts nothing.

A kit is `bots/kits/<lang>/` with its `kit.toml`; tests/kits/README.md says what a kit has to contain.
A template is another kit of a language, `bots/templates/<template>/`: the files of a sample bot, and its own.
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

_ABOUT = "kit.toml"
_MARK = "@NAME@"
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9_-])?")
"""The names that are safe in a string literal of any language and as the name of a folder."""


@dataclass(frozen=True, slots=True)
class Need:
    """A program that is needed to build or run a bot, and the package of Debian 12 that contains it."""

    program: str
    package: str


@dataclass(frozen=True, slots=True)
class Kit:
    """One language. `edit` and `protocol` name files of the bot; commands are as in a league file.

    template: the name of the template, "" for the kit of the language. base: the folder of the sample bot
    whose files a template takes. mark: what stands for the bot's name in them.
    """

    lang: str
    title: str
    command: tuple[str, ...]
    build: tuple[str, ...]
    edit: str
    protocol: str
    needs: tuple[Need, ...]
    folder: Path
    template: str = ""
    base: Path | None = None
    mark: str = _MARK


def kits() -> tuple[Kit, ...]:
    """Return every kit, in the order of the languages."""
    return tuple(_read(about) for about in sorted(_bots().glob(f"kits/*/{_ABOUT}")))


def templates() -> tuple[Kit, ...]:
    """Return every template, in the order of their names."""
    return tuple(_read(about) for about in sorted(_bots().glob(f"templates/*/{_ABOUT}")))


def _bots() -> Path:
    # Not asked of the package `bots`, for the reason that `house_folder` gives.
    return Path(str(files("arena"))).parent / "bots"


def find_kit(lang: str, template: str = "") -> Kit:
    """Return the kit of a language, given by id, title or file ending, as in "cpp", "C++" or "rs".

    `template`: another kit of that language. Raises UsageError with the nearest name that exists.
    """
    kit = _of_language(lang)
    if not template:
        return kit
    for other in templates():
        if (other.lang, other.template) == (kit.lang, template.casefold()):
            return other
    there = ", ".join(f"--lang {other.lang} --template {other.template}" for other in templates())
    raise UsageError(f"no template {template} for {kit.lang}; there is {there}")


def _of_language(lang: str) -> Kit:
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
    """Return the programs that the kit needs and this machine does not have."""
    return tuple(need for need in kit.needs if shutil.which(need.program) is None)


def cure(kit: Kit) -> str:
    """Return the command of Debian 12 that installs what this machine lacks for the kit."""
    return f"apt install {' '.join(dict.fromkeys(need.package for need in lacking(kit)))}"


def make_bot(kit: Kit, name: str, folder: Path) -> None:
    """Make a bot named `name` from a kit, in `folder`, which may exist if it is empty.

    Raises UsageError when the name is not allowed, or the folder cannot be written.
    """
    _check_name(name)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UsageError(f"{folder}: exists already; take another name, or remove it")
        folder.mkdir(exist_ok=True)
        if kit.base is not None:
            _copy_all(kit.base, folder, kit.mark, name)
        _copy_all(kit.folder, folder, _MARK, name)
        if not (folder / kit.protocol).exists():  # Python's lies beside the arena: sample bots import it
            shutil.copyfile(_bots().parent / kit.protocol, folder / kit.protocol)
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


def _copy_all(folder: Path, target: Path, mark: str, name: str) -> None:
    for source in sorted(folder.rglob("*")):
        if source.name != _ABOUT and "__pycache__" not in source.parts:
            _copy(source, target / source.relative_to(folder), mark, name)


def _copy(source: Path, target: Path, mark: str, name: str) -> None:
    if source.is_dir():
        target.mkdir()
        return
    data = source.read_bytes()
    # What is no text, such as the weights of a network, stays as it is.
    target.write_bytes(data if b"\0" in data else data.replace(mark.encode(), name.encode()))


def _read(about: Path) -> Kit:
    """Return the kit of a kit.toml."""
    # Not validated: the file belongs to the arena, so a missing key is a mistake in the arena itself.
    told: Mapping[str, object] = tomllib.loads(about.read_text(encoding="utf-8"))
    base = cast("str | None", told.get("base"))
    needs = cast("list[dict[str, str]]", told.get("needs", []))
    return Kit(
        lang=cast("str", told.get("lang", about.parent.name)),
        title=cast("str", told["title"]),
        command=tuple(cast("list[str]", told["command"])),
        build=tuple(cast("list[str]", told.get("build", []))),
        edit=cast("str", told["edit"]),
        protocol=cast("str", told["protocol"]),
        needs=tuple(Need(need["program"], need["package"]) for need in needs),
        folder=about.parent,
        template=about.parent.name if base else "",
        base=_bots() / base if base else None,
        mark=cast("str", told.get("mark", _MARK)),
    )
