"""What a match page is made from, as one number: equal numbers mean that making it again changes nothing.

A finished match never changes in the store, so its record need not be read to know that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

__all__ = ["Fingerprints"]

_LENGTH = 24  # hexadecimal digits, 96 bits


class Fingerprints:
    """Fingerprints of pages; `common`: what all pages of the site depend on, beside our own code."""

    def __init__(self, *common: object) -> None:
        self._start = hashlib.sha256()
        for file in _sources(files("reports")):
            self._start.update(file.read_bytes())
        self._start.update(repr(common).encode())

    def of(self, *parts: object) -> str:
        """Of a page made from these parts: frozen dataclasses, whose `repr` says all about them."""
        total = self._start.copy()
        total.update(repr(parts).encode())
        return total.hexdigest()[:_LENGTH]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """Our modules and templates, in a fixed order."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith((".py", ".html")):
            yield entry
