"""The web server of `arena serve`: which files it sends, to whom, and which pages follow the league.

Sends the files of one folder over HTTP, to this machine only. Must not change anything.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import BaseServer, ThreadingTCPServer
from urllib.parse import quote, unquote

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

_FOLLOWER = "static/live.*.js"
"""The script that makes a page follow the league. It is among the files of the pages, so that it fits their
other scripts; a page itself does not name it."""

_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}


class Liveliness:
    """Tells whether pages are to follow the league, and how often, in seconds.

    `running` returns whether the league is being played. The pages are written once more after its
    end, so they follow it for a while after it was last seen running.
    """

    def __init__(
        self, running: Callable[[], bool], seconds: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._running = running
        self._seconds = seconds
        self._clock = clock
        self._until: float | None = None

    def refresh_after(self) -> int | None:
        """Return the seconds after which a page that is sent now is to be got again, None for never."""
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
        self._liveliness = liveliness
        super().__init__((HOST, port), _Handler)

    @property
    def url(self) -> str:
        """Return the address of the first page."""
        return f"http://{HOST}:{self.server_address[1]}/"

    def content_of(self, file: Path) -> bytes:
        """Return what is sent for a file now: a page of a league that is being played follows it.

        The script comes before all others, for it must see the page as it was sent. A text of others can hold
        none of these tags, for pages have such texts escaped. Raises OSError if the file cannot be read.
        """
        content = file.read_bytes()
        seconds = self._liveliness.refresh_after() if file.suffix == ".html" else None
        script = _newest(self.folder, _FOLLOWER) if seconds is not None else None
        if script is None:
            return content
        tag = f"</main>\n<script src=/{script} data-seconds={seconds}></script>"
        reload = f"<noscript><meta http-equiv=refresh content={seconds}></noscript>\n</head>"
        return content.replace(b"</main>", tag.encode(), 1).replace(b"</head>", reload.encode(), 1)

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

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the terminal is for the organiser."""

    def do_GET(self) -> None:
        """Send a file."""
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
            self._send(file, self.server)

    def _send_on(self, path: str) -> None:
        """Redirect to the folder's address with a slash: only from there do the links of its page work."""
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", f"/{quote(path.strip('/'))}/")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, file: Path, server: PageServer) -> None:
        try:
            content = server.content_of(file)
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND, "There is no such page")
            return
        self.send_response(HTTPStatus.OK)
        for name, value in _SAFE.items():
            self.send_header(name, value)
        self.send_header("ETag", f'"{hashlib.sha256(content).hexdigest()[:20]}"')  # the script looks at it
        self.send_header("Content-Type", _KINDS[file.suffix])
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
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


def _newest(folder: Path, pattern: str) -> str | None:
    """Return the path in the folder of the newest file that fits the pattern."""
    try:
        found = max(folder.glob(pattern), key=lambda file: file.stat().st_mtime_ns, default=None)
    except OSError:  # it was removed just now
        return None
    return None if found is None else found.relative_to(folder).as_posix()
