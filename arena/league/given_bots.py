"""Bots as they are named on a command line: a bot of a league file, a sample, a file, a folder or a command.

It looks at the disk to find what is meant; it starts and copies nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from arena.errors import UsageError
from arena.league.bot_file import BOT_FILE, read_bot_file
from arena.league.defaults import with_defaults
from arena.league.fieldtypes import Name
from arena.league.house import house_folder
from arena.league.model import BotSection
from arena.league.problems import described, invalid
from arena.league.reader import LoadedLeague
from arena.league.texts import NAME_LENGTH, PYTHON, folded, slug

_NAMES: TypeAdapter[str] = TypeAdapter(Name)
_RUN_BY = {".py": PYTHON, ".js": "node"}
"""The program that runs a file of that ending. A file of any other ending must be a program itself."""
_LONGEST = 36
"""The number of characters of a name that are kept when a number is added."""
_LONGEST_PATH = 250
"""The length from which a text can only be a command: the system refuses such file names."""


def find_bots(given: Iterable[str], league: LoadedLeague | None, root: Path) -> list[BotSection]:
    """Return the bots that are meant, in order. Their folders are written as seen from `root`.

    Each text is [NAME=]BOT, and BOT is, in this order: the id or name of a bot of `league`; the name of a
    sample bot; a file; a folder with a bot.toml, or with one program; a command, which is several words.
    Names and ids are made unique: the same bot given twice is "Duck" and "Duck 2". Raises UsageError for a
    text that is none of these, with similar names.
    """
    bots: list[BotSection] = []
    taken: set[str] = set()
    for text in given:
        name, bot = _found(text, league, root)
        own = next(word for word in _numbered(name or bot.name) if not {folded(word), slug(word)} & taken)
        if not slug(own):
            raise UsageError(f"{text}: no id can be made from the name {own!r}; use letters or digits")
        taken |= {folded(own), slug(own)}
        bots.append(bot.model_copy(update={"name": own, "id": slug(own)}))
    return bots


def sample_names() -> list[str]:
    """Return the names of the sample bots in Python, which need nothing but the arena itself."""
    return sorted(_samples())


def _samples() -> dict[str, Path]:
    """Return the folders of the sample bots in Python by their names."""
    return {file.parent.name: file.parent for file in house_folder().parents[1].glob("python*/*/bot.py")}


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name[:_LONGEST]} {number}"
        number += 1


def _found(text: str, league: LoadedLeague | None, root: Path) -> tuple[str, BotSection]:
    name, equals, rest = text.partition("=")
    # A path or an option of a command may hold "=" itself; a name holds no "/" and no option.
    if not equals or "/" in name or " --" in name or not rest:
        name, rest = "", text
    if name:
        name = name.strip() or name
        _check_name(name)
    bot = _of_league(rest, league, root) or _of_disk(rest, name, root)
    if bot is None:
        raise UsageError(_unknown(rest, league))
    return name, bot


def _check_name(name: str) -> None:
    """Raise UsageError for a name that a league file may not give, such as one of spaces."""
    try:
        _NAMES.validate_python(name)
    except ValidationError as error:
        why = error.errors(include_url=False)[0]
        because = f" ({why['ctx']['error']})" if why["type"] == "value_error" else ""
        most = f"a text of 1 to {NAME_LENGTH} visible characters{because}"
        raise UsageError(f"a bot's name: expected {most}, got {described(name)}") from None


def _of_league(text: str, league: LoadedLeague | None, root: Path) -> BotSection | None:
    if league is None:
        return None
    for bot in league.league.bots:
        if text == bot.id or folded(text) == folded(bot.name):
            return bot.model_copy(update={"folder": _seen_from(root, league.root / bot.folder)})
    return None


def _of_disk(text: str, name: str, root: Path) -> BotSection | None:
    """Return the bot of a sample, a file, a folder, or a command of several words; None if it is none."""
    path = _samples().get(text) or Path(text).expanduser()
    if len(text) < _LONGEST_PATH and path.is_file():
        return _bot(name or _named(path), path.parent, _command(path), root)
    if len(text) < _LONGEST_PATH and path.is_dir():
        if (path / BOT_FILE).is_file():
            bot = read_bot_file(path, _seen_from(root, path))
            return bot.model_copy(update={"name": name}) if name else bot
        main = _main_file(path)
        return _bot(name or path.resolve().name, path, _command(main), root)
    words = _words(text)
    return _of_command(words, name, root) if len(words) > 1 else None


def _named(path: Path) -> str:
    """Return the name of a file's bot: its folder's name for the usual file names, else its own."""
    resolved = path.resolve()
    return (
        resolved.parent.name if resolved.stem in {"bot", "main"} and resolved.parent.name else resolved.stem
    )


def _main_file(folder: Path) -> Path:
    """Return the file to run of a folder: bot.* or main.* that can be run, or the only program in it."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    usual = [file for file in files if file.stem in {"bot", "main"} and _can_run(file)]
    programs = [file for file in files if _can_run(file)]
    for found in (usual, programs):
        if len(found) == 1:
            return found[0]
    if programs:
        raise UsageError(
            f"{folder}: several programs in this folder; name the file to run, such as {programs[0]}"
        )
    likeliest = next((file for file in files if file.stem in {"bot", "main"}), folder / "bot.py")
    raise UsageError(f"{folder}: no program in this folder; {_cure(likeliest)}")


def _cure(file: Path) -> str:
    """Return how a file can be named as a bot that cannot be run as it is."""
    if file.suffix in _RUN_BY:
        return f"name the file to run, such as {file}"
    return f"chmod +x {file}, or give the whole command in quotes, such as 'PROGRAM {file}'"


def _can_run(file: Path) -> bool:
    return file.suffix in _RUN_BY or os.access(file, os.X_OK)


def _command(file: Path) -> tuple[str, ...]:
    """Return the command that runs a file in its own folder."""
    if file.suffix in _RUN_BY:
        return (_RUN_BY[file.suffix], file.name)
    if not os.access(file, os.X_OK):
        if (file.parent / BOT_FILE).is_file():
            raise UsageError(f"{file}: give its folder, {file.parent}, which says how the bot is started")
        raise UsageError(
            f"{file}: neither Python (.py) nor JavaScript (.js), and not executable; {_cure(file)}"
        )
    return (f"./{file.name}",)


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{text}: no command: {error}") from None


def _of_command(words: Sequence[str], name: str, root: Path) -> BotSection:
    """Return the bot of a command of several words. Its folder is that of the one file among them."""
    here = Path.cwd()
    raw = {"name": name or "bot", "command": _seen_from_here(words, here)}
    filled = with_defaults({"bots": [raw]}, here / "league.toml")["bots"]
    assert isinstance(filled, list)
    folder = filled[0].get("folder")
    if not isinstance(folder, str):
        files = [word for word in words if _is_file(here / word)]
        found = f"there are {', '.join(files)}" if files else "there is none"
        raise UsageError(
            f"{shlex.join(words)}: exactly one word of a command has to be an existing file, the bot's; "
            f"{found}"
        )
    command, place = tuple(filled[0]["command"]), here / folder
    own = name or _named(next(place / word for word in reversed(command) if _is_file(place / word)))
    return _bot(own, place, command, root)


def _seen_from_here(words: Sequence[str], here: Path) -> list[str]:
    """Return the command with the absolute paths of files made relative, as a league file has to have them.

    The path of an interpreter, the first word before another file, stays.
    """
    files = [_is_file(here / word) for word in words]
    files[0] = files[0] and not any(files[1:])
    return [
        os.path.relpath(word, here) if is_file and word.startswith("/") else word
        for word, is_file in zip(words, files, strict=True)
    ]


def _is_file(path: Path) -> bool:
    """Return whether a word of a command, which may be a whole program, is the path of a file."""
    try:
        return path.is_file()
    except OSError:  # longer than any path can be
        return False


def _bot(name: str, folder: Path, command: tuple[str, ...], root: Path) -> BotSection:
    _check_name(name)
    try:
        return BotSection(name=name, id=slug(name) or "bot", folder=_seen_from(root, folder), command=command)
    except ValidationError as error:
        raise UsageError(f"{name}: {invalid(error)[0].text}") from None


def _seen_from(root: Path, folder: Path) -> str:
    return os.path.relpath(folder.resolve(), root.resolve())


def _unknown(text: str, league: LoadedLeague | None) -> str:
    known = [bot.id for bot in league.league.bots] if league else []
    samples = sample_names()
    near = get_close_matches(text.lower(), [*known, *samples], n=1) or _beside(text)
    if near:
        return f"{text}: no such bot; did you mean {near[0]}?"
    of_league = f"bots of {league.path}: {', '.join(known)}; " if league else ""
    return (
        f"{text}: no such bot. Give a file, a folder, or a command in quotes; {of_league}"
        f"samples: {', '.join(samples)}"
    )


def _beside(text: str) -> list[str]:
    """Return the file or folder whose name is most like that of a path that does not exist."""
    path = Path(text).expanduser()
    try:
        names = [near.name for near in path.parent.iterdir()] if len(text) < _LONGEST_PATH else []
    except OSError:
        return []
    return [str(path.parent / name) for name in get_close_matches(path.name, names, n=1)]
