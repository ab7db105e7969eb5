"""`arena report`: writes the pages of a league."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options import complete_entry, examples, league_argument

__all__ = ["report"]


@click.command(
    epilog=examples(
        "arena report league.toml --open",
        "arena report spring.db -o public/spring",
        "arena report league.toml --for duck -o for-ada",
    )
)
@league_argument
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
    shell_complete=complete_entry,
    help="Write private pages for the author of BOT, given by its id or name; needs -o.",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
def report(league: Path, output: Path | None, author: str | None, open_: bool) -> None:
    """Write the pages of the newest season, even while it is being played.

    Only files that changed are written. Prints the path of the first page.

    With --for the pages are private, for the author of one bot, and need a folder of their own. They also
    show this bot's standard error, messages and command, and the reasons and evidence of its faults, even if
    `publish` hides them from everybody. What they show of other bots, and when cards may appear (`reveal`),
    is as on the public pages.
    """
    from arena.cli.league_files import bot_from, opened
    from arena.cli.organiser.pages import open_page, write_pages

    with opened(league) as found:
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
