"""What one process uses, split among the matches it plays at the same time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.bot.even_shares import EvenShares


def test_one_at_a_time_has_all_that_was_used_meanwhile() -> None:
    shares = EvenShares()
    first = shares.join(1000)
    assert shares.leave(1700, first) == 700
    second = shares.join(5000)  # what was used by nobody is nobody's
    assert shares.largest(5600) == 600
    assert shares.leave(6000, second) == 1000
    assert len(shares) == 0


def test_two_have_half_each_while_both_are_there() -> None:
    shares = EvenShares()
    long = shares.join(0)
    short = shares.join(100)
    assert shares.leave(300, short) == 100
    assert shares.largest(500) == 100 + 100 + 200
    assert shares.leave(500, long) == 400


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10**9)), max_size=30))
def test_all_shares_together_are_what_was_used_while_anybody_was_there(
    steps: list[tuple[bool, int]],
) -> None:
    shares, inside, total, used, given_out = EvenShares(), [], 0, 0, 0
    for comes, grows in steps:
        total += grows
        used += grows if inside else 0
        if comes or not inside:
            inside.append(shares.join(total))
        else:
            given_out += shares.leave(total, inside.pop(0))
    for joined in inside:
        given_out += shares.leave(total, joined)
    assert abs(given_out - used) <= 30  # each is rounded to a whole number
