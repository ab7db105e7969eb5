"""`arena gauntlet`: plays until it is settled whether a new version is better. Must not decide that.

A gauntlet is a league: its file is made from the options of the command, and another question begins another
season of it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from arena.cli.exits import NO, UNDECIDED, stopping_in_order
from arena.cli.options import as_json, complete_bot, examples, show

if TYPE_CHECKING:
    from arena.cli.author.gauntlet_board import GauntletBoard
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


class _Wishes(TypedDict):
    """How this run is carried out; see the help of each option."""

    jobs: int | None
    sandbox: str | None
    allow_broken: bool


@click.command(
    epilog=examples(
        "arena gauntlet -c new/bot.py -c old/bot.py -a sharp -a count -a dump",
        "arena gauntlet league.toml -c mine=../v2/bot.py -c duck --margin 0.5",
        "arena gauntlet gauntlet.toml --json",
    )
)
@click.argument("league", type=click.Path(path_type=Path), required=False)
@click.option(
    "-c",
    "--candidate",
    multiple=True,
    metavar="BOT",
    shell_complete=complete_bot,
    help="A bot to compare; may be repeated.",
)
@click.option(
    "-a",
    "--against",
    multiple=True,
    metavar="BOT",
    shell_complete=complete_bot,
    help="An opponent; may be repeated.  [default: all others of LEAGUE]",
)
@click.option(
    "--margin",
    type=click.FloatRange(0, 250),
    help=f"Points a round that a better candidate should be better by.  [default: {MARGIN:g}]",
)
@click.option(
    "--max-sessions",
    type=click.IntRange(16, 1_000_000),
    metavar="N",
    help=f"Give up after this many sessions, in whole cycles.  [default: {SESSIONS}]",
)
@click.option(
    "--seats", type=click.IntRange(3, 8), help=f"Players at a table.  [default: as in LEAGUE, or {SEATS}]"
)
@click.option("--seed", metavar="TEXT", help="What all deals follow from.  [default: drawn, and committed]")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
    help="Folder of the gauntlet's files.  [default: that of LEAGUE, or the current one]",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), help="Referee processes.  [default: one for each core]")
@click.option(
    "--sandbox", type=click.Choice(["auto", "require", "off"]), help="Isolate bots from this machine."
)
@click.option("--allow-broken", is_flag=True, help="Let the stand-in play for bots that do not start.")
@as_json
def gauntlet(
    league: Path | None,
    jobs: int | None,
    sandbox: str | None,
    allow_broken: bool,
    as_json: bool,
    **question: Unpack[Question],
) -> None:
    """Is my new version better? Play candidates against the same opponents until the answer is clear.

    Name your new version as the first candidate. In every session the candidates take turns in the same
    seats, against the same opponents, on the same boards, so they can be compared in pairs. After each
    decision cycle the first candidate is compared with each other one: is it surely better, worse, or not
    better by --margin? Once all that is settled, the gauntlet ends. You may look as often as you like.
    One candidate alone is compared with its opponents.

    A BOT is a bot of LEAGUE, a sample (duck), a file, a folder, or a command in quotes; NAME=BOT names it.
    If LEAGUE is given, its rules apply. The gauntlet is a league of its own, in a file gauntlet.toml that is
    written for it: status, report, export and verify take it. After Ctrl-C the same command resumes it.

    Exit codes: 0 the first candidate is better than every other, 1 it is worse or not better by the margin,
    5 undecided.
    """
    path = file_of(league, question)
    with stopping_in_order(f"arena gauntlet {path}"):
        board = _play(path, {"jobs": jobs, "sandbox": sandbox, "allow_broken": allow_broken}, as_json)
    sys.exit(_exit_code(board))


def _play(path: Path, wishes: _Wishes, as_json: bool) -> GauntletBoard:
    """Play the league file until it is settled or its budget is spent, and print the answer."""
    from arena.cli.author.gauntlet_board import GauntletProgress
    from arena.errors import Interrupted
    from arena.league import read_league
    from arena.runner.coordinator import Ending
    from arena.runner.run import run_league
    from arena.runner.season_run import RunOptions
    from arena.score.paired import Outcome

    with GauntletProgress() as progress:
        loaded, new_season = that_goes_on(read_league(path), progress.say)
        ending = run_league(loaded, RunOptions(new_season=new_season, **wishes), progress)
        progress.say(ending.value)
    board = _answered(path, as_json)
    if ending is not Ending.COMPLETE:
        raise Interrupted(f"to resume: arena gauntlet {path}")
    if board.outcome is Outcome.OPEN:
        progress.say("the budget is spent; to play more, repeat the command with a greater --max-sessions")
    progress.say(f"Everything is in {loaded.database}; to write its pages: arena report {path}")
    return board


def _answered(path: Path, as_json: bool) -> GauntletBoard:
    """Print the answer of the gauntlet so far."""
    from arena.cli.author.gauntlet_board import GauntletBoard
    from arena.cli.league_files import opened
    from arena.store.scoring import scored

    with opened(path) as found:
        board = GauntletBoard(found.season, scored(found.database, found.season))
    show(board.document, board.text, as_json)
    return board


def _exit_code(board: GauntletBoard) -> int:
    """Return the exit code, 0 only for a clear yes."""
    from arena.score.paired import Outcome

    codes = {Outcome.BETTER: 0, Outcome.WORSE: NO, Outcome.LEVEL: NO, Outcome.OPEN: UNDECIDED}
    return codes[board.outcome]


# The league file


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
    given = [name.replace("_", "-") for name, value in question.items() if value not in (None, ())]
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
    changes = changed_keys(json.loads(current.document), _document(loaded))
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
    path = root / (f"{loaded.id[:31]}-gauntlet.toml" if loaded else "gauntlet.toml")
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
            raise UsageError(
                f"{path}: exists, and was not written by arena gauntlet; choose another --output"
            )
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error
    return path


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
