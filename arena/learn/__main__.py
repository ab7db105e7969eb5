"""`python -m arena.learn`: how many decisions a second the environment makes on one core, beside the rules.

The seats choose their first legal card, which takes less time than anything else; what that takes is not
counted. Must not be a test: times are of the machine on which it runs.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from arena.learn.batch import Batch
from arena.learn.boards import Boards
from arena.papayoo import Board, Phase, Round

_SECONDS = 2.0


def main(players: int) -> None:
    """Print the table."""
    dtypes = Batch(1, players).observe()
    print(f"{players} players; planes {dtypes.planes.dtype}, facts {dtypes.facts.dtype}, one core")
    print(f"{'decisions a second':>58}")
    for rounds in (256, 4096):
        print(f"{f'{rounds} rounds, observations and masks':<46}{_batch(rounds, players, True):>12,.0f}")
        print(f"{f'{rounds} rounds, masks':<46}{_batch(rounds, players, False):>12,.0f}")
    print(f"{'the rules, one round after another':<46}{_rules(players):>12,.0f}")


def _batch(rounds: int, players: int, observed: bool) -> float:
    batch = Batch(rounds, players, seed=1, checked=False)
    seen = 0.0
    decisions = 0
    begin = time.process_time()
    while time.process_time() - begin < _SECONDS:
        legal = batch.observe().legal if observed else batch.legal()
        chosen = time.process_time()
        cards = np.argmax(legal, axis=1)
        seen += time.process_time() - chosen
        batch.step(cards)
        decisions += rounds
    return decisions / (time.process_time() - begin - seen)


def _rules(players: int) -> float:
    """Return the decisions of `arena.papayoo.Round`, the passes of single cards counted alike."""
    drawn = Boards.drawn(np.random.default_rng(1), 64, players, 0)
    pairs = zip(drawn.hands, drawn.papayoo, strict=True)
    boards = [Board(tuple(map(int, hands)), int(papayoo)) for hands, papayoo in pairs]
    decisions = Batch(1, players).decisions
    begin, played = time.process_time(), 0
    while time.process_time() - begin < _SECONDS:
        _play(Round.deal(boards[played % len(boards)], 0))
        played += 1
    return played * decisions / (time.process_time() - begin)


def _play(round_: Round) -> None:
    while round_.phase is Phase.PASS:
        hand, chosen = round_.legal(), 0
        for _ in range(round_.pass_count):
            chosen |= (hand & ~chosen) & -(hand & ~chosen)
        round_.choose_pass(round_.turn, chosen)
    while not round_.over:
        legal = round_.legal()
        round_.apply((legal & -legal).bit_length() - 1)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
