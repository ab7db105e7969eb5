"""The balance certificate, on rows counted by hand and on whole plans."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.conduct.balance import certificate, evenness
from arena.schedule import Field, Plan


def test_counts_of_two_matches() -> None:
    balance = certificate([(("ant", "bee", "cat"), 4), (("bee", "ant", "dog"), 3)])
    assert balance.games.counts == {"ant": 2, "bee": 2, "cat": 1, "dog": 1}
    assert balance.meetings.counts == {
        ("ant", "bee"): 2,
        ("ant", "cat"): 1,
        ("ant", "dog"): 1,
        ("bee", "cat"): 1,
        ("bee", "dog"): 1,
        ("cat", "dog"): 0,
    }
    assert balance.dealing.counts == {"ant": 2 + 1, "bee": 1 + 1, "cat": 1, "dog": 1}
    assert {key for key, count in balance.seats.counts.items() if count} == {
        ("ant", 0),
        ("bee", 1),
        ("cat", 2),
        ("bee", 0),
        ("ant", 1),
        ("dog", 2),
    }


def test_left_is_the_next_seat_and_right_the_one_before() -> None:
    balance = certificate([((7, 8, 9), 3)])
    assert [pair for pair, count in balance.left.counts.items() if count] == [(7, 8), (8, 9), (9, 7)]
    assert [pair for pair, count in balance.right.counts.items() if count] == [(7, 9), (8, 7), (9, 8)]


def test_the_two_of_a_duel_hold_several_seats() -> None:
    balance = certificate([(("ant", "ant", "bee"), 3), (("bee", "bee", "ant"), 3)])
    assert balance.games.counts == {"ant": 2, "bee": 2}
    assert balance.meetings.counts == {("ant", "bee"): 2}
    assert balance.dealing.counts == {"ant": 3, "bee": 3}
    assert balance.left.counts == {("ant", "bee"): 2, ("bee", "ant"): 2}
    assert balance.seats.spread == 0


def test_of_a_gauntlet_only_candidates_with_opponents_are_counted() -> None:
    rows = [(("new", "ant", "bee"), 3), (("old", "ant", "bee"), 3)]
    balance = certificate(rows, ["new", "old", "ant", "bee", "cat"], ["new", "old"])
    assert balance.games.counts == balance.dealing.counts == {"new": 1, "old": 1}
    assert {pair for pair, count in balance.meetings.counts.items() if count} == {
        ("ant", "new"),
        ("ant", "old"),
        ("bee", "new"),
        ("bee", "old"),
    }
    assert balance.meetings.counts["cat", "new"] == balance.meetings.least == 0
    assert len(balance.meetings.counts) == len(balance.left.counts) == len(balance.right.counts) == 2 * 3
    assert {pair for pair, count in balance.left.counts.items() if count} == {("new", "ant"), ("old", "ant")}
    assert {pair for pair, count in balance.right.counts.items() if count} == {("new", "bee"), ("old", "bee")}
    assert len(balance.seats.counts) == 2 * 3


@pytest.mark.parametrize(("bots", "seats", "candidates"), [(5, 4, 2), (7, 4, 2), (6, 3, 3), (4, 4, 1)])
def test_candidates_of_a_gauntlet_are_even(bots: int, seats: int, candidates: int) -> None:
    plan = Plan(Field(bots, seats, "digest", "gauntlet", tuple(range(candidates))))
    rows = [(row, seats) for cycle in range(2) for session in plan.cycle(cycle) for row in session.rows]
    balance = certificate(rows, range(bots), range(candidates))
    assert balance.games.spread == balance.meetings.spread == 0
    assert balance.seats.spread == balance.dealing.spread == 0
    assert balance.left.least > 0


def test_the_certificate_in_short() -> None:
    lines = evenness(certificate([(("ant", "bee", "cat"), 4), (("bee", "ant", "dog"), 3)]))
    assert [line.name for line in lines] == ["games", "meetings", "seats", "dealing", "left", "right"]
    assert [(line.least, line.most, line.spread) for line in lines][:4] == [
        (1, 2, 1),
        (0, 2, 2),
        (0, 1, 1),
        (1, 3, 2),
    ]


def test_nothing_played() -> None:
    balance = certificate([], bots=["a"])
    assert (balance.games.most, balance.seats.spread, dict(balance.seats.counts)) == (0, 0, {})


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([((0, 1, 2), 1), ((0, 1, 2, 3), 1)], "same number"),
        ([((0, 1, 2), -1)], "0 or more"),
    ],
)
def test_impossible_matches_are_refused(rows: list[tuple[tuple[int, ...], int]], what: str) -> None:
    with pytest.raises(ValueError, match=what):
        certificate(rows)


@pytest.mark.parametrize(("bots", "seats"), [(4, 3), (6, 4), (6, 5), (10, 4), (12, 3)])
def test_whole_cycles_are_balanced(bots: int, seats: int) -> None:
    plan = Plan(Field(bots, seats, "digest"))
    rows = [(row, 2 * seats) for cycle in range(3) for session in plan.cycle(cycle) for row in session.rows]
    balance = certificate(rows, range(bots))
    assert balance.games.spread == 0
    assert balance.seats.spread == 0
    assert balance.dealing.spread == 0
    assert balance.meetings.least > 0
    assert balance.left.spread == balance.right.spread


def every_kind(seats: int) -> Iterator[Field]:
    """A field of every kind of schedule at so many seats."""
    yield Field(2, seats, "digest")
    for bots in (seats, seats + 1, seats + 2):
        yield Field(bots, seats, "digest", "all")
        yield Field(bots + 1, seats, "digest", "balanced")
    for candidates, opponents in ((1, seats - 1), (2, seats - 1), (2, seats + 1), (3, seats)):
        yield Field(candidates + opponents, seats, "digest", "gauntlet", tuple(range(candidates)))


@pytest.mark.parametrize("seats", range(3, 9))
def test_any_number_of_rounds_is_balanced(seats: int) -> None:
    """What depends on the number of rounds is who deals: it is even in each session, so in each cycle."""
    for field in every_kind(seats):
        sessions = Plan(field).cycle(0)
        for rounds in range(1, 2 * seats + 2):
            for session in sessions:
                certified = certificate([(row, rounds) for row in session.rows], (), field.candidates)
                assert certified.dealing.spread == certified.seats.spread == 0, (field, rounds)
                assert certified.dealing.least > 0
        everyone = range(field.bots)
        rows = [(row, seats + 1) for session in sessions for row in session.rows]
        assert certificate(rows, everyone, field.candidates).dealing.spread == 0
