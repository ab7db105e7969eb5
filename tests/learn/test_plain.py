"""Plain numpy, beside which the environment is measured, plays the same game."""

from __future__ import annotations

import numpy as np
import pytest

from arena.learn import Batch, Boards
from arena.learn.plain import PlainRounds


@pytest.mark.parametrize("players", range(3, 9))
def test_it_plays_the_same_rounds(players: int) -> None:
    boards = Boards.drawn(np.random.default_rng(7), 5, players, players - 1)
    plain, batch = PlainRounds(boards), Batch(5, players, boards=boards, renewed=False)
    random = np.random.default_rng(1)
    assert plain.decisions == batch.decisions
    for _ in range(batch.decisions):
        seen = batch.observe()
        assert (plain.observe() == seen.planes).all()
        cards = np.where(seen.legal, random.random(seen.legal.shape), 2).argmin(axis=1)
        batch.step(cards)
        plain.step(cards)
    assert (plain.points == batch.points).all()
