"""Who is disqualified and from when on: the pure decisions, and what may be known before a cycle is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conduct.disqualify import (
    Conduct,
    Ruling,
    Sitting,
    disqualified,
    out_in,
    sittings_of,
)
from arena.conduct.limits import EvidenceLimits, Limits, ShareLimits
from arena.match.faults import HandOver
from arena.match.stand_in import STAND_IN
from tests.driving import Conduct as Behaviour
from tests.driving import make_setup, play

LIMITS = ShareLimits(0.1, 10)
ORDERS = 4
"""Matches of a session here."""
LOST = HandOver.CRASHED
BOTH = {"a": ORDERS, "b": ORDERS}
"""A session in hand: who sits in it, and in how many matches."""


def session(cycle: int, index: int, lost: dict[str, int], bots: Sequence[str] = "ab") -> list[Sitting]:
    """A session of four matches, of which bots lost so many."""
    return [
        Sitting(bot, cycle, index, order, LOST if order < lost.get(bot, 0) else None)
        for order in range(ORDERS)
        for bot in bots
    ]


def conduct(*sessions: list[Sitting], limits: Limits = LIMITS) -> Conduct:
    known = Conduct(limits, ORDERS)
    for sittings in sessions:
        known.add(sittings)
    return known


def cycle_of(cycle: int, sessions: int, lost: int) -> list[list[Sitting]]:
    """Sessions of a cycle, in which "a" lost so many matches from the first on."""
    return [
        session(cycle, index, {"a": min(ORDERS, max(0, lost - ORDERS * index))}) for index in range(sessions)
    ]


@pytest.mark.parametrize(
    ("share", "after", "lost", "matches", "exceeded"),
    [
        (0.1, 10, 1, 10, False),
        (0.1, 10, 2, 10, True),
        (0.1, 10, 9, 9, False),
        (0.29, 10, 29, 100, False),  # 0.29 * 100 is less than 29 in binary
        (0.29, 10, 30, 100, True),
        (0.0, 1, 0, 50, False),
        (0.0, 1, 1, 50, True),
        (1.0, 1, 50, 50, False),
        (1, 1, 50, 50, False),
        (1e-9, 1, 1, 10**6, True),
    ],
)
def test_more_than_a_share_of_enough_matches(
    share: float, after: int, lost: int, matches: int, exceeded: bool
) -> None:
    assert ShareLimits(share, after).exceeded(lost, matches) is exceeded


def test_a_bot_replaced_too_often_is_out_from_the_next_cycle_on() -> None:
    known = conduct(*cycle_of(0, 5, 3))
    (ruling,) = known.decide(0, ())
    assert ruling == Ruling("a", True, 1, "replaced in 3 of 20 matches")
    assert out_in([ruling], 0) == frozenset()
    assert out_in([ruling], 1) == out_in([ruling], 7) == {"a"}
    assert disqualified([ruling]) == {"a": ruling}


def test_all_cycles_so_far_count_together() -> None:
    known = conduct(*cycle_of(0, 2, 0), *cycle_of(1, 2, 2), *cycle_of(2, 2, 4))
    assert known.decide(0, ()) == ()
    assert known.decide(1, ()) == (Ruling("a", True, 2, "replaced in 2 of 16 matches"),)
    assert known.decide(2, ()) == (Ruling("a", True, 3, "replaced in 6 of 24 matches"),)


def test_what_was_played_later_changes_nothing() -> None:
    early, all_of_it = conduct(*cycle_of(0, 3, 2)), conduct(*cycle_of(1, 3, 12), *cycle_of(0, 3, 2))
    assert early.decide(0, ()) == all_of_it.decide(0, ())


def test_too_few_matches_are_not_judged() -> None:
    assert conduct(*cycle_of(0, 2, 8)).decide(0, ()) == ()


def test_an_unfinished_session_does_not_count() -> None:
    known = conduct(*cycle_of(0, 3, 0))
    known.add(session(0, 3, {"a": 3})[:6])
    assert known.tally("a", 0, ()) == {(0, 4): 3}
    known.add(session(0, 3, {"a": 3})[6:])
    assert known.tally("a", 0, ()) == {(0, 4): 3, (3, 4): 1}


def test_who_is_out_is_not_disqualified_again() -> None:
    known = conduct(*cycle_of(0, 3, 12), *cycle_of(1, 3, 0))
    rulings = known.decide(0, ())
    assert known.decide(1, rulings) == ()


def test_a_reinstated_bot_is_judged_by_what_it_played_since() -> None:
    known = conduct(*cycle_of(0, 3, 12), *cycle_of(2, 3, 1), *cycle_of(3, 3, 4))
    rulings = [*known.decide(0, ()), Ruling("a", False, 2)]
    assert out_in(rulings, 1) == {"a"}
    assert out_in(rulings, 2) == frozenset()
    assert disqualified(rulings) == {}
    assert known.decide(2, rulings) == ()
    assert known.decide(3, rulings) == (Ruling("a", True, 4, "replaced in 5 of 24 matches"),)


def test_a_decision_is_the_same_when_it_was_undone_since() -> None:
    known = conduct(*cycle_of(0, 3, 12))
    decided = known.decide(0, ())
    assert known.decide(0, [*decided, Ruling("a", False, 1)]) == decided
    assert out_in([*decided, Ruling("a", False, 1)], 1) == frozenset()


def test_the_stand_in_is_nobody() -> None:
    sittings = [replace(each, bot=STAND_IN) for each in session(0, 0, {"a": 4})]
    assert conduct(sittings, limits=ShareLimits(0.0, 1)).decide(0, ()) == ()


# One incident


def lost_by(order: int, pid: int, begins: int, ends: int, why: HandOver = LOST) -> Sitting:
    return Sitting("a", 0, 0, order, why, pid, begins, ends)


@pytest.mark.parametrize(
    ("sittings", "incidents"),
    [
        ([lost_by(0, 7, 0, 50), lost_by(1, 7, 10, 50), lost_by(2, 7, 20, 50)], 1),  # at three tables at once
        ([lost_by(0, 7, 0, 50), lost_by(1, 8, 10, 50)], 2),  # two processes
        ([lost_by(order, 7 + order % 2, 0, 50) for order in range(4)], 2),  # two, at two tables each
        ([lost_by(0, 7, 0, 50), lost_by(1, 7, 10, 50, HandOver.FLOOD)], 2),  # for two reasons
        ([lost_by(0, 7, 0, 50), lost_by(1, 7, 50, 99)], 2),  # its number was used again
        ([lost_by(0, 7, 50, 99), lost_by(1, 7, 0, 50)], 2),  # in whichever order they were played
        ([lost_by(0, 0, 0, 50, HandOver.START_FAILED), lost_by(1, 0, 9, 50, HandOver.START_FAILED)], 2),
    ],
)
def test_one_incident_of_a_process_counts_once(sittings: list[Sitting], incidents: int) -> None:
    rest = [Sitting("a", 0, 0, order) for order in range(len(sittings), ORDERS)]
    backwards = [*reversed(sittings), *rest]
    assert conduct(backwards).tally("a", 0, ()) == {(incidents, ORDERS): 1}


def test_a_bot_with_several_seats_sits_in_a_match_once() -> None:
    record = play(make_setup(3, 3), Behaviour(0, (0.0, 0.0, 0.0), dead=frozenset({2}))).record
    named = ("a", "b", "a")
    seats = tuple(replace(seat, bot=bot) for seat, bot in zip(record.seats, named, strict=True))
    first, second = sittings_of(replace(record, seats=seats))
    assert (first.bot, first.lost, second.bot, second.lost) == ("a", HandOver.START_FAILED, "b", None)


# What is known before a cycle is over


def test_the_next_cycle_waits_only_while_a_decision_may_fall() -> None:
    known = conduct(*cycle_of(0, 9, 1))
    hand = {(0, 9): BOTH}
    assert known.may_fall(0, (), known.in_hand(hand))  # 5 of 40
    known.add(session(0, 9, {})[:2])
    assert known.may_fall(0, (), known.in_hand(hand))  # 4 of 40, but of 39 if the good match is left out
    known.add(session(0, 9, {})[2:4])
    assert not known.may_fall(0, (), known.in_hand(hand))
    assert known.may_fall(0, (), known.in_hand({(0, 9): BOTH, (0, 10): BOTH}))


def test_nobody_is_judged_before_enough_matches() -> None:
    known = conduct(*cycle_of(0, 1, 4))
    assert not known.may_fall(0, (), known.in_hand({(0, 1): BOTH}))
    assert known.may_fall(0, (), known.in_hand({(0, 1): BOTH, (0, 2): BOTH}))
    just_enough = conduct(*cycle_of(0, 1, 4), limits=ShareLimits(0.1, 2 * ORDERS))
    assert just_enough.may_fall(0, (), just_enough.in_hand({(0, 1): BOTH}))


def test_who_is_out_holds_nobody_up() -> None:
    known = conduct(*cycle_of(0, 3, 12))
    out = known.decide(0, ())
    assert known.may_fall(0, (), {})
    assert not known.may_fall(1, out, {})


@given(st.integers(0, 2**32))
def test_what_cannot_fall_does_not_fall_whatever_happens(seed: int) -> None:
    rng = Random(seed)
    kind: type[ShareLimits] | type[EvidenceLimits] = rng.choice((ShareLimits, EvidenceLimits))
    limits = kind(rng.choice((0.0, 0.1, 0.3, 1.0)), rng.choice((1, 10, 30)))
    known, bad = Conduct(limits, ORDERS), rng.choice((0.0, 0.05, 0.5))
    played = [session(0, index, {}) for index in range(rng.randrange(1, 12))]
    in_hand = rng.randrange(3)
    told: Counter[int] = Counter()
    for index, sittings in enumerate(played):
        fated = [replace(each, lost=LOST if rng.random() < bad else None) for each in sittings]
        played[index] = fated
        told[index] = len(fated) if index >= in_hand else 2 * rng.randrange(ORDERS)
        known.add(fated[: told[index]])
    hand = {(0, index): BOTH for index in range(min(in_hand, len(played)))}
    may_fall = known.may_fall(0, (), known.in_hand(hand))
    for index in range(len(hand)):
        if rng.random() < 0.7:  # else it is left out
            known.add(played[index][told[index] :])
    assert may_fall or known.decide(0, ()) == ()
