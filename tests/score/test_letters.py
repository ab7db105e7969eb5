"""Letters and groups: who shares one cannot be told apart, and every border is sure."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.score.letters import letters
from arena.score.verdicts import Verdict
from tests.score.leagues import seen

BOTS = "pqrstu"
separations = st.sets(st.sampled_from(list(combinations(BOTS, 2))))
ALL = set(combinations(BOTS, 2))


def named(pairs: set[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    return letters(BOTS, lambda a, b: (a, b) in pairs or (b, a) in pairs)


def grouped(ahead: set[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    return seen(BOTS, dict.fromkeys(ALL, Verdict.OPEN) | dict.fromkeys(ahead, Verdict.AHEAD)).groups


@given(separations)
def test_sharing_a_letter_is_not_being_separated(pairs: set[tuple[str, str]]) -> None:
    own = named(pairs)
    for a, b in combinations(BOTS, 2):
        assert bool(set(own[a]) & set(own[b])) == ((a, b) not in pairs)
    holders = {letter: {bot for bot in BOTS if letter in own[bot]} for letter in set().union(*own.values())}
    for a, b in combinations(holders, 2):
        assert not holders[a] <= holders[b]
        assert not holders[b] <= holders[a]


def test_all_equal_all_separated_and_nobody() -> None:
    assert named(set()) == dict.fromkeys(BOTS, ("a",))
    assert named(ALL) == {bot: (letter,) for bot, letter in zip(BOTS, "abcdef", strict=True)}
    assert letters([], lambda a, b: True) == {}
    assert (grouped(set()), grouped(ALL)) == ((tuple(BOTS),), tuple((bot,) for bot in BOTS))


def test_a_graph_with_a_number_of_cliques_that_nobody_can_count_has_few_letters() -> None:
    """A hundred groups of three that are all separated: 3 to the power of 100 maximal cliques."""
    bots = [f"bot{number:03}" for number in range(300)]
    found = letters(bots, lambda a, b: int(a[3:]) // 3 == int(b[3:]) // 3)
    assert len({letter for own in found.values() for letter in own}) < 1000
    rng = Random(1)
    for a, b in (rng.sample(range(300), 2) for _ in range(2000)):
        assert bool(set(found[bots[a]]) & set(found[bots[b]])) == (a // 3 != b // 3)


@given(separations)
def test_in_a_group_nobody_is_surely_ahead_and_it_begins_with_one_who_is_surely_behind(
    ahead: set[tuple[str, str]],
) -> None:
    found = grouped(ahead)
    assert tuple(bot for group in found for bot in group) == tuple(BOTS)
    for group in found:
        assert not ahead.intersection(combinations(group, 2))
    for before, after in pairwise(found):
        assert any((bot, after[0]) in ahead for bot in before)
