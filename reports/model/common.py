"""What every page of a site has in common."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Notice", "Site"]


@dataclass(frozen=True, slots=True)
class Notice:
    """A warning that belongs on every page: what it is about, and a sentence or two."""

    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Site:
    """The league's name, its warnings, and the path of the style sheet from the site's folder."""

    league: str
    notices: tuple[Notice, ...]
    stylesheet: str
