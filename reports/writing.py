"""Puts a site's files into its folder: only what changed, each file whole, and no file of others touched.

It knows nothing of pages or leagues: it is given relative paths and bytes.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path

_OURS = re.compile(
    r"matches/(?:[0-9]+(?:\.json|-messages\.html)|(?:page|faults)-[0-9]+\.html|replay\.html)"
    r"|data/(?:(?:matches|replay)-[0-9]+\.js|made-from\.json|season\.json)"
    r"|static/[a-z-]+\.[0-9a-f]{12}\.(?:css|js|svg)"
)
"""The files that may be removed when the site no longer has them. No other program uses such names."""

_PERHAPS_OURS = re.compile(
    r"(?:index|health|rules|seasons)\.html|matches/[a-z]+\.html"
    r"|bots/[a-z0-9-]+(?:@[0-9]+)?\.html|rules/[a-z-]+\.html"
)
"""The same of pages that another season may not have. Others might use such names too, so these are removed
only if they look like ours."""

_PARTS = ("data", "", "bots", "matches", "rules", "static")
"""The folders of a site. What the pages were made from is in the first: a kill leaves no folder that says
its pages are whole when some are gone."""

_BEGINNING, _END = ".papayoo-", ".tmp"
"""What the name of a file begins and ends with as long as it is not complete."""

_LOOKS_OURS = re.compile(
    rb"<!doctype html>\n.*?<link rel=\"?stylesheet\"? href=\"?[./]*static/site\.[0-9a-f]{12}\.css\"?>",
    re.DOTALL,
)
_HEAD = 8192


class SiteFolder:
    """A folder into which a site is written, file by file.

    A file appears under its name only when it is complete (a temporary file beside it, then a rename), so a
    reader never sees half a page. A file whose bytes are the same is left alone, with its time. OSError if
    the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written = 0
        self.unchanged = 0
        self._names: set[str] = set()
        folder.mkdir(parents=True, exist_ok=True)

    def put(self, name: str, content: bytes) -> None:
        """Write the file `name` (relative, with "/"), unless it has this content already."""
        self._names.add(name)
        path = self.folder / name
        if _content(path) == content:
            self.unchanged += 1
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, content)
        self.written += 1

    def keep(self, name: str, beginning: bytes) -> bool:
        """Keep the file `name` if it is there and begins like this. Return whether it does."""
        try:
            with (self.folder / name).open("rb") as file:
                same = file.read(len(beginning)) == beginning
        except FileNotFoundError:
            return False
        if same:
            self._names.add(name)
            self.unchanged += 1
        return same

    def content(self, name: str) -> bytes | None:
        """Return the content that the file `name` has there now; None if it is not there."""
        return _content(self.folder / name)

    def finish(self) -> int:
        """Remove pages and static files of an earlier state. Return their number.

        What a writer has begun and was killed at goes too, and is not counted.
        """
        for part in _PARTS:
            for path in (self.folder / part).glob(f"{_BEGINNING}*{_END}"):
                _remove_if_left(path)
        stale = [
            path for part in _PARTS for path in sorted((self.folder / part).glob("*")) if self._is_stale(path)
        ]
        for path in stale:
            path.unlink()
        return len(stale)

    def _is_stale(self, path: Path) -> bool:
        name = path.relative_to(self.folder).as_posix()
        if name in self._names or not path.is_file():
            return False
        return _OURS.fullmatch(name) is not None or (
            _PERHAPS_OURS.fullmatch(name) is not None and _looks_ours(path)
        )


def _remove_if_left(path: Path) -> None:
    """Remove a file that was not completed, unless somebody is writing it."""
    with suppress(OSError), path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()


def _looks_ours(path: Path) -> bool:
    """Return whether a file begins like a page of ours, whatever arena made it."""
    with path.open("rb") as file:
        return _LOOKS_OURS.match(file.read(_HEAD)) is not None


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _replace(path: Path, content: bytes) -> None:
    """Write the file like `write_bytes`, but keep the old one until the new one is complete.

    Everybody may read it.
    """
    temporary = path.with_name(f"{_BEGINNING}{secrets.token_hex(8)}{_END}")
    try:
        with temporary.open("xb", buffering=0) as file:
            # The lock ends with the process: so what a killed one has left can be told from what is being
            # written. Where files cannot be locked, nothing of this kind is removed.
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_EX)
            left = memoryview(content)
            while left:
                left = left[file.write(left) :]
            # Whatever the umask is: a web server must read it.
            os.fchmod(file.fileno(), 0o644)
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
