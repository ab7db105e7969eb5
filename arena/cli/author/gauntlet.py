"""`arena gauntlet`: plays until it is settled whether a new version is better. Must not decide that."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from arena.cli.author.gauntlet_question import MARGIN, SEATS, SESSIONS, Question, file_of
from arena.cli.exits import NO, UNDECIDED, stopping_in_order
from arena.cli.options import as_json, complete_bot, examples

if TYPE_CHECKING:
    from arena.cli.author.gauntlet_board import GauntletBoard


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
@click.option(
    "--id", "id_", metavar="NAME", help="Name of the files.  [default: gauntlet, or LEAGUE-gauntlet]"
)
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
    from arena.cli.author.gauntlet_question import that_goes_on
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
    click.echo(json.dumps(board.document(), indent=2, ensure_ascii=False) if as_json else board.text())
    return board


def _exit_code(board: GauntletBoard) -> int:
    """Return the exit code, 0 only for a clear yes."""
    from arena.score.paired import Outcome

    codes = {Outcome.BETTER: 0, Outcome.WORSE: NO, Outcome.LEVEL: NO, Outcome.OPEN: UNDECIDED}
    return codes[board.outcome]
