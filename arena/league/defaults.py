"""The defaults of league.toml that follow from something else: ids, rounds, folders.

It works on the values that TOML gave, which may still be of any type. What cannot be filled in is left for
the model to refuse. It may look at the disk for one thing only: which argument of a command is a file.

The default of a bot's `folder`: among the elements of `command` that are relative paths, those that name an
existing file, seen from the league file's folder. If that is exactly one file, its folder is the default,
and since commands run in the folder, the element becomes the bare file name there ("./name" when it is the
program itself). So these two are the same bot:

    command = ["{python}", "bots/duck/bot.py"]

    folder  = "bots/duck"
    command = ["{python}", "bot.py"]
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from arena.league.texts import slug

_ANY_ID = "bot"  # stands in where the real mistake is elsewhere, so that only that one is reported
_ANY_FOLDER = "bot"


def with_defaults(raw: Mapping[str, object], path: Path) -> dict[str, object]:
    """Return the sections of the league file at `path` with the derived defaults added.

    `raw` is not changed.
    """
    result = dict(raw)
    league = raw.get("league")
    if isinstance(league, dict):
        result["league"] = _league(league)
    bots = raw.get("bots")
    if isinstance(bots, list):
        result["bots"] = [_bot(bot, path.parent) if isinstance(bot, dict) else bot for bot in bots]
    return result


def _league(given: dict[str, object]) -> dict[str, object]:
    seats = given.get("seats")
    # As many rounds as seats, so that every seat deals once. Where seats is wrong itself, any valid number
    # will do: the model then reports seats alone.
    rounds = seats if isinstance(seats, int) and 3 <= seats <= 8 else 4
    return {"rounds": rounds, **given}


def _bot(given: dict[str, object], root: Path) -> dict[str, object]:
    result = dict(given)
    name, command = given.get("name"), given.get("command")
    if "id" not in given:
        own = slug(name) if isinstance(name, str) else _ANY_ID
        if own:
            result["id"] = own
    if "folder" not in given:
        if not isinstance(command, list) or not all(isinstance(word, str) for word in command):
            result["folder"] = _ANY_FOLDER
        else:
            result.update(_from_command(command, root))
    return result


def _from_command(command: list[str], root: Path) -> dict[str, object]:
    """Return the default folder and the command as it reads inside it; {} when no single file is named."""
    places = [at for at, word in enumerate(command) if _names_a_file(word, root)]
    files = {PurePosixPath(command[at]) for at in places}
    if len(files) != 1:
        return {}
    file = files.pop()
    words = list(command)
    for at in places:
        words[at] = file.name if at else f"./{file.name}"
    return {"folder": file.parent.as_posix(), "command": words}


def _names_a_file(word: str, root: Path) -> bool:
    if not word or not word.isprintable() or word.startswith("/"):
        return False
    try:
        return (root / word).is_file()
    except OSError:  # longer than any path can be
        return False
