"""`bot.toml` in a bot's folder: how the bot is built and started, so that the folder alone names the bot.

The keys are those of `[[bots]]` in a league file. Which folders a league takes is `arena.league.entries`.
"""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from arena.errors import UsageError
from arena.league.model import BotSection
from arena.league.problems import invalid
from arena.league.texts import slug

BOT_FILE = "bot.toml"
"""The name of the file in a bot's folder."""

_BOTS = TypeAdapter(dict[str, list[BotSection]])
"""The model of the section as in a league file, so that problems are worded as there."""
_MOST_BYTES = 64 * 1024
"""The most that a bot.toml may hold. A stranger's folder may hold anything under that name."""
_HEAD = "# How this bot is built and started, for `arena check` and `play`; as in a league file.\n"


def read_bot_file(folder: Path, seen: str) -> BotSection:
    """Return the bot of `folder`. `seen` is the path of the folder to put into the section.

    Raises UsageError when the file cannot be read or is not valid.
    """
    path = folder / BOT_FILE
    told = read_keys(path, path)
    name = told.pop("name", folder.resolve().name)
    if "folder" in told or "id" in told:
        raise UsageError(f"{path}: remove folder and id: they follow from this folder and the name")
    return section_from({"name": name, "id": slug(str(name)) or "bot", "folder": seen, **told}, path)


def read_keys(path: Path, seen: Path) -> dict[str, object]:
    """Return the keys of a bot.toml. Raises UsageError, which names it `seen`, when it cannot be read."""
    try:
        # Not to wait for whoever may never write into what is a pipe.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UsageError(f"{seen}: not a file")
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                data = file.read(_MOST_BYTES + 1)
        finally:
            os.close(descriptor)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{seen}: holds more than {_MOST_BYTES:,} bytes")
        return tomllib.loads(data.decode("utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{seen}: there is no such file; it says how the bot is started") from None
    except OSError as error:
        raise UsageError(f"{seen}: cannot be read: {error.strerror}") from None
    # Among the ValueErrors are those of UTF-8 and TOML, and that of a number with too many digits.
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{seen}: not valid TOML: {error}") from None


def section_from(keys: Mapping[str, object], path: Path) -> BotSection:
    """Return the section of these keys of the file at `path`. UsageError if one is not valid."""
    try:
        return _BOTS.validate_python({"bots": [dict(keys)]})["bots"][0]
    except ValidationError as error:
        raise UsageError("\n".join(f"{path}: {one.path[-1]}: {one.text}" for one in invalid(error))) from None


def bot_file_text(name: str, command: Sequence[str], build: Sequence[str]) -> str:
    """Return the text of a bot.toml with these keys."""
    return _HEAD + "".join(f"{line}\n" for line in bot_keys(name, None, command, build))


def bot_keys(name: str, folder: str | None, command: Sequence[str], build: Sequence[str]) -> list[str]:
    """Return the lines of these keys, one for each key. With a folder, they fit a `[[bots]]` section."""
    keys: dict[str, object] = {"name": name, "folder": folder, "command": list(command), "build": list(build)}
    return [f"{key:<7} = {json.dumps(value)}" for key, value in keys.items() if value]
