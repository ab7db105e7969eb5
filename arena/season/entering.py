"""Puts a bot's folder among the entries of an open league, checked and whole. Starts nothing, stores nothing.

What is checked is what a run would refuse. Whether the bot starts is seen by a run, or by `arena check`.
"""

from __future__ import annotations

from pathlib import Path

from arena.bot.snapshot import copy_folder
from arena.errors import UsageError
from arena.league import texts
from arena.league.bot_file import BOT_FILE
from arena.league.entries import Refused, clash, entries_home, section_of_folder, sections
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.linux.folders import workshop

__all__ = ["enter_folder"]


def enter_folder(loaded: LoadedLeague, folder: Path, bot: str, replace: bool) -> BotSection:
    """Copy a bot's folder among the entries of an open league, and return the bot.

    `bot`: its id; empty for the name of the folder. `replace`: whether a folder of that id gives way. A run
    that looks on sees the old folder or the new one, or for a moment none, but never half of one.
    Raises UsageError for what a run would refuse, BotFolderError for a folder that cannot be copied.
    """
    home = entries_home(loaded)
    if home is None:
        raise UsageError(
            f'{loaded.path}: takes no folders: that needs [league] open = true and entries = "entries/*"'
        )
    own = _id(bot or folder.resolve().name)
    if not (folder / BOT_FILE).is_file():
        raise UsageError(f"{folder}: expected a bot's folder with a {BOT_FILE}; arena new makes one")
    target = home / own
    if target.exists() and folder.resolve() == target.resolve():
        raise UsageError(f"{folder}: is there already; it plays from the next stretch on")
    if target.exists() and not replace:
        raise UsageError(
            f"{target}: is there already. If it is the same bot, --replace enters its new version; if not, "
            "--id gives yours another id"
        )
    try:
        home.mkdir(parents=True, exist_ok=True)
        # Hidden, so that no run takes it for an entry; beside its place, so that it can be moved there.
        with workshop(".entering-", home) as making:
            copy = making / own
            copy_folder(folder, copy)
            _writable(copy)
            found = _checked(loaded, copy, str(target.relative_to(loaded.root)))
            if target.exists():
                target.rename(making / "replaced")
            copy.rename(target)
    except OSError as error:
        raise UsageError(f"{folder}: cannot be copied to {target}: {error}") from None
    return found


def _writable(folder: Path) -> None:
    """Let the owner change the files of a copy: it is a folder of entries like any other."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode | 0o200)


def _id(text: str) -> str:
    try:
        return texts.identifier(text)
    except ValueError:
        near = texts.slug(text)
        hint = f": --id {near}" if near else ""
        raise UsageError(f"{text}: an id is 1 to 40 of a-z, 0-9 and -; give another{hint}") from None


def _checked(loaded: LoadedLeague, copy: Path, seen: str) -> BotSection:
    """Return the bot of a copy that would lie at `seen`. UsageError if a run would refuse it."""
    one = section_of_folder(copy, seen)
    if isinstance(one, Refused):
        raise UsageError(one.reason)
    # The folder that gives way is no rival.
    others = [bot for bot in sections(loaded)[0] if bot.folder != seen]
    if (why := clash(one, others)) is not None:
        raise UsageError(why)
    return one
