"""What the one page that shows every match of a large league holds itself; a script fills in the match."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ReplayPage"]


@dataclass(frozen=True, slots=True)
class ReplayPage:
    """How wide and long the tables of a match are, and where the matches are found as data.

    `tricks`: of a round; `passed`: cards of a pass; `others`: matches of a session beside the one that
    is shown; `chunk`: how many matches one script holds, `scripts`: the beginning of their paths from
    the folder of match pages; `last`: the greatest number of a finished match.
    """

    seats: int
    rounds: int
    tricks: int
    passed: int
    others: int
    chunk: int
    scripts: str
    last: int
