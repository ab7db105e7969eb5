"""The tick comes, can be taken away, and comes again."""

from __future__ import annotations

import os
import select

from arena.tick import clear, tick

PATIENCE_MS = 10_000


def test_there_is_one_descriptor_that_children_do_not_inherit() -> None:
    assert tick() == tick()
    assert not os.get_inheritable(tick())


def test_a_tick_comes_again_and_again_and_clearing_without_one_does_nothing() -> None:
    poll = select.poll()
    poll.register(tick(), select.POLLIN)
    for _ in range(3):
        assert poll.poll(PATIENCE_MS) == [(tick(), select.POLLIN)]
        clear()
        clear()
