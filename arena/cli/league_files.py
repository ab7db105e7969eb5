"""Finds the files of a league, from its league file or from its database alone.

Also finds the season or bot that somebody named. Opens the database for reading; must not change
anything on disk. Modules that define commands must not import this at their top: it imports
the store.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from os.path import normpath
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import ValidationError

from arena.errors import UsageError
from arena.league import read_league
from arena.league.model import ReportSection
from arena.league.reader import SQLITE_HEAD, LoadedLeague
from arena.league.texts import slug
from arena.match.stand_in import STAND_IN
from arena.store import read
from arena.store.database import Database, is_there
from arena.store.scoring import noted_id, noted_keys
from arena.store.stage import season_folder
from arena.store.views import SeasonView, section_of

_MOST_NAMES = 5


@dataclass(frozen=True, slots=True)
class LeagueFiles:
    """The id and name of a league, and where its files are. `pages`: the folder of its pages.

    `loaded`: its league file; None where only the database is known.
    """

    id: str
    name: str
    database: Path | str
    lock: Path
    pages: Path
    report: ReportSection
    loaded: LoadedLeague | None = None

    @property
    def running(self) -> Path | str:
        """Return what `holder_of` is asked whether the league is being run."""
        return self.database if isinstance(self.database, str) else self.lock


@dataclass(frozen=True, slots=True)
class OpenLeague:
    """A league that has a season, open for reading.

    `season`: the newest, or the one that somebody named. `ended`: whether another one has begun after it.
    """

    files: LeagueFiles
    database: Database
    season: SeasonView
    ended: bool = False

    @property
    def index(self) -> Path:
        """Return the path of the first page of the season, whether it was written or not."""
        pages = self.files.pages
        return (pages / season_folder(self.season.number) if self.ended else pages) / "index.html"


@contextmanager
def opened(path: Path | str, number: int | None = None) -> Iterator[OpenLeague]:
    """Open the league of a league file or a database, at the season of that number, by default the newest.

    The database may be the address of one on a server.

    Raises UsageError when nothing has been played yet or there is no such season, LeagueFileError for a
    league file that cannot be used, StoreError for a database that cannot be read.
    """
    files = None if isinstance(path, str) or is_database(path) else _from_league_file(path)
    file = path if files is None else files.database
    if not is_there(file):
        raise UsageError(_nothing_played(path, file))
    with Database.open(file, read_only=True) as database:
        newest = read.current_season(database)
        if newest is None:
            raise UsageError(_nothing_played(path, file))
        season = newest if number is None else read.season(database, number)
        found = files or _from_database(file, newest, database)
        yield OpenLeague(found, database, season, ended=season.number != newest.number)


_DATABASES: set[Path] = set()
"""Files that were found to be databases. They are not opened again, for this process may have them open by
now (`arena.store.sqlite`)."""


def is_database(path: Path | str) -> bool:
    """Return whether a path is that of a database rather than of a league file; an address always is.

    By its name alone it is a damaged database, not a league file with mistakes. Of another name it must be
    asked before this process opens the database.
    """
    if isinstance(path, str) or path.absolute() in _DATABASES:
        return True
    if path.is_dir():
        return False
    if path.suffix in {".db", ".sqlite", ".sqlite3"}:
        return True
    try:
        with path.open("rb") as file:
            found = file.read(len(SQLITE_HEAD)) == SQLITE_HEAD
    except OSError:  # the next one to read it says why that fails
        return False
    if found:
        _DATABASES.add(path.absolute())
    return found


def _from_league_file(path: Path) -> LeagueFiles:
    loaded = read_league(path)
    return LeagueFiles(
        loaded.id,
        loaded.name,
        loaded.database,
        loaded.lock,
        loaded.report_folder,
        loaded.league.report,
        loaded,
    )


def _nothing_played(given: Path | str, database: Path | str) -> str:
    """Return what to do when there is no season: run the league, or name another database of the folder."""
    if isinstance(database, str) or isinstance(given, str):
        run = f": arena run {given}" if isinstance(given, Path) else ""
        return f"nothing played yet{run}: there is no season in {database}"
    league = database.with_suffix(".toml") if given == database else given
    lines = [f"nothing played yet: there is no season in {database}"]
    if not database.exists():
        lines = [f"nothing played yet: there is no database {database}"]
    if league.exists():
        lines = [f"nothing played yet: arena run {league}", f"({lines[0].partition(': ')[2]})"]
    near = _databases_near(database)
    if near:
        lines.append(f"In the same folder: {', '.join(near)}")
    return "\n".join(lines)


def _databases_near(database: Path) -> list[str]:
    """Return the names of other databases in the folder, the nearest names first."""
    try:
        names = sorted(file.name for file in database.parent.glob("*.db") if file != database)
    except OSError:
        return []
    return get_close_matches(database.name, names, n=_MOST_NAMES, cutoff=0.5) or names[:_MOST_NAMES]


def _from_database(place: Path | str, season: SeasonView, database: Database) -> LeagueFiles:
    """Return the files of a league of which only the database is known: as the last run noted them.

    They are near a database in a file, and in the current folder where it is on a server.
    """
    free = _free_keys(season, database)
    near = Path(urlsplit(place).path.strip("/")) if isinstance(place, str) else place
    league_id = slug(noted_id(read.actions(database))) or near.stem
    root = _root(near, None if isinstance(place, str) else section_of(free, "store").get("url"))
    report = _report(section_of(free, "report"))
    name = section_of(free, "league").get("name", league_id)
    lock, pages = root / f"{league_id}.lock", root / f"{league_id}-report"
    return LeagueFiles(league_id, str(name), place, lock, pages, report)


def _free_keys(season: SeasonView, database: Database) -> Mapping[str, object]:
    """Return the free keys by section: as last noted, else as in the season's own league file."""
    if noted := noted_keys(read.actions(database)):
        return noted
    try:
        return tomllib.loads(season.league_text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def _root(database: Path, url: object) -> Path:
    """Return the folder of the league file: `url` says where below it the database lies."""
    parts = Path(str(url).partition(":///")[2]).parts if url else ()
    if not parts or ".." in parts or database.resolve().parts[-len(parts) :] != parts:
        return database.parent
    return Path(normpath(database.parent.joinpath(*[".."] * (len(parts) - 1))))


def _report(given: Mapping[str, object]) -> ReportSection:
    """Return the section [report], or its defaults if no arena would have accepted it."""
    known = {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}
    try:
        return ReportSection.model_validate(known)
    except ValidationError:
        return ReportSection()


def bot_from(season: SeasonView, given: str) -> str:
    """Return the id of the bot of the season that has this id or name.

    Raises UsageError, with the nearest id, when there is no such bot.
    """
    ids = {key: entry.bot for entry in season.entries for key in (entry.name.casefold(), entry.bot)}
    found = ids.get(given.casefold())
    if found is None:
        bots = [entry.bot for entry in season.entries if entry.bot != STAND_IN]
        near = get_close_matches(given.casefold(), bots, n=1)
        hint = f"did you mean {near[0]}?" if near else f"its bots are {', '.join(bots)}"
        raise UsageError(f"{given}: season {season.number} has no such bot; {hint}")
    return found
