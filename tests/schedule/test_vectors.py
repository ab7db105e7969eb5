"""The schedule compared with its vectors and with a second implementation made from its description.

`python tests/schedule/test_vectors.py` writes arena/vectors/schedule.json anew, from the second
implementation alone. That one is plain rather than fast, and uses nothing of the arena.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.deals.draws import Draws
from arena.schedule import Field, Plan, Session, season_digest, seat_orders
from arena.schedule.drawn import below_each, samples

Row = dict[str, Any]
Order = tuple[int, ...]

# --- the second implementation --------------------------------------------------------------------


class PlainDraws:
    def __init__(self, text: str) -> None:
        self.text, self.i = text, 0

    def word(self) -> int:
        text = f"{self.text}|{self.i}"
        self.i += 1
        return int(hashlib.sha256(text.encode()).hexdigest()[:16], 16)

    def below(self, n: int) -> int:
        while True:
            word = self.word()
            if word < (2**64 // n) * n:
                return word % n

    def shuffled(self, items: list[Any]) -> list[Any]:
        items = list(items)
        for i in reversed(range(1, len(items))):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def sample(self, items: list[int], count: int) -> list[int]:
        items = list(items)
        for i in range(len(items) - 1, len(items) - 1 - count, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items[len(items) - count :]


def plain_rows(order: Order) -> list[Order]:
    k = len(order)
    z: list[int] = []
    low, high = 0, k - 1
    while len(z) < k:
        z.append(low)
        low += 1
        if len(z) < k:
            z.append(high)
            high -= 1
    rows = [tuple(order[(place + g) % k] for place in z) for g in range(k)]
    return rows + [row[::-1] for row in rows] if k == 3 else rows


def plain_duel(order: list[int]) -> list[list[int]]:
    return [order, [1 - bot for bot in order]]


def neighbours(order: Order) -> list[tuple[int, int]]:
    return [(row[p], row[(p + 1) % len(row)]) for row in plain_rows(order) for p in range(len(row))]


def squares(counts: Counter[Any]) -> int:
    return sum(count**2 for count in counts.values())


def plain_scan(order: list[int], counts: Counter[Any], keys: Any) -> tuple[int, list[int]]:
    """Scans of swaps; `keys(order)` lists what an order adds one to each of."""
    best = squares(counts + Counter(keys(order)))
    while True:
        before = list(order)
        for i in range(len(order)):
            for j in range(i + 1, len(order)):
                swapped = list(order)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                cost = squares(counts + Counter(keys(swapped)))
                if cost < best:
                    best, order = cost, swapped
        if order == before:
            return best, order


def plain_all(bots: int, seats: int, counts: Counter[Any]) -> list[Order]:
    orders = []
    for line_up in combinations(range(bots), seats):
        if seats <= 5:
            options = [(line_up[0], *rest) for rest in permutations(line_up[1:])]
            costs = [squares(counts + Counter(neighbours(option))) for option in options]
            order = options[costs.index(min(costs))]
        else:
            order = tuple(plain_scan(list(line_up), counts, neighbours)[1])
        counts.update(neighbours(order))
        orders.append(order)
    return orders


class PlainBalanced:
    def __init__(self, bots: int, seats: int, text: str) -> None:
        self.bots, self.seats, self.text = bots, seats, text
        self.holders = PlainDraws(f"{text}|residues").shuffled(list(range(bots)))
        self.met: Counter[int] = Counter()
        self.left: Counter[int] = Counter()
        self.used: list[frozenset[Order]] = []

    def translations(self, block: Order) -> frozenset[Order]:
        return frozenset(tuple(sorted((b + s) % self.bots for b in block)) for s in range(self.bots))

    def met_by(self, block: Order) -> Counter[int]:
        k = len(block)
        return Counter((block[j] - block[i]) % self.bots for i in range(k) for j in range(k) if i != j)

    def differences(self, order: Order) -> list[int]:
        return [(after - before) % self.bots for before, after in neighbours(order)]

    def block(self, cycle: int) -> Order:
        draws = PlainDraws(f"{self.text}|block|{cycle}")
        others = list(range(1, self.bots))
        if comb(len(others), self.seats - 1) <= 800:
            candidates = [(0, *rest) for rest in combinations(others, self.seats - 1)]
        else:
            candidates = [(0, *sorted(draws.sample(others, self.seats - 1))) for _ in range(400)]

        def rank(block: Order) -> tuple[int, int]:
            return squares(self.met + self.met_by(block)), self.used.count(self.translations(block))

        ranks = [rank(block) for block in candidates]
        ties = [block for block, found in zip(candidates, ranks, strict=True) if found == min(ranks)]
        return ties[draws.below(len(ties))]

    def cycle(self, cycle: int) -> list[Order]:
        block = self.block(cycle)
        self.met.update(self.met_by(block))
        self.used.append(self.translations(block))
        draws = PlainDraws(f"{self.text}|order|{cycle}")
        starts = [draws.shuffled(list(block)) for _ in range(4 if self.bots > 12 else 30)]
        found = [plain_scan(start, self.left, lambda o: self.differences(tuple(o))) for start in starts]
        least = min(cost for cost, _ in found)
        order = next(order for cost, order in found if cost == least)
        self.left.update(self.differences(tuple(order)))
        return [tuple(self.holders[(b + s) % self.bots] for b in order) for s in range(self.bots)]


def plain_gauntlet(digest: str, bots: int, seats: int, candidates: list[int], cycles: int) -> Row:
    """Candidates are numbers; the planned orders and the rows of the first session."""
    text = f"papayoo-1|plan|{digest}"
    others = [bot for bot in range(bots) if bot not in candidates]
    wanted = 8 if len(others) == seats - 1 else -(-8 // len(others)) * len(others)
    planned = []
    for cycle in range(cycles):
        draws = PlainDraws(f"{text}|gauntlet|{cycle}")
        orders: list[tuple[int, ...]] = []
        while len(orders) < wanted:
            circle = draws.shuffled(list(others))
            for place in range(1 if len(others) == seats - 1 else len(others)):
                table = [circle[(place + step) % len(others)] for step in range(seats - 1)]
                orders.append((*candidates, *table))
        planned.append(PlainDraws(f"{text}|sessions|{cycle}").shuffled(orders))
    table = planned[0][0][len(candidates) :]
    each = [plain_rows((candidate, *table)) for candidate in candidates]
    return {
        "bots": bots,
        "seats": seats,
        "candidates": candidates,
        "cycles": [[" ".join(map(str, order)) for order in cycle] for cycle in planned],
        "first_rows": [list(rows[match]) for match in range(len(each[0])) for rows in each],
    }


def plain_plan(
    bots: int, seats: int, line_ups: str, digest: str, cycles: int
) -> tuple[str, list[list[Order]]]:
    if bots == 2:
        patterns = [tuple(map(int, digits[:seats])) for digits in ("01010101", "00110011")]
        return "all", [patterns] * cycles
    small = comb(bots, seats) <= 100 if line_ups == "auto" else line_ups == "all"
    every = small or bots == seats
    planned = plain_cycles(bots, seats, every, f"papayoo-1|plan|{digest}", range(cycles))
    return ("all" if every else "balanced"), planned


def plain_cycles(bots: int, seats: int, every: bool, text: str, cycles: range) -> list[list[Order]]:
    balanced, counts = PlainBalanced(bots, seats, text), Counter[Any]()
    planned = []
    for number, cycle in enumerate(cycles):
        orders = plain_all(bots, seats, counts) if every else balanced.cycle(number)
        planned.append(PlainDraws(f"{text}|sessions|{cycle}").shuffled(orders))
    return planned


def plain_departures(digest: str, bots: int, seats: int, line_ups: str, phases: list[list[Any]]) -> Row:
    """`phases`: who is departed, and the number of cycles for which that holds."""
    resolved, planned = plain_plan(bots, seats, line_ups, digest, phases[0][1])
    cycle, departed = phases[0][1], {}
    for gone, count in phases[1:]:
        departed[str(cycle)] = gone
        present = [bot for bot in range(bots) if bot not in gone]
        orders: list[list[Order]] = [[] for _ in range(count)]
        if len(present) >= seats:
            text = f"papayoo-1|plan|{digest}|from|{cycle}"
            every = resolved == "all" or len(present) == seats
            orders = plain_cycles(len(present), seats, every, text, range(cycle, cycle + count))
        planned += [[tuple(present[place] for place in order) for order in one] for one in orders]
        cycle += count
    row = {"bots": bots, "seats": seats, "line_ups": line_ups, "departed": departed}
    return row | {"cycles": [[" ".join(map(str, order)) for order in one] for one in planned]}


# --- the vectors ----------------------------------------------------------------------------------

SEASON: Row = {
    "seats": 4,
    "rounds": 4,
    "time": {"move_seconds": 1.0, "bank_seconds": 0.0},
    "bots": [{"id": "duck", "digest": "00ff"}, {"id": "frog", "digest": "é"}],
}
FIELDS = [
    (4, 4, "auto", 3),
    (5, 3, "auto", 2),
    (6, 4, "auto", 3),
    (8, 5, "auto", 1),
    (8, 6, "auto", 2),
    (9, 8, "all", 2),
    (11, 4, "auto", 4),
    (6, 4, "balanced", 3),
    (9, 7, "balanced", 2),
    (20, 4, "balanced", 3),
    (40, 5, "auto", 2),
    (2, 4, "auto", 1),
    (2, 5, "balanced", 2),
]

DEPARTURES: list[tuple[int, int, str, list[list[Any]]]] = [
    (6, 4, "auto", [[[], 1], [[2], 2], [[2, 5], 1], [[2, 5, 0], 1]]),
    (5, 3, "balanced", [[[], 2], [[0], 2], [[], 1]]),
    (11, 4, "auto", [[[], 1], [[3, 7], 2]]),
    (4, 3, "auto", [[[], 0], [[1], 2]]),
]
"""Fields that bots leave: who is departed, and for how many cycles."""

GAUNTLETS = [(5, 4, [0, 1], 2), (7, 4, [0, 3], 2), (3, 3, [0], 1), (13, 5, [0, 1, 2], 1)]


def reference_document() -> Row:
    canonical = json.dumps(SEASON, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    return {
        "season": {"document": SEASON, "canonical": canonical, "digest": digest},
        "draws": [reference_draws(text) for text in ("", "papayoo-1|plan|abc|residues")],
        "seat_orders": [{"seats": k, "rows": plain_rows(tuple(range(k)))} for k in range(3, 9)],
        "duels": [{"order": order, "rows": plain_duel(order)} for order in ([0, 1, 0, 1], [0, 0, 1, 1, 0])],
        "gauntlets": [plain_gauntlet(digest, *field) for field in GAUNTLETS],
        "departures": [plain_departures(digest, *field) for field in DEPARTURES],
        "plans": [reference_plan(digest, *field) for field in FIELDS],
    }


def reference_draws(text: str) -> Row:
    words, below, shuffle, sample = (PlainDraws(text) for _ in range(4))
    bounds = [1, 2, 3, 10, 60, 2**63 + 1, 2**63 + 1, 7]
    return {
        "text": text,
        "words": [str(words.word()) for _ in range(12)],
        "below": [{"n": str(n), "number": str(below.below(n))} for n in bounds],
        "shuffled_0_to_19": shuffle.shuffled(list(range(20))),
        "sample_3_of_0_to_19": sample.sample(list(range(20)), 3),
    }


def reference_plan(digest: str, bots: int, seats: int, line_ups: str, cycles: int) -> Row:
    resolved, planned = plain_plan(bots, seats, line_ups, digest, cycles)
    row = {"bots": bots, "seats": seats, "line_ups": line_ups, "resolved": resolved}
    # One string for each session, or the file would be mostly line ends.
    return row | {"cycles": [[" ".join(map(str, order)) for order in cycle] for cycle in planned]}


FILE = Path(__file__).parents[2] / "arena/vectors/schedule.json"
VECTORS: Row = json.loads(FILE.read_text("utf-8"))


@pytest.mark.slow
def test_vectors_are_those_of_the_second_implementation() -> None:
    assert json.loads(json.dumps(reference_document())) == VECTORS


def test_the_season_digest() -> None:
    season = VECTORS["season"]
    assert season_digest(season["document"]) == season["digest"]
    assert season_digest(dict(reversed(season["document"].items()))) == season["digest"]
    assert hashlib.sha256(season["canonical"].encode()).hexdigest() == season["digest"]


@pytest.mark.parametrize("row", VECTORS["draws"])
def test_draws(row: Row) -> None:
    words, below = Draws(row["text"]), Draws(row["text"])
    assert [str(words.word()) for _ in row["words"]] == row["words"]
    assert [str(below.below(int(drawn["n"]))) for drawn in row["below"]] == [
        d["number"] for d in row["below"]
    ]
    assert Draws(row["text"]).shuffled(range(20)) == row["shuffled_0_to_19"]
    assert samples(Draws(row["text"]), 1, 20, 3).tolist() == [row["sample_3_of_0_to_19"]]


def test_words_are_thrown_away_as_they_are_one_by_one() -> None:
    """With 2^64 // 3 + 1 every third word is."""
    bounds = [1, 27, 2**64 // 3 + 1, 26, 32, 2**64 // 3 + 1, 299] * 9
    at_once, one_by_one = Draws("x"), Draws("x")
    found = below_each(at_once, np.array(bounds, np.uint64)).tolist()
    assert found == [one_by_one.below(bound) for bound in bounds]
    assert at_once.word() == one_by_one.word() != Draws("x").word()


@pytest.mark.parametrize("row", VECTORS["seat_orders"], ids=lambda row: row["seats"])
def test_seat_orders(row: Row) -> None:
    assert [list(seats) for seats in seat_orders(tuple(range(row["seats"])))] == row["rows"]


@pytest.mark.parametrize("row", VECTORS["duels"])
def test_duels(row: Row) -> None:
    assert [list(seats) for seats in Session(0, 0, tuple(row["order"])).rows] == row["rows"]


@pytest.mark.parametrize("row", VECTORS["plans"], ids=lambda r: f"{r['bots']}-{r['seats']}-{r['line_ups']}")
def test_plans(row: Row) -> None:
    plan = Plan(Field(row["bots"], row["seats"], VECTORS["season"]["digest"], row["line_ups"]))
    assert plan.resolved == row["resolved"]
    for number, orders in enumerate(row["cycles"]):
        sessions = plan.cycle(number)
        assert [" ".join(map(str, session.order)) for session in sessions] == orders
        assert [(session.cycle, session.index) for session in sessions] == [
            (number, i) for i in range(len(orders))
        ]


@pytest.mark.parametrize("row", VECTORS["departures"], ids=lambda r: f"{r['bots']}-{r['seats']}")
def test_departures(row: Row) -> None:
    departed = {int(cycle): set(gone) for cycle, gone in row["departed"].items()}
    plan = Plan(Field(row["bots"], row["seats"], VECTORS["season"]["digest"], row["line_ups"]), departed)
    for number, orders in enumerate(row["cycles"]):
        sessions = plan.cycle(number)
        assert [" ".join(map(str, session.order)) for session in sessions] == orders
        assert [(session.cycle, session.index) for session in sessions] == [
            (number, i) for i in range(len(orders))
        ]
        assert plan.sessions_in(number) == len(orders)


@pytest.mark.parametrize("row", VECTORS["gauntlets"], ids=lambda r: f"{r['bots']}-{r['seats']}")
def test_gauntlets(row: Row) -> None:
    digest, candidates = VECTORS["season"]["digest"], tuple(row["candidates"])
    plan = Plan(Field(row["bots"], row["seats"], digest, "gauntlet", candidates))
    for number, orders in enumerate(row["cycles"]):
        assert [" ".join(map(str, session.order)) for session in plan.cycle(number)] == orders
    assert [list(seats) for seats in plan.cycle(0)[0].rows] == row["first_rows"]


if __name__ == "__main__":
    FILE.write_text(json.dumps(reference_document(), indent=1) + "\n", "utf-8")
