"""Completes the names of bots for the shell, from a league or from the samples. Changes nothing.

No mistake is shown, because the shell would take it for a name: then there is nothing to complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from click.shell_completion import CompletionItem

from arena.errors import ArenaError
from arena.league.given_bots import sample_names
from arena.match.stand_in import STAND_IN
from arena.score.entry_ids import bot_of

__all__ = ["any_bot", "bots_of_league"]


def bots_of_league(league: Path | str | None, begun: str) -> list[CompletionItem]:
    """Return the bots of a league whose id begins with what was typed; `league`: its path, if it is known."""
    return _items(_ids(league), begun)


def any_bot(league: Path | str | None, begun: str) -> list[CompletionItem]:
    """Return the samples and the bots of a league whose id begins so; the shell adds files and folders."""
    # The item for files comes first: the script for bash forgets what stands before it.
    return [CompletionItem(begun, type="file"), *_items({*sample_names(), *_ids(league)}, begun)]


def _items(names: Iterable[str], begun: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in sorted(names) if name.startswith(begun.lower())]


def _ids(league: Path | str | None) -> list[str]:
    """Return the ids of a league's bots: those of its newest season, else those of its file.

    Of an open league these are its bots, those in the folders of its entries too, and all versions.
    """
    if league is None:
        return []
    stored = _stored(league)
    found = {*stored, *_in_file(league, open_only=bool(stored))}
    return sorted(found | {bot_of(entry) for entry in found})


def _stored(league: Path | str) -> list[str]:
    from arena.cli.league_files import opened

    try:
        with opened(league) as found:
            return [entry.bot for entry in found.season.entries if entry.bot != STAND_IN]
    except (ArenaError, OSError):
        return []


def _in_file(league: Path | str, open_only: bool) -> list[str]:
    """Return the bots that are there now; `open_only`: none of a closed league, whose field is stored."""
    from arena.league import read_league
    from arena.league.entries import folders_of

    if isinstance(league, str):
        return []
    try:
        loaded = read_league(league)
    except (ArenaError, OSError):
        return []
    if open_only and not loaded.league.league.open:
        return []
    folders = folders_of(loaded.league, loaded.root)
    return [*(bot.id for bot in loaded.league.bots), *(folder.name for folder in folders)]
