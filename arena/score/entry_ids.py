"""The ids of entries of an open league: the bot and the number of its version, "duck@2".

In an open season this text stands wherever a closed season has the id of the bot: in seats, line-ups, scores.
It must not know what a version is made of.
"""

from __future__ import annotations

_BETWEEN = "@"
"""No id of a bot holds this character."""


def entry_id(bot: str, version: int) -> str:
    """Return the id of a bot's entry; versions of a bot are numbered from 1."""
    return f"{bot}{_BETWEEN}{version}"


def bot_of(entry: str) -> str:
    """Return the id of the bot of an entry. The id of a bot in a closed season is returned as it is."""
    return entry.partition(_BETWEEN)[0]


def version_of(entry: str) -> int:
    """Return the number of the version of an entry, from 1; 1 for the id of a bot in a closed season.

    Raises ValueError for a text that is neither.
    """
    number = entry.partition(_BETWEEN)[2] if _BETWEEN in entry else "1"
    if not number.isdecimal() or int(number) < 1:
        raise ValueError(f'no entry "{entry}": expected bot@number, as duck@2')
    return int(number)


def shown_name(name: str, version: int) -> str:
    """Return the name under which a version is shown and opponents are told: the first has the bot's own."""
    return name if version == 1 else f"{name} v{version}"
