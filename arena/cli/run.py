"""`arena run` and `arena resume`: play a league, show how far it is, say how it stands. Plays nothing itself."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.league import LoadedLeague

__all__ = ["resume", "run"]

def _options(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.argument("league", type=click.Path(path_type=Path)),
        click.option("--jobs", type=click.IntRange(1), help="Referee processes; default: as in the league file."),
        click.option("--allow-broken", is_flag=True, help="Let the stand-in play for bots that do not start."),
        click.option("--fail-on-fault", is_flag=True, help="Exit with 3 if any bot committed a fault."),
    ):
        command = option(command)
    return command


@click.command(
    epilog="\b\nExamples:\n  arena run league.toml\n  arena run league.toml --new-season 'Duck was updated'"
)
@_options
@click.option("--new-season", metavar="WHY", help="Begin a new season, for changed rules or bots.")
def run(
    league: Path, jobs: int | None, allow_broken: bool, fail_on_fault: bool, new_season: str | None
) -> None:
    """Play the league of LEAGUE (a TOML file), or what is left of it.

    Nothing that was played is ever lost: after Ctrl-C, a kill or a power cut the same command goes on.
    """
    _play(league, jobs, allow_broken, fail_on_fault, new_season)


@click.command(
    epilog="\b\nExamples:\n  arena resume league.toml\n  arena resume league.toml --jobs 1"
)
@_options
def resume(league: Path, jobs: int | None, allow_broken: bool, fail_on_fault: bool) -> None:
    """Go on with a league that was begun; `run` that refuses when there is no database yet."""
    from arena.errors import UsageError
    from arena.league import read_league

    loaded = read_league(league)
    if not loaded.database.exists():
        raise UsageError(f"{loaded.database}: no database, so there is nothing to resume; begin with: arena run {league}")
    _play(league, jobs, allow_broken, fail_on_fault, None)


def _play(
    path: Path, jobs: int | None, allow_broken: bool, fail_on_fault: bool, new_season: str | None
) -> None:
    from arena.cli.progress import Progress
    from arena.coordinator import Ending
    from arena.errors import Interrupted
    from arena.league import read_league
    from arena.run import RunOptions, run_league

    loaded = read_league(path)
    options = RunOptions(new_season, allow_broken, jobs, lambda: _write_pages(loaded))
    with Progress() as progress:
        try:
            ending = run_league(loaded, options, progress)
        except KeyboardInterrupt:
            raise Interrupted(f"stopped before the first match; to play: arena run {path}") from None
    index = _write_pages(loaded)
    _show_standings(loaded)
    click.echo(f"Pages: {index}", err=True)
    if ending is not Ending.COMPLETE:
        raise Interrupted(f"{ending.value}; to go on: arena run {path}")
    if fail_on_fault and progress.faults:
        click.echo(f"{progress.faults} faults in this run (--fail-on-fault)", err=True)
        sys.exit(3)


def _write_pages(loaded: LoadedLeague) -> Path:
    """Write the site of a league that has a season; the page to open first."""
    from arena.store.database import Database
    from reports import Publish, Replays, ReportOptions, Reveal, write_site

    report = loaded.league.report
    options = ReportOptions(
        frozenset(Publish(word) for word in report.publish), Reveal(report.reveal), Replays(report.replays)
    )
    with Database.open(loaded.database, read_only=True) as database:
        return write_site(database, loaded.report_folder, options).index


def _show_standings(loaded: LoadedLeague) -> None:
    pass
