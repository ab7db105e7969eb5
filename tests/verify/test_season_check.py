"""Rulings against what was played: each cycle is judged by itself, and no ruling is from another."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from arena.conduct.disqualify import Conduct, Ruling, Sitting
from arena.match.faults import HandOver
from arena.store.views import Role
from arena.verify.ruling_check import Decided, check_acts, check_rulings
from tests.conduct.shares import ByShare

REASON = "replaced in 2 of 4 matches"
DUE = Ruling("bee", True, 2, REASON)


def known() -> Conduct:
    """Three cycles of two matches; "bee" lost those of the second."""
    conduct = Conduct(ByShare(0.4, 1), 2)
    conduct.add(
        Sitting(bot, cycle, 0, order, HandOver.CRASHED if (bot, cycle) == ("bee", 1) else None)
        for cycle in range(3)
        for order in range(2)
        for bot in ("ant", "bee")
    )
    return conduct


def ends(over: int, decided: int) -> list[Decided]:
    """The ends of blocks of a cycle each, at which rulings hold at once."""
    return [Decided(end, end, end <= decided) for end in range(1, over + 1)]


def test_what_was_due_was_decided() -> None:
    assert list(check_rulings(known(), [DUE], ends(3, 3))) == []


@pytest.mark.parametrize(
    ("cycle", "found"),
    [
        (1, "bee is excluded from session 1.0 on, what was played does not say so"),
        (3, "bee is not excluded from session 2.0 on, although replaced in 2 of 4 matches"),
    ],
)
def test_a_cycle_too_early_or_too_late_is_found(cycle: int, found: str) -> None:
    assert next(check_rulings(known(), [Ruling("bee", True, cycle, REASON)], ends(3, 3))) == found


def test_the_end_of_the_last_cycle_may_not_have_been_decided_on() -> None:
    assert list(check_rulings(known(), [], ends(2, 1))) == []
    assert list(check_rulings(known(), [DUE], ends(2, 1))) == []
    assert len(list(check_rulings(known(), [], ends(2, 2)))) == 1


def test_nothing_is_due_from_a_cycle_that_goes_on_while_later_ones_have_begun() -> None:
    assert list(check_rulings(known(), [], ends(1, 2))) == []


def test_another_reason_is_found() -> None:
    (found,) = check_rulings(known(), [Ruling("bee", True, 2, "a whim")], ends(3, 3))
    assert found == f"bee is excluded as a whim, what was played says {REASON}"


@pytest.mark.parametrize("cycle", [0, 4])
def test_a_cycle_that_is_not_over_disqualifies_nobody(cycle: int) -> None:
    *_, last = check_rulings(known(), [DUE, Ruling("ant", True, cycle)], ends(3, 3))
    assert last == f"ant is excluded from session {cycle}.0 on; no decision cycle before is over"


def test_the_last_cycle_that_is_over_may_disqualify() -> None:
    assert list(check_rulings(known(), [DUE], ends(2, 2))) == []


ACT = Ruling("ant", True, 2, "a copy of bee", by_organiser=True)


def test_what_the_organiser_did_need_not_follow_from_what_was_played() -> None:
    withdrawn = Ruling("bee", True, 2, "its author asked", by_organiser=True)
    assert list(check_rulings(known(), [ACT, DUE, withdrawn], ends(3, 3))) == []
    assert list(check_acts(SEASON, [ACT, DUE, withdrawn])) == []


def test_an_act_of_the_organiser_replaces_no_decision() -> None:
    """Whoever writes "organiser" into a decision of the limits is found out."""
    (found,) = check_rulings(known(), [Ruling("bee", True, 2, REASON, by_organiser=True)], ends(3, 3))
    assert found == f"bee is not excluded from session 2.0 on, although {REASON}"


SEASON: Any = SimpleNamespace(
    open=False,
    stretches=[SimpleNamespace(cycles_planned=3)],
    entries=[
        SimpleNamespace(bot=bot, role=role)
        for bot, role in [("ant", Role.ENTRANT), ("bee", Role.HOUSE), ("stand-in", Role.STAND_IN)]
    ],
)


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        (Ruling("cow", True, 2), "cow is excluded, and there is no such bot"),
        (Ruling("stand-in", False, 2), "stand-in is reinstated, and there is no such bot"),
        (
            Ruling("ant", True, 4, "x", by_organiser=True),
            "ant is excluded from session 4.0 on; 3 cycles were planned",
        ),
        (
            Ruling("ant", True, -1, "x", by_organiser=True),
            "ant is excluded from session -1.0 on; 3 cycles were planned",
        ),
    ],
)
def test_an_act_that_no_organiser_can_have_done_is_found(ruling: Ruling, said: str) -> None:
    assert list(check_acts(SEASON, [ACT, ruling])) == [said]


def test_a_ruling_holds_one_cycle_later_and_no_other_time() -> None:
    later = [Decided(1, 2, True), Decided(2, 3, True), Decided(3, 3, True)]
    ruling = Ruling("bee", True, 3, REASON, after=2)
    assert list(check_rulings(known(), [ruling], later)) == []
    (found,) = check_rulings(known(), [Ruling("bee", True, 4, REASON, after=2)], later)
    assert found == "bee is excluded from session 4.0 on, it must be from session 3.0 on"
