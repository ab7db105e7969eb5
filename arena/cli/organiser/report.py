"""`arena report`: writes the pages of a league."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import LeagueName, examples, league_argument, season_option


@click.command(
    epilog=examples(
        "arena report league.toml --open",
        "arena report league.db -o public/spring",
        "arena report league.toml --season 1 --open",
        "arena report league.toml --for duck -o for-ada",
    )
)
@league_argument
@season_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder of the pages; made if it is missing.  [default: as in the league file]",
)
@click.option(
    "--for",
    "author",
    metavar="BOT",
    help="Write private pages for the author of BOT, given by its id or name; needs -o.",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
def report(
    league: LeagueName, number: int | None, output: Path | None, author: str | None, open_: bool
) -> None:
    """Write the pages of all seasons, even while the newest is being played.

    The newest season's are in the folder itself, those of season 1 in its folder season-1, and so on. Only
    files that changed are written. Prints the path of the newest season's first page, or of the first page
    of the season that --season names.

    With --for the pages are private, for the author of one bot, of one season, and need a folder of their
    own. They also show this bot's standard error, messages and command, and the reasons and evidence of its
    faults, even if `publish` hides them from everybody. What they show of other bots, and when cards may
    appear (`reveal`), is as on the public pages.
    """
    from arena.cli.browser import open_page
    from arena.cli.league_files import bot_from, opened
    from arena.cli.organiser.pages import write_pages

    with opened(league, number) as found:
        if author is None:
            site = write_pages(found, output)
        else:
            _check_apart(found.files.pages, output)
            site = write_pages(found, output, bot_from(found.season, author))
    click.echo(
        f"{site.written:,} files written, {site.unchanged:,} unchanged, {site.removed:,} removed", err=True
    )
    click.echo(site.index)
    if open_:
        open_page(site.index.resolve().as_uri())


def _check_apart(pages: Path, output: Path | None) -> None:
    """Raise UsageError if private pages would get among the public ones."""
    from arena.errors import UsageError

    if output is None or output.resolve().is_relative_to(pages.resolve()):
        raise UsageError(
            f"--for writes private pages, which need a folder of their own, outside {pages}: -o DIR"
        )
