"""What a bot learns from its messages is what the batch shows the same seat in the same round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from arena.deals import MatchKey, PhaseDeals, seeded_secret
from arena.learn import Batch, Boards, Observation, Watcher
from arena.learn.playing import play_match
from arena.match.relabel import Relabelling
from arena.papayoo import Board, cards_of, dealer_of, mask_of, parse_card

KEY = MatchKey(0, 0, 0)


class Noting:
    """An agent that chooses by its own dice, and notes what it knew and chose at every card."""

    def __init__(self, seed: int) -> None:
        self.watcher = Watcher()
        self.noted: list[tuple[Observation, int]] = []
        self._random = np.random.default_rng(seed)

    def told(self, news: Mapping[str, Any]) -> None:
        self.watcher.told(news)

    def __call__(self, question: Mapping[str, Any]) -> Sequence[str]:
        self.watcher.told(question)
        chosen: list[str] = []
        for _ in range(question.get("count", 1)):
            seen = self.watcher.observe(chosen if question["type"] == "pass" else ())
            card = int(self._random.choice(np.flatnonzero(seen.legal[0])))
            self.noted.append((seen, card))
            chosen.append(next(name for name in question["hand"] if parse_card(name) == card))
        return chosen


def renamed(board: Board, suits: str) -> Board:
    """The board with the names of suits that bots see in the match."""
    names = Relabelling(suits).card_names
    hands = tuple(mask_of(parse_card(names[card]) for card in cards_of(hand)) for hand in board.hands)
    return Board(hands, "SHDC".index(suits[board.papayoo_suit]))


@pytest.mark.parametrize("players", [3, 4, 6, 8])
def test_a_bot_knows_what_the_batch_shows(players: int) -> None:
    deals = PhaseDeals(seeded_secret(f"{players}", 0)).session(0, 0)
    agents = [Noting(seat) for seat in range(players)]
    rounds = 3
    suits = deals.suits(KEY)
    play_match(agents, deals, KEY, rounds)
    boards = [
        (renamed(deals.board(number, players), suits), dealer_of(number, players)) for number in range(rounds)
    ]
    batch = Batch(1, players, boards=Boards.of(boards))
    heard = [iter(agent.noted) for agent in agents]
    for _ in range(rounds * batch.decisions):
        shown = batch.observe()
        seen, card = next(heard[int(shown.seat[0])])
        assert (seen.planes == shown.planes).all()
        assert seen.facts.tolist() == shown.facts.tolist()
        batch.step(np.array([card]))
