"""The whole review of a bot: what its matches say for certain, and what a sample of its decisions cost.

It puts together what the other modules find, and judges nothing itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from random import Random
from typing import Final

from arena.match.record import MatchRecord
from arena.reviews.conditions import Shared, shared_by_costly
from arena.reviews.costs import Reviewed, average_cost, blunders
from arena.reviews.decisions import Phase, Place, replays_of
from arena.reviews.means import Estimate
from arena.reviews.points import Group, PointsTable, Row

MOST_SHOWN: Final = 10
"""The most decisions that are shown."""


@dataclass(frozen=True, slots=True)
class PhaseCost:
    """What the decisions of a phase cost: so many `choices`, of which so many were `reviewed`.

    `each`: points for one of them; None while none was reviewed. `a_round`: points in a round.
    """

    phase: Phase
    choices: int
    reviewed: int
    each: Estimate | None
    a_round: float | None


@dataclass(frozen=True, slots=True)
class BotReview:
    """The review of one bot. Every amount is in card points; more is worse.

    `rounds`: at all its seats. `total`: its points a round; `groups`: where they go. `faults`: how many of
    each kind; `charge`: points a round that it was charged for them.
    `choices`: the decisions that had a choice; `reviewed`: how many of these were tried. `phases`: what they
    cost; `a_round`: what all of them cost together, None while a phase was not tried. `blunders`: how many
    were surely costly (`arena.reviews.costs`); `costliest`: the costliest of these. `shared`: what costly
    ones share.
    """

    bot: str
    matches: int
    rounds: int
    total: Row
    groups: tuple[Group, ...]
    faults: Mapping[str, int]
    charge: float
    choices: int
    reviewed: int
    phases: tuple[PhaseCost, ...]
    a_round: Estimate | None
    blunders: int
    costliest: tuple[Reviewed, ...]
    shared: tuple[Shared, ...]


class Survey:
    """What the matches of a bot say without trying anything. Add each of them, then ask for the review."""

    def __init__(self, bot: str) -> None:
        self.bot = bot
        self.matches = self.rounds = self.charge = 0
        self.faults: Counter[str] = Counter()
        self.choices: dict[Phase, list[Place]] = {phase: [] for phase in Phase}
        self.points = PointsTable(bot)

    def add(self, record: MatchRecord) -> None:
        """Add a match, with the bot or beside it. Takes about 1 ms a round.

        Raises ValueError, which names the round, when the record contradicts the rules.
        """
        seats = [seat for seat, one in enumerate(record.seats) if one.bot == self.bot]
        self.matches += 1
        self.charge += sum(record.seats[seat].charge for seat in seats)
        self.faults.update(fault.kind.value for fault in record.faults if fault.seat in seats)
        for replay in replays_of(record):
            self.rounds += len(seats)
            for decision in replay.decisions(seats):
                if decision.had_choice:
                    self.choices[decision.phase].append(decision.place)
            self.points.add(replay, (record.key, replay.number, 0, 0))


def in_fair_order(choices: Iterable[Place], seed: str) -> list[Place]:
    """Return decisions in an order whose every beginning is a fair sample: each is as likely to be in it.

    Of each session a beginning has the same share, but for one decision: a session's decisions are shuffled,
    and stand at even distances from a random start (systematic sampling: Cochran, "Sampling Techniques",
    1977, chapter 8).
    """
    sessions: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for place in choices:
        sessions[place[0].cycle, place[0].index].append(place)
    timed = []
    for (cycle, index), places in sessions.items():
        chance = Random(f"{seed}/sample/{cycle}.{index}")  # noqa: S311 - the same order each time
        start = chance.random()
        chance.shuffle(places)
        timed += [((number + start) / len(places), place) for number, place in enumerate(places)]
    return [place for _, place in sorted(timed, key=lambda each: each[0])]


def review_of(survey: Survey, reviewed: Sequence[Reviewed]) -> BotReview:
    """Return the review of a bot. `reviewed`: a fair sample of its choices, or all of them.

    Raises ValueError if the bot has no round.
    """
    phases = tuple(
        _phase(phase, len(places), [each for each in reviewed if each.decision.phase is phase], survey.rounds)
        for phase, places in survey.choices.items()
    )
    costly = blunders(reviewed)
    return BotReview(
        bot=survey.bot,
        matches=survey.matches,
        rounds=survey.rounds,
        total=survey.points.total(),
        groups=survey.points.groups(),
        faults=dict(sorted(survey.faults.items())),
        charge=survey.charge / survey.rounds,
        choices=sum(phase.choices for phase in phases),
        reviewed=len(reviewed),
        phases=phases,
        a_round=_a_round(phases, survey.rounds),
        blunders=len(costly),
        costliest=tuple(costly[:MOST_SHOWN]),
        shared=shared_by_costly(reviewed),
    )


def _phase(phase: Phase, choices: int, reviewed: Sequence[Reviewed], rounds: int) -> PhaseCost:
    each = average_cost(reviewed) if reviewed else None
    return PhaseCost(phase, choices, len(reviewed), each, each.value * choices / rounds if each else None)


def _a_round(phases: Iterable[PhaseCost], rounds: int) -> Estimate | None:
    """Return the sum of the phases: each mean is weighted with how many such decisions there were."""
    value, error, freedom = 0.0, 0.0, []
    for phase in phases:
        if phase.choices:
            if phase.each is None or phase.each.error is None or phase.a_round is None:
                return None
            value += phase.a_round
            error = hypot(error, phase.each.error * phase.choices / rounds)
            freedom.append(phase.each.degrees_of_freedom)
    return Estimate(value, error, min(freedom)) if freedom else None
