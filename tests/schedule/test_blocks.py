"""Decision blocks: their ends follow from the plan alone, and what was begun is not decided anew."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import ScheduleError
from arena.schedule.blocks import blocks_from, planned_blocks
from tests.examples import examples

stretches = st.tuples(st.integers(0, 500), st.integers(1, 3000)).map(lambda two: (two[0], sum(two)))


def test_up_to_sixteen_cycles_each_is_a_block() -> None:
    assert planned_blocks(0, 16).ends == tuple(range(1, 17))


def test_later_blocks_are_an_eighth_of_what_was_played() -> None:
    assert planned_blocks(0, 40).ends == (*range(1, 17), 18, 20, 22, 24, 27, 30, 33, 37, 40)


def test_a_stretch_without_a_cycle_has_no_blocks() -> None:
    with pytest.raises(ScheduleError, match="has no cycle"):
        planned_blocks(7, 7)


@examples(200)
@given(stretches)
def test_the_rule_of_their_lengths(stretch: tuple[int, int]) -> None:
    first, planned = stretch
    ends = planned_blocks(first, planned).ends
    assert ends[-1] == planned
    for begin, end in pairwise((first, *ends[:-1])):
        assert end - begin == max(1, (begin - first) // 8)
    assert 1 <= ends[-1] - (first, *ends)[-2] <= max(1, ((first, *ends)[-2] - first) // 8)


@examples(200)
@given(stretches, st.integers(1, 500))
def test_a_longer_plan_changes_the_last_block_only(stretch: tuple[int, int], more: int) -> None:
    first, planned = stretch
    short, long = planned_blocks(first, planned), planned_blocks(first, planned + more)
    assert long.ends[: len(short.ends) - 1] == short.ends[:-1]
    assert planned_blocks(0, planned - first).ends == tuple(end - first for end in short.ends)


@examples(200)
@given(stretches, st.data())
def test_what_is_decided_takes_effect_where_nothing_was_begun(
    stretch: tuple[int, int], data: st.DataObject
) -> None:
    blocks = planned_blocks(*stretch)
    place = data.draw(st.integers(0, len(blocks.ends) - 1))
    end = blocks.ends[place]
    decided = blocks.ends[place - 1] if place else blocks.first
    # Before the decision everything before its effect may be begun, and nothing from there on.
    assert blocks.open_until(decided) == blocks.beyond(end)
    # Two blocks are open, and at the end of the stretch fewer.
    assert blocks.beyond(end) == blocks.ends[min(place + 1, len(blocks.ends) - 1)]


@examples(200)
@given(stretches, st.data())
def test_what_was_begun_tells_what_was_decided(stretch: tuple[int, int], data: st.DataObject) -> None:
    first, planned = stretch
    blocks = planned_blocks(first, planned)
    cycle = data.draw(st.integers(first, planned - 1))
    decided = blocks.decided_before(cycle)
    assert cycle < blocks.open_until(decided), "that much had to be decided"
    earlier = [first, *blocks.ends]
    if decided > first:
        assert cycle >= blocks.open_until(earlier[earlier.index(decided) - 1]), "and less was not enough"


@examples(100)
@given(stretches)
def test_they_are_stored_as_text(stretch: tuple[int, int]) -> None:
    first, planned = stretch
    blocks = planned_blocks(first, planned)
    assert blocks_from(blocks.text, first) == blocks
    assert blocks.planned == planned


@pytest.mark.parametrize(
    "text", ["", "0 1", "1  2", "2 1", "1 1", "one", "01", " 1", "-1 2", "1 2 ", "1_0"], ids=repr
)
def test_a_text_that_no_arena_writes_is_refused(text: str) -> None:
    with pytest.raises(ScheduleError, match="not the ends of blocks"):
        blocks_from(text, 0)
