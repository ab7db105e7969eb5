"""`arena serve`: show the pages of a league in a browser, also while it is being played."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.helping import examples, league_argument
from arena.cli.stopping import stopping_in_order

if TYPE_CHECKING:
    from arena.cli.league_files import LeagueFiles
    from arena.cli.serving import Liveliness, PageServer

__all__ = ["serve"]

_PORT = 7250
"""The seven that is the Papayoo, and the points of a round."""

_REFRESH_SECONDS = 30
"""For a league whose pages are written only at its end: it may be played again another way."""

_LEAST_REFRESH_SECONDS = 5


@click.command(epilog=examples("arena serve league.toml --open", "arena serve spring.db --port 8080"))
@league_argument
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help=f"Port to listen at; 0: any free one.  [default: {_PORT}, else any free one]",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
@click.option("--no-refresh", is_flag=True, help="Let no page get itself again while the league is played.")
def serve(league: Path, port: int | None, open_: bool, no_refresh: bool) -> None:
    """Show the pages of a league at an address of this machine, until Ctrl-C.

    Nobody can reach it from another machine. The files are those that the league file names, as they
    are; they are written first if there are none. While the league is being played, lists and bot pages
    get themselves again as often as they are written (refresh_seconds), match pages do not.
    Prints the address of the first page.
    """
    from arena.cli.browsing import open_page
    from arena.cli.league_files import opened
    from arena.cli.pages import write_pages

    with opened(league) as found:
        files = found.files
        if not (files.pages / "index.html").exists():
            write_pages(found)
    with (
        stopping_in_order(f"arena serve {league}"),
        _listening(files.pages, port, _liveliness(files, no_refresh)) as server,
    ):
        click.echo(f"The pages in {files.pages}, for this machine only; Ctrl-C ends it", err=True)
        click.echo(server.url)
        if open_:
            threading.Thread(target=open_page, args=[server.url], daemon=True).start()
        server.serve_forever()


def _liveliness(files: LeagueFiles, never: bool) -> Liveliness:
    from arena.cli.serving import Liveliness
    from arena.store.lock import holder_of

    seconds = max(files.report.refresh_seconds or _REFRESH_SECONDS, _LEAST_REFRESH_SECONDS)
    return Liveliness(lambda: not never and holder_of(files.lock) is not None, seconds)


def _listening(folder: Path, port: int | None, liveliness: Liveliness) -> PageServer:
    """A server at the port that was asked for, else at the usual one or any. UsageError if it is taken."""
    from arena.cli.serving import HOST, PageServer
    from arena.errors import UsageError

    if port is None:
        try:
            return PageServer(folder, _PORT, liveliness)
        except OSError:
            port = 0
    try:
        return PageServer(folder, port, liveliness)
    except OSError as error:
        raise UsageError(f"--port {port}: {HOST} cannot be listened at there: {error.strerror}") from error
