"""The evidence E that a bot is replaced in more than its share of matches, and not by chance.

Pure arithmetic in whole numbers, so that every machine decides alike. What counts as an incident, and what
follows from the evidence, is decided elsewhere.

E is a bet against the bot. Somebody who doubts that its share is at most p stakes 1 and multiplies it by
1 + lambda (x_c - p) after each session c, in which the bot was replaced in the share x_c of its matches. E is
the mean of twenty such bets, lambda = j/(20 p) for j = 1 to 20. As long as the expected share of each
session, given all earlier ones, is at most p, no bet can be expected to grow. So E is a nonnegative
supermartingale that begins at 1, and the chance that it ever reaches 100 is at most 1 % (Ville's inequality,
"Etude critique de la notion de collectif", 1939; the bets: Waudby-Smith and Ramdas, "Estimating means of
bounded random variables by betting", 2024). Matches of one session share their boards, so a session is one
observation: incidents that cluster in sessions do not add up faster than that.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import exp, inf, log, prod

__all__ = ["BETS", "ENOUGH", "Evidence", "SessionShare", "Tally", "evidence", "is_enough"]

BETS = 20
"""The number of bets whose mean is E."""

ENOUGH = 100
"""The evidence from which on a bot is out. Chance brings a bot within its share there in at most 1 of 100
seasons, however often one looks."""

SessionShare = tuple[int, int]
"""A bot in one session: the incidents by which it was replaced, and its matches, at least one."""

Tally = Mapping[SessionShare, int]
"""How many sessions of a bot went so."""

Evidence = Fraction | float
"""The evidence: a fraction, or infinity (the float) where the share is 0 and an incident happened."""

_SURELY = 0.01
"""The distance of ln E from ln 100 beyond which floats decide. Their error is below 1e-8, even after
1,000,000 sessions."""


def evidence(share: Fraction, tally: Tally) -> Evidence:
    """Return E of a bot that may be replaced in `share` of its matches, 0 to 1.

    It rises with the incidents of each session, and does not depend on the order of sessions. If the share is
    0, a single incident is certain evidence.
    """
    if not share:
        return inf if _any_lost(tally) else Fraction(1)
    stakes, unit = _stakes(share, tally)
    return Fraction(stakes, BETS * unit)


def is_enough(share: Fraction, tally: Tally) -> bool:
    """Return whether E is at least `ENOUGH`. It is quick where E is far from that."""
    if not share:
        return _any_lost(tally)
    distance = _logarithm(share, tally) - log(ENOUGH)
    if abs(distance) > _SURELY:
        return distance > 0.0
    stakes, unit = _stakes(share, tally)
    return stakes >= ENOUGH * BETS * unit


def _any_lost(tally: Tally) -> bool:
    return any(lost for (lost, _), sessions in tally.items() if sessions)


def _stakes(share: Fraction, tally: Tally) -> tuple[int, int]:
    """Return the sum of all bets, and what a bet of 1 is in these units.

    With p = a/b and x = r/m a factor 1 + j (x - p) / (20 p) is (20 a m + j (b r - a m)) / (20 a m).
    """
    a, b = share.as_integer_ratio()
    terms = [(BETS * a * m, b * r - a * m, times) for (r, m), times in tally.items()]
    bets = (prod((unit + j * gain) ** times for unit, gain, times in terms) for j in range(1, BETS + 1))
    return sum(bets), prod(unit**times for unit, _, times in terms)


def _logarithm(share: Fraction, tally: Tally) -> float:
    """Return ln E in floats."""
    p = float(share)
    terms = [(r / m / p - 1.0, times) for (r, m), times in tally.items() if times]
    bets = []
    for j in range(1, BETS + 1):
        factors = [(1.0 + j / BETS * gain, times) for gain, times in terms]
        # The boldest bet has lost all after one session without an incident.
        if all(factor > 1e-12 for factor, _ in factors):
            bets.append(sum(times * log(factor) for factor, times in factors))
    if not bets:
        return -inf
    largest = max(bets)
    return largest + log(sum(exp(bet - largest) for bet in bets) / BETS)
