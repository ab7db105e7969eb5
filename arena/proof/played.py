"""Leagues of real rounds: the rules of `arena.papayoo`, real deals, simple bots. Slow but realistic."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from arena.deals import SECRET_BYTES, Deals
from arena.papayoo import Board, Round, cards_of, dealer_of, mask_of, rank_of
from arena.proof.world import ROUND_POINTS, Dice
from arena.schedule import Session
from arena.score.results import SessionResult
from arena.strategy.policy import Policy, passed


@dataclass(frozen=True, slots=True)
class Played:
    """Bots that play as their names say and are never charged.

    "sharp" passes and plays as the seats of a rollout do, "low" plays its lowest card, "any" any. "sharp~10"
    plays 10 % of its cards at random; what follows "#" tells twins apart. `scores`: in points from their
    mean, as long leagues of all of them have shown.
    """

    names: Sequence[str]
    seats: int
    scores: Sequence[float]

    def truth(self, present: Collection[int]) -> dict[str, float]:
        """Return the scores; all bots are present."""
        above = ROUND_POINTS / self.seats - sum(self.scores) / len(self.scores)
        return {self.names[bot]: above + self.scores[bot] for bot in present}

    def play(self, dice: Dice, sessions: Sequence[Session]) -> list[SessionResult]:
        """Play these sessions: the same boards in every seat order of each."""
        own = Random(int(dice.integers(1 << 62)))  # noqa: S311 - a simulation
        return [self._session(own, session) for session in sessions]

    def _session(self, dice: Random, session: Session) -> SessionResult:
        deals = Deals(dice.randbytes(SECRET_BYTES))
        boards = [deals.board(number, self.seats) for number in range(self.seats)]
        points = dict.fromkeys((self.names[bot] for bot in session.order), 0)
        for row in session.rows:
            for number, board in enumerate(boards):
                names = [self.names[bot] for bot in row]
                found = _round_points(board, dealer_of(number, self.seats), names, dice)
                for name, own in zip(names, found, strict=True):
                    points[name] += own
        rounds = len(session.rows) * len(boards)
        return SessionResult(session.cycle, session.index, rounds, points, {})


def _round_points(board: Board, dealer: int, names: Sequence[str], dice: Random) -> Sequence[int]:
    """Play a round and return the points by seat."""
    round_ = Round.deal(board, dealer)
    styles = [_style(name) for name in names]
    for seat, (way, _) in enumerate(styles):
        hand, count = round_.hands[seat], round_.pass_count
        well = passed(hand, count) if way == "sharp" else mask_of(dice.sample(list(cards_of(hand)), count))
        round_.choose_pass(seat, well)
    assert round_.papayoo_suit is not None, "the die has shown a suit once all have passed"
    policy = Policy(len(names), round_.papayoo_suit)
    while not round_.over:
        way, blunders = styles[round_.turn]
        legal = round_.legal()
        if way == "any" or (blunders and dice.random() < blunders):
            card = dice.choice(list(cards_of(legal)))
        elif way == "low":
            card = min(cards_of(legal), key=rank_of)
        else:
            unseen = 0
            for seat, hand in enumerate(round_.hands):
                unseen |= hand if seat != round_.turn else 0
            card = policy.choose(legal, unseen, round_.trick)
        round_.play(card)
    return round_.points


@cache
def _style(name: str) -> tuple[str, float]:
    """Return how a bot plays, and the share of its cards that it plays at random."""
    way, _, percent = name.partition("#")[0].partition("~")
    if way not in ("sharp", "low", "any"):
        raise ValueError(f'nobody plays as "{name}": expected sharp, low or any, as sharp~5#2')
    return way, int(percent or 0) / 100
