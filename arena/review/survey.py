"""What a bot did, where, and how often beside the field: the one pass over all rounds that findings need.

It counts. It must not judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Final

from arena.deals import MatchKey
from arena.match.stand_in import STAND_IN
from arena.review.average import FEWEST_SESSIONS
from arena.review.clusters import Tally
from arena.review.course import Course
from arena.review.patterns import by_phase
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.sight import Sight, sights_of
from arena.review.situations import of_phase
from arena.strategy import NO_CARD, Policy, alike, best_of, passed

__all__ = ["FAULTS", "Done", "Place", "Survey", "mask_of_numbers", "survey_of"]

Place = tuple[MatchKey, int, int, int]
"""A decision, as `Reviewed.place`: match, round, question (0 the pass, t + 1 the play to trick t), seat."""

FAULTS: Final[Mapping[str, str]] = {
    "timeout": "is late",
    "illegal": "answers with cards that the rules forbid",
    "bad_message": "sends what is no message",
    "crashed": "crashes",
    "flood": "floods its output",
    "resource": "uses more memory or processor time than it may",
    "start_failed": "does not start",
}
"""The kinds of faults, in words that follow the bot's name."""

_PATTERNS = {phase: by_phase(phase) for phase in Phase}
_SITUATIONS = {phase: of_phase(phase) for phase in Phase}

Cluster = tuple[int, ...]


@dataclass(slots=True)
class Done:
    """How often something was done of how often it could be, by cluster: by the bot, and by the others."""

    own: dict[Cluster, Tally] = field(default_factory=lambda: defaultdict(Tally))
    others: dict[Cluster, Tally] = field(default_factory=lambda: defaultdict(Tally))

    @property
    def comparable(self) -> bool:
        """Return whether both had an opportunity."""
        return all(any(tally.count for tally in side.values()) for side in (self.own, self.others))


@dataclass(slots=True)
class Survey:
    """A bot's decisions that had a choice, in order, and what it did beside the field.

    A set of decisions is a mask of their numbers. `rounds`: at all its seats. `phases`, `situations`,
    `patterns`: by key, in which decisions it holds or was done. `sound`: those with a choice that costs
    nothing here (`plays_soundly`). `costs`: what is known of some: of those that are not sound, what
    they cost beside the sound choice. `sample`: those of them in the fair sample. `done`: by pattern;
    `faults`: by kind; `charged`: as how many they were charged; `faulty`: the places of each kind, where it
    has one.
    """

    rounds: int = 0
    places: list[Place] = field(default_factory=list)
    phases: dict[Phase, int] = field(default_factory=lambda: dict.fromkeys(Phase, 0))
    situations: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    patterns: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    sound: int = 0
    costs: dict[int, Reviewed] = field(default_factory=dict)
    sample: int = 0
    done: dict[str, Done] = field(default_factory=lambda: defaultdict(Done))
    faults: dict[str, Done] = field(default_factory=lambda: defaultdict(Done))
    charged: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    faulty: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))


class _Numbers:
    """Sets of decisions while they grow: a mask of thousands of bits would be copied at each change."""

    def __init__(self) -> None:
        self._found: dict[str, list[int]] = defaultdict(list)

    def add(self, key: str, number: int) -> None:
        self._found[key].append(number)

    def masks(self) -> dict[str, int]:
        return {key: mask_of_numbers(numbers) for key, numbers in self._found.items()}


def _beside(review: Reviewed) -> Reviewed:
    """Return the decision with what it costs beside the sound choice, instead of beside the best one.

    Where both are far from the best, choosing the one and not the other is no fault of the bot's own.
    """
    return replace(review, cost=review.beside, error=review.beside_error)


def mask_of_numbers(numbers: Sequence[int]) -> int:
    """Return the set of these numbers, which ascend."""
    if not numbers:
        return 0
    octets = bytearray(numbers[-1] // 8 + 1)
    for number in numbers:
        octets[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(octets, "little")


def survey_of(courses: Iterable[Course], bot: str, known: Mapping[Place, Reviewed]) -> Survey:
    """Return the survey of a bot. `known`: its reviewed decisions. Takes about 2 ms a round of four seats.

    Raises ValueError if the bot has no round.
    """
    listed = [course for course in courses if bot in course.bots]
    if not listed:
        raise ValueError(f"no round of {bot} is among these matches")
    by_session = len({course.session for course in listed}) >= FEWEST_SESSIONS
    counting = _Counting(bot, known)
    for course in listed:
        counting.add(course, course.session if by_session else course.board)
    return counting.found()


class _Counting:
    """A survey while it grows."""

    def __init__(self, bot: str, known: Mapping[Place, Reviewed]) -> None:
        self._bot = bot
        self._known = known
        self._survey = Survey()
        self._situations, self._patterns, self._others = _Numbers(), _Numbers(), _Numbers()

    def add(self, course: Course, cluster: Cluster) -> None:
        self._survey.rounds += course.bots.count(self._bot)
        for sight in sights_of(course):
            own = sight.bot == self._bot
            for pattern in _PATTERNS[sight.phase]:
                done = pattern.done(sight)
                if done is not None:
                    count = self._survey.done[pattern.key]
                    (count.own if own else count.others)[cluster].add(done)
                    if own and done:
                        self._patterns.add(pattern.key, len(self._survey.places))
            if own:
                self._add_own(sight)
        _add_faults(self._survey, course, self._bot, cluster)

    def found(self) -> Survey:
        survey = self._survey
        survey.situations = self._situations.masks()
        survey.patterns = self._patterns.masks()
        others = self._others.masks()
        survey.phases = {phase: others.get(phase, 0) for phase in Phase}
        survey.sound, survey.sample = others.get("sound", 0), others.get("sample", 0)
        return survey

    def _add_own(self, sight: Sight) -> None:
        number = len(self._survey.places)
        place = sight.course.key, sight.course.number, sight.question, sight.seat
        self._survey.places.append(place)
        self._others.add(sight.phase, number)
        sound = plays_soundly(sight)
        if sound:
            self._others.add("sound", number)
        for situation in _SITUATIONS[sight.phase]:
            if situation.holds(sight):
                self._situations.add(situation.key, number)
        review = self._known.get(place)
        if review:
            self._survey.costs[number] = review if sound else _beside(review)
            if review.in_sample:
                self._others.add("sample", number)


def _add_faults(survey: Survey, course: Course, bot: str, cluster: Cluster) -> None:
    """Count the questions and the faults. Where a bot was replaced, nobody asked it."""
    asked = [int(seat not in course.passes_by_stand_in) for seat in range(course.players)]
    for play in course.plays:
        asked[play.seat] += not play.by_stand_in
    for seat, name in enumerate(course.bots):
        if name == STAND_IN:
            continue
        made = [fault for fault in course.faults if fault.seat == seat]
        for kind in FAULTS:
            count = survey.faults[kind]
            of_kind = [fault for fault in made if fault.kind == kind]
            questions = asked[seat] + len(of_kind)
            (count.own if name == bot else count.others)[cluster].add(len(of_kind), questions)
            if name == bot:
                survey.charged[kind] += fsum(fault.times for fault in of_kind)
                survey.faulty[kind] += [
                    (course.key, course.number, fault.question, seat)
                    for fault in of_kind
                    if fault.question is not None
                ]


def plays_soundly(sight: Sight) -> bool:
    """Return whether the policy of rollouts chooses the same, or a card of the same effect.

    That policy is simple, and its own choices cost something beside the best ones: 11 points a round beside a
    search (bots/README.md). A bot that plays as soundly as it has no fault in the sense of a finding. So
    findings take such choices for free, and look for what costs more. Takes about 0.05 ms.
    """
    if sight.phase is Phase.PASS:
        return sight.chosen == passed(sight.hand, sight.chosen.bit_count())
    suit = sight.course.papayoo_suit
    card = Policy(sight.course.players, suit).choose(sight.legal, sight.others, sight.table)
    if card == sight.card:
        return True
    best = best_of(sight.table)
    between = sight.others | (0 if best == NO_CARD else 1 << best)
    return any(group >> card & group >> sight.card & 1 for group in alike(sight.legal, between, suit))
