"""`arena archive`: bundles a whole league into one file, to keep it or to let others check it."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import LeagueName, examples, league_argument

__all__ = ["archive"]


@click.command(
    epilog=examples(
        "arena archive league.toml", "arena archive spring.db -o spring-2026.tar.gz --without-bots"
    )
)
@league_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The archive, a .tar.gz file.  [default: the league's id with .tar.gz]",
)
@click.option("--without-bots", is_flag=True, help="Leave out the copies of the bots' folders.")
def archive(league: LeagueName, output: Path | None, without_bots: bool) -> None:
    """Bundle a league into one file: database, league file, pages, bots.

    The database is copied as it is at one moment, even while the league is being played; the pages
    are made from that copy. The archive also holds the copies of the bots' folders, the versions of
    arena, Python and SQLite, and SHA256SUMS. The same league gives the same bytes. `arena verify`
    checks an archive like a league.

    The database holds everything: the standard error of all bots and the secret of a stretch that has
    not ended, from which every deal follows. Give an archive to others only when the league is over.
    """
    from arena.cli.league_files import is_database, opened
    from arena.cli.organiser.archiving import make_archive
    from arena.errors import UsageError
    from arena.season.bundle import is_bundle
    from arena.wording import counted

    with opened(league) as found:
        target = output or Path(f"{found.files.id}.tar.gz")
        if target.exists() and not is_bundle(target):
            raise UsageError(
                f"-o {target}: this file exists and is not an archive; name another, or remove it"
            )
        text = None if isinstance(league, str) or is_database(league) else league.read_bytes()
        made = make_archive(found, text, target, with_bots=not without_bots)
    copies = "no copies" if without_bots else counted(made.bots, "copy", "copies")
    click.echo(f"{made.files:,} files, {copies} of bots; {made.size / 1e6:,.1f} MB", err=True)
    if made.open_stretch is not None:
        click.echo(
            f"Keep it to yourself: it holds the secret of stretch {made.open_stretch}, which has not ended",
            err=True,
        )
    elif made.chained:
        click.echo("Keep it to yourself: it holds the secrets of the stretches to come", err=True)
    click.echo(target)
