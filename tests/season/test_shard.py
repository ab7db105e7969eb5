"""Which sessions are whose, and when no part may be played."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import MatchKey
from arena.schedule import Field, LineUps, Plan
from arena.season.agenda import Agenda, Played
from arena.season.shard import MAX_SHARDS, Shard, part_of, undecided

PLAN = Plan(Field(5, 3, "0" * 64, LineUps.ALL))


@given(st.integers(1, 12), st.integers(1, 15), st.integers(1, 6))
def test_every_session_is_of_exactly_one_part(parts: int, per_cycle: int, cycles: int) -> None:
    shards = [Shard(number, parts) for number in range(1, parts + 1)]
    sessions = list(product(range(cycles), range(per_cycle)))
    sizes = [sum(shard.has(key, per_cycle) for key in sessions) for shard in shards]
    assert all(sum(shard.has(key, per_cycle) for shard in shards) == 1 for key in sessions)
    assert max(sizes) - min(sizes) <= 1


def test_the_agendas_of_the_parts_are_that_of_the_whole() -> None:
    agendas = [Agenda(PLAN, 3, Played(), shard=Shard(number, 4)) for number in range(1, 5)]
    whole = Agenda(PLAN, 3, Played())
    assert sum(agenda.planned for agenda in agendas) == whole.planned == 30 * PLAN.matches_per_session
    assert set.union(*map(_drained, agendas)) == _drained(whole)
    assert _drained(whole) == set()


def _drained(agenda: Agenda) -> set[tuple[MatchKey, ...]]:
    return {work.keys for work in iter(agenda.next, None) if work is not None}


@pytest.mark.parametrize("text", ["1/1", "1/3", "3/3", f"{MAX_SHARDS}/{MAX_SHARDS}"])
def test_a_part_is_written_as_it_is_read(text: str) -> None:
    shard = Shard.parse(text)
    assert str(shard) == text
    assert part_of(f"spring{shard.name}") == shard.name


@pytest.mark.parametrize("text", ["", "3", "0/3", "4/3", "1/0", "-1/3", "1/3/4", "a/b", "1/10001", "1 / 3"])
def test_anything_else_is_no_part(text: str) -> None:
    with pytest.raises(ValueError, match=r"parts? "):
        Shard.parse(text)


@pytest.mark.parametrize("stem", ["spring", "spring.shard", "spring.shard-1-of-x", ".shard-1-of-3.old"])
def test_other_databases_are_of_no_part(stem: str) -> None:
    assert part_of(stem) == ""


@pytest.mark.parametrize(
    ("cycles", "over", "decisions", "refused"),
    [
        (1, set(), {"who plays": True}, False),
        (2, set(), {"who plays": False, "when it ends": False}, False),
        (2, set(), {"who plays": True, "when it ends": False}, True),
        (2, {(0, 0)}, {"who plays": True}, True),
        (2, {(0, 0), (0, 1)}, {"who plays": True}, False),
        (3, {(0, 0), (0, 1)}, {"who plays": True}, True),
    ],
)
def test_nothing_is_decided_without_the_whole(
    cycles: int, over: set[tuple[int, int]], decisions: dict[str, bool], refused: bool
) -> None:
    said = undecided((cycles, 2), over, decisions)
    assert bool(said) == refused
    assert ("who plays" in said) == refused
