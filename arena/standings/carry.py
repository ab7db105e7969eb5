"""Says whether scores of a last stage may count the sessions of earlier stages (`carry = true`).

Pure numbers: it must not know league files or results. What bots do to one another averages out in the field
in which they played. Among those who are left it is another average, and the difference does not become
smaller with more sessions, while the ± does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

__all__ = ["MOST_CARRIED", "StagePlan", "carried_weight", "carry_error"]

MOST_CARRIED = 0.2
"""The largest `carried_weight` with which the ± was found to hold the truth in 93 to 97 % of simulated
contests; docs/statistics.md has the measurement."""

_SESSION = 16
"""The rounds of a session at four seats, as simulated."""


@dataclass(frozen=True, slots=True)
class StagePlan:
    """A stage as it is announced.

    `bots`: how many play in it, None if results decide that. `rounds`: of each of them, in all its complete
    sessions; None if results decide that.
    """

    bots: int | None
    rounds: int | None


def carried_weight(stages: Sequence[tuple[int, int]], seats: int) -> float:
    """Return R, how much earlier stages disturb the scores of the last: stages as (bots, rounds of each).

    With E_s sessions of a bot in earlier stage s of N_s bots, n bots in the last stage and E sessions of a
    bot in all stages: R = (sum E_s sqrt(max(0, 1/(n-1) - 1/(N_s-1))))^2 / E, times ((k-1)/3)^2 at k seats. A
    session is 16 rounds here. It is proportional to the variance of what the field of the last stage changes
    in a score (its mean over n - 1 opponents instead of N_s - 1), over that of the score by chance.
    """
    left = stages[-1][0] - 1
    moved = sum(
        rounds / _SESSION * sqrt(max(0.0, 1.0 / left - 1.0 / (bots - 1))) for bots, rounds in stages[:-1]
    )
    return moved * moved / (sum(rounds for _, rounds in stages) / _SESSION) * ((seats - 1) / 3) ** 2


def carry_error(stages: Sequence[StagePlan], seats: int) -> str:
    """Return why the last of these stages must not count the sessions of the earlier ones; else "".

    `stages`: all of them, in order; `seats`: at a table.
    """
    known = [(stage.bots, stage.rounds) for stage in stages]
    plan = [(bots, rounds) for bots, rounds in known if bots is not None and rounds is not None]
    if len(plan) < len(known):
        return (
            "it is not known beforehand how many bots and sessions each stage will have, and the ± of a "
            "score that counts earlier stages is right only if few leave and the last stage is long; it "
            "needs a closed league, keep = a number and a fixed number of cycles in every stage"
        )
    if plan[-1][0] < 3:
        return "a final of two carries nothing: a duel is scored by itself"
    found = carried_weight(plan, seats)
    if found <= MOST_CARRIED:
        return ""
    before = sum(rounds for _, rounds in plan[:-1])
    share = 100 * before / (before + plan[-1][1])
    return (
        f"{share:.0f} % of what is played would be from before, when there were up to "
        f"{max(bots for bots, _ in plan)} bots and not {plan[-1][0]}: that weighs {found:.2f}, and above "
        f"{MOST_CARRIED:g} the ± held the truth too rarely in simulated contests, because bots suit those "
        "who are out otherwise than those who are left; keep more bots, play more in the last stage, or "
        "leave carry out"
    )
