"""The balance certificate, on rows counted by hand and on whole plans."""

from __future__ import annotations

import pytest

from arena.conduct.balance import Tally, certificate
from arena.schedule import Field, Plan


def counts(tally: Tally) -> dict[str, int]:
    return {" ".join(map(str, key)): count for key, count in tally.counts.items() if count}


def test_counts_of_two_matches() -> None:
    balance = certificate([(("ant", "bee", "cat"), 4), (("bee", "ant", "dog"), 3)])
    assert counts(balance.games) == {"ant": 2, "bee": 2, "cat": 1, "dog": 1}
    assert counts(balance.meetings) == {"ant bee": 2, "ant cat": 1, "ant dog": 1, "bee cat": 1, "bee dog": 1}
    assert balance.meetings.counts["cat", "dog"] == 0
    assert counts(balance.dealing) == {"ant": 2 + 1, "bee": 1 + 1, "cat": 1, "dog": 1}
    assert counts(balance.seats).keys() == {"ant 0", "bee 1", "cat 2", "bee 0", "ant 1", "dog 2"}
    lines = [(one.name, one.least, one.most, one.spread) for one in balance]
    assert lines[:4] == [("games", 1, 2, 1), ("meetings", 0, 2, 2), ("seats", 0, 1, 1), ("dealing", 1, 3, 2)]


def test_left_is_the_next_seat_and_right_the_one_before() -> None:
    balance = certificate([((7, 8, 9), 3)])
    assert list(counts(balance.left)) == ["7 8", "8 9", "9 7"]
    assert list(counts(balance.right)) == ["7 9", "8 7", "9 8"]


def test_the_two_of_a_duel_hold_several_seats() -> None:
    balance = certificate([(("ant", "ant", "bee"), 3), (("bee", "bee", "ant"), 3)])
    assert counts(balance.games) == {"ant": 2, "bee": 2}
    assert counts(balance.meetings) == {"ant bee": 2}
    assert counts(balance.dealing) == {"ant": 3, "bee": 3}
    assert counts(balance.left) == {"ant bee": 2, "bee ant": 2}
    assert balance.seats.spread == 0


def test_of_a_gauntlet_only_candidates_with_opponents_are_counted() -> None:
    rows = [(("new", "ant", "bee"), 3), (("old", "ant", "bee"), 3)]
    balance = certificate(rows, ["new", "old", "ant", "bee", "cat"], ["new", "old"])
    assert counts(balance.games) == counts(balance.dealing) == {"new": 1, "old": 1}
    assert counts(balance.meetings).keys() == {"ant new", "ant old", "bee new", "bee old"}
    assert balance.meetings.counts["cat", "new"] == balance.meetings.least == 0
    assert len(balance.meetings.counts) == len(balance.left.counts) == len(balance.right.counts) == 2 * 3
    assert counts(balance.left).keys() == {"new ant", "old ant"}
    assert counts(balance.right).keys() == {"new bee", "old bee"}
    assert len(balance.seats.counts) == 2 * 3


def test_nothing_played() -> None:
    balance = certificate([], bots=["a"])
    assert (balance.games.most, balance.seats.spread, dict(balance.seats.counts)) == (0, 0, {})


def test_matches_of_different_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="same number"):
        certificate([((0, 1, 2), 1), ((0, 1, 2, 3), 1)])


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
