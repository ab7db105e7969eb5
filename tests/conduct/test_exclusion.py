"""Who is excluded and from when on: the pure decisions, whatever was played ahead of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conduct.exclusion import (
    Conduct,
    Limits,
    Ruling,
    Sitting,
    bars_of,
    disqualified,
    out_in,
    sittings_of,
)
from arena.match.faults import HandOver
from arena.match.stand_in import STAND_IN
from tests.conduct.shares import ByShare
from tests.driving import Conduct as Behaviour
from tests.driving import make_setup, play

LIMITS = ByShare(0.1)
ORDERS = 4
"""Matches of a session here."""
LOST = HandOver.CRASHED


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


def test_a_bot_replaced_too_often_is_out_from_the_next_cycle_on() -> None:
    known = conduct(*cycle_of(0, 5, 3))
    (ruling,) = known.decide(1, 1, ())
    assert ruling == Ruling("a", True, 1, "replaced in 3 of 20 matches")
    assert out_in([ruling], 0) == frozenset()
    assert out_in([ruling], 1) == out_in([ruling], 7) == {"a"}
    assert disqualified([ruling]) == {"a": ruling}


def test_all_cycles_so_far_count_together() -> None:
    known = conduct(*cycle_of(0, 2, 0), *cycle_of(1, 2, 2), *cycle_of(2, 2, 4))
    assert known.decide(1, 1, ()) == ()
    assert known.decide(2, 2, ()) == (Ruling("a", True, 2, "replaced in 2 of 16 matches"),)
    assert known.decide(3, 3, ()) == (Ruling("a", True, 3, "replaced in 6 of 24 matches"),)


def test_what_was_played_later_changes_nothing() -> None:
    early, all_of_it = conduct(*cycle_of(0, 3, 2)), conduct(*cycle_of(1, 3, 12), *cycle_of(0, 3, 2))
    assert early.decide(1, 1, ()) == all_of_it.decide(1, 1, ())


def test_an_unfinished_session_does_not_count() -> None:
    known = conduct(*cycle_of(0, 3, 0))
    known.add(session(0, 3, {"a": 3})[:6])
    assert known.tally("a", 0, ()) == {(0, 4): 3}
    known.add(session(0, 3, {"a": 3})[6:])
    assert known.tally("a", 0, ()) == {(0, 4): 3, (3, 4): 1}


def test_who_is_out_is_not_disqualified_again() -> None:
    known = conduct(*cycle_of(0, 3, 12), *cycle_of(1, 3, 0))
    rulings = known.decide(1, 1, ())
    assert known.decide(2, 2, rulings) == ()


def test_a_reinstated_bot_is_judged_by_what_it_played_since() -> None:
    known = conduct(*cycle_of(0, 3, 12), *cycle_of(2, 3, 1), *cycle_of(3, 3, 4))
    rulings = [*known.decide(1, 1, ()), Ruling("a", False, 2)]
    assert out_in(rulings, 1) == {"a"}
    assert out_in(rulings, 2) == frozenset()
    assert disqualified(rulings) == {}
    assert known.decide(3, 3, rulings) == ()
    assert known.decide(4, 4, rulings) == (Ruling("a", True, 4, "replaced in 5 of 24 matches"),)


def test_a_decision_is_the_same_when_it_was_undone_since() -> None:
    known = conduct(*cycle_of(0, 3, 12))
    decided = known.decide(1, 1, ())
    assert known.decide(1, 1, [*decided, Ruling("a", False, 1)]) == decided
    assert out_in([*decided, Ruling("a", False, 1)], 1) == frozenset()


def test_the_stand_in_is_nobody() -> None:
    sittings = [replace(each, bot=STAND_IN) for each in session(0, 0, {"a": 4})]
    assert conduct(sittings, limits=ByShare(0.0, 1)).decide(1, 1, ()) == ()


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


# One block later


def test_while_the_next_block_is_played_it_still_plays() -> None:
    known = conduct(*cycle_of(0, 5, 3), *cycle_of(1, 5, 3))
    (ruling,) = known.decide(1, 3, ())
    assert ruling == Ruling("a", True, 3, "replaced in 3 of 20 matches", after=1)
    assert (ruling.decided, out_in([ruling], 2), out_in([ruling], 3)) == (1, frozenset(), {"a"})
    assert known.decide(1, 3, [ruling]) == (ruling,), "the same when it is decided again"
    assert known.decide(3, 4, [ruling]) == (), "it is out already, though it played until there"


def test_the_last_two_decisions_of_a_phase_take_effect_together() -> None:
    known = conduct(*cycle_of(0, 5, 3), *cycle_of(1, 1, 0), session(1, 1, {"b": 4}), session(1, 2, {"b": 4}))
    first = known.decide(1, 2, ())
    assert first == (Ruling("a", True, 2, "replaced in 3 of 20 matches", after=1),)
    last = (Ruling("b", True, 2, "replaced in 8 of 32 matches"),)
    assert known.decide(2, 2, first) == last
    assert known.decide(1, 2, [*first, *last]) == first, "later decisions are no part of it"
    assert known.decide(2, 2, [*first, *last]) == last


@pytest.mark.parametrize("from_cycle", [1, 2])
def test_when_the_organiser_acts_changes_nothing_of_what_the_limits_decide(from_cycle: int) -> None:
    """While the first block is undecided, an act can hold from its end, or from the end of the next one."""
    known = conduct(*cycle_of(0, 5, 3))
    withdrawn = Ruling("a", True, from_cycle, "asked", by_organiser=True)
    assert known.decide(1, 2, [withdrawn]) == known.decide(1, 2, ())
    assert known.decide(3, 4, [withdrawn]) == (), "it was out long before"


def test_who_comes_back_at_once_is_not_judged_by_what_it_was_ruled_out_for() -> None:
    known = conduct(*cycle_of(0, 5, 20), *cycle_of(1, 5, 20))
    out = known.decide(1, 2, ())
    back = [*out, Ruling("a", False, 2, "mended")]
    assert known.decide(2, 3, back) == (), "as it would be if it were reinstated after this decision"
    known.add(session(2, 0, {"a": 4}))
    known.add(session(2, 1, {}))
    known.add(session(2, 2, {}))
    assert known.decide(3, 4, back) == (Ruling("a", True, 4, "replaced in 4 of 12 matches", after=3),)


@given(st.integers(0, 2**32))
def test_what_is_played_ahead_and_in_which_order_changes_no_decision(seed: int) -> None:
    rng = Random(seed)
    kind = rng.choice((ByShare, Limits))
    limits = kind(rng.choice((0.0, 0.1, 0.3)), bars_of("ab"))
    bad = rng.choice((0.05, 0.5))
    sessions = [
        [replace(each, lost=LOST if rng.random() < bad else None) for each in session(cycle, index, {})]
        for cycle in range(5)
        for index in range(3)
    ]
    ends = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 5)]

    def decided(told: dict[int, list[list[Sitting]]]) -> list[Ruling]:
        known, rulings = Conduct(limits, ORDERS), list[Ruling]()
        for cycles, effect in ends:
            for sittings in told[cycles]:
                known.add(sittings)
            for _ in range(rng.randrange(1, 3)):  # a run that was killed decides again
                new = known.decide(cycles, effect, rulings)
                rulings += [ruling for ruling in new if ruling not in rulings]
        return rulings

    in_order = {cycles: [one for one in sessions if one[0].cycle == cycles - 1] for cycles, _ in ends}
    ahead: dict[int, list[list[Sitting]]] = {cycles: [] for cycles, _ in ends}
    for one in sessions:
        latest = one[0].cycle + 1
        ahead[rng.randint(max(1, latest - 1), latest)].append(one)
    for shuffled in ahead.values():
        rng.shuffle(shuffled)
    assert decided(ahead) == decided(in_order)
