"""Reads league.toml: TOML text to a `League`, or a `LeagueFileError` that names every problem with its line.

It touches the file itself and, for the default of a bot's folder, the files named in commands. It must not
look for bots' folders unless it is asked to, so that a league can still be read when they are gone.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import normpath
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from arena.errors import LeagueFileError
from arena.league.defaults import with_defaults
from arena.league.entries import missing_folder, sections
from arena.league.house import house_folder
from arena.league.model import MOST_BOTS, BotSection, League
from arena.league.problems import WRITE_BOTS, Problem, invalid, rendered
from arena.league.texts import slug

SQLITE_HEAD = b"SQLite format 3\0"
"""The bytes with which every SQLite file begins."""

_TOML_ERROR = re.compile(
    r"(?P<text>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)
_OF_PYTHON = re.compile(r"(true|false)\b", re.IGNORECASE)
_ONE_BOT = re.compile(r"^[ \t]*\[[ \t]*bots[ \t]*\]", re.MULTILINE)

_TWICE = re.compile(r"Cannot declare \((?P<keys>.*?),?\) twice")


@dataclass(frozen=True, slots=True)
class LoadedLeague:
    """A league and the file it came from, which may be edited, moved or removed meanwhile.

    `text`: what was read. `digest`: the SHA-256 of the file's bytes, lowercase hex.
    """

    path: Path
    league: League
    text: str
    digest: str

    @property
    def root(self) -> Path:
        """Return the folder of the league file. Paths in the file are relative to it."""
        return self.path.parent

    @property
    def id(self) -> str:
        """Return the league's id, which names its files: the name of the league file."""
        return slug(self.path.stem) or "league"

    @property
    def name(self) -> str:
        """Return the league's name, the title of its pages."""
        return self.league.league.name

    @property
    def database(self) -> Path | str:
        """Return the path of the SQLite file of `[store] url`, or the address of a database on a server."""
        url = self.league.store.url or f"sqlite:///{self.id}.db"
        return self.root / url.partition(":///")[2] if url.startswith("sqlite") else url

    @property
    def lock(self) -> Path:
        """Return the path of the file whose lock says that the league is being run."""
        return self.root / f"{self.id}.lock"

    @property
    def locks(self) -> tuple[Path | str, ...]:
        """Return the path of `lock`, and of the database's lock where that is another file.

        Two league files may name the same database; the second lock keeps them from being run at once. A
        database on a server is locked there, so its address stands for its lock.
        """
        own, database = self.lock, self.database
        if isinstance(database, str):
            return own, database
        shared = database.resolve().with_suffix(".lock")
        return (own,) if own.resolve() == shared else (own, shared)

    @property
    def arena_folder(self) -> Path:
        """Return the folder with copies of the bots' folders and their standard error."""
        return self.root / f"{self.id}.arena"

    @property
    def report_folder(self) -> Path:
        """Return the folder of the pages."""
        return self.root / f"{self.id}-report"

    def bot_folder(self, bot: BotSection) -> Path:
        """Return the folder with a bot's files, as its author keeps it (a season runs a copy).

        `bot` must be of the field. Whom the file does not name and `entries` does not hold is a house bot.
        """
        ours = bot.role == "house" and bot not in self.league.bots  # nobody enters a bot as one of the house
        return house_folder() if ours else self.root / bot.folder


def read_league(path: Path, to_play: bool = False) -> LoadedLeague:
    """Return the league of a file. Raises LeagueFileError with a line for each problem.

    `to_play`: whether it is a problem too if a bot's folder is missing or holds no bot.
    """
    data = _bytes_of(path)
    if data.startswith(SQLITE_HEAD):
        raise LeagueFileError(f"{path}: this is a database; expected the league file, such as league.toml")
    try:
        # Some editors put a byte order mark first; utf-8-sig drops it, TOML does not allow it.
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LeagueFileError(f"{path}:{line}: not UTF-8 text; save the file as UTF-8") from None
    league = parse_league(text, path, to_play)
    return LoadedLeague(path=path, league=league, text=text, digest=hashlib.sha256(data).hexdigest())


def parse_league(text: str, path: Path, to_play: bool = False) -> League:
    """Return the league of a text that is, or would be, the file at `path`; `to_play` as in `read_league`.

    Raises LeagueFileError.
    """
    raw = _toml(text, path)
    if not raw:
        raise LeagueFileError(
            f"{path}:1: empty; a league needs [league] with name, seats and entries, or [[bots]]"
        )
    league, problems = _league(raw, path, to_play)
    if league is None or problems:
        raise LeagueFileError(rendered(problems, str(path), text))
    return league


def _league(raw: Mapping[str, object], path: Path, to_play: bool) -> tuple[League | None, list[Problem]]:
    """Return the league, or None if it is not valid, and everything that is wrong with it."""
    try:
        league = League.model_validate(with_defaults(raw, path))
    except ValidationError as error:
        return None, invalid(error)
    problems = _folders_around_the_league(league, path)
    for number, bot in enumerate(league.bots if to_play else ()):
        if what := missing_folder(bot.folder, path.parent):
            problems.append(Problem(("bots", number, "folder"), what))
    league, wrong = _with_entries(league, path.parent)
    if to_play:
        problems += wrong
    if league.bots and all(bot.role == "house" for bot in league.bots) and not league.league.open:
        text = 'no bot would be ranked; at least one needs role = "entrant", which is the default'
        problems.insert(0, Problem(("bots", 0, "role"), text))
    return league, problems


def _with_entries(league: League, root: Path) -> tuple[League, list[Problem]]:
    """Return the league with the bots of its folders, and why folders hold none.

    The bots of an open league come and go while it is played, and cost nobody else anything.
    """
    pattern = league.league.entries
    if pattern is None:
        return league, []
    missing = missing_folder(pattern.removesuffix("/*"), root)
    if missing or league.league.open:
        return league, [Problem(("league", "entries"), missing)] if missing else []
    found, refused = sections(league, root)
    wrong = [Problem(("league", "entries", one.bot), one.reason) for one in refused]
    if not found and not refused:
        wrong.append(Problem(("league", "entries"), f'"{pattern}" names no folder; put the bots\' there'))
    elif len(found) > MOST_BOTS:
        wrong.append(Problem(("league", "entries"), f"at most {MOST_BOTS} bots can play in a league"))
    return league.model_copy(update={"bots": tuple(found)}), wrong


def _folders_around_the_league(league: League, path: Path) -> list[Problem]:
    """Return a problem for each bot whose folder holds the league's own files.

    These files change while the league is played, and a bot's digest covers its whole folder.
    """
    root = PurePosixPath(normpath(path.parent.absolute()))
    return [
        Problem(
            ("bots", number, "folder"),
            f'"{bot.folder}" holds the league file itself; give the bot its own folder',
        )
        for number, bot in enumerate(league.bots)
        if root.is_relative_to(normpath(root / bot.folder))
    ]


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise LeagueFileError(f"{path}: no such file{_files_near(path)}") from None
    except IsADirectoryError:
        raise LeagueFileError(
            f"{path}: a folder, not a league file{_files_near(path / 'league.toml')}"
        ) from None
    except OSError as error:
        raise LeagueFileError(f"{path}: cannot be read: {error.strerror}") from None


def _files_near(path: Path) -> str:
    """Return a hint with the TOML file in the same folder whose name is nearest, or with the only one."""
    try:
        found = {file.name for file in path.parent.glob("*.toml")}
    except OSError:
        return ""
    names = sorted(name.removesuffix(".toml") for name in found - {"pyproject.toml"})
    near = get_close_matches(path.stem, names, n=1, cutoff=0.5) or (names if len(names) == 1 else [])
    return f"; did you mean {path.parent / near[0]}.toml?" if near else ""


def _toml(text: str, path: Path) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise LeagueFileError(f"{path}:1: not valid TOML: nested too deeply") from None
    # A TOMLDecodeError, or the ValueError with which int() refuses a number of too many digits.
    except ValueError as error:
        raise LeagueFileError(_syntax(str(error), text, path)) from None


def _syntax(message: str, text: str, path: Path) -> str:
    found = _TOML_ERROR.fullmatch(message)
    # Not a message of the parser: int() refuses what is longer than any number needs to be.
    if found is None:
        return f"{path}:1: not valid TOML: a number with too many digits"
    place = f"{found['line']}:{found['column']}" if found["line"] else str(text.count("\n") + 1)
    if _OF_PYTHON.match(_at(text, found["line"], found["column"])):
        return f"{path}:{place}: not valid TOML: true and false are written in small letters"
    if (
        found["line"]
        and _ONE_BOT.search(text)
        and _at(text, found["line"], "1").strip(" \t[").startswith("bots")
    ):
        return f"{path}:{place}: {WRITE_BOTS}"
    twice = _TWICE.fullmatch(found["text"])
    if twice:
        section = twice["keys"].replace("'", "").replace(", ", ".")
        return f"{path}:{place}: the section [{section}] is there twice"
    if found["text"] == "Cannot overwrite a value":
        return f"{path}:{place}: the key is there twice, or a value and a section have the same name"
    return f"{path}:{place}: not valid TOML: {found['text'][:1].lower()}{found['text'][1:]}"


def _at(text: str, line: str | None, column: str | None) -> str:
    """Return the line of the text, both counted from 1, from the column on; empty at the end of the text."""
    if line is None or column is None:
        return ""
    return text.split("\n")[int(line) - 1][int(column) - 1 :]
