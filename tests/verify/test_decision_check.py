"""Decisions against what was played: each cycle is judged by itself, and no decision is from another."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from arena.conduct.exclusion import Conduct, Sitting
from arena.match.faults import HandOver
from arena.store.acts import EXCLUDE, Decision
from arena.store.history import Action
from arena.store.stored_season import StoredSeason
from arena.store.views import Role
from arena.verify.decision_check import DecisionCycle, check_decisions
from tests.conduct.shares import ByShare

REASON = "replaced in 2 of 4 matches"
SEASON: Any = SimpleNamespace(
    open=False,
    number=1,
    phases=[SimpleNamespace(cycles_planned=3)],
    section=lambda name: {"disqualify_share": 0.4} if name == "faults" else {},
    entries=[
        SimpleNamespace(bot=bot, role=role, number=number)
        for number, (bot, role) in enumerate(
            [("ant", Role.ENTRANT), ("bee", Role.HOUSE), ("stand-in", Role.STAND_IN)]
        )
    ],
)
NONE: Any = None


def conduct() -> Conduct:
    """Three cycles of two matches; "bee" lost those of the second."""
    made = Conduct(ByShare(0.4), 2)
    made.add(
        Sitting(bot, cycle, 0, order, HandOver.CRASHED if (bot, cycle) == ("bee", 1) else None)
        for cycle in range(3)
        for order in range(2)
        for bot in ("ant", "bee")
    )
    return made


def decision(cycles: int, *excluded: tuple[str, str], acts: int = 0) -> Decision:
    return Decision(cycles, min(cycles + 1, 3), excluded, False, (), 0, (), (), acts, 0)


DUE = [decision(1), decision(2, ("bee", REASON)), decision(3)]


def found(
    decisions: list[Decision], over: int = 3, must: int = 3, acts: tuple[Action, ...] = ()
) -> list[str]:
    cycles = [DecisionCycle(end, min(end + 1, 3), end <= must) for end in range(1, over + 1)]
    return list(check_decisions(StoredSeason(SEASON, acts, decisions), conduct(), NONE, cycles))


def test_what_was_due_was_decided() -> None:
    assert found(DUE) == []


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        (
            [decision(1, ("bee", REASON)), *DUE[1:]],
            "bee is excluded after 1 cycles, what was played does not",
        ),
        ([DUE[0], decision(2), DUE[2]], f"bee is not excluded after 2 cycles, although {REASON}"),
        (
            [DUE[0], decision(2, ("bee", "a whim"))],
            f"bee is excluded as a whim, what was played says {REASON}",
        ),
        ([DUE[0], replace(DUE[1], effect=2)], "what was decided after 2 cycles: effect is 2, it was 3"),
        ([DUE[0], replace(DUE[1], settled=True)], "after 2 cycles: settled is True, it was False"),
        ([DUE[0], replace(DUE[1], acts=1)], "after 2 cycles followed from 1 acts, there are 0"),
        (
            [*DUE, decision(4)],
            "something was decided after 4 cycles, which is no decision cycle that is over",
        ),
        ([DUE[0], DUE[2]], f"bee is not excluded after 2 cycles, although {REASON}"),
    ],
)
def test_another_decision_is_found(decisions: list[Decision], said: str) -> None:
    assert said in found(decisions)[0]


def test_the_last_cycle_that_is_over_may_not_have_been_decided_on() -> None:
    assert found(DUE[:1], over=2, must=1) == []
    assert found(DUE[:2], over=2, must=1) == []
    assert len(found(DUE[:1], over=2, must=2)) == 1, "but it must have been before the next one began"


def act(bot: str, from_cycle: int) -> Action:
    return Action(0, "ann", EXCLUDE, bot, "x", json.dumps({"season": 1, "from_cycle": from_cycle}))


def test_an_act_of_the_organiser_replaces_no_decision() -> None:
    """Whoever makes an act of the organiser of a decision of the limits is found out."""
    (said,) = found([DUE[0], decision(2, acts=1), decision(3, acts=1)], acts=(act("bee", 2),))
    assert said == f"bee is not excluded after 2 cycles, although {REASON}"
