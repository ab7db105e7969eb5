"""Folders of bots: those that `entries` names, each with its bot.toml, and those that `[[bots]]` names.

A stranger's folder may say how its bot is built and started, and what it is called. It cannot grant itself
anything else: cores, memory, time, a house role or another bot's id are for `[[bots]]` in the league file. So
is a program elsewhere on this machine, because a sandbox shows what is installed beside a program.

It reads bot.toml and copies nothing. Only a run asks whether folders are there: whoever looks at a league
that was played does not need them any more.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import normpath
from pathlib import Path, PurePosixPath

from arena.errors import UsageError
from arena.league import texts
from arena.league.bot_file import BOT_FILE, read_keys, section_from
from arena.league.house import is_house
from arena.league.model import BotSection, League
from arena.league.problems import nearest
from arena.match.stand_in import STAND_IN

_ALLOWED = ("name", "author", "command", "build")
_SYSTEM = ("/usr/", "/bin/")
"""Where any bot may name programs by their paths: the sandbox shows all of it anyway."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A bot, a version or a folder that does not play, and why. `bot`: the id that it has or would have."""

    bot: str
    reason: str


def sections(
    league: League, root: Path, known: Collection[str] = ()
) -> tuple[list[BotSection], list[Waiting]]:
    """Return the bots that a league has now: those of its sections, then those of its folders by their names.

    `root`: the folder of the league file. `known`: the ids of bots that are known already, and come before
    new ones. A folder that a section names is that section's bot. What is refused costs nobody else anything.
    An id, and a name, belongs to the first that has it.
    """
    found = list(league.bots)
    refused: list[Waiting] = []
    named = {normpath(bot.folder) for bot in found}
    for folder in sorted(folders_of(league, root), key=lambda folder: folder.name not in known):
        seen = str(folder.relative_to(root))
        if normpath(seen) in named:
            continue
        one = section_of_folder(folder, seen)
        why = None if isinstance(one, Waiting) else _clash(one, found)
        if isinstance(one, Waiting):
            refused.append(one)
        elif why is not None:
            refused.append(Waiting(one.id, why))
        else:
            found.append(one)
    return found, refused


def folders_of(league: League, root: Path) -> list[Path]:
    """Return the folders that `entries` names, by name.

    Hidden ones, as of an editor, are none, nor is what Python leaves behind of a bot that moved away.
    """
    if league.league.entries is None:
        return []
    try:
        inside = sorted((root / league.league.entries.removesuffix("/*")).iterdir())
    except OSError:
        return []
    return [path for path in inside if not path.name.startswith((".", "__")) and _is_folder(path)]


def _is_folder(path: Path) -> bool:
    """Return whether a path is a folder that does not hold the cache of Python alone."""
    try:
        return path.is_dir() and [one.name for one in path.iterdir()] != ["__pycache__"]
    except OSError:
        return True  # whoever reads it says why that cannot be done


def section_of_folder(folder: Path, seen: str) -> BotSection | Waiting:
    """Return the bot of a folder, or why there is none. `seen`: its path as a league file has it."""
    try:
        own = texts.identifier(folder.name)
    except ValueError:
        return Waiting(folder.name, f"{seen}: an id is 1 to 40 of a-z, 0-9 and -; rename the folder")
    path = Path(seen) / BOT_FILE
    try:
        if folder.is_symlink():
            return Waiting(own, f"{seen}: a link; put the folder itself here")
        keys = read_keys(folder / BOT_FILE, path)
        for key in keys:
            if key not in _ALLOWED:
                return Waiting(own, f"{path}: {key}: {_not_here(key)}")
        section = section_from({"name": own, **keys, "id": own, "folder": seen}, path)
    except UsageError as error:
        return Waiting(own, str(error))
    except OSError as error:  # the folder that holds it may not be looked into
        return Waiting(own, f"{seen}: cannot be read: {error.strerror}")
    for key, words in (("command", section.command), ("build", section.build)):
        if words and _lies_elsewhere(words[0]):
            return Waiting(own, f"{path}: {key}: {words[0]}: {_ELSEWHERE}")
    return section


_ELSEWHERE = "only the league file may name a program outside of the bot's folder by its path; give its name"


def _lies_elsewhere(program: str) -> bool:
    """Return whether the path of a program leads neither into the bot's folder nor to the system."""
    path = normpath(program)
    return path.startswith("../") or (path.startswith("/") and not path.startswith(_SYSTEM))


def _not_here(key: str) -> str:
    if key in BotSection.model_fields:
        return "only the league file may say this of a bot; remove it"
    return f"unknown key{nearest(key, _ALLOWED)}"


def _clash(one: BotSection, found: list[BotSection]) -> str | None:
    """Return why a bot cannot have its id and name beside these; None if it can."""
    if one.id == STAND_IN:
        return f'"{STAND_IN}" is what plays for bots that fail; rename the folder {one.folder}'
    if is_house(one.id):
        return f"{one.folder}: house-1, house-2, ... are the arena's own bots; rename the folder"
    if is_house(texts.slug(one.name)):
        return f"{one.folder}: {one.name} is an arena's own bot; choose another name in {BOT_FILE}"
    for other in found:
        if other.id == one.id:
            return f"{one.folder}: the id {one.id} belongs to the bot in {other.folder}"
        if texts.folded(other.name) == texts.folded(one.name):
            return f"{one.folder}: the name {one.name} belongs to {other.id}; choose another in {BOT_FILE}"
    return None


def missing_folder(folder: str, root: Path) -> str:
    """Return why `folder` is no folder below `root`, with the nearest one; empty if it is one."""
    path = root / folder
    try:
        if path.is_dir():
            return ""
        if path.exists():
            return f'"{folder}" is a file; expected the folder that holds the bot\'s files'
        names = [beside.name for beside in path.parent.iterdir() if beside.is_dir()]
    except OSError:  # it is too long, or there is nothing near it
        names = []
    near = get_close_matches(path.name, names, n=1)
    hint = f'; did you mean "{PurePosixPath(folder).parent / near[0]}"?' if near else ""
    return f'there is no folder "{folder}" beside this file{hint}'
