"""The log of standard error: the beginning and the end of anything, in bounded memory."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.bot.output_log import HEAD_BYTES, TAIL_BYTES, OutputLog

PIECES = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 70_000)), max_size=8)


@given(PIECES)
def test_head_and_tail_are_the_beginning_and_the_end(pieces: list[tuple[str, int]]) -> None:
    log = OutputLog()
    for letter, size in pieces:
        log.add(letter.encode() * size)
    whole = "".join(letter * size for letter, size in pieces)
    assert log.size == len(whole)
    assert log.head == whole[:HEAD_BYTES]
    assert log.tail == whole[HEAD_BYTES:][-TAIL_BYTES:]
