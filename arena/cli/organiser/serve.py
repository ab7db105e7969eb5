"""`arena serve`: serves the pages of a league to browsers, even while it is being played.

Finds the league, listens, and says where. What is sent, and to whom, is decided in `page_server`.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.options import LeagueName, examples, league_argument
from arena.cli.organiser.page_server import HOST, Liveliness, PageServer

if TYPE_CHECKING:
    from arena.cli.league_files import LeagueFiles

_PORT = 7250
"""The usual port. A mnemonic: the Papayoo is a seven, and a round has 250 points."""


@click.command(epilog=examples("arena serve league.toml --open", "arena serve league.db --port 8080"))
@league_argument
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help=f"Port to listen on; 0: any free one.  [default: {_PORT}, else any free one]",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
def serve(league: LeagueName, port: int | None, open_: bool) -> None:
    """Serve the pages of a league to browsers on this machine, until Ctrl-C.

    No other machine can connect. The pages in the league's folder are sent as they are; they are written
    first if there are none. While the league is being played, pages show what is new as often as they are
    written, and keep what their reader chose. Prints the address of the first page.
    """
    from arena.cli.browser import open_page
    from arena.cli.league_files import opened
    from arena.cli.organiser.pages import write_pages

    with opened(league) as found:
        files = found.files
        if not (files.pages / "index.html").exists():
            write_pages(found)
    with _listening(files.pages, port, _liveliness(files)) as server:
        click.echo(f"Serving the pages in {files.pages} to this machine only; Ctrl-C ends it", err=True)
        click.echo(server.url)
        if open_:
            threading.Thread(target=open_page, args=[server.url], daemon=True).start()
        server.serve_forever()


def _liveliness(files: LeagueFiles) -> Liveliness:
    from arena.runner.pages import REFRESH_SECONDS
    from arena.store.lock import holder_of

    return Liveliness(lambda: holder_of(files.running) is not None, REFRESH_SECONDS)


def _listening(folder: Path, port: int | None, liveliness: Liveliness) -> PageServer:
    """Return a server on the port that was asked for, else on the usual one or any free one.

    Raises UsageError if the port that was asked for cannot be used.
    """
    from arena.errors import UsageError

    if port is None:
        try:
            return PageServer(folder, _PORT, liveliness)
        except OSError:
            port = 0
    try:
        return PageServer(folder, port, liveliness)
    except OSError as error:
        raise UsageError(f"--port {port}: cannot listen on {HOST}: {error.strerror}") from error
