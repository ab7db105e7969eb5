"""Reads the static files of a site and names them by their content, so that no browser shows an old one.

A script has its sentences as template literals with the tag `_`, so that gettext's tools find them. Here each
becomes a literal of the language that is being written, and what a script reads of numbers knows their signs
in it: no browser ever sees the tag, and English pages load nothing for other languages.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from importlib.resources import files

from rjsmin import jsmin

from arena.translating import decimals, found
from reports.translations import ENGLISH, Language

__all__ = ["Assets"]

_SENTENCE = re.compile(r"(?<![\w$.])_`((?:[^`\\]|\\.)*)`", re.DOTALL)

_KEY = re.compile(r"\[_`(\w+)`\](?=:)")
"""A word that is the key of an object. It needs no quotes."""

_READ = 'replace(/,/g, "")'
"""How a script leaves out what stands between the thousands of a number of a page, before it reads it."""


class Assets:
    """The static files, for pages in the language that is being written.

    `paths`: where each file ("site.css") is in the site; `contents`: bytes by that path. What has no
    sentences is one file for all languages; a script that has some is another one in each. `folder`: where
    they are in this package; those in `static` are for every site.
    """

    def __init__(self, language: Language = ENGLISH, folder: str = "static") -> None:
        self.paths: Mapping[str, str]
        self.contents: Mapping[str, bytes]
        paths: dict[str, str] = {}
        contents: dict[str, bytes] = {}
        for file in sorted(files("reports").joinpath(folder).iterdir(), key=lambda entry: entry.name):
            text = file.read_text(encoding="utf-8")
            content = _lean(file.name, text).encode()
            spoken = language is not ENGLISH and _SENTENCE.search(text) is not None
            path = f"static/{_hashed(file.name, content, f'-{language.file}' if spoken else '')}"
            paths[file.name] = path
            contents[path] = content
        self.paths, self.contents = paths, contents


def _lean(name: str, text: str) -> str:
    """Return a script without comments and blanks, which browsers do not need; a style sheet as it is."""
    if not name.endswith(".js"):
        return text
    text = _KEY.sub(_word, text.replace(_READ, _reading()))
    lean: str = jsmin(_SENTENCE.sub(_literal, text))
    return f"{lean}\n"


def _word(key: re.Match[str]) -> str:
    """Return the key of an object in the language that is being written."""
    return found(key[1])


def _reading() -> str:
    """Return what `_READ` is in the language that is being written."""
    point = decimals(".")
    return _READ if point == "." else rf'replace(/\s(?=\d{{3}})/g, "").replace("{point}", ".")'


def _literal(sentence: re.Match[str]) -> str:
    """Return a sentence as a literal: of a template where it has places, such as ${count}."""
    text = found(sentence[1])
    return f"`{text}`" if "${" in text else json.dumps(text, ensure_ascii=False)


def _hashed(name: str, content: bytes, mark: str) -> str:
    stem, _, suffix = name.partition(".")
    return f"{stem}{mark}.{hashlib.sha256(content).hexdigest()[:12]}.{suffix}"
