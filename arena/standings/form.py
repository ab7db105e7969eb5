"""Computes how much the scores moved from cycle to cycle: whether the form of the bots varies.

A jackknife over sessions takes the sessions for independent. They are not where a bot plays a whole cycle
better or worse than the next. So each cycle is taken as one block here, whatever happens within it: the
block jackknife (Kuensch, "The jackknife and the bootstrap for general stationary observations", 1989).
Blocks are few, so their variances are uncertain. Hence one ratio of both variances is pooled over the field,
and a bot's own is believed in part. It must not decide what is claimed: that is `verdicts`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from operator import mul

from arena.standings.linalg import Matrix, Vector, among, centred, contrasts, effective_rank
from arena.standings.quantiles import mean_square_quantile, normal_quantile

LEAST_CYCLES = 3
"""Complete cycles that verdicts need. With two, wrong orders were measured at 5-6 %."""

FEWEST_BLOCKS = 1.9
"""Blocks that the ± needs to look at cycles at all: two of about equal length."""

HALF_BELIEVED = 20.0
"""W - 1 at which the variance of a bot's own cycles is believed by half."""

ALARM = 0.01
"""The share of false alarms of each test of `Form.alarms`, at one look."""


@dataclass(frozen=True, slots=True)
class Form:
    """The variance between the cycles of a league.

    `cycles`: their number. `blocks`: W, their effective number (Kish): less where they have unequally many
    sessions. `covariance`: B, that of the scores by the block jackknife. `ratio`: rho, the variance of all
    differences by B, divided by that of the jackknife over sessions. `freedom`: q, its degrees of freedom.
    """

    cycles: int
    blocks: float
    covariance: Matrix
    ratio: float
    freedom: float

    def scaled(self, unit: float) -> Form:
        """Return the same for scores that are counted in a unit times as many points."""
        return replace(self, covariance=[[unit * unit * value for value in row] for row in self.covariance])

    def mixed(self, base: float, own: float) -> float:
        """Return a variance: `base`, and in part what the cycles of the bot itself (`own`) have above it."""
        weight = (self.blocks - 1.0) / (self.blocks - 1.0 + HALF_BELIEVED)
        return base + weight * max(0.0, own - base)

    def exceeds(self, own: float, base: float, share: float) -> bool:
        """Return whether a variance between cycles lies above `base` as it does by chance in `share`."""
        limit = mean_square_quantile(normal_quantile(1.0 - share), self.blocks - 1.0)
        return own > base * limit

    def alarms(self, covariance: Matrix) -> Sequence[tuple[int, float]]:
        """Return the bots whose form varies, by number, each with the deviation of its form; most first.

        `covariance`: of the scores by the jackknife over sessions. The deviation is in points a round. If
        form varies, but of no single bot for sure, the one that varies most is named.
        """
        if self.blocks < FEWEST_BLOCKS or self.freedom <= 0.0:
            return ()
        between, within = centred(self.covariance), centred(covariance)
        known = [i for i, row in enumerate(within) if row[i] > 0.0]
        named = [i for i in known if self.exceeds(between[i][i], within[i][i], ALARM / len(within))]
        limit = mean_square_quantile(normal_quantile(1.0 - ALARM), self.freedom)
        if not named and self.ratio > limit:
            named = [max(known, key=lambda i: between[i][i] / within[i][i])]
        # The form of a cycle moves the score by 1/W of it.
        found = [(i, sqrt(max(0.0, self.blocks * (between[i][i] - within[i][i])))) for i in named]
        return sorted(found, key=lambda each: -each[1])


def form_of(
    moved: Mapping[int, Vector],
    sessions: Mapping[int, int],
    covariance: Matrix,
    present: Sequence[int] | None = None,
) -> Form:
    """Return the variance between cycles.

    `moved`: by cycle, how far it moved each score from what it would be without knowing the cycle; these
    sum to 0. `sessions`: of each cycle. `covariance`: of the scores by the jackknife over sessions.
    `present`: the numbers of the bots whose differences the ratio is about, None for all. Who has left
    played in some of the cycles only, so the others say more about the form of the field.
    """
    size, count = len(covariance), len(moved)
    shares = [sessions[cycle] / sum(sessions.values()) for cycle in moved]
    blocks = 1.0 / fsum(share * share for share in shares)
    compared = range(size) if present is None else present
    differences = among(covariance, compared)
    total = contrasts(differences)
    if count < 2 or total <= 0.0:
        return Form(count, blocks, [[0.0] * size for _ in range(size)], 1.0, 0.0)
    factor = blocks / (blocks - 1.0)
    means = [fsum(column) / count for column in zip(*moved.values(), strict=True)]
    away = [[a - b for a, b in zip(one, means, strict=True)] for one in moved.values()]
    columns = list(zip(*away, strict=True))
    between = [
        [factor * fsum(map(mul, one, other)) for other in columns[: i + 1]] for i, one in enumerate(columns)
    ]
    for i, row in enumerate(between):
        row += [other[i] for other in between[i + 1 :]]
    freedom = (blocks - 1.0) * effective_rank(differences)
    return Form(count, blocks, between, contrasts(among(between, compared)) / total, freedom)
