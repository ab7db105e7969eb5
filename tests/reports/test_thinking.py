"""Times in classes and quantiles, by hand."""

from __future__ import annotations

from array import array

from reports.thinking import EDGES_US, SHARES, Spent, Thinking


def spent(*us: int) -> Spent:
    return Spent(array("Q", us))


def test_edges_are_round_and_double_or_a_little_more() -> None:
    assert EDGES_US[:5] == (100, 200, 500, 1000, 2000)
    assert EDGES_US[-1] == 50_000_000


def test_both_phases_are_counted_together() -> None:
    found = Thinking.of((spent(250, 100), spent(101, 60_000_000, 1)))
    assert found is not None
    assert found.decisions == sum(found.classes) == 5
    assert found.classes[:3] == (2, 1, 1), "an edge belongs to the class below it"
    assert found.classes[-1] == 1
    assert found.quantiles == (101, 60_000_000, 60_000_000, 60_000_000, 60_000_000)


def test_quantiles_are_those_of_a_thousand() -> None:
    found = Thinking.of((spent(*range(1000, 0, -1)), Spent()))
    assert found is not None
    assert SHARES == (0.5, 0.95, 0.99, 0.999, 1.0)
    assert found.quantiles == (500, 950, 990, 999, 1000)


def test_who_decided_nothing_has_no_times() -> None:
    assert Thinking.of((Spent(), Spent())) is None


def test_times_that_come_later_are_sorted_too() -> None:
    own = spent(3, 1)
    assert own.quantiles(1.0) == (3,)
    own.us.append(2)
    assert list(own.ordered()) == [1, 2, 3]
