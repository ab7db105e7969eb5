"""`arena run`: plays a league, shows its progress, then its standings. Must not decide anything."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from arena.cli.exits import FAULTS, LEFT_OUT, stopping_in_order
from arena.cli.options import examples, league_file_argument

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.cluster.address import OnCluster
    from arena.league.reader import LoadedLeague


class _Wishes(TypedDict):
    """How a run is carried out; see the help of each option."""

    jobs: int | None
    allow_broken: bool
    fail_on_fault: bool
    sandbox: str | None
    quiet: bool
    follow: bool
    on: str | None


@click.command(
    epilog=examples(
        "arena run league.toml",
        "arena run league.toml --dry-run",
        "arena run league.toml --new-season 'rounds of 8'",
    )
)
@league_file_argument
@click.option("--jobs", type=click.IntRange(1), help="Referee processes.  [default: one for each core]")
@click.option("--allow-broken", is_flag=True, help="Let the stand-in play for bots that do not start.")
@click.option("--fail-on-fault", is_flag=True, help="Exit with 3 if any bot committed a fault.")
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "require", "off"]),
    help="Isolate bots from this machine in this run.  [default: as in the league file]",
)
@click.option(
    "--on",
    metavar="ADDRESS",
    help="Play on the Dask cluster of this scheduler, such as tls://scheduler:8786, as [cluster] says.",
)
@click.option(
    "-q",
    "--quiet",
    is_flag=True,
    help="Show errors and the last line only: no progress, remarks, standings.",
)
@click.option(
    "--follow",
    is_flag=True,
    help="In an open league: go on with phase after phase, and with whoever comes, until stopped.",
)
@click.option(
    "--new-season",
    metavar="WHY",
    help="Begin a new season, for changed rules, or before the last one is over.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Only show what would be played, how evenly, and how long it takes; store nothing.",
)
def run(league: Path, new_season: str | None, dry_run: bool, **wishes: Unpack[_Wishes]) -> None:
    """Play the league of LEAGUE (a TOML file), or resume it.

    No finished match is ever lost: after Ctrl-C, a kill or a power cut, the same command resumes the league.
    Ends with exit code 6 if sessions had to be left out.
    """
    if new_season is not None and not new_season.strip():
        raise click.UsageError("--new-season is empty: give a reason; it is stored and shown.")
    if wishes["quiet"] and dry_run:
        raise click.UsageError("--quiet and --dry-run exclude one another: a dry run only shows something.")
    if dry_run:
        _forecast(league, wishes, new_season is not None)
        return
    with stopping_in_order(_again(league, wishes)):
        _play(league, wishes, new_season)


def _again(league: Path, wishes: _Wishes) -> str:
    """Return the command that resumes the run, with all that was asked for but a new season."""
    words = ["arena", "run", str(league)]
    for name, value in wishes.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value not in (None, False):
            words += [option, str(value)]
    return shlex.join(words)


def _forecast(league: Path, wishes: _Wishes, new_season: bool) -> None:
    """Print the forecast. Raises after it what a run would raise at once, a UsageError."""
    from arena.cli.organiser.forecast import forecast_text, time_of
    from arena.errors import BotsBroken, UsageError
    from arena.league import read_league
    from arena.runner.cluster import check_cluster
    from arena.runner.season_run import RunOptions
    from arena.runner.trial import try_sessions
    from arena.season.forecast import forecast

    on, jobs = wishes["on"], wishes["jobs"]
    loaded = read_league(league, to_play=True)
    cluster = _cluster(loaded, wishes)
    if cluster is not None:
        check_cluster(cluster, wishes["sandbox"] or loaded.league.sandbox.mode)
    seen = forecast(loaded, new_season)
    tried: float | str = "a session to measure it would need the cluster"
    failure: UsageError | None = None
    if on is None and seen.left and seen.match_seconds is None:
        options = RunOptions(allow_broken=wishes["allow_broken"], jobs=jobs, sandbox=wishes["sandbox"])
        try:
            tried = try_sessions(seen, options, lambda said: click.echo(said, err=True))
        except UsageError as error:
            # Of a bot or a sandbox that does not work the second line says which, or why.
            tried = " ".join(line.strip() for line in str(error).splitlines()[:2])
            # An open league is played by those that start.
            failure = None if seen.ahead and isinstance(error, BotsBroken) else error
    # Nobody knows yet how many workers a cluster will have.
    click.echo(forecast_text(seen, time_of(seen, jobs if on is None else 1, tried), on))
    if failure is None and seen.season is None and not seen.begins:
        failure = UsageError('a run would be refused: the stored season cannot continue (see "season" above)')
    if failure is not None:
        raise failure


def _play(path: Path, wishes: _Wishes, new_season: str | None) -> None:
    from arena.cli.league_files import opened
    from arena.cli.organiser.pages import write_pages
    from arena.cli.progress import Progress
    from arena.errors import ClusterUnusable, Interrupted, UsageError
    from arena.league import read_league
    from arena.runner.coordinator import Ending
    from arena.runner.run import run_league
    from arena.runner.season_run import RunOptions

    loaded, again = read_league(path, to_play=True), _again(path, wishes)
    options = RunOptions(
        new_season=new_season,
        allow_broken=wishes["allow_broken"],
        jobs=wishes["jobs"],
        pages=True,
        sandbox=wishes["sandbox"],
        follow=wishes["follow"],
        on=_cluster(loaded, wishes),
    )
    if options.follow and not loaded.league.league.open:
        raise UsageError(f"{path}: --follow is for an open league: [league] open = true")
    with Progress(wishes["quiet"]) as progress:
        try:
            ending = run_league(loaded, options, progress)
        except ClusterUnusable as error:
            raise ClusterUnusable(f"{error}\nWhat was played is stored. To go on: {again}") from None
        progress.say(ending.value)
    with opened(path) as found:
        where = f"Pages: {write_pages(found, refresh=True).index}"
        if not wishes["quiet"]:
            _show_standings(found)
        code, trouble = _trouble(wishes, progress.sessions_left_out, path, found)
    if ending is not Ending.COMPLETE:
        progress.say(where)
        raise Interrupted(f"to resume: {again}")
    # Only the last of these lines is said in a quiet run.
    if trouble:
        progress.say(where)
    progress.say_last(trouble or where)
    if code:
        sys.exit(code)


def _cluster(loaded: LoadedLeague, wishes: _Wishes) -> OnCluster | None:
    """Return the cluster to play on. Raises click.UsageError for options that do not go together."""
    from arena.runner.cluster import on_cluster

    if wishes["on"] is None:
        return None
    if wishes["jobs"] is not None:
        raise click.UsageError("--jobs is for this machine: a worker has a referee for each of its cores.")
    return on_cluster(wishes["on"], loaded)


def _trouble(wishes: _Wishes, left_out: int, path: Path, found: OpenLeague) -> tuple[int, str]:
    """Return the exit code of a run that was played, and what is the matter, or 0 and nothing."""
    from arena.store import read
    from arena.wording import counted

    if left_out:
        said = f"{counted(left_out, 'session')} left out, because matches were aborted too often"
        return LEFT_OUT, f"{said}: arena status {path}"
    faults = read.progress(found.database, found.season.number).faults
    if wishes["fail_on_fault"] and faults:
        return FAULTS, f"{faults:,} faults in this season (--fail-on-fault)"
    return 0, ""


def _show_standings(found: OpenLeague) -> None:
    """Print the leaderboard."""
    from arena.cli.organiser.board import Board
    from arena.store.scoring import scored

    click.echo(Board(found.season, scored(found.database, found.season)).text())
