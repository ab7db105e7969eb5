"""Findings: what surely costs is told once, in the clearest words, and play without a fault has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from arena.match.faults import Fault, FaultKind
from arena.match.record import MatchRecord
from arena.papayoo import Round, cards_of, rank_of
from arena.review.course import Course, Play, courses_of
from arena.review.findings import Finding, done_by, findings
from arena.review.phases import Phase
from arena.strategy import Policy as Rollouts
from arena.strategy import passed
from tests.review.costs import CostOf, made_up
from tests.review.played import DUCK, DUMP, SHORT, Late, league, playing, records
from tests.review.policies import Policy


def _card(round_: Round, dice: Random) -> int:
    assert round_.papayoo_suit is not None
    legal, others = round_.legal(), sum(round_.hands) & ~round_.hands[round_.turn]
    return Rollouts(round_.players, round_.papayoo_suit).choose(legal, others, round_.trick)


SOUND = Policy(lambda hand, count, dice: passed(hand, count), _card)
FIELD = {"b": SHORT, "c": DUMP, "d": DUCK}
Seen = list[Finding]
SESSIONS = 6
ROUNDS = SESSIONS * 4 * 2
"""Of each bot: a session has four matches, of two rounds here."""


@cache
def with_fault(change: Callable[[Round, Random, int], int]) -> list[Course]:
    """A league of a sound player with this change, and three others."""
    return league({"x": playing(SOUND, change), **FIELD}, SESSIONS, rounds=2)


def highest_led(round_: Round, dice: Random, card: int) -> int:
    return card if round_.trick else max(cards_of(round_.legal()), key=rank_of)


def as_dealer(round_: Round, dice: Random, card: int) -> int:
    """The lowest card instead of the highest, and the other way round, when it is the dealer."""
    cards = sorted(cards_of(round_.legal()), key=rank_of)
    return (cards[0] if cards[0] != card else cards[-1]) if round_.turn == round_.dealer else card


def now_and_then(round_: Round, dice: Random, card: int) -> int:
    cards = [other for other in cards_of(round_.legal()) if other != card]
    return dice.choice(cards) if cards and dice.random() < 0.04 else card


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
    assert first.a_round == pytest.approx(first.count / ROUNDS * first.each.value)
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


def test_only_what_is_worse_than_the_sound_choice_counts() -> None:
    """What both lose beside the best choice is nobody's fault."""
    courses = with_fault(highest_led)
    reviews = made_up(courses, "x", costs(9.0, anywhere))
    assert findings(courses, "x", reviews, 40)
    assert findings(courses, "x", [replace(each, beside=0.0) for each in reviews], 40) == []


def test_sound_play_is_free_whatever_a_review_says_of_it() -> None:
    courses = league({"x": SOUND, **FIELD}, SESSIONS, rounds=2)
    assert found(courses, lambda *_: 7.0) == []
    assert done_by(courses, "x").keys() <= {"lead-void"}


def test_who_is_late_is_told_so_without_any_review() -> None:
    courses = league({"x": Late(SOUND, 0.03), **FIELD}, SESSIONS, rounds=2)
    told = findings(courses, "x", [], 40)
    assert [each.key for each in told] == ["timeout"]
    assert told[0].each.value == 40
    assert told[0].a_round == pytest.approx(told[0].count * 40 / ROUNDS)
    assert told[0].words == "is late"
    assert findings(courses, "x", [], 0) == []
    assert findings(courses, "b", [], 40) == []


@cache
def of_sound_play() -> list[MatchRecord]:
    return records({"x": SOUND, **FIELD}, 8, rounds=2)


@pytest.mark.parametrize(("where", "examples"), [((1, 3), 3), ((None, None), 0)])
def test_a_fault_costs_what_was_charged_for_it(where: tuple[int | None, int | None], examples: int) -> None:
    """A crash hands the match over, which is charged as three faults; and some are in no question."""
    courses: list[Course] = []
    for record in of_sound_play():
        seat = next(number for number, each in enumerate(record.seats) if each.bot == "x")
        seats = [replace(each, charge=120 if each.bot == "x" else 0) for each in record.seats]
        crash = Fault(seat, FaultKind.CRASHED, "the process ended", *where)
        courses += courses_of(replace(record, seats=tuple(seats), faults=(crash,)))
    (told,) = findings(courses, "x", [], 40)
    assert (told.key, told.count, told.each.value) == ("crashed", 32, 120.0)
    assert told.a_round == pytest.approx(60.0)
    assert len(told.examples) == examples


def test_the_costliest_comes_first() -> None:
    courses = league({"x": Late(playing(SOUND, highest_led), 0.03), **FIELD}, SESSIONS, rounds=2)
    for amount, first in ((15.0, "lead-highest"), (1.2, "timeout")):
        told = found(courses, costs(amount, lambda _, play: play.phase is Phase.LEAD))
        amounts = [each.a_round for each in told]
        assert amounts == sorted(amounts, reverse=True)
        assert told[0].key == first


def test_a_bot_that_was_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="no round of zed"):
        findings(league({"x": SOUND, **FIELD}, 1, rounds=1), "zed", [], 40)
