"""Measures the review: decisions of one seat in one match, without storage, beside the bare rules.

Every seat of its match plays by the policy of rollouts, so the decisions are like those of a fair bot.
"""

from __future__ import annotations

import time
from random import Random
from typing import Final

from arena.bench.figures import Measure, Sample, Section, sections
from arena.bench.parts import playout
from arena.bench.played import match_keys, setup_of
from arena.linux.scheduling import placed
from arena.match.record import MatchRecord, RoundRecord, SeatRecord
from arena.papayoo import Round, places
from arena.review.cost import DEFAULT_WORLDS, cost_of
from arena.review.decisions import decisions_of
from arena.strategy import Policy, passed

__all__ = ["Reviewing", "review_speed"]

DECISION: Final = Measure("decision_ms", "a decision with a choice, at default strength", "ms")
MATCH: Final = Measure("match_s", "all decisions of one seat in one match", "s")
ROLLOUTS: Final = Measure("rollouts_per_s", "rollouts a second", "", more_is_better=True)
CARDS: Final = Measure("cards_per_s", "cards played in them a second", "", more_is_better=True)
RULES: Final = Measure("rules_per_s", "cards a second by the rules alone, at random", "", more_is_better=True)
SHARE: Final = Measure("share", "rollouts / rules alone, cards a second", "x", more_is_better=True)

_PLAYOUTS: Final = 200


class Reviewing:
    """The review of one seat of one match with a round for each seat, by processor time."""

    name = "review"
    title = "Review of one seat in one match"
    measures = (DECISION, MATCH, ROLLOUTS, CARDS, RULES, SHARE)

    def __init__(self, seats: int, worlds: int, core: int | None) -> None:
        self._worlds = worlds
        self._cores = () if core is None else (core,)
        record = _match(seats)
        self._decisions = [decision for decision in decisions_of(record, [0]) if not decision.forced]
        self._boards = record.setup.boards

    def sample(self) -> Sample:
        """See `Probe`."""
        rollouts = cards = 0
        with placed(self._cores):
            began = time.thread_time()
            for number, decision in enumerate(self._decisions):
                found = cost_of(decision, self._worlds, Random(number))  # noqa: S311 - the same each time
                rollouts += found.rollouts
                cards += found.rollouts * sum(hand.bit_count() for hand in decision.true_hands)
            seconds = time.thread_time() - began
            rules = self._rules()
        return {
            DECISION.key: 1000 * seconds / len(self._decisions),
            MATCH.key: seconds,
            ROLLOUTS.key: rollouts / seconds,
            CARDS.key: cards / seconds,
            RULES.key: rules,
            SHARE.key: cards / seconds / rules,
        }

    def _rules(self) -> float:
        """Return how many cards a second the rules alone play at random."""
        chance = Random(0)  # noqa: S311 - the same playouts each time
        cards = 0
        began = time.thread_time()
        for number in range(_PLAYOUTS):
            board = self._boards[number % len(self._boards)]
            playout(board, 0, chance)
            cards += sum(hand.bit_count() for hand in board.hands)
        return cards / (time.thread_time() - began)


def _match(seats: int) -> MatchRecord:
    """Return a match that the policy of rollouts plays at all seats."""
    key = next(match_keys(seats))
    setup = setup_of(key, seats)
    rounds = tuple(_round(Round.deal(board, dealer)) for dealer, board in enumerate(setup.boards))
    points = [sum(each.points[seat] for each in rounds) for seat in range(seats)]
    ended = zip(points, places(points), strict=True)
    return MatchRecord(
        key=key,
        setup=setup,
        seats=tuple(
            SeatRecord(f"bot{seat}", total, 0, place, 0) for seat, (total, place) in enumerate(ended)
        ),
        rounds=rounds,
        faults=(),
        started_at=0,
        finished_at=1,
    )


def _round(round_: Round) -> RoundRecord:
    for seat, hand in enumerate(tuple(round_.hands)):
        round_.choose_pass(seat, passed(hand, round_.pass_count))
    assert round_.papayoo_suit is not None, "all have passed, and no die is rolled"
    policy = Policy(round_.players, round_.papayoo_suit)
    out = sum(round_.hands)
    plays = []
    while not round_.over:
        plays.append(policy.choose(round_.legal(), out & ~round_.hands[round_.turn], round_.trick))
        out ^= 1 << plays[-1]
        round_.apply(plays[-1])
    took = (0,) * (round_.players + len(plays))
    return RoundRecord(tuple(round_.passed), tuple(plays), tuple(round_.points), (), took)


def review_speed(seats: int, repeats: int, core: int | None, worlds: int = DEFAULT_WORLDS) -> Section:
    """Measure the review so many times, on one core if one is given."""
    return sections([Reviewing(seats, worlds, core)], repeats, lambda turn: None)[0]
