"""Reviews for the tests of the pages: real decisions of made-up leagues, with made-up costs.

Nothing is played out, so this is quick. Everything follows from the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from arena.match.record import MatchRecord
from arena.papayoo import cards_of, mask_of
from arena.review.decisions import Decision, decisions_of
from arena.review.reviewed import Reviewed
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.writer import Writer

__all__ = ["reviewed", "store"]

_ONE_IN = 12
"""One decision of so many was a blunder."""


def reviewed(record: MatchRecord, bot: str) -> Iterator[Reviewed]:
    """What a review might say of all decisions of a bot in a match."""
    dice = Random(f"{record.key} {bot}")
    for decision in decisions_of(record):
        if decision.bot == bot and not decision.forced and not decision.by_stand_in:
            yield _made_up(record, decision, dice)


def _made_up(record: MatchRecord, decision: Decision, dice: Random) -> Reviewed:
    blunder = dice.randrange(_ONE_IN) == 0
    others = list(cards_of(decision.legal & ~decision.chosen))
    better = mask_of(dice.sample(others, decision.chosen.bit_count())) if others else decision.chosen
    cost = dice.uniform(2, 20) if blunder else dice.gauss(0, 0.2)
    round_, question = decision.place
    so_far, end = decision.points[decision.seat], record.rounds[round_].points[decision.seat]
    return Reviewed(
        match=record.key,
        round=round_,
        question=question,
        seat=decision.seat,
        bot=decision.bot,
        phase=decision.phase,
        chosen=decision.chosen,
        best=better if blunder else decision.chosen,
        cost=cost,
        error=dice.uniform(0.2, 0.5),
        true_cost=float(dice.randrange(-10, 40)) if blunder else 0.0,
        expected=max(so_far, 60 + (end - 60) * question / 16 + dice.gauss(0, 3)),
        worlds=256,
        options=decision.legal.bit_count(),
    )


def store(database: Database, bot: str, *numbers: int) -> list[Reviewed]:
    """Store such a review of the first season's matches of these numbers. Return its decisions."""
    records = (Reader(database).record(1, number) for number in numbers)
    found = [one for record in records for one in reviewed(record, bot)]
    Writer(database).reviews(1, found)
    return found
