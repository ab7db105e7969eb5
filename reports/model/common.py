"""What every page of a site has in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["MatchLink", "Notice", "Site"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning that belongs on every page: what it is about, and a sentence or two."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """The league's name, its warnings, and where its static files are: paths from the site's folder."""

    league: str
    notices: tuple[Notice, ...]
    stylesheet: str
    icon: str
    scripts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MatchLink:
    """A way to another match. `path` is relative to the folder of match pages; None without a page."""

    number: int
    path: str | None

    def at(self, anchor: str) -> str:
        """The way to a place on the page of that match, for example to its round "r2"."""
        path = self.path or ""
        return f"{path}{anchor}" if "#" in path else f"{path}#{anchor}"
