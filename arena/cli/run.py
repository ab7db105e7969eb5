"""`arena run` and `arena resume`: play a league, show its progress, say how it stands. Decides nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from arena.cli.helping import examples
from arena.cli.stopping import stopping_in_order

if TYPE_CHECKING:
    from arena.league import LoadedLeague

__all__ = ["resume", "run"]


class _Wishes(TypedDict):
    """The options that a run and a resumed run share; see the help of each."""

    jobs: int | None
    allow_broken: bool
    fail_on_fault: bool
    sandbox: str | None


def _options(command: click.decorators.FC) -> click.decorators.FC:
    for option in (
        click.argument("league", type=click.Path(path_type=Path)),
        click.option(
            "--jobs", type=click.IntRange(1), help="Referee processes; default: as in the league file."
        ),
        click.option(
            "--allow-broken", is_flag=True, help="Let the stand-in play for bots that do not start."
        ),
        click.option("--fail-on-fault", is_flag=True, help="Exit with 3 if any bot committed a fault."),
        click.option(
            "--sandbox",
            type=click.Choice(["auto", "require", "off"]),
            help="How bots are kept from this machine, in this run; default: as in the league file.",
        ),
    ):
        command = option(command)
    return command


@click.command(
    epilog=examples(
        "arena run league.toml",
        "arena run league.toml --dry-run",
        "arena run league.toml --new-season 'Duck was updated'",
    )
)
@_options
@click.option("--new-season", metavar="WHY", help="Begin a new season, for changed rules or bots.")
@click.option("--dry-run", is_flag=True, help="Only show what there is to play, how even, and how long.")
@click.option("--json", "as_json", is_flag=True, help="With --dry-run: print JSON instead of text.")
def run(
    league: Path, new_season: str | None, dry_run: bool, as_json: bool, **wishes: Unpack[_Wishes]
) -> None:
    """Play the league of LEAGUE (a TOML file), or what is left of it.

    Nothing that was played is ever lost: after Ctrl-C, a kill or a power cut the same command goes on.
    """
    if new_season is not None and not new_season.strip():
        raise click.UsageError("--new-season needs a reason, which is stored and shown.")
    if as_json and not dry_run:
        raise click.UsageError("--json belongs to --dry-run; for results: arena standings --json.")
    with stopping_in_order(f"arena run {league}"):
        if dry_run:
            _forecast(league, wishes["jobs"], as_json)
        else:
            _play(league, wishes, new_season)


def _forecast(league: Path, jobs: int | None, as_json: bool) -> None:
    from arena.cli.dry_run import forecast_json, forecast_text
    from arena.forecast import forecast
    from arena.league import read_league

    seen = forecast(read_league(league), jobs)
    click.echo(
        json.dumps(forecast_json(seen), indent=2, ensure_ascii=False) if as_json else forecast_text(seen)
    )


@click.command(epilog=examples("arena resume league.toml", "arena resume league.toml --jobs 1"))
@_options
def resume(league: Path, **wishes: Unpack[_Wishes]) -> None:
    """Go on with a league that was begun; `run` that refuses when there is no database yet."""
    from arena.errors import UsageError
    from arena.league import read_league

    loaded = read_league(league)
    if not loaded.database.exists():
        raise UsageError(
            f"{loaded.database}: no database, so there is nothing to resume; begin with: arena run {league}"
        )
    with stopping_in_order(f"arena run {league}"):
        _play(league, wishes)


def _play(path: Path, wishes: _Wishes, new_season: str | None = None) -> None:
    from arena.cli.progress import Progress
    from arena.coordinator import Ending
    from arena.errors import Interrupted
    from arena.league import read_league
    from arena.run import RunOptions, run_league

    loaded = read_league(path)
    options = RunOptions(
        new_season=new_season,
        allow_broken=wishes["allow_broken"],
        jobs=wishes["jobs"],
        refresh=lambda: _write_pages(loaded),
        sandbox=wishes["sandbox"],
    )
    with Progress() as progress:
        ending = run_league(loaded, options, progress)
        progress.say(ending.value)
    index = _write_pages(loaded)
    faults = _show_standings(path)
    progress.say(f"Pages: {index}")
    if ending is Ending.OUT_OF_TIME:
        progress.say(f"To go on: arena run {path}")
    elif ending is not Ending.COMPLETE:
        raise Interrupted(f"to go on: arena run {path}")
    if wishes["fail_on_fault"] and faults:
        progress.say(f"{faults:,} faults in this season (--fail-on-fault)")
        sys.exit(3)


def _write_pages(loaded: LoadedLeague) -> Path:
    """Write the site of a league that has a season; the page to open first.

    Raises UsageError when the folder cannot be written, StoreError.
    """
    from arena.errors import UsageError
    from arena.store.database import Database
    from reports import Publish, Replays, ReportOptions, Reveal, write_site

    report = loaded.league.report
    options = ReportOptions(
        frozenset(Publish(word) for word in report.publish), Reveal(report.reveal), Replays(report.replays)
    )
    with Database.open(loaded.database, read_only=True) as database:
        try:
            return write_site(database, loaded.report_folder, options, incremental=True).index
        except OSError as error:
            raise UsageError(f"the pages cannot be written to {loaded.report_folder}: {error}") from error


def _show_standings(path: Path) -> int:
    """Print the leaderboard; how many faults there are in the season."""
    from arena.cli.leaderboard import Board
    from arena.cli.league_files import opened
    from arena.store.scoring import scored

    with opened(path) as found:
        click.echo(Board(found.season, scored(found.reader, found.season)).text())
        return found.reader.progress(found.season.number).faults
