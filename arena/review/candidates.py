"""What could be told of a bot: sets of its decisions that may cost too much, each with a p-value.

There are two families, and each has its own share of the error rate (`arena.review.findings`):

- **deviations**: a pattern of the catalogue that the bot shows in a larger share of the places than the other
  bots do on the same boards, and in which its decisions cost more than `LEAST_COST` points. The larger of the
  two p-values counts (the intersection-union test: Berger, "Multiparameter hypothesis testing and acceptance
  sampling", Technometrics 24, 1982).
- **contexts**: a phase, or a pattern whoever else shows it, or one of these in one situation or two, in which
  decisions cost more than `LEAST_COST` points and more than elsewhere in the phase. This finds faults that
  nobody foresaw.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Final

from arena.review.average import average_cost
from arena.review.clusters import Estimate, Tally, difference, p_above
from arena.review.patterns import PATTERNS, Pattern
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.situations import SITUATIONS
from arena.review.survey import Decided, Done, Survey

__all__ = ["LEAST_COST", "Candidate", "contexts", "deviations", "excess", "numbers", "total"]

LEAST_COST: Final = 0.3
"""The points that a decision must cost on average. Playouts by a policy that is not the bot's own may find a
tenth of a point in play that has no fault."""
_FEWEST: Final = 8
"""So many reviewed decisions a context needs."""
_ENOUGH: Final = 30
"""With so many decisions in the fair sample, those that were looked at for what they are do not count."""
_SMALLER: Final = 0.9
"""A situation must leave out a tenth of the decisions, to say anything."""

_PATTERNS: Final = {pattern.key: pattern for pattern in PATTERNS}
_SITUATIONS: Final = {situation.key: situation for situation in SITUATIONS}
_STEMS: Final = {
    Phase.PASS: "passes badly",
    Phase.LEAD: "leads badly",
    Phase.FOLLOW: "chooses badly when it follows suit",
    Phase.DISCARD: "chooses badly when it cannot follow suit",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A set of the bot's decisions of a phase, as a mask of `Decided.places`.

    `words`: what the bot does, after its name. `places`: how often it could. `field_share`: how often the
    others do it where they can, of 1; None for a context. `each`: what such a decision costs; `costs`: from
    which reviews. `clear`: how good a description it is beside others that are as costly. `p`: how likely so
    much is where there is nothing.
    """

    key: str
    words: str
    phase: Phase
    mask: int
    places: int
    field_share: float | None
    each: Estimate
    costs: tuple[Reviewed, ...]
    clear: float
    p: float

    @property
    def count(self) -> int:
        """Return how often the bot did it."""
        return self.mask.bit_count()

    @property
    def strength(self) -> float:
        """Return what orders descriptions of the same decisions.

        A set that leaves out some of the costly decisions has a smaller total; one with others among them has
        a smaller mean. The power between the two prefers the set that is the fault itself.
        """
        return float(self.each.value * self.count**_POWER * self.clear)


_POWER: Final = 0.7


def numbers(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def deviations(survey: Survey) -> list[Candidate]:
    """Return a candidate for each pattern that both the bot and the field could show."""
    return [
        _deviation(_PATTERNS[key], done, survey.phases[_PATTERNS[key].phase])
        for key, done in survey.patterns.items()
        if done.comparable
    ]


def excess(done: Done) -> Estimate:
    """Return by how much the bot's share is larger than the field's.

    The error is at least that of as many independent throws with the share of all, one more done and one more
    not done added (Laplace's rule), so that a share of 0 or 1 in a few places is not taken for certain.
    """
    clusters = done.own.keys() | done.others.keys()
    found = difference((done.own[each], done.others[each]) for each in sorted(clusters))
    own, others = total(done.own.values()), total(done.others.values())
    share = (own.total + others.total + 1) / (own.count + others.count + 2)
    least = sqrt(share * (1 - share) * (1 / own.count + 1 / others.count))
    return found if found.error is None else Estimate(found.value, max(found.error, least), found.freedom)


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of some tallies."""
    whole = Tally()
    for tally in tallies:
        whole.add(tally.total, tally.count)
    return whole


def _deviation(pattern: Pattern, done: Done, decided: Decided) -> Candidate:
    mask = decided.patterns[pattern.key]
    costs = _costs_of_pattern(pattern, decided, mask)
    own, others = total(done.own.values()), total(done.others.values())
    each = average_cost(costs)
    share, field_share = own.total / own.count, others.total / others.count
    always = share > _ALWAYS > field_share
    return Candidate(
        key=pattern.key,
        words=pattern.words,
        phase=pattern.phase,
        mask=mask,
        places=round(own.count),
        field_share=field_share,
        each=each,
        costs=tuple(costs),
        clear=_CLEAR_PATTERN * (_CLEAR_ALWAYS if always else 1.0),
        p=max(p_above(excess(done)), p_above(each, LEAST_COST)),
    )


_CLEAR_PATTERN: Final = 1.3
_CLEAR_ALWAYS: Final = 1.3
_ALWAYS: Final = 0.98
_CLEAR_MORE: Final = 0.85
"""How clear a description is beside a context: a pattern that sets the bot apart from the field, one that it
always shows, and each situation that is added."""


def _costs_of_pattern(pattern: Pattern, decided: Decided, mask: int) -> list[Reviewed]:
    """Return the reviews of a pattern: the fair ones, and others where these are few."""
    known = decided.charged if pattern.excused else decided.costs
    fair = mask & decided.sample
    if fair.bit_count() >= _ENOUGH:
        return [known[number] for number in numbers(fair)]
    return [review for number, review in known.items() if mask >> number & 1]


def contexts(survey: Survey) -> tuple[list[Candidate], int]:
    """Return the contexts that may cost too much, and how many were looked at in all."""
    found: list[Candidate] = []
    looked_at = 0
    for phase, decided in survey.phases.items():
        if decided.sample:
            costs = {number: decided.charged[number].cost for number in numbers(decided.sample)}
            search = _Search(phase, decided, costs)
            looked_at += search.run()
            found += search.found
    return found, looked_at


class _Search:
    """The search through the contexts of a phase."""

    def __init__(self, phase: Phase, decided: Decided, costs: dict[int, float]) -> None:
        self._phase = phase
        self._decided = decided
        self._costs = costs
        self._all = (1 << len(decided.places)) - 1
        self._mean = sum(costs.values()) / len(costs)
        self._seen: set[int] = set()
        self.found: list[Candidate] = []

    def run(self) -> int:
        """Look at each context, simple ones first, and return how many there were."""
        self._look("", self._all, _STEMS[self._phase], ())
        single = [(key, mask) for key, mask in self._decided.situations.items() if self._enough(mask)]
        for key, mask in single:
            self._look("", mask, _STEMS[self._phase], (key,))
        for key, mask in self._decided.patterns.items():
            if self._enough(mask):
                self._look(key, mask, _PATTERNS[key].words, ())
                for situation, where in single:
                    self._narrow(key, _PATTERNS[key].words, (mask, where), (situation,))
        for (one, first), (other, second) in combinations(single, 2):
            self._narrow("", _STEMS[self._phase], (first, second), (one, other))
        return len(self._seen)

    def _enough(self, mask: int) -> bool:
        return (mask & self._decided.sample).bit_count() >= _FEWEST

    def _narrow(self, key: str, words: str, masks: Sequence[int], situations: tuple[str, ...]) -> None:
        """Look at decisions that are in two sets, unless one of the two says nearly the same."""
        both = masks[0] & masks[1]
        limit = _SMALLER * min(mask.bit_count() for mask in masks)
        if self._enough(both) and both.bit_count() < limit:
            self._look(key, both, words, situations)

    def _look(self, key: str, mask: int, words: str, situations: tuple[str, ...]) -> None:
        if mask in self._seen or not self._enough(mask):
            return
        self._seen.add(mask)
        inside = list(numbers(mask & self._decided.sample))
        mean = sum([self._costs[number] for number in inside]) / len(inside)
        if mean <= LEAST_COST or mean < self._mean:
            return
        costs = [self._decided.charged[number] for number in inside]
        each = average_cost(costs)
        places = self._all if not situations else self._decided.situations[situations[0]]
        self.found.append(
            Candidate(
                key="-".join((key or self._phase, *situations)),
                words=", ".join([words, *(_SITUATIONS[situation].words for situation in situations)]),
                phase=self._phase,
                mask=mask,
                places=places.bit_count() if key else mask.bit_count(),
                field_share=None,
                each=each,
                costs=tuple(costs),
                clear=_CLEAR_MORE ** len(situations),
                p=p_above(each, LEAST_COST),
            )
        )
