"""What is new: who left, who is back, and who rose by those who are present now."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan
from arena.score.verdicts import NoLook
from arena.season.open_field import moved, risen, told_of_rises
from arena.store.scoring import Scored

BOTS = ("ant@1", "bee@1", "cow@1", "duck@1", "elk@1")
EARLY = {"ant@1": 40, "bee@1": 50, "cow@1": 60, "duck@1": 70, "elk@1": 80}
LATE = {"ant@1": 40, "bee@1": 60, "cow@1": 55, "duck@1": 10, "elk@1": 80}


def cycle(number: int, points: Mapping[str, int]) -> list[SessionResult]:
    """Each line-up of four once; whoever has fewer points gets fewer."""
    found = []
    for index, table in enumerate(combinations(BOTS, 4)):
        mean = sum(points[bot] for bot in table) / 4
        found.append(
            SessionResult(
                number, index, 16, {bot: round(1000 + 16 * (points[bot] - mean)) for bot in table}, {}
            )
        )
    return found


def score(cycles: int, present: frozenset[str] = frozenset(BOTS)) -> Scored:
    results = tuple(one for n in range(cycles) for one in cycle(n, LATE if n else EARLY))
    scoring = Scoring(BOTS, 4, plan=Plan(5, cycles), present=present)
    return Scored(scoring, results, scoring.standings(results), NoLook("not asked"))


def test_who_has_a_better_rank_than_before_has_risen_best_first() -> None:
    assert risen(score(2), 1) == (("duck@1", 4, 1),)
    assert risen(score(2), 2) == (), "nothing was played since"


def test_nobody_rises_because_somebody_left() -> None:
    assert risen(score(2, frozenset(BOTS) - {"ant@1"}), 1) == (("duck@1", 3, 1),)


def test_nobody_has_risen_before_they_can_be_compared() -> None:
    assert risen(score(1), 0) == ()


def test_what_is_told() -> None:
    names = {f"b{n}": f"B{n}" for n in range(8)}
    assert told_of_rises([], names) == ""
    assert (
        told_of_rises([("b1", 4, 1), ("b0", 3, 2)], names)
        == "risen in the standings: B1 from 4 to 1, B0 from 3 to 2"
    )
    many = told_of_rises([(f"b{n}", n + 3, n + 1) for n in range(8)], names)
    assert many.endswith("B4 from 7 to 5, and 3 more")


def test_who_left_who_is_replaced_and_who_is_back() -> None:
    before, now = ["ant@1", "bee@1", "cow@2", "house-1@1"], ["bee@2", "cow@2", "duck@1", "elk@1"]
    said = moved(before, now, {"ant@1", "bee@1", "cow@1", "cow@2", "duck@1", "house-1@1"})
    assert said == ("ant@1 has left", "bee@1 is replaced by bee@2", "duck@1 is back")
    assert moved(now, now, set(now)) == ()
