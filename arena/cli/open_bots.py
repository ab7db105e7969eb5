"""Finds the bot of an open league that somebody named: by its id, its name, or the folder of its entry.

A bot may be named before it has played: when its folder is there. Must not change anything. Modules that
define commands must not import this at their top: it imports the store.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from arena.cli.league_files import is_database
from arena.errors import UsageError
from arena.league import read_league
from arena.league.entries import sections
from arena.league.house import is_house
from arena.league.reader import LoadedLeague
from arena.score.entry_ids import bot_of, shown_name, version_of
from arena.store.views import Entry, SeasonView

__all__ = ["bot_meant", "bots_known", "open_league_of", "version_meant"]


def open_league_of(path: Path | str) -> LoadedLeague | None:
    """Return the open league of a league file; None for a database, or for a closed league."""
    if isinstance(path, str) or is_database(path):
        return None
    loaded = read_league(path)
    return loaded if loaded.league.league.open else None


def bots_known(loaded: LoadedLeague | None, season: SeasonView | None) -> dict[str, str]:
    """Return the names of an open league's bots by id: those that ever came, and those that are there now.

    A bot whose folder is refused has its id as its name.
    """
    found: dict[str, str] = {}
    for entry in _versions(season):
        found[bot_of(entry.bot)] = entry.name.removesuffix(shown_name("", version_of(entry.bot)))
    if loaded is not None:
        there, refused = sections(loaded.league, loaded.root)
        for one in refused:
            found.setdefault(one.bot, one.bot)
        found.update((bot.id, bot.name) for bot in there)
    return found


def _versions(season: SeasonView | None) -> Iterable[Entry]:
    entries = () if season is None else season.entries
    return [entry for entry in entries if not is_house(bot_of(entry.bot))]


def bot_meant(known: dict[str, str], given: str) -> str:
    """Return the id of the bot that has this id or name.

    UsageError, with the nearest id, if there is none, and where a version is named instead of a bot.
    """
    by_name = {name.casefold(): bot for bot, name in known.items()} | {bot: bot for bot in known}
    text = given.casefold()
    if text in by_name:
        return by_name[text]
    if (bot := bot_of(text)) != text and bot in known:
        raise UsageError(f"{given} is a version; this is done to a bot with all its versions: {bot}")
    near = get_close_matches(text, known, n=1)
    there = f"its bots are {', '.join(sorted(known))}" if known else "it has no bot yet"
    hint = f"did you mean {near[0]}?" if near else there
    raise UsageError(f"{given}: this open league has no such bot; {hint}")


def version_meant(season: SeasonView, given: str) -> str | None:
    """Return the id of the version "duck@2" if that is what is named, by its id or its name; else None.

    The name of a first version is that of its bot, so it names the bot.
    """
    text = given.casefold()
    for entry in _versions(season):
        if text == entry.bot or (text == entry.name.casefold() and version_of(entry.bot) > 1):
            return entry.bot
    return None
