"""Makes the league file of a gauntlet from the options of `arena gauntlet`, and decides whether its season
goes on. Must not play anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from arena.league import LoadedLeague
    from arena.league.gauntlet_file import Wishes
    from arena.league.model import BotSection

SESSIONS = 1000
MARGIN = 1.0
SEATS = 4


class Question(TypedDict):
    """What to compare, and how; see the help of each option."""

    candidate: tuple[str, ...]
    against: tuple[str, ...]
    margin: float | None
    max_sessions: int | None
    seats: int | None
    seed: str | None
    output: Path | None
    id_: str | None


def file_of(league: Path | None, question: Question) -> Path:
    """Return the file to play: one that is written for the question, or LEAGUE if it is a gauntlet itself.

    Raises UsageError when the options do not say what to compare, or contradict LEAGUE.
    """
    from arena.errors import UsageError
    from arena.league import read_league

    loaded = None if league is None else read_league(league)
    if question["candidate"]:
        return _written(loaded, question)
    if loaded is None or loaded.league.schedule.line_ups != "gauntlet":
        raise UsageError(
            "nothing to compare: name your new version, the old one and their opponents, for example "
            "--candidate new/bot.py --candidate old/bot.py --against duck"
        )
    given = [name.strip("_").replace("_", "-") for name, value in question.items() if value not in (None, ())]
    if given:
        raise UsageError(
            f"{loaded.path} already says what is compared and how: change it there, leave out "
            f"--{given[0]}, or make another gauntlet with --candidate"
        )
    return loaded.path


def that_goes_on(loaded: LoadedLeague, say: Callable[[str], None]) -> tuple[LoadedLeague, str | None]:
    """Return the league as it can be played now, and the reason for a new season, None if none is needed.

    Another question, or a changed file of a bot, begins a new season without being asked: what was played
    before stays in the database. A budget can only grow, so a smaller one changes nothing.
    """
    from arena.cli.layout import plain
    from arena.league.cycles import cycles_of
    from arena.league.season import changed_keys
    from arena.store import read
    from arena.store.database import Database, is_there

    if not is_there(loaded.database):
        return loaded, None
    with Database.open(loaded.database, read_only=True) as database:
        current = read.current_season(database)
    if current is None:
        return loaded, None
    changes = changed_keys(_stored(current.document), _document(loaded))
    if changes:
        say(f"a new question begins season {current.number + 1}; season {current.number} stays stored:")
        for change in changes:
            say(f"  {plain(str(change))}")
        return loaded, f"gauntlet: {changes[0]}"[:200]
    planned = current.phases[-1].cycles_planned if current.phases else 0
    schedule = loaded.league.schedule
    if planned > cycles_of(loaded.league):
        say(f"the budget stays {planned * current.sessions_per_cycle:,} sessions: it can only grow")
        schedule = schedule.model_copy(update={"cycles": planned})
    league = loaded.league.model_copy(update={"schedule": schedule})
    return replace(loaded, league=league), None


def _stored(document: str) -> dict[str, object]:
    import json

    found = json.loads(document)
    assert isinstance(found, dict), "a season's document is a table"
    return found


def _document(loaded: LoadedLeague) -> dict[str, object]:
    """Return the document of the season that the file would begin."""
    from arena.bot.snapshot import folder_digest
    from arena.league.house import field_of
    from arena.league.season import season_document

    digests = {bot.id: folder_digest(loaded.bot_folder(bot)) for bot in field_of(loaded.league)}
    return season_document(loaded.league, digests)


def _written(loaded: LoadedLeague | None, question: Question) -> Path:
    """Write the league file of the question and return its path."""
    from arena.errors import UsageError
    from arena.league.gauntlet_file import WRITTEN, gauntlet_text
    from arena.league.given_bots import find_bots
    from arena.league.reader import parse_league

    root = question["output"] or (loaded.root if loaded else Path())
    wishes = _wishes(loaded, question)
    path = root / f"{_name_of_files(loaded, question)}.toml"
    against = question["against"] or _others(loaded, question["candidate"])
    if not against:
        raise UsageError("no opponents: name them, for example --against duck --against sharp")
    bots = find_bots([*question["candidate"], *against], loaded, root)
    count = len(question["candidate"])
    _refuse_to_lie_in(bots, root)
    text = gauntlet_text(bots[:count], bots[count:], wishes, loaded.league if loaded else None)
    parse_league(text, path)
    try:
        root.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.read_text(encoding="utf-8").startswith(WRITTEN):
            raise UsageError(f"{path}: exists, and was not written by arena gauntlet; choose another --id")
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    return path


def _name_of_files(loaded: LoadedLeague | None, question: Question) -> str:
    from arena.errors import UsageError
    from arena.league.texts import identifier

    given = question["id_"] or (f"{loaded.id[:31]}-gauntlet" if loaded else "gauntlet")
    try:
        return identifier(given)
    except ValueError as error:
        raise UsageError(f"--id {given}: expected 1 to 40 of a-z, 0-9 and -: {error}") from None


def _refuse_to_lie_in(bots: Sequence[BotSection], root: Path) -> None:
    """Raise UsageError if the gauntlet's files, which change, would be in a bot's folder, which must not."""
    from arena.errors import UsageError

    for bot in bots:
        folder = (root / bot.folder).resolve()
        if root.resolve().is_relative_to(folder):
            raise UsageError(
                f"the gauntlet's files would be in {folder}, the folder of {bot.name}, which must not change "
                "while it plays; choose another folder for them, for example --output ../gauntlet"
            )


def _wishes(loaded: LoadedLeague | None, question: Question) -> Wishes:
    from arena.league.gauntlet_file import Wishes

    table = loaded.league.league if loaded else None
    seats = question["seats"] or (table.seats if table else SEATS)
    margin, sessions = question["margin"], question["max_sessions"]
    return Wishes(
        seats=seats,
        rounds=table.rounds if table else seats,
        margin=MARGIN if margin is None else margin,
        max_sessions=SESSIONS if sessions is None else sessions,
        seed=question["seed"],
    )


def _others(loaded: LoadedLeague | None, candidates: tuple[str, ...]) -> list[str]:
    """Return the bots of LEAGUE that are not candidates."""
    from arena.league.texts import folded

    if loaded is None:
        return []
    named = {folded(text.partition("=")[2] or text) for text in candidates}
    return [bot.id for bot in loaded.league.bots if not {bot.id, folded(bot.name)} & named]
