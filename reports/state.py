"""Says from what a site and its pages were made, as digests that they carry: equal ones mean equal bytes.

This tells older pages from changed ones, and pages that need not be made again. It compares nothing with
any page and reads no database. A finished match never changes there, so its record need not be read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from arena.store.history import SeasonMark
from reports.facts import LeagueFacts
from reports.options import ReportOptions
from reports.render import Assets

PATH = "data/made-from.json"
"""Where the state is in the site. It is written last."""

_LENGTH = 24  # hexadecimal digits, 96 bits


@dataclass(frozen=True, slots=True)
class Making:
    """How the pages of a site are made, whatever their season: `code` as in `SiteState`."""

    options: ReportOptions
    assets: Assets
    code: str

    @classmethod
    def now(cls, options: ReportOptions) -> Making:
        """Return how pages are made with these options now."""
        assets = Assets.read()
        return cls(options, assets, Fingerprints(sorted(assets.contents)).of())

    @property
    def choices(self) -> dict[str, Any]:
        """Return the fields of a state that say so."""
        return {
            "arena": version("papayoo-arena"),
            "code": self.code,
            "publish": sorted(self.options.publish),
            "reveal": self.options.reveal,
            "author": self.options.author,
        }

    def made(self, content: bytes, mark: SeasonMark) -> bool:
        """Return whether pages that carry this content were made like this, of a season with this mark.

        That is sure only of a season that has ended: of one that goes on, other things change as well.
        """
        said = _fields(content)
        wanted = {
            **self.choices,
            "season": mark.number,
            "matches": mark.matches,
        }
        return all(said.get(name) == value for name, value in wanted.items())


@dataclass(frozen=True, slots=True)
class SiteState:
    """From what a site was made. Two sites of one season with equal states have equal bytes.

    `code`: a digest of the modules, templates, texts and static files that made it; `matches`: the number of
    finished ones; `database`: a digest of the season's progress, the rulings on it and the log of its run.
    """

    arena: str
    code: str
    publish: list[str]
    reveal: str
    author: str
    season: int
    matches: int
    database: str

    @classmethod
    def of(cls, facts: LeagueFacts, making: Making) -> SiteState:
        """Return the state of a site made now."""
        parts = (
            (facts.season, facts.progress, facts.sessions, facts.matches, facts.troubles),
            (facts.rulings, facts.warnings, facts.hosts),
        )
        return cls(
            **making.choices,
            season=facts.season.number,
            matches=facts.progress.matches_finished,
            database=hashlib.sha256(repr(parts).encode()).hexdigest()[:24],
        )

    def to_json(self) -> bytes:
        """Return the state as it is written."""
        return (json.dumps(asdict(self), indent=2) + "\n").encode()

    def differs(self, content: bytes) -> str:
        """Return why pages that carry this content may differ from pages made now, in words.

        Empty if they must be equal, or if the content cannot be understood.
        """
        said = _fields(content)
        own = _fields(self.to_json())
        if said.keys() != own.keys() or said == own:
            return ""
        if said["author"] and said["author"] != self.author:
            return f"they are the private pages of the author of {said['author']}"
        if said["season"] != self.season:
            return f"they are of season {said['season']}, the newest is {self.season}"
        if said["matches"] != self.matches:
            return f"they know {said['matches']} finished matches, the database {self.matches}"
        if any(said[name] != own[name] for name in ("publish", "reveal")):
            return "they were made with other choices in the section [report] of the league file"
        if said["database"] != self.database:
            return "the database was changed since they were made"
        if said["arena"] != self.arena:
            return f"they were made by arena {said['arena']}, this is {self.arena}"
        return "they were made by another state of the arena's code"


def _fields(content: bytes) -> Mapping[str, object]:
    try:
        fields = json.loads(content)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


class Fingerprints:
    """Makes fingerprints of pages; `common`: what all pages of the site depend on, besides our own code."""

    def __init__(self, *common: object) -> None:
        self._start = hashlib.sha256()
        for file in _sources(files("reports")):
            self._start.update(file.read_bytes())
        self._start.update(repr(common).encode())

    def of(self, *parts: object) -> str:
        """Return the fingerprint of a page made from these parts: frozen dataclasses, whose `repr` is
        complete.
        """
        # The sources and the common parts are hashed only once.
        total = self._start.copy()
        total.update(repr(parts).encode())
        return total.hexdigest()[:_LENGTH]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """Yield our modules, templates and texts, in a fixed order."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _sources(entry)
        elif entry.name.endswith((".py", ".html", ".toml")):
            yield entry
