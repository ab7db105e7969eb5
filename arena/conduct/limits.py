"""The limits beyond which a bot is excluded.

Pure: it judges the sessions of a bot that it is told. Which sessions count, and what follows, is decided by
`arena.conduct.disqualify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from arena.conduct.evidence import ENOUGH, Evidence, SessionShare, Tally, evidence, is_enough

__all__ = ["Limits", "evidence_in_words"]

_MOST_SAID = 1_000_000


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a season: there is evidence enough that a bot is replaced beyond its share.

    `share`: the part of its matches in which it may be replaced. `after`: how many matches it must
    have played before it is judged.
    """

    share: float
    after: int

    def evidence(self, tally: Tally) -> Evidence:
        """Return the evidence that a bot is replaced beyond its share."""
        return evidence(_as_written(self.share), tally)

    def why_out(self, tally: Tally) -> str:
        """Return why a bot with these sessions is excluded, in words; empty if it is not."""
        enough = _totals(tally)[1] >= self.after and is_enough(_as_written(self.share), tally)
        return self.record(tally) if enough else ""

    def record(self, tally: Tally) -> str:
        """Return how often a bot was replaced, and the evidence beside that at which it is out, in words."""
        lost, matches = _totals(tally)
        found = evidence_in_words(self.evidence(tally))
        beyond = f"the evidence that this is more than {100 * self.share:g} % and no chance"
        return f"replaced in {lost:,} of {matches:,} matches: {beyond} is {found}; {ENOUGH} is enough"


def evidence_in_words(found: Evidence) -> str:
    """Return the evidence as people read it: whole numbers above 10, two digits below."""
    if found >= _MOST_SAID:
        return f"more than {_MOST_SAID:,}"
    # Rounded down, so that nothing below 100 is shown as 100.
    if found >= 10:
        return f"{floor(found):,}"
    return f"{floor(found * 100) / 100:.2f}"


def _as_written(share: float) -> Fraction:
    """Return the share as it is written, 0.29 and not the nearest binary fraction.

    A bot that was replaced in exactly 29 of 100 matches is within it.
    """
    return Fraction(repr(share))


def _totals(tally: Tally) -> SessionShare:
    """Return the incidents and the matches of all sessions."""
    return (
        sum(lost * times for (lost, _), times in tally.items()),
        sum(matches * times for (_, matches), times in tally.items()),
    )
