"""Study: how often is any bot of a league excluded that keeps to its limit, how soon a broken one?"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from arena.conduct.exclusion import LEAGUES, Limits, bars_of
from arena.proof.study import Claim, Sample, Study
from arena.proof.world import Dice, dice_of

_SESSION = 4
"""The matches of a session of four seats."""
LIMIT = 0.10
"""The limit of a league file by default."""
_BETS = np.arange(1, 21)[:, None] / 20
_CLOSE = 0.5
"""The part of the bar from which on the arena's own rule is asked, which takes long."""


@dataclass(frozen=True)
class Excluded(Study):
    """A league of `bots`, each replaced in a part of its matches by chance, and judged after each session.

    `clustered`: incidents come in whole sessions. `soon`: where it is asked how soon one broken bot is out,
    the most sessions for nine of ten.
    """

    name: str
    title: str
    replaced: float
    leagues: int
    clustered: bool = False
    sessions: int = 240
    bots: int = 24
    soon: int = 0
    held_out: bool = False

    def sample(self, seed: int, number: int) -> Sample:
        """See `Study`."""
        dice = dice_of(seed, self.name, number)
        if not self.soon:
            return {"any bot out": any(self.until_out(dice) is not None for _ in range(self.bots))}
        sessions = self.until_out(dice) or self.sessions
        return {"late": sessions > self.soon, "matches": float(_SESSION * sessions)}

    def until_out(self, dice: Dice) -> int | None:
        """Return the number of sessions after which a bot is out; None if it never is."""
        together = _SESSION if self.clustered else 1
        lost = together * dice.binomial(_SESSION // together, self.replaced, self.sessions)
        with np.errstate(divide="ignore"):  # the boldest bet is lost with the first session without incident
            stakes = np.exp(np.cumsum(np.log1p(_BETS * (lost / _SESSION / LIMIT - 1)), axis=1))
        close = _CLOSE * LEAGUES * self.bots * len(_BETS)
        limits = Limits(LIMIT, bars_of([str(bot) for bot in range(self.bots)]))
        for session in np.nonzero((stakes.sum(axis=0) > close) & (lost > 0))[0].tolist():
            tally = Counter((incidents, _SESSION) for incidents in lost[: session + 1].tolist())
            if limits.is_enough("0", tally):
                return int(session) + 1
        return None

    def claim(self, key: str) -> Claim:
        """Return that any bot is out in at most 1 % of leagues, or what is claimed of a broken one."""
        return (0.0, 1.0 / LEAGUES) if key == "any bot out" else super().claim(key)
