"""Study: how often is any bot of a league excluded that keeps to its limit, how soon a broken one?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Self

from arena.conduct.exclusion import LEAGUES, Limits, SessionShare, bars_of
from arena.proof.figure import Figure, rate_figure
from arena.proof.study import Leagues
from arena.proof.world import stream

__all__ = ["Excluded"]

_SESSION = 4
"""The matches of a session of four seats."""
_SHARE = 0.10
"""The limits of a league file by default."""
_BETS = tuple(bet / 20 for bet in range(1, 21))
_CLOSE = 0.5
"""The part of the bar from which on the arena's own rule is asked, which takes long."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """A league of `bots`, each replaced in a `share` of its matches by chance, and judged after each session.

    `clustered`: incidents come in whole sessions. `most`: the share of leagues in which any bot may be
    excluded; None where it is asked how soon one is out: `soon` is the most sessions for nine of ten.
    """

    key: str
    share: float
    clustered: bool
    sessions: int
    most: float | None
    leagues: int
    bots: int = 24
    soon: int = 0

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"excluded.{self.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        how = "in whole sessions" if self.clustered else "match by match"
        who = f"{self.bots} bots, each" if self.most is not None else f"one of {self.bots} bots is"
        return (
            f"Excluded: {who} replaced in {100 * self.share:g} % of its matches, {how}, "
            f"{self.sessions} sessions, limit {100 * _SHARE:g} %"
        )

    def sample(self, seed: int, number: int) -> int | None:
        """Return the number of sessions after which a bot of a league is out; None if none ever is."""
        dice = stream(seed, self.name, number)
        judged = range(1 if self.most is None else self.bots)
        out = [sessions for _ in judged if (sessions := self._until_out(dice)) is not None]
        return min(out, default=None)

    def _until_out(self, dice: Random) -> int | None:
        limits = Limits(_SHARE, bars_of([str(bot) for bot in range(self.bots)]))
        close = _CLOSE * LEAGUES * self.bots * len(_BETS)
        lost, tally, stakes = 0, Counter[SessionShare](), [1.0] * len(_BETS)
        for played in range(1, self.sessions + 1):
            lost = self._lost(dice)
            tally[lost, _SESSION] += 1
            gain = lost / _SESSION / _SHARE - 1
            stakes = [stake * (1 + bet * gain) for stake, bet in zip(stakes, _BETS, strict=True)]
            if lost and sum(stakes) > close and limits.is_enough("0", tally):
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
        """Yield how often a bot is out, or how often a broken one is out late."""
        found = leagues.samples(partial(self.sample, seed), self.leagues)
        if self.most is None:
            late = [sessions is None or sessions > self.soon for sessions in found]
            yield rate_figure(f"{self.name}.late", f"not out after {_SESSION * self.soon} matches", late, 0.1)
        else:
            out = [sessions is not None for sessions in found]
            yield rate_figure(f"{self.name}.out", "anybody excluded", out, self.most)
