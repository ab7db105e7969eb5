"""What a bot did, where, and how often beside the field: the one pass over all rounds that findings need.

It counts. It must not judge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from arena.deals import MatchKey
from arena.match.stand_in import STAND_IN
from arena.review.average import FEWEST_SESSIONS
from arena.review.clusters import Tally
from arena.review.course import Course
from arena.review.excuse import plays_soundly
from arena.review.patterns import by_phase
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.sight import Sight, sights_of
from arena.review.situations import of_phase

__all__ = ["FAULTS", "Decided", "Done", "Place", "Survey", "survey_of"]

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
class Decided:
    """The bot's decisions of one phase that had a choice, in order. A set of them is a mask of their numbers.

    `situations`, `patterns`: by key, in which decisions it holds or was done. `costs`: what is known of some.
    `sample`: those of them in the fair sample.

    """

    places: list[Place] = field(default_factory=list)
    situations: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    patterns: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    costs: dict[int, Reviewed] = field(default_factory=dict)
    charged: dict[int, Reviewed] = field(default_factory=dict)
    sample: int = 0

    def add(self, sight: Sight, place: Place, review: Reviewed | None) -> None:
        """Add a decision and the situations in which it stands."""
        number = len(self.places)
        bit = 1 << number
        self.places.append(place)
        for situation in _SITUATIONS[sight.phase]:
            if situation.holds(sight):
                self.situations[situation.key] |= bit
        if review:
            self.costs[number] = review
            free = plays_soundly(sight)
            self.charged[number] = replace(review, cost=0.0, error=0.0) if free else review
            self.sample |= bit * review.in_sample


@dataclass(slots=True)
class Survey:
    """A bot's decisions by phase, and what it did beside the field by pattern. `rounds`: at all its seats.

    `faults`: by kind; `faulty`: the places of each kind.
    """

    rounds: int = 0
    phases: dict[Phase, Decided] = field(default_factory=lambda: {phase: Decided() for phase in Phase})
    patterns: dict[str, Done] = field(default_factory=lambda: defaultdict(Done))
    faults: dict[str, Done] = field(default_factory=lambda: defaultdict(Done))
    faulty: dict[str, list[Place]] = field(default_factory=lambda: defaultdict(list))

    @property
    def choices(self) -> int:
        """Return how many decisions of the bot had a choice."""
        return sum(len(decided.places) for decided in self.phases.values())


def survey_of(courses: Iterable[Course], bot: str, known: Mapping[Place, Reviewed]) -> Survey:
    """Return the survey of a bot. `known`: its reviewed decisions. Takes about 1 ms a round of four seats.

    Raises ValueError if the bot has no round.
    """
    found = Survey()
    listed = [course for course in courses if bot in course.bots]
    if not listed:
        raise ValueError(f"no round of {bot} is among these matches")
    by_session = len({course.session for course in listed}) >= FEWEST_SESSIONS
    for course in listed:
        cluster = course.session if by_session else course.board
        found.rounds += course.bots.count(bot)
        for sight in sights_of(course):
            _add(found, sight, bot, cluster, known)
        _add_faults(found, course, bot, cluster)
    return found


def _add(survey: Survey, sight: Sight, bot: str, cluster: Cluster, known: Mapping[Place, Reviewed]) -> None:
    own = sight.bot == bot
    decided = survey.phases[sight.phase]
    bit = 1 << len(decided.places)
    for pattern in _PATTERNS[sight.phase]:
        done = pattern.done(sight)
        if done is not None:
            count = survey.patterns[pattern.key]
            (count.own if own else count.others)[cluster].add(done)
            if own and done:
                decided.patterns[pattern.key] |= bit
    if own:
        place = sight.course.key, sight.course.number, sight.question, sight.seat
        decided.add(sight, place, known.get(place))


def _add_faults(survey: Survey, course: Course, bot: str, cluster: Cluster) -> None:
    """Count the questions and the faults. Where a bot was replaced, nobody asked it."""
    asked = [int(seat not in course.passes_by_stand_in) for seat in range(course.players)]
    for play in course.plays:
        asked[play.seat] += not play.by_stand_in
    made: dict[int, Sequence[tuple[str, int]]] = {
        seat: [(kind, question) for who, kind, question in course.faults if who == seat]
        for seat in range(course.players)
    }
    for seat, name in enumerate(course.bots):
        if name == STAND_IN:
            continue
        for kind in FAULTS:
            count = survey.faults[kind]
            times = [question for its, question in made[seat] if its == kind]
            questions = asked[seat] + len(times)
            (count.own if name == bot else count.others)[cluster].add(len(times), questions)
            if name == bot:
                survey.faulty[kind] += [(course.key, course.number, question, seat) for question in times]
