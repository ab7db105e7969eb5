"""`bot.toml` in a bot's folder: how the bot is built and started, so that the folder alone names the bot.

The keys are those of `[[bots]]` in a league file. A league does not read `bot.toml`: the league file has
these keys itself.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from arena.errors import UsageError
from arena.league.model import BotSection
from arena.league.problems import invalid
from arena.league.texts import slug

__all__ = ["BOT_FILE", "bot_file_text", "bot_keys", "read_bot_file"]

BOT_FILE = "bot.toml"
"""The name of the file in a bot's folder."""

_BOTS = TypeAdapter(dict[str, list[BotSection]])
"""The model of the section as in a league file, so that problems are worded as there."""
_HEAD = "# How this bot is built and started, for `arena check`, `play` and `bench`; as in a league file.\n"


def read_bot_file(folder: Path, seen: str) -> BotSection:
    """Return the bot of `folder`. `seen` is the path of the folder to put into the section.

    Raises UsageError when the file cannot be read or is not valid.
    """
    path = folder / BOT_FILE
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}") from None
    name = told.pop("name", folder.resolve().name)
    if "folder" in told or "id" in told:
        raise UsageError(f"{path}: remove folder and id: they follow from this folder and the name")
    bot = {"name": name, "id": slug(str(name)) or "bot", "folder": seen, **told}
    try:
        return _BOTS.validate_python({"bots": [bot]})["bots"][0]
    except ValidationError as error:
        raise UsageError("\n".join(f"{path}: {one.path[-1]}: {one.text}" for one in invalid(error))) from None


def bot_file_text(name: str, command: Sequence[str], build: Sequence[str]) -> str:
    """Return the text of a bot.toml with these keys."""
    return _HEAD + "".join(f"{line}\n" for line in bot_keys(name, None, command, build))


def bot_keys(name: str, folder: str | None, command: Sequence[str], build: Sequence[str]) -> list[str]:
    """Return the lines of these keys, one for each key. With a folder, they fit a `[[bots]]` section."""
    keys: dict[str, object] = {"name": name, "folder": folder, "command": list(command), "build": list(build)}
    return [f"{key:<7} = {json.dumps(value)}" for key, value in keys.items() if value]
