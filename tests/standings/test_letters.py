"""Letters: unseparated pairs share one, separated pairs never do, and none is superfluous."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.standings.letters import _cliques, _cover, letters

BOTS = ["p", "q", "r", "s", "t", "u"]
separations = st.sets(st.sampled_from(list(combinations(BOTS, 2))))


def named(pairs: set[tuple[str, str]]) -> dict[str, str]:
    result = letters(BOTS, lambda a, b: (a, b) in pairs or (b, a) in pairs)
    return {bot: " ".join(own) for bot, own in result.items()}


@given(separations)
def test_sharing_a_letter_is_not_being_separated(pairs: set[tuple[str, str]]) -> None:
    own = {bot: set(text.split()) for bot, text in named(pairs).items()}
    for a, b in combinations(BOTS, 2):
        assert bool(own[a] & own[b]) == ((a, b) not in pairs)
    holders = {letter: {bot for bot in BOTS if letter in own[bot]} for letter in set().union(*own.values())}
    for a, b in combinations(holders, 2):
        assert not holders[a] <= holders[b]
        assert not holders[b] <= holders[a]


def test_all_equal_all_separated_and_nobody() -> None:
    assert set(named(set()).values()) == {"a"}
    assert list(named(set(combinations(BOTS, 2))).values()) == ["a", "b", "c", "d", "e", "f"]
    assert letters([], lambda a, b: True) == {}


@given(separations)
def test_where_there_are_too_many_letters_the_same_holds_of_some_of_them(pairs: set[tuple[str, str]]) -> None:
    linked = [
        sum(1 << j for j in range(6) if j != i and tuple(sorted((BOTS[i], BOTS[j]))) not in pairs)
        for i in range(6)
    ]
    every, some = _cliques(linked, 100), _cover(linked)
    assert some <= set(every)
    for i, own in enumerate(linked):
        shared = 0
        for clique in some:
            shared |= clique * (clique >> i & 1)
        assert shared == own | 1 << i


def test_a_graph_with_a_number_of_cliques_that_nobody_can_count_takes_bounded_work() -> None:
    """A hundred groups of three that are all separated: 3 to the power of 100 maximal cliques."""
    bots = [f"bot{number:03}" for number in range(300)]
    found = letters(bots, lambda a, b: int(a[3:]) // 3 == int(b[3:]) // 3)
    assert all(found.values())
    assert len({letter for own in found.values() for letter in own}) < 1000
    rng = Random(1)
    for a, b in (rng.sample(range(300), 2) for _ in range(2000)):
        assert bool(set(found[bots[a]]) & set(found[bots[b]])) == (a // 3 != b // 3)
