"""Study: how often is a bot excluded that keeps to its limit, and how soon is one out that is broken?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Self

from arena.conduct.evidence import SessionShare
from arena.conduct.limits import Limits
from arena.proof.figure import Figure, rate_figure
from arena.proof.study import Leagues
from arena.proof.world import stream

__all__ = ["Excluded"]

_SESSION = 4
"""The matches of a session of four seats."""
_LIMITS = Limits(0.10, 10)
"""Those of a league file by default."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """A bot that is replaced in a `share` of its matches by chance, judged after each of its sessions.

    `clustered`: its incidents come in whole sessions. `most`: the share of leagues in which it may be
    excluded; None if it must be, after three sessions.
    """

    key: str
    share: float
    clustered: bool
    sessions: int
    most: float | None
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"excluded.{self.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        how = "in whole sessions" if self.clustered else "match by match"
        return (
            f"Excluded: a bot replaced in {100 * self.share:g} % of its matches, {how}, "
            f"{self.sessions} sessions, limit {100 * _LIMITS.share:g} %"
        )

    def sample(self, seed: int, number: int) -> int | None:
        """Return the number of sessions after which the bot is out; None if it never is."""
        dice, tally = stream(seed, self.name, number), Counter[SessionShare]()
        for played in range(1, self.sessions + 1):
            tally[self._lost(dice), _SESSION] += 1
            if _LIMITS.why_out(tally):
                return played
        return None

    def _lost(self, dice: Random) -> int:
        if self.clustered:
            return _SESSION * (dice.random() < self.share)
        return sum(dice.random() < self.share for _ in range(_SESSION))

    def resized(self, leagues: int) -> Self:
        """Return the same study with another number of leagues."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield how often the bot is out, or how often a broken one is not out after three sessions."""
        found = leagues.samples(partial(self.sample, seed), self.leagues)
        if self.most is None:
            late = [sessions is None or sessions > 3 for sessions in found]
            yield rate_figure(f"{self.name}.late", "not out after 12 matches", late, 0.0)
        else:
            out = [sessions is not None for sessions in found]
            yield rate_figure(f"{self.name}.out", "excluded", out, self.most)
