"""What makes a version of a bot in an open league: all that decides how it plays, as one JSON text.

It reads no file and starts nothing. The digest of the text names the version, and a bot that is stored with
its text can be started again when its folder has long been changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from arena.league.model import BotSection
from arena.schedule import canonical_json

__all__ = ["started_by", "version_digest", "version_text"]

_KEYS = ("command", "build", "env", "threads")
_OWN_KEYS = ("memory_mib", "start_seconds", "fresh_process")


def version_text(bot: BotSection, folder_digest: str) -> str:
    """Return the canonical JSON of a bot's start: its folder's digest, command, build, environment, limits.

    A limit is null where the bot has none of its own: then it is that of the season, which never changes.
    """
    values = bot.model_dump(mode="json")
    return canonical_json({"digest": folder_digest, **{key: values[key] for key in (*_KEYS, *_OWN_KEYS)}})


def version_digest(text: str) -> str:
    """Return the lowercase hex SHA-256 of a version's text. Equal digests mean that the same bot plays."""
    return hashlib.sha256(text.encode()).hexdigest()


def started_by(bot: Mapping[str, str], text: str) -> BotSection:
    """Return the section by which a stored version is started.

    `bot`: its `id`, `name` and `folder`. `text`: what `version_text` returned for it. Raises ValueError for
    a text that is none.
    """
    stored: dict[str, Any] = json.loads(text)
    return BotSection.model_validate({**bot, **{key: stored[key] for key in (*_KEYS, *_OWN_KEYS)}})
