"""The schedule of an open season compared with its vectors and with a second implementation.

`python -m tests.schedule.test_open_vectors` writes arena/vectors/open-schedule.json anew, from the second
implementation alone. That one is made from the description, plain rather than fast, and plans nothing with
the arena.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from arena.schedule import OpenPlan, PhaseField
from arena.schedule.catch_up import in_debt, quota
from tests.schedule.test_vectors import Order, PlainBalanced, PlainDraws, Row, neighbours, plain_scan, squares

# --- the second implementation --------------------------------------------------------------------


def together(one: int, other: int, sessions: list[Order]) -> int:
    return sum(one in session and other in session for session in sessions)


def plain_block(
    digest: str, cycle: int, phase: Row, seats: int, earlier: list[Order]
) -> tuple[list[Order], list[Order]]:
    """The line-ups as they were drawn, and their orders."""
    owes = {int(entry): sessions for entry, sessions in phase["owed"].items()}
    newcomers, line_ups, orders = set(owes), [], list[Order]()
    beside: Counter[tuple[int, int]] = Counter()
    while any(owes.values()):
        draws = PlainDraws(f"papayoo-1|plan|{digest}|catchup|{cycle}|{len(line_ups)}")
        furthest = [entry for entry in sorted(owes) if owes[entry] == max(owes.values())]
        seated = [furthest[draws.below(len(furthest))]]
        while len(seated) < seats:
            new_here = [entry for entry in seated if entry in newcomers]
            may = [
                entry
                for entry in phase["entries"]
                if entry not in seated
                and (entry not in newcomers or (owes[entry] > 0 and len(new_here) < min(2, seats - 1)))
            ]
            so_far = earlier + line_ups
            meetings = {
                entry: sum((3 if s == seated[0] else 1) * together(entry, s, so_far) for s in seated)
                for entry in may
            }
            ties = [entry for entry in may if meetings[entry] == min(meetings.values())]
            seated.append(ties[draws.below(len(ties))])
        for entry in seated:
            if entry in owes:
                owes[entry] -= 1
        line_ups.append(tuple(seated))
        start = draws.shuffled(sorted(seated))
        if seats > 5:
            order = tuple(plain_scan(start, beside, neighbours)[1])
        else:
            options = [(start[0], *rest) for rest in permutations(start[1:])]
            costs = [squares(beside + Counter(neighbours(option))) for option in options]
            order = options[costs.index(min(costs))]
        beside.update(neighbours(order))
        orders.append(order)
    return line_ups, orders


def plain_open(digest: str, seats: int, phases: list[Row]) -> list[list[Order]]:
    """The orders of all cycles."""
    cycles: list[list[Order]] = []
    field: list[int] = []
    for phase in phases:
        left = phase["cycles"]
        if phase["owed"] and left:
            earlier = [session for cycle in cycles for session in cycle]
            cycles.append(plain_block(digest, len(cycles), phase, seats, earlier)[1])
            left -= 1
        for _ in range(left):
            if phase["entries"] != field:
                field, number = phase["entries"], 0
                text = f"papayoo-1|plan|{digest}" + (f"|from|{len(cycles)}" if cycles else "")
                balanced = PlainBalanced(len(field), seats, text)
            orders = [tuple(field[place] for place in order) for order in balanced.cycle(number)]
            cycles.append(PlainDraws(f"{text}|sessions|{len(cycles)}").shuffled(orders))
            number += 1
    return cycles


def plain_quota(counted: Row) -> int:
    incumbents = sorted(counted.values())
    while incumbents:
        n = len(incumbents)
        middle = [incumbents[n // 2]] if n % 2 else incumbents[n // 2 - 1 : n // 2 + 1]
        # In whole numbers: 7 * median / 10, the median being sum / len.
        seven, ten = 7 * sum(middle), 10 * len(middle)
        q = min(32, seven // ten + (seven % ten > 0))
        if min(incumbents) >= q:
            return q
        incumbents = [sessions for sessions in incumbents if sessions >= q]
    return 0


def plain_debts(counted: Row, sat: Row) -> Row:
    q, debts = plain_quota(counted), {}
    for entry, sessions in counted.items():
        goal = q if sessions >= 16 or sat.get(entry, 0) < 16 else max(q, 16)
        if sessions < goal:
            debts[entry] = goal - sessions
    return {} if 2 * len(debts) >= len(counted) else debts


# --- the vectors ----------------------------------------------------------------------------------

DIGEST = "f6a2dea10fd5544b08ea380cfb13411eea4fdc4e8dc20d52d0b03db41c3db8de"


def phase(entries: str, cycles: int, **owed: int) -> Row:
    """`entries` as "0-5 7"; what is owed as e7=3."""
    numbers: list[int] = []
    for part in entries.split():
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return {
        "entries": numbers,
        "cycles": cycles,
        "owed": {entry[1:]: sessions for entry, sessions in owed.items()},
    }


SEASONS: list[tuple[int, list[Row]]] = [
    (
        4,
        [
            phase("0-5", 3),
            phase("0-7", 2, e6=5, e7=5),
            phase("0-7", 2, e7=2),
            phase("0 2-8", 1, e8=4),
            phase("0-5", 2),
        ],
    ),
    (4, [phase("0-3", 2), phase("0 1 3 4", 2, e4=2)]),
    (3, [phase("0-4", 1), phase("0-6", 2, e5=3, e6=3), phase("0-6", 1)]),
    # These two come out otherwise where meetings with the first count twice or four times.
    (4, [phase("0-8", 2), phase("0-10", 2, e9=9, e10=9)]),
    (5, [phase("0-8", 1), phase("0-12", 2, e9=7, e10=7, e11=7, e12=5)]),
    (6, [phase("0-7", 1), phase("0-8", 2, e8=5)]),
    (4, [phase("0-19", 1), phase("0-24", 2, e20=3, e21=3, e22=3, e23=3, e24=1)]),
]

COUNTS: list[tuple[Row, Row]] = [
    ({"0": 10, "1": 10, "2": 10, "3": 10, "4": 0}, {}),
    ({"0": 30, "1": 31, "2": 33, "3": 34, "4": 0, "5": 7}, {"5": 7}),
    ({"0": 100, "1": 90, "2": 120, "3": 0}, {}),
    ({"0": 40, "1": 40, "2": 0, "3": 0}, {}),
    ({"0": 12, "1": 20, "2": 20, "3": 18, "4": 20, "5": 0}, {"0": 20, "1": 20, "2": 20, "3": 20, "4": 20}),
    ({"0": 0, "1": 0, "2": 0}, {}),
    ({"0": 90, "1": 90, "2": 90, "3": 90, "4": 27, "5": 27, "6": 27, "7": 0}, {"4": 27, "5": 27}),
    ({}, {}),
]
"""Counted sessions of each entry, and in how many sessions of the schedule each sits if that matters."""


def reference_document() -> Row:
    return {
        "digest": DIGEST,
        "seasons": [reference_season(seats, phases) for seats, phases in SEASONS],
        "debts": [
            {"counted": counted, "sat": sat, "quota": plain_quota(counted), "owed": plain_debts(counted, sat)}
            for counted, sat in COUNTS
        ],
    }


def reference_season(seats: int, phases: list[Row]) -> Row:
    planned = plain_open(DIGEST, seats, phases)
    return {
        "seats": seats,
        "phases": phases,
        "first_matches": first_matches(planned, seats),
        "cycles": [[" ".join(map(str, order)) for order in cycle] for cycle in planned],
    }


def first_matches(planned: list[list[Order]], seats: int) -> list[int]:
    number, found = 1, []
    for cycle in planned:
        found.append(number)
        number += len(cycle) * (6 if seats == 3 else seats)
    return found


FILE = Path(__file__).parents[2] / "arena/vectors/open-schedule.json"
VECTORS: Row = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"seasons": [], "debts": []}


def fields(phases: list[Row]) -> list[PhaseField]:
    begins, found = 0, []
    for row in phases:
        owed = tuple((int(entry), sessions) for entry, sessions in row["owed"].items())
        found.append(PhaseField(begins, row["cycles"], tuple(row["entries"]), owed))
        begins += row["cycles"]
    return found


def numbered(row: Row) -> dict[int, Any]:
    return {int(entry): sessions for entry, sessions in row.items()}


@pytest.mark.slow
def test_vectors_are_those_of_the_second_implementation() -> None:
    assert json.loads(json.dumps(reference_document())) == VECTORS


@pytest.mark.parametrize("row", VECTORS["seasons"], ids=lambda r: f"{r['seats']}-{len(r['phases'])}")
def test_seasons(row: Row) -> None:
    plan = OpenPlan(row["seats"], VECTORS["digest"], fields(row["phases"]))
    assert plan.cycles == len(row["cycles"])
    for number, orders in enumerate(row["cycles"]):
        sessions = plan.cycle(number)
        assert [" ".join(map(str, session.order)) for session in sessions] == orders
        assert [(session.cycle, session.index) for session in sessions] == [
            (number, index) for index in range(len(orders))
        ]
        assert plan.first_match(number) == row["first_matches"][number]


@pytest.mark.parametrize("row", VECTORS["debts"], ids=lambda r: str(len(r["counted"])))
def test_debts(row: Row) -> None:
    counted = numbered(row["counted"])
    assert quota(counted.values()) == row["quota"]
    assert dict(in_debt(counted, numbered(row["sat"]))) == numbered(row["owed"])


if __name__ == "__main__":
    FILE.write_text(json.dumps(reference_document(), indent=1) + "\n", "utf-8")
