"""`arena serve`: serves the pages of a league to browsers, even while it is being played.

Sends the files of one folder over HTTP, to this machine only. Must not change anything.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import BaseServer, ThreadingTCPServer
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import click

from arena.cli.exits import stopping_in_order
from arena.cli.options import LeagueName, examples, league_argument

if TYPE_CHECKING:
    from arena.cli.league_files import LeagueFiles

__all__ = ["HOST", "Liveliness", "PageServer", "file_at", "serve"]

_PORT = 7250
"""The usual port. A mnemonic: the Papayoo is a seven, and a round has 250 points."""

_REFRESH_SECONDS = 30
"""For a league whose pages are written only at its end: it may be played again another way."""

_LEAST_REFRESH_SECONDS = 5
HOST = "127.0.0.1"
"""The loopback address: no other machine can connect to it."""

_NAMES = frozenset({HOST, "localhost"})
"""The host names that a request may name. Any other name was made to point here by somebody else's page
(DNS rebinding), which could then read all answers. The port is not checked: it may be forwarded (ssh -L)."""

_KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/vnd.microsoft.icon",
}
"""The kinds of files that are sent. Files of other kinds are not: the league's database may be near."""

_FIRST = "index.html"
"""The page that is sent for a folder."""

_ENDED = re.compile(r"season-[0-9]+")
"""The names of the folders of earlier seasons, see `arena.store.titles`."""

_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


@click.command(epilog=examples("arena serve league.toml --open", "arena serve spring.db --port 8080"))
@league_argument
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help=f"Port to listen on; 0: any free one.  [default: {_PORT}, else any free one]",
)
@click.option("--open", "open_", is_flag=True, help="Open the first page in a browser.")
@click.option("--no-refresh", is_flag=True, help="Let no page reload itself while the league is played.")
def serve(league: LeagueName, port: int | None, open_: bool, no_refresh: bool) -> None:
    """Serve the pages of a league to browsers on this machine, until Ctrl-C.

    No other machine can connect. The pages in the league's folder are sent as they are; they are written
    first if there are none. While the league is being played, lists and bot pages reload themselves as
    often as they are written (refresh_seconds); match pages do not. Prints the address of the first page.
    """
    from arena.cli.league_files import opened
    from arena.cli.organiser.pages import open_page, write_pages

    with opened(league) as found:
        files = found.files
        if not (files.pages / "index.html").exists():
            write_pages(found)
    with (
        stopping_in_order(f"arena serve {league}"),
        _listening(files.pages, port, _liveliness(files, no_refresh)) as server,
    ):
        click.echo(f"Serving the pages in {files.pages} to this machine only; Ctrl-C ends it", err=True)
        click.echo(server.url)
        if open_:
            threading.Thread(target=open_page, args=[server.url], daemon=True).start()
        server.serve_forever()


def _liveliness(files: LeagueFiles, never: bool) -> Liveliness:
    from arena.store.lock import holder_of

    seconds = max(files.report.refresh_seconds or _REFRESH_SECONDS, _LEAST_REFRESH_SECONDS)
    return Liveliness(lambda: not never and holder_of(files.running) is not None, seconds)


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


class Liveliness:
    """Tells whether pages are to reload themselves, and after how many seconds.

    `running` returns whether the league is being played. The pages are written once more after its
    end, so they reload themselves for a while after it was last seen running.
    """

    def __init__(
        self, running: Callable[[], bool], seconds: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._running = running
        self._seconds = seconds
        self._clock = clock
        self._until: float | None = None

    def refresh_after(self) -> int | None:
        """Return the seconds after which a page that is sent now is to reload itself, None for never."""
        now = self._clock()
        if self._running():
            self._until = now + 2 * self._seconds + 30
        return self._seconds if self._until is not None and now < self._until else None


class PageServer(ThreadingTCPServer):
    """Serves `folder` on a port of the loopback address (0: any free one) while `serve_forever` runs.

    A context manager. Raises OSError when the port cannot be used. Not http.server.HTTPServer: that asks
    the name service for the name of this machine before it begins.
    """

    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False

    def __init__(self, folder: Path, port: int, liveliness: Liveliness) -> None:
        self.folder = folder.resolve()
        self.liveliness = liveliness
        super().__init__((HOST, port), _Handler)

    @property
    def url(self) -> str:
        """Return the address of the first page."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Print an error, unless a browser only went away before it had everything."""
        error = sys.exc_info()[1]
        if not isinstance(error, ConnectionError | TimeoutError):
            print(f"a request could not be answered: {error!r}", file=sys.stderr)


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: BaseServer
    server_version = "arena"
    sys_version = ""
    timeout = 60

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(with_content=True)

    def do_HEAD(self) -> None:
        """Send the headers of a file."""
        self._answer(with_content=False)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the terminal is for the organiser."""

    def _answer(self, *, with_content: bool) -> None:
        assert isinstance(self.server, PageServer)
        host, _, port = self.headers.get("Host", "").partition(":")
        if host.lower() not in _NAMES or not (port.isdecimal() or not port):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, f"Ask for {self.server.url}")
            return
        path = unquote(self.path.partition("?")[0].partition("#")[0])
        file = file_at(self.server.folder, path)
        if file is None:
            self.send_error(HTTPStatus.NOT_FOUND, "There is no such page")
        elif file.name == _FIRST and not path.endswith(("/", _FIRST)):
            self._send_on(path)
        else:
            self._send(file, self.server, with_content=with_content)

    def _send_on(self, path: str) -> None:
        """Redirect to the folder's address with a slash: only from there do the links of its page work."""
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", f"/{quote(path.strip('/'))}/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, file: Path, server: PageServer, *, with_content: bool) -> None:
        try:
            content = file.read_bytes()
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND, "There is no such page")
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", _KINDS[file.suffix])
        self.send_header("Content-Length", str(len(content)))
        for name, value in _SAFE.items():
            self.send_header(name, value)
        seconds = server.liveliness.refresh_after() if _may_change(server.folder, file) else None
        if seconds is not None:
            self.send_header("Refresh", str(seconds))
        self.end_headers()
        if with_content:
            self.wfile.write(content)


def file_at(folder: Path, path: str) -> Path | None:
    """Return the file in the folder that an address (decoded, "/matches/3.html") names, or None.

    The address of a folder stands for its index.html. Nothing outside the folder is ever found, neither by
    ".." nor by a symbolic link, nor anything hidden, nor a file of another kind than pages are.
    """
    names = [name for name in path.split("/") if name]
    if not path.startswith("/") or any(name.startswith(".") or "\\" in name for name in names):
        return None
    try:
        file = folder.joinpath(*names).resolve()
        if file.is_dir():
            file = (file / _FIRST).resolve()
        elif path.endswith("/"):
            return None
        found = file.is_file()
    # The name is too long or has a zero byte, or links lead in a circle (Python before 3.13: RuntimeError).
    except (OSError, ValueError, RuntimeError):
        return None
    return file if found and file.suffix in _KINDS and file.is_relative_to(folder.resolve()) else None


def _may_change(folder: Path, file: Path) -> bool:
    """Return whether a file of the pages in a folder is a page that changes with the league.

    The page of a match does not, and a reload would throw its reader back to the first card. Nor do the pages
    of a season that has ended.
    """
    of_match = file.parent.name == "matches" and file.name[0].isdecimal()
    ended = _ENDED.fullmatch(file.relative_to(folder).parts[0]) is not None
    return file.suffix == ".html" and not of_match and not ended
