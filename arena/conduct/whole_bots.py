"""Which bots of an open league are out with all their versions, and from when on a version is judged.

Evidence takes out a version, "duck@2"; the organiser takes out the bot, "duck", and with it every version.
It reads no database and judges no conduct: that is `disqualify`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from arena.conduct.disqualify import Ruling, disqualified
from arena.standings.entry_ids import bot_of

__all__ = ["MOST_VERSIONS_OUT", "whole_bots_out"]

MOST_VERSIONS_OUT = 3
"""The versions of a bot that evidence takes out before the bot is out as a whole, until it is reinstated."""


def whole_bots_out(rulings: Iterable[Ruling]) -> dict[str, Ruling]:
    """Return the bots of an open season that are out with all versions, later ones too, each with its ruling.

    `rulings`: all of the season, in the order in which they were made. A bot is out by the organiser's act,
    or because three of its versions are excluded since it was last reinstated. A version that was
    reinstated itself does not count. The ruling of such a bot is that of the last version, with its reason.
    """
    made = list(rulings)
    last_back = {ruling.bot: place for place, ruling in enumerate(made) if not ruling.out}
    of_bot: defaultdict[str, list[Ruling]] = defaultdict(list)
    out = disqualified(made)
    for entry, ruling in out.items():
        bot = bot_of(entry)
        if entry != bot and made.index(ruling) > last_back.get(bot, -1):
            of_bot[bot].append(ruling)
    found = {bot: ruling for bot, ruling in out.items() if bot == bot_of(bot)}
    for bot, versions in of_bot.items():
        if bot not in found and len(versions) >= MOST_VERSIONS_OUT:
            last = max(versions, key=made.index)
            why = f"{len(versions)} of its versions are excluded, the last one {last.bot}: {last.reason}"
            found[bot] = replace(last, bot=bot, reason=why)
    return found
