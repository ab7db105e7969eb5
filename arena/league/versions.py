"""What makes a version of a bot in an open league: all that decides how it plays, as one JSON text.

It reads no file and starts nothing. Equal texts mean that the same bot plays. A bot that is stored with its
text can be started again when its folder has long been changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from arena.league.model import BotSection
from arena.schedule import canonical_json

_KEYS = ("command", "build", "threads")


def version_text(bot: BotSection, folder_digest: str) -> str:
    """Return the canonical JSON of a bot's start: its folder's digest, command, build, threads."""
    values = bot.model_dump(mode="json")
    return canonical_json({"digest": folder_digest, **{key: values[key] for key in _KEYS}})


def started_by(bot: Mapping[str, str], text: str) -> BotSection:
    """Return the section by which a stored version is started.

    `bot`: its `id`, `name` and `folder`. `text`: what `version_text` returned for it. Raises ValueError, in
    words, for a text that is none.
    """
    stored = _read(text)
    return BotSection.model_validate({**bot, **{key: stored[key] for key in _KEYS}})


def folder_digest_of(text: str) -> str:
    """Return the digest of the folder of a version, from its text. Raises as `started_by` does."""
    return str(_read(text)["digest"])


def _read(text: str) -> dict[str, Any]:
    try:
        stored = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    expected = {"digest", *_KEYS}
    if not isinstance(stored, dict) or stored.keys() != expected:
        raise ValueError(f"expected an object with the keys {', '.join(sorted(expected))}")
    return stored
