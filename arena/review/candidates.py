"""What could be told of a bot: sets of its decisions that cost more than they should, with p-values.

There are two families, and each has its own share of the error rate (`arena.review.findings`):

- **deviations**: a pattern of the catalogue that the bot shows in a larger share of the places than the other
  bots do on the same boards, and whose decisions cost more than `least_cost`.
- **contexts**: a phase, or a pattern whoever else shows it, or one of these in one situation or two, in which
  decisions cost more than `least_cost` and more than in the rest of the phase. This finds faults that nobody
  foresaw.

Sound choices (`arena.review.survey`) are free, and others cost what they cost beside them. How many of a set
are not sound is known of all decisions, not only of those that were reviewed; so the mean cost of a set is
that share of it, times the mean cost of its reviewed unsound choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import hypot, sqrt
from typing import Final

from arena.review.average import average_cost
from arena.review.clusters import Estimate, Tally, difference, p_above
from arena.review.patterns import PATTERNS
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.review.situations import SITUATIONS
from arena.review.strata import strata
from arena.review.survey import Done, Survey, mask_of_numbers

__all__ = ["Candidate", "contexts", "deviations", "excess", "least_cost", "numbers", "total", "unsound"]

_LEAST_COST: Final = 0.3
_LEAST_COST_OF_PASS: Final = 3.0
_FEWEST: Final = 5
"""So many reviewed unsound decisions a context needs."""
_ENOUGH: Final = 80
"""With so many decisions in the fair sample, those that were looked at for what they are do not count."""
_SMALLER: Final = 0.9
"""A situation must leave out a tenth of the decisions, to say anything."""

_OFTEN: Final = 0.15
"""All plays are called bad where so many are not sound."""
_SHARPER: Final = 1.2
"""Two situations together must cost so many times as much as each of them."""
_MOST: Final = 150
"""The contexts that are tested: the strongest. The others count as looked at, with nothing found."""

_POWER: Final = 0.7
_CLEAR_PATTERN: Final = 1.3
_CLEAR_ALWAYS: Final = 1.3
_ALWAYS: Final = 0.98
_CLEAR_EVERYWHERE: Final = 1.3
_CLEAR_MORE: Final = 0.85
"""How clear a description is beside that of a phase: a pattern that sets the bot apart from the field, one
that it always shows, a situation of all plays, and each situation that is added."""

_PATTERNS: Final = {pattern.key: pattern for pattern in PATTERNS}
_SITUATIONS: Final = {situation.key: situation for situation in SITUATIONS}
_STEMS: Final = {
    Phase.PASS: "passes badly",
    Phase.LEAD: "leads badly",
    Phase.FOLLOW: "chooses badly when it follows suit",
    Phase.DISCARD: "chooses badly when it cannot follow suit",
}
_PLAYS: Final = "plays"
_ALL_PLAYS: Final = "chooses badly in all its plays"
_IN_PLAYS: Final = "plays badly"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A set of the bot's decisions, as a mask of `Survey.places`.

    `words`: what the bot does, after its name. `places`: how often it could. `field_share`: how often the
    others do it where they can, of 1; None for a context. `each`: what such a decision costs; `costs`: from
    which reviews, of its unsound choices. `bound`: what it must cost. `clear`: how good a description it is
    beside others that are as costly. `p`: how likely so much is where there is nothing. `p_excess`: how
    likely it is to be so much more than the field's where it is as much; 0 for a context.
    """

    key: str
    words: str
    mask: int
    places: int
    field_share: float | None
    each: Estimate
    costs: tuple[Reviewed, ...]
    weights: tuple[float, ...]
    bound: float
    clear: float
    p: float
    p_excess: float = 0.0

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


def least_cost(phase: Phase | None) -> float:
    """Return the points that a decision must cost on average to be called a fault; None: of all plays.

    The policy of the rollouts is not the bot's own. A search that looks ahead has unsound plays that cost
    0.04 points by it, and unsound passes that cost 2, because it tries fewer of them than a review.
    """
    return _LEAST_COST_OF_PASS if phase is Phase.PASS else _LEAST_COST


def numbers(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set, ascending."""
    for number, bit in enumerate(reversed(bin(mask))):
        if bit == "1":
            yield number
        elif bit == "b":
            return


def deviations(survey: Survey) -> list[Candidate]:
    """Return a candidate for each pattern that both the bot and the field could show."""
    return [_deviation(key, done, survey) for key, done in survey.done.items() if done.comparable]


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


def unsound(survey: Survey, key: str) -> int:
    """Return the decisions in which the bot shows a pattern and that may cost something."""
    mask = survey.patterns.get(key, 0)
    return mask & ~survey.sound if _PATTERNS[key].excused else mask


def _deviation(key: str, done: Done, survey: Survey) -> Candidate:
    pattern = _PATTERNS[key]
    mask, may_cost = survey.patterns.get(key, 0), unsound(survey, key)
    own, others = total(done.own.values()), total(done.others.values())
    weighted = _weighted(survey, may_cost)
    costs, weights = [cost for cost, _ in weighted], [weight for _, weight in weighted]
    each = _share_of(average_cost(costs, weights), may_cost.bit_count(), mask.bit_count())
    share, field_share = own.total / own.count, others.total / others.count
    always = share > _ALWAYS > field_share
    bound = least_cost(pattern.phase)
    return Candidate(
        key=key,
        words=pattern.words,
        mask=mask,
        places=round(own.count),
        field_share=field_share,
        each=each,
        costs=tuple(costs),
        weights=tuple(weights),
        bound=bound,
        clear=_CLEAR_PATTERN * (_CLEAR_ALWAYS if always else 1.0),
        p=p_above(each, bound),
        p_excess=p_above(excess(done)),
    )


def _weighted(survey: Survey, mask: int) -> list[tuple[Reviewed, float]]:
    """Return the reviews of some decisions, each with the number of decisions for which it stands.

    They are the fair ones, and where these are few all, if these can stand for the whole.
    """
    parts = [mask]
    reviewed = fair = mask & survey.sample
    if fair.bit_count() < _ENOUGH:
        known = mask_of_numbers(sorted(survey.costs)) & mask
        drawn_from = [unsound(survey, key) for key in survey.patterns]
        all_unsound = ((1 << len(survey.places)) - 1) & ~survey.sound
        found = strata(mask, known, [*drawn_from, all_unsound])
        if found:
            parts, reviewed = found, known
    weighted: dict[int, tuple[Reviewed, float]] = {}
    for part in parts:
        seen = list(numbers(part & reviewed))
        weighted |= {number: (survey.costs[number], part.bit_count() / len(seen)) for number in seen}
    return [weighted[number] for number in sorted(weighted)]


def _share_of(each: Estimate, part: int, whole: int) -> Estimate:
    """Return the mean of a whole of which only a part has it, and the rest nothing.

    How large the part is, is chance too: another league would have another one. So its binomial error counts,
    with one more in the part and one more outside (Laplace's rule).
    """
    if not whole:
        return Estimate(0.0, None, 0)
    share, likely = part / whole, (part + 1) / (whole + 2)
    of_share = each.value * sqrt(likely * (1 - likely) / whole)
    error = None if each.error is None else hypot(each.error * share, of_share)
    return Estimate(each.value * share, error, each.freedom)


def contexts(survey: Survey) -> list[tuple[list[Candidate], int]]:
    """Return the contexts that may cost too much, and how many were looked at in all.

    The simple ones, a phase or all plays in at most one situation, are apart from the many others, so that
    these do not make it harder to be sure of the simple ones.
    """
    return _Search(survey).run()


class _Search:
    """The search through the contexts. Reviewed unsound decisions have masks of their own, to be fast."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._numbers = list(numbers(survey.sample & ~survey.sound))
        self._costs = [survey.costs[number].cost for number in self._numbers]
        self._seen: set[tuple[int, int]] = set()
        self._looked_at = {True: 0, False: 0}
        self._promising: list[_Promising] = []

    def run(self) -> list[tuple[list[Candidate], int]]:
        """Look at each context. Return the strongest simple ones and how many there were; then the others."""
        situations = [
            (_Set(mask, self._reviewed(mask)), key) for key, mask in self._survey.situations.items()
        ]
        plays = sum(mask for phase, mask in self._survey.phases.items() if phase is not Phase.PASS)
        self._run_base(_Base(_PLAYS, _ALL_PLAYS, None, plays), situations, pairs=False)
        for phase, mask in self._survey.phases.items():
            self._run_base(_Base(phase, _STEMS[phase], phase, mask), situations, pairs=True)
        for key, mask in self._survey.patterns.items():
            pattern = _PATTERNS[key]
            self._run_base(_Base(key, pattern.words, pattern.phase, mask), situations, pairs=False)
        return [self._strongest(simple=simple) for simple in (True, False)]

    def _strongest(self, *, simple: bool) -> tuple[list[Candidate], int]:
        of_kind = [each for each in self._promising if each.simple == simple]
        best = sorted(of_kind, key=lambda each: -each.strength)[:_MOST]
        found = [self._candidate(each.base, each.decisions, each.situations) for each in best]
        return found, self._looked_at[simple]

    def _reviewed(self, mask: int) -> int:
        """Return which reviewed unsound decisions are in a set."""
        octets = mask.to_bytes(len(self._survey.places) // 8 + 1, "little")
        return mask_of_numbers(
            [place for place, number in enumerate(self._numbers) if octets[number >> 3] >> (number & 7) & 1]
        )

    def _run_base(self, base: _Base, situations: Sequence[tuple[_Set, str]], *, pairs: bool) -> None:
        whole = _Set(base.mask, self._reviewed(base.mask))
        if whole.reviewed.bit_count() < _FEWEST:
            return
        least = self._look(base, whole, (), 0.0)
        inside = []
        for where, key in situations:
            both = self._narrow(whole, where)
            if both:
                mean = self._look(base, both, (key,), least)
                inside.append((both, key, mean))
        if pairs:
            for (one, first, mean), (other, second, same) in combinations(inside, 2):
                both = self._narrow(one, other)
                if both:
                    self._look(base, both, (first, second), _SHARPER * max(mean, same))

    def _narrow(self, one: _Set, other: _Set) -> _Set | None:
        """Return what is in two sets, unless it is little or the first says nearly the same."""
        reviewed = one.reviewed & other.reviewed
        if reviewed.bit_count() < _FEWEST:
            return None
        both = _Set(one.mask & other.mask, reviewed)
        return both if both.mask.bit_count() < _SMALLER * one.mask.bit_count() else None

    def _look(self, base: _Base, of: _Set, situations: tuple[str, ...], least: float) -> float:
        """Take note of a context whose decisions cost more than `least`, and return what they cost."""
        count = of.mask.bit_count()
        may_cost = (of.mask & ~self._survey.sound).bit_count()
        costs = [self._costs[place] for place in numbers(of.reviewed)]
        mean = sum(costs) / len(costs) * may_cost / count
        same = count, of.reviewed
        # Of all plays a few bad ones are "now and then", not bad play.
        rare = base.phase is None and not situations and may_cost < _OFTEN * count
        if same not in self._seen and not rare:
            self._seen.add(same)
            simple = base.key not in _PATTERNS and len(situations) < 2
            self._looked_at[simple] += 1
            if mean > max(least_cost(base.phase), least):
                strength = mean * count**_POWER * _clear(base, situations)
                self._promising.append(_Promising(strength, base, of, situations, simple))
        return mean

    def _candidate(self, base: _Base, of: _Set, situations: tuple[str, ...]) -> Candidate:
        costs = [self._survey.costs[self._numbers[place]] for place in numbers(of.reviewed)]
        may_cost = (of.mask & ~self._survey.sound).bit_count()
        each = _share_of(average_cost(costs), may_cost, of.mask.bit_count())
        bound = least_cost(base.phase)
        elsewhere = self._elsewhere(base, of)
        words = _IN_PLAYS if base.phase is None and situations else base.words
        return Candidate(
            key="-".join((base.key, *situations)),
            words=", ".join([words, *(_SITUATIONS[key].words for key in situations)]),
            mask=of.mask,
            places=of.mask.bit_count(),
            field_share=None,
            each=each,
            costs=tuple(costs),
            weights=(may_cost / len(costs),) * len(costs),
            bound=bound,
            clear=_clear(base, situations),
            p=max(p_above(each, bound), _p_more(each, elsewhere) if elsewhere else 0.0),
        )

    def _elsewhere(self, base: _Base, of: _Set) -> Estimate | None:
        """Return what the other decisions of a base cost; None if there are no others to compare."""
        rest = base.mask & ~of.mask
        may_cost = rest & ~self._survey.sound
        costs = [
            self._survey.costs[self._numbers[place]]
            for place in numbers(self._reviewed(base.mask) & ~of.reviewed)
        ]
        if len(costs) < 2:
            return Estimate(0.0, 0.0, 1) if rest and not may_cost else None
        return _share_of(average_cost(costs), may_cost.bit_count(), rest.bit_count())


def _p_more(one: Estimate, other: Estimate) -> float:
    """Return how likely such a difference is where the first is no larger. They are taken as independent."""
    if one.error is None or other.error is None:
        return 1.0
    freedom = max(1, one.freedom)
    return p_above(Estimate(one.value - other.value, hypot(one.error, other.error), freedom))


def _clear(base: _Base, situations: Sequence[str]) -> float:
    everywhere = base.phase is None and bool(situations)
    return float(_CLEAR_MORE ** len(situations) * (_CLEAR_EVERYWHERE if everywhere else 1.0))


@dataclass(frozen=True, slots=True)
class _Base:
    """What is looked at in each situation: a phase, all plays or a pattern, and its decisions."""

    key: str
    words: str
    phase: Phase | None
    mask: int


@dataclass(frozen=True, slots=True)
class _Set:
    """Some decisions: all, and which of the reviewed unsound ones."""

    mask: int
    reviewed: int


@dataclass(frozen=True, slots=True)
class _Promising:
    """A context that seems to cost too much."""

    strength: float
    base: _Base
    decisions: _Set
    situations: tuple[str, ...]
    simple: bool
