"""What is meant by a bot or a session on the command line. Shows nothing."""

from __future__ import annotations

import re
from difflib import get_close_matches

from arena.errors import UsageError
from arena.match.stand_in import STAND_IN
from arena.store.views import SeasonView, SessionKey

__all__ = ["bot_from", "session_from"]

_PLACE = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")


def bot_from(season: SeasonView, given: str) -> str:
    """The id of a bot of the season, given by its id or name.

    UsageError, with the nearest id, when there is no such bot.
    """
    ids = {key: entry.bot for entry in season.entries for key in (entry.name.casefold(), entry.bot)}
    found = ids.get(given.casefold())
    if found is None:
        bots = [entry.bot for entry in season.entries if entry.bot != STAND_IN]
        near = get_close_matches(given.casefold(), bots, n=1)
        hint = f"did you mean {near[0]}?" if near else f"its bots are {', '.join(bots)}"
        raise UsageError(f"{given}: season {season.number} has no such bot; {hint}")
    return found


def session_from(season: SeasonView, given: str) -> SessionKey:
    """The place of a session, "0.3": cycle and index, both counted from 0. UsageError for what is none."""
    found = _PLACE.fullmatch(given)
    if found is None:
        raise UsageError(
            f"{given}: expected a session as CYCLE.INDEX, both counted from 0, such as 0.3; the pages name "
            "it beside each match"
        )
    cycle, index = int(found[1]), int(found[2])
    if index >= season.sessions_per_cycle:
        last = season.sessions_per_cycle - 1
        raise UsageError(f"{given}: a cycle of season {season.number} has the sessions 0 to {last}")
    return cycle, index
