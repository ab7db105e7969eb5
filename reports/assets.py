"""Reads the static files of a site and names them by their content, so that no browser shows an old one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib.resources import files

from rjsmin import jsmin


class Assets:
    """The static files of pages.

    `paths`: where each file ("site.css") is in the site; `contents`: bytes by that path. `folder`: where they
    are in this package; those in `static` are for every site.
    """

    def __init__(self, folder: str = "static") -> None:
        self.paths: Mapping[str, str]
        self.contents: Mapping[str, bytes]
        paths: dict[str, str] = {}
        contents: dict[str, bytes] = {}
        for file in sorted(files("reports").joinpath(folder).iterdir(), key=lambda entry: entry.name):
            content = _lean(file.name, file.read_text(encoding="utf-8")).encode()
            path = f"static/{_hashed(file.name, content)}"
            paths[file.name] = path
            contents[path] = content
        self.paths, self.contents = paths, contents


def _lean(name: str, text: str) -> str:
    """Return a script without comments and blanks, which browsers do not need; a style sheet as it is."""
    return f"{jsmin(text)}\n" if name.endswith(".js") else text


def _hashed(name: str, content: bytes) -> str:
    stem, _, suffix = name.partition(".")
    return f"{stem}.{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"
