"""`arena report`: write the pages of a league."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.helping import examples, league_argument

__all__ = ["report"]


@click.command(epilog=examples("arena report league.toml --open", "arena report spring.db -o public/spring"))
@league_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the pages; made if need be.  [default: as the league file has it]",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
def report(league: Path, output: Path | None, open_: bool) -> None:
    """Write the pages of the newest season, also while it is being played.

    Only files that changed are written. Prints the path of the first page.
    """
    from arena.cli.browsing import open_page
    from arena.cli.league_files import opened
    from arena.cli.pages import write_pages

    with opened(league) as found:
        site = write_pages(found, output)
    click.echo(
        f"{site.written:,} files written, {site.unchanged:,} unchanged, {site.removed:,} removed", err=True
    )
    click.echo(site.index)
    if open_:
        open_page(site.index.resolve().as_uri())
