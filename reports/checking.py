"""Compares a folder of pages with the pages that would be written there now, byte by byte. Writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

_PAGES = {".html", ".htm", ".xhtml", ".svg", ".js", ".css"}
"""Files that a browser would show or run: none may be there that is not ours."""


@dataclass(frozen=True, slots=True)
class FileDifference:
    """A file of the folder that is wrong. `line`: the first that differs, from 1; None: the whole file."""

    file: str
    text: str
    line: int | None = None

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        return f"{where}: {self.text}"


@dataclass(frozen=True, slots=True)
class SiteCheck:
    """The result of comparing a folder.

    `files`: how many agree; `differing`: how many do not; `difference`: the first of these, None if all
    agree. `older`: why the folder need not agree, in words; empty if it must. `found`: whether there are
    any pages in it.
    """

    folder: Path
    found: bool
    files: int = 0
    differing: int = 0
    difference: FileDifference | None = None
    older: str = ""


class _Part:
    """Takes the files of a folder of a site, whose name ends in "/", for the comparison of the whole site."""

    def __init__(self, whole: SiteComparison, folder: str) -> None:
        self._whole = whole
        self._folder = folder

    def put(self, name: str, content: bytes) -> None:
        """Compare a file of the folder."""
        self._whole.put(f"{self._folder}{name}", content)

    def keep(self, name: str, beginning: bytes) -> bool:
        """Return False: every page is made again."""
        return False

    def content(self, name: str) -> bytes | None:
        """Return the content of a file of the folder; None if it is not there."""
        return self._whole.content(f"{self._folder}{name}")

    def finish(self) -> int:
        """Return 0: what should not be there is looked for in the whole site at once."""
        return 0


class SiteComparison:
    """Takes the files of a site as `SiteFolder` does, and compares them with those of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.differences: list[FileDifference] = []
        self.same = 0
        self._names: set[str] = set()

    def within(self, folder: str) -> SiteComparison | _Part:
        """Return what takes the files of a folder of the site, given by its name; empty: the site's own."""
        return _Part(self, folder) if folder else self

    def put(self, name: str, content: bytes) -> None:
        """Compare the file `name` with what it must be. OSError if it is there and cannot be read."""
        self._names.add(name)
        found = self.content(name)
        if found == content:
            self.same += 1
        elif found is None:
            self.differences.append(FileDifference(name, "it is missing"))
        else:
            self.differences.append(_difference(name, found, content))

    def keep(self, name: str, beginning: bytes) -> bool:
        """Return False: every page is made again."""
        return False

    def finish(self) -> int:
        """Look for pages that the site does not have. Return how many files differ."""
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if name not in self._names and path.suffix.lower() in _PAGES and not path.is_dir():
                self.differences.append(FileDifference(name, "the database gives no such page"))
        return len(self.differences)

    def content(self, name: str) -> bytes | None:
        """Return the content of a file of the folder; None if it is not there."""
        try:
            return (self.folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None


def _difference(name: str, found: bytes, expected: bytes) -> FileDifference:
    lines = zip_longest(found.splitlines(keepends=True), expected.splitlines(keepends=True))
    line, (said, made) = next((n, pair) for n, pair in enumerate(lines, start=1) if pair[0] != pair[1])
    if said is None:
        return FileDifference(name, "it ends too early", line)
    if made is None:
        return FileDifference(name, "it goes on where it must end", line)
    return FileDifference(name, "the database gives another text", line)
