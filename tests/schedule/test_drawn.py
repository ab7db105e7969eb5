"""Line-ups that are drawn all at once are those that are drawn one by one."""

from __future__ import annotations

import numpy as np
import pytest

from arena.deals.draws import Draws
from arena.schedule.drawn import below_each


class Wasteful(Draws):
    """Every third word is the largest one, which no bound keeps but a power of two."""

    def digests(self, count: int) -> bytes:
        begin = self._next
        words = range(begin, begin + count)
        found = super().digests(count)
        return b"".join(
            b"\xff" * 32 if word % 3 == 1 else found[32 * place : 32 * place + 32]
            for place, word in enumerate(words)
        )

    def word(self) -> int:
        return int.from_bytes(self.digests(1)[:8], "big")


@pytest.mark.parametrize("draws", [Draws, Wasteful])
def test_numbers_that_are_drawn_all_at_once(draws: type[Draws]) -> None:
    bounds = [1, 27, 26, 25, 32, 2, 299, 3] * 5
    at_once, one_by_one = draws("x"), draws("x")
    found = below_each(at_once, np.array(bounds, np.uint64)).tolist()
    assert found == [one_by_one.below(bound) for bound in bounds]
    assert at_once.word() == one_by_one.word()
