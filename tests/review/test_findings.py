"""Findings: what surely costs is told once, in the clearest words, and play without a fault has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import fsum
from random import Random

import pytest

from arena.match.faults import Fault, FaultKind
from arena.papayoo import PAPAYOOS, Round, cards_of, rank_of
from arena.proof.policies import Policy
from arena.review.candidates import deviations, numbers, unsound
from arena.review.course import Course, Play, courses_of
from arena.review.findings import Finding, done_by, findings
from arena.review.phases import Phase
from arena.review.survey import survey_of
from arena.strategy import Policy as Rollouts
from arena.strategy import passed
from tests.review.costs import CostOf, made_up
from tests.review.played import DUCK, DUMP, SHORT, Late, league, playing, records


def _card(round_: Round, dice: Random) -> int:
    assert round_.papayoo_suit is not None
    legal, others = round_.legal(), sum(round_.hands) & ~round_.hands[round_.turn]
    return Rollouts(round_.players, round_.papayoo_suit).choose(legal, others, round_.trick)


SOUND = Policy(lambda hand, count, dice: passed(hand, count), _card)
FIELD = {"b": SHORT, "c": DUMP, "d": DUCK}
Seen = list[Finding]


def with_fault(change: Callable[[Round, Random, int], int]) -> list[Course]:
    """A league of a sound player with this change, and three others."""
    return league({"x": playing(SOUND, change), **FIELD}, 10, rounds=2)


def highest_led(round_: Round, dice: Random, card: int) -> int:
    return card if round_.trick else max(cards_of(round_.legal()), key=rank_of)


def as_dealer(round_: Round, dice: Random, card: int) -> int:
    """The lowest card instead of the highest, and the other way round, when it is the dealer."""
    cards = sorted(cards_of(round_.legal()), key=rank_of)
    return (cards[0] if cards[0] != card else cards[-1]) if round_.turn == round_.dealer else card


def now_and_then(round_: Round, dice: Random, card: int) -> int:
    cards = [other for other in cards_of(round_.legal()) if other != card]
    return dice.choice(cards) if cards and dice.random() < 0.04 else card


def papayoo_led(round_: Round, dice: Random, card: int) -> int:
    assert round_.papayoo_suit is not None
    papayoo = PAPAYOOS[round_.papayoo_suit]
    return papayoo if not round_.trick and round_.legal() >> papayoo & 1 else card


def costs(amount: float, where: Callable[[Course, Play], bool]) -> CostOf:
    """Plays there cost so much, passes and all others nothing."""
    return lambda course, seat, play: amount if play and where(course, play) else 0.0


def anywhere(course: Course, play: Play) -> bool:
    return True


def found(courses: list[Course], cost_of: CostOf, share: float = 0.5, noise: float = 0.5) -> Seen:
    return findings(courses, "x", made_up(courses, "x", cost_of, share, noise), 40)


def test_a_habit_that_costs_is_the_first_finding_by_its_name() -> None:
    told = found(with_fault(highest_led), costs(4.0, lambda _, play: play.phase is Phase.LEAD))
    assert [each.key for each in told] == ["lead-highest"]
    first = told[0]
    assert first.share == 1.0
    assert first.field_share is not None
    assert first.field_share < 0.5
    assert first.a_round == pytest.approx(first.count / 80 * first.each.value)
    assert first.sentence("X").startswith(
        f"X leads its highest card: {first.count} of {first.count} times (100.0"
    )
    assert len(first.examples) == 3


def test_what_costs_nothing_is_no_finding_however_often_it_is_done() -> None:
    assert found(with_fault(highest_led), costs(0.2, anywhere)) == []


def test_a_situation_that_no_pattern_names_is_found_too() -> None:
    told = found(with_fault(as_dealer), costs(3.0, lambda course, play: play.seat == course.dealer))
    assert "as the dealer" in told[0].words
    assert told[0].field_share is None
    assert told[0].sentence("X").startswith(f"X plays badly, as the dealer: {told[0].count} times, ")


def test_faults_at_random_are_told_as_such() -> None:
    told = found(with_fault(now_and_then), costs(9.0, anywhere), share=1.0)
    assert told[0].key == "now-and-then"
    assert 0.005 < told[0].share < 0.06
    assert told[0].each.value == pytest.approx(9, abs=1)


@pytest.mark.slow
def test_faults_at_random_keep_to_the_error_rate_too() -> None:
    courses = with_fault(now_and_then)
    reviews = made_up(courses, "x", costs(9.0, anywhere))
    assert findings(courses, "x", reviews, 40)
    assert findings(courses, "x", reviews, 40, rate=1e-12) == []


def test_random_faults_at_one_time_are_told_with_it() -> None:
    """Every costly choice is in the last third; too few of them for a context to be sure."""

    def late(round_: Round, dice: Random, card: int) -> int:
        return now_and_then(round_, dice, card) if round_.trick_number >= 10 else card

    told = found(with_fault(late), costs(9.0, anywhere), share=1.0)
    assert "in the last third of the round" in told[0].words


def test_a_bot_that_wins_elsewhere_what_it_loses_here_has_a_mind_of_its_own() -> None:
    """Half of the choices that are not sound are surely worse, and half surely better."""

    def either(course: Course, seat: int, play: Play | None) -> float:
        return 0.0 if play is None else (9.0, -9.0)[play.card % 2]

    courses = with_fault(now_and_then)
    assert found(courses, either, share=1.0) == []


def test_only_what_is_worse_than_the_sound_choice_counts() -> None:
    """What both lose beside the best choice is nobody's fault."""
    courses = with_fault(highest_led)
    reviews = made_up(courses, "x", costs(9.0, anywhere))
    assert findings(courses, "x", reviews, 40)
    assert findings(courses, "x", [replace(each, beside=0.0) for each in reviews], 40) == []


def test_a_rare_pattern_is_found_by_looking_at_it() -> None:
    courses = with_fault(papayoo_led)
    everything = made_up(courses, "x", costs(15.0, anywhere))
    places = done_by(courses, "x")
    wanted = set(places["lead-papayoo"])
    assert wanted
    assert wanted <= set(places["unsound"])
    looked_at = [replace(each, in_sample=False) for each in everything if each.place in wanted]
    told = findings(courses, "x", looked_at, 40)
    assert [each.key for each in told] == ["lead-papayoo"]
    assert told[0].reviewed == len(wanted)
    assert findings(courses, "x", [], 40) == []


@pytest.mark.slow
def test_a_costly_pattern_does_not_make_a_wider_one_seem_costly() -> None:
    """All leads of the Papayoo are looked at, and few of the other leads of the highest card."""
    courses = league({"x": playing(SOUND, highest_led), **FIELD}, 20, rounds=4)

    def cost(course: Course, seat: int, play: Play | None) -> float:
        if play is None or play.phase is not Phase.LEAD:
            return 0.0
        return 20.0 if play.card == PAPAYOOS[course.papayoo_suit] else 0.5

    everything = {each.place: each for each in made_up(courses, "x", cost)}
    dice = Random(2)
    known = {place: each for place, each in everything.items() if dice.random() < 0.03}
    whole = survey_of(courses, "x", {})
    for number in numbers(unsound(whole, "lead-papayoo")):
        place = whole.places[number]
        known.setdefault(place, replace(everything[place], in_sample=False))
    survey = survey_of(courses, "x", known)
    highest = next(each for each in deviations(survey) if each.key == "lead-highest")
    own = [survey.places[number] for number in numbers(highest.mask & ~survey.sound)]
    true = fsum(everything[place].cost for place in own) / highest.count
    assert highest.each.error is not None
    assert abs(highest.each.value - true) < 2 * highest.each.error < 0.5
    unweighted = fsum(each.cost for each in highest.costs) / len(highest.costs)
    assert unweighted * len(own) / highest.count > true + 2


def test_the_same_decisions_are_told_once() -> None:
    """Whoever leads its highest card also leads high Payoos, high plain cards and the top of its suits."""
    told = found(with_fault(highest_led), costs(6.0, anywhere), share=1.0)
    assert [each.key for each in told if each.key.startswith("lead")] == ["lead-highest"]


def test_sound_play_is_free_whatever_a_review_says_of_it() -> None:
    courses = league({"x": SOUND, **FIELD}, 10, rounds=2)
    assert found(courses, lambda *_: 7.0) == []
    assert done_by(courses, "x").keys() <= {"lead-void"}


def test_who_is_late_is_told_so_without_any_review() -> None:
    courses = league({"x": Late(SOUND, 0.03), **FIELD}, 10, rounds=2)
    told = findings(courses, "x", [], 40)
    assert [each.key for each in told] == ["timeout"]
    assert told[0].each.value == 40
    assert told[0].a_round == pytest.approx(told[0].count * 40 / 80)
    assert told[0].words == "is late"
    assert findings(courses, "x", [], 0) == []
    assert findings(courses, "b", [], 40) == []


@pytest.mark.parametrize(("where", "examples"), [((1, 3), 3), ((None, None), 0)])
def test_a_fault_costs_what_was_charged_for_it(where: tuple[int | None, int | None], examples: int) -> None:
    """A crash hands the match over, which is charged as three faults; and some are in no question."""
    courses: list[Course] = []
    for record in records({"x": SOUND, **FIELD}, 8, rounds=2):
        seat = next(number for number, each in enumerate(record.seats) if each.bot == "x")
        seats = [replace(each, charge=120 if each.bot == "x" else 0) for each in record.seats]
        crash = Fault(seat, FaultKind.CRASHED, "the process ended", *where)
        courses += courses_of(replace(record, seats=tuple(seats), faults=(crash,)))
    (told,) = findings(courses, "x", [], 40)
    assert (told.key, told.count, told.each.value) == ("crashed", 32, 120.0)
    assert told.a_round == pytest.approx(60.0)
    assert len(told.examples) == examples


def test_the_costliest_comes_first() -> None:
    courses = league({"x": Late(playing(SOUND, highest_led), 0.03), **FIELD}, 10, rounds=2)
    for amount, first in ((15.0, "lead-highest"), (1.2, "timeout")):
        told = found(courses, costs(amount, lambda _, play: play.phase is Phase.LEAD))
        amounts = [each.a_round for each in told]
        assert amounts == sorted(amounts, reverse=True)
        assert told[0].key == first


def test_a_bot_that_was_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no round of zed"):
        findings(league({"x": SOUND, **FIELD}, 1, rounds=1), "zed", [], 40)


@pytest.mark.slow
def test_without_a_fault_the_list_is_empty_at_the_stated_rate() -> None:
    """Players of another style, whose decisions cost a little on average and vary much."""
    told, runs = 0, 40
    for seed in range(runs):
        courses = league({"x": SHORT, "b": SOUND, "c": DUMP, "d": DUCK}, 8, seed, rounds=1)
        dice = Random(seed)
        noise = made_up(courses, "x", lambda *_, dice=dice: dice.choice((0.0, 0.0, 0.0, 1.0)), 0.5, 2.0, seed)
        told += bool(findings(courses, "x", noise, 40))
    assert told <= 0.1 * runs
