"""Groups of a large league: nobody is surely ahead of anybody inside, and every border is sure."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from arena.standings import Look, Pair, Verdict
from arena.standings.groups import groups
from tests.cli.boards import score

BOTS = ("p", "q", "r", "s", "t", "u", "v")
SEEN = score(4.0).look
separations = st.sets(st.sampled_from(list(combinations(BOTS, 2))))


def grouped(ahead: set[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    assert isinstance(SEEN, Look)
    pairs = tuple(
        Pair(*two, 1.0, 1.0, Verdict.AHEAD if two in ahead else Verdict.OPEN, None)
        for two in combinations(BOTS, 2)
    )
    return groups(replace(SEEN, bots=BOTS, pairs=pairs))


@given(separations)
def test_a_group_holds_nobody_who_is_surely_ahead_and_begins_with_one_who_is_surely_behind(
    ahead: set[tuple[str, str]],
) -> None:
    found = grouped(ahead)
    assert tuple(bot for group in found for bot in group) == BOTS
    for group in found:
        assert not ahead.intersection(combinations(group, 2))
    for before, after in pairwise(found):
        assert any((bot, after[0]) in ahead for bot in before)


def test_all_equal_are_one_group_and_all_separated_are_many() -> None:
    assert grouped(set()) == (BOTS,)
    assert grouped(set(combinations(BOTS, 2))) == tuple((bot,) for bot in BOTS)
