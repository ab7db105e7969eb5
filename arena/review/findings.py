"""What a bot does wrong again and again, in words, the costliest first.

Candidates (`arena.review.candidates`) become findings when they survive a correction for how many were looked
at (`arena.review.discovery`), in each family at a part of the rate (`_PARTS`). The parts add up to all of it,
so of the bots without a fault at most the rate has any finding. Then each decision is explained once: the
clearest description comes first, and another one stays only if its other decisions are surely costly too.
Faults are charged, so their cost is known and only their share is tested. What is left of surely costly
decisions is told as a finding of its own, if there are more of them than sound play has.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from arena.review.average import average_cost
from arena.review.candidates import Candidate, contexts, deviations, excess, numbers, total, unsound
from arena.review.clusters import Estimate, at_least, p_above
from arena.review.course import Course
from arena.review.discovery import RATE, blunders, surviving
from arena.review.reviewed import Reviewed
from arena.review.situations import SITUATIONS
from arena.review.survey import FAULTS, Place, Survey, mask_of_numbers, survey_of

__all__ = ["Finding", "Place", "done_by", "findings"]

_PARTS: Final = {"habits": 0.3, "contexts": 0.3, "faults": 0.2, "now and then": 0.2}
"""The part of the error rate that each kind of finding has."""
_SURE: Final = 0.01
"""The p-value at which what is left of a candidate, without what is told already, still counts."""
_LEFT: Final = 0.5
"""So much of its cost must be left."""
_FEWEST: Final = 5
"""So many reviewed decisions must be left."""
_SOUND_BLUNDERS: Final = 0.001
"""The share of surely costly decisions that play without a fault may have."""
_LEAST_BLUNDER_OF_PASS: Final = 15.0
"""A pass has far more options than a play, and more that are better than any bot's."""
_NEARLY_ALL: Final = 0.85
_SELDOM: Final = 0.5
_MAYBE: Final = 0.2
_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `count` of `places`: how often the bot did it, of how often it could. `share`, `field_share`: of 1; the
    field's is None where the finding is about a situation, or about costs, and not about a habit. `each`:
    points for each time, with an error; `reviewed`: from how many decisions. `a_round`: points a round.
    `examples`: up to three places, the costliest first. `p`: how likely so much is where there is nothing.
    """

    key: str
    words: str
    count: int
    places: int
    share: float
    field_share: float | None
    each: Estimate
    reviewed: int
    a_round: float
    examples: tuple[Place, ...]
    p: float

    @property
    def often(self) -> str:
        """Return in words how often the bot did it, with the shares where they say something."""
        if self.field_share is None and self.count == self.places:
            return f"{self.count:,} times"
        count, share = f"{self.count:,}", _percent(self.share)
        if self.field_share is None:
            return f"{count} of {self.places:,} times ({share})"
        return f"{count} of {self.places:,} times ({share}; the field {_percent(self.field_share)})"

    def sentence(self, bot: str) -> str:
        """Return the finding in words."""
        error = f" ± {self.each.error:.1f}" if self.each.error else ""
        return (
            f"{bot} {self.words}: {self.often}, {self.each.value:.1f}{error} points each, "
            f"{self.a_round:.1f} points a round"
        )


def findings(
    courses: Iterable[Course], bot: str, reviewed: Iterable[Reviewed], fault_points: int, rate: float = RATE
) -> list[Finding]:
    """Return the findings of a bot, those that cost most a round first.

    `courses`: all rounds of the field. `reviewed`: all that is known of the bot's decisions, in the fair
    sample or looked at because of a pattern; others' are passed over. `fault_points`: the charge of a fault.
    Raises ValueError if the bot has no round.
    """
    survey = survey_of(courses, bot, {each.place: each for each in reviewed if each.bot == bot})
    rates = {kind: part * rate for kind, part in _PARTS.items()}
    sure = [*_sure_deviations(survey, rates["habits"]), *_sure_contexts(survey, rates["contexts"])]
    told = _told(sure, survey)
    found = [_finding(each, survey.rounds) for each in told]
    found += _faults(survey, fault_points, rates["faults"])
    found += _now_and_then(survey, told, rates["now and then"])
    return sorted(found, key=lambda each: -each.a_round)


def done_by(courses: Iterable[Course], bot: str) -> dict[str, list[Place]]:
    """Return the places where the bot shows each pattern that it seems to show more than the field.

    A review that also looks at some of these at random (`Reviewed.in_sample` False) can tell what a rare
    pattern costs. Those that are surely more frequent come first. Sound choices are left out, because they
    cost nothing in a finding. Last, under the key "unsound", stand all choices that are not sound.
    """
    survey = survey_of(courses, bot, {})
    ordered = sorted((p_above(excess(done)), key) for key, done in survey.done.items() if done.comparable)
    masks = {key: unsound(survey, key) for p, key in ordered if p < _MAYBE}
    masks["unsound"] = ((1 << len(survey.places)) - 1) & ~survey.sound
    return {key: [survey.places[number] for number in numbers(mask)] for key, mask in masks.items() if mask}


def _sure_deviations(survey: Survey, rate: float) -> list[Candidate]:
    """Return the patterns that surely cost and that the bot surely shows more than the field.

    Most patterns cost nothing, so the second question is asked of few.
    """
    tested = deviations(survey)
    costly = [each for each, sure in zip(tested, surviving([e.p for e in tested], rate), strict=True) if sure]
    more = surviving([each.p_excess for each in costly], rate)
    return [each for each, sure in zip(costly, more, strict=True) if sure]


def _sure_contexts(survey: Survey, rate: float) -> list[Candidate]:
    families = contexts(survey)
    found = []
    for tested, looked_at in families:
        others = [1.0] * (looked_at - len(tested))
        kept = surviving([*(each.p for each in tested), *others], rate / len(families))
        found += [each for each, sure in zip(tested, kept, strict=False) if sure]
    return found


def _told(sure: Sequence[Candidate], survey: Survey) -> list[Candidate]:
    """Return the candidates that explain something of their own, the strongest first."""
    explained = 0
    told = []
    for each in sorted(sure, key=lambda candidate: -candidate.strength):
        if _adds(each, explained, survey):
            told.append(each)
            explained |= each.mask
    return told


def _adds(candidate: Candidate, explained: int, survey: Survey) -> bool:
    """Return whether a candidate is costly without the decisions that are explained already."""
    if not candidate.mask & explained:
        return True
    rest = {survey.places[number] for number in numbers(candidate.mask & ~explained)}
    weighted = list(zip(candidate.costs, candidate.weights, strict=True))
    left = [(each, weight) for each, weight in weighted if each.place in rest]
    enough = len(left) >= _FEWEST and _sum_of(left) >= _LEFT * _sum_of(weighted)
    mean = average_cost([each for each, __ in left], [weight for _, weight in left])
    return enough and p_above(mean, candidate.bound) <= _SURE


def _sum_of(weighted: Iterable[tuple[Reviewed, float]]) -> float:
    return fsum(weight * each.cost for each, weight in weighted)


def _finding(candidate: Candidate, rounds: int) -> Finding:
    return Finding(
        key=candidate.key,
        words=candidate.words,
        count=candidate.count,
        places=candidate.places,
        share=candidate.count / candidate.places,
        field_share=candidate.field_share,
        each=candidate.each,
        reviewed=len(candidate.costs),
        a_round=candidate.count / rounds * candidate.each.value,
        examples=_examples(candidate.costs),
        p=max(candidate.p, candidate.p_excess),
    )


def _examples(costs: Iterable[Reviewed]) -> tuple[Place, ...]:
    return tuple(each.place for each in sorted(costs, key=lambda each: -each.cost)[:_EXAMPLES])


def _faults(survey: Survey, fault_points: int, rate: float) -> list[Finding]:
    """Return the kinds of faults that the bot makes more often than the field."""
    tested = []
    for kind, done in survey.faults.items():
        own, others = total(done.own.values()), total(done.others.values())
        charge = survey.charged[kind] * fault_points
        if charge > 0:
            tested.append(
                Finding(
                    key=kind,
                    words=FAULTS[kind],
                    count=round(own.total),
                    places=round(own.count),
                    share=own.total / own.count,
                    field_share=others.total / others.count if others.count else None,
                    each=Estimate(charge / own.total, 0.0, 1),
                    reviewed=0,
                    a_round=charge / survey.rounds,
                    examples=tuple(survey.faulty[kind][:_EXAMPLES]),
                    p=p_above(excess(done)) if done.comparable else 1.0,
                )
            )
    others_kinds = [1.0] * (len(FAULTS) - len(tested))
    kept = surviving([*(each.p for each in tested), *others_kinds], rate)
    return [each for each, sure in zip(tested, kept, strict=False) if sure]


def _now_and_then(survey: Survey, told: Iterable[Candidate], rate: float) -> list[Finding]:
    """Return the finding of costly decisions that nothing else explains, or nothing."""
    left = survey.sample
    for known in told:
        left &= ~known.mask
    fair = [survey.costs[number] for number in numbers(left & ~survey.sound)]
    costly = [
        each for each in blunders(fair) if each.cost >= _LEAST_BLUNDER_OF_PASS or each.trick is not None
    ]
    p = at_least(len(costly), left.bit_count(), _SOUND_BLUNDERS)
    # A bot with a mind of its own wins elsewhere what it loses here by the policy of the rollouts.
    if p > rate or len(costly) < _FEWEST or p_above(average_cost(fair)) > rate:
        return []
    share = len(costly) / left.bit_count()
    count = share * (len(survey.places) * left.bit_count() / survey.sample.bit_count())
    each = average_cost(costly)
    return [
        Finding(
            key="now-and-then",
            words="now and then chooses what surely costs" + ", " + _when(survey, costly),
            count=round(count),
            places=len(survey.places),
            share=count / len(survey.places),
            field_share=None,
            each=each,
            reviewed=left.bit_count(),
            a_round=count / survey.rounds * each.value,
            examples=_examples(costly),
            p=p,
        )
    ]


def _when(survey: Survey, costly: Iterable[Reviewed]) -> str:
    """Return when nearly all of some decisions are taken, if that is seldom; or that there is no pattern."""
    places = {each.place for each in costly}
    chosen = mask_of_numbers([number for number, place in enumerate(survey.places) if place in places])
    most, words = 1.0, "in no pattern that was found yet"
    for situation in SITUATIONS:
        mask = survey.situations.get(situation.key, 0)
        usual = mask.bit_count() / len(survey.places)
        share = (mask & chosen).bit_count() / len(places)
        if share >= _NEARLY_ALL and usual <= _SELDOM and share / usual > most:
            most, words = share / usual, f"nearly always {situation.words}"
    return words


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
