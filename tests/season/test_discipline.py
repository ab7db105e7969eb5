"""Who sits in the next cycle, and what is read to know it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.disqualify import Ruling
from arena.season.discipline import Discipline

BOTS = ("ant", "bee", "cat")
SESSION: Any = SimpleNamespace(cycle=0, index=0, rows=((0, 1, 2),))
"""It is being played, and nothing is known of it yet."""
ALL_OUT = tuple(Ruling(bot, True, 0) for bot in BOTS)


class Rulings:
    """A database of rulings, to which the organiser may add. Counts how often it is read."""

    def __init__(self, *rulings: Ruling) -> None:
        self.stored = rulings
        self.reads = 0

    def rulings(self, season: int) -> tuple[Ruling, ...]:
        self.reads += 1
        return self.stored

    def sittings(self, season: int) -> tuple[()]:
        return ()


def discipline(reader: Rulings) -> Discipline:
    faults = SimpleNamespace(disqualify_share=0.1, disqualify_after=1)
    season = SimpleNamespace(
        loaded=SimpleNamespace(league=SimpleNamespace(faults=faults)),
        view=SimpleNamespace(number=1),
        bots=BOTS,
        plan=SimpleNamespace(matches_per_session=3),
    )
    made = Discipline(cast(Any, season), cast(Any, reader), cast(Any, None), pytest.fail)
    reader.reads = 0
    return made


def test_it_is_decided_while_nobody_can_fall_any_more() -> None:
    reader = Rulings()
    assert discipline(reader).is_decided(1, [])


def test_rulings_are_not_read_for_a_no() -> None:
    reader = Rulings()
    assert not discipline(reader).is_decided(1, [SESSION])
    assert reader.reads == 0


def test_a_yes_holds_for_what_the_organiser_has_ruled_meanwhile() -> None:
    reader = Rulings(*ALL_OUT)
    known = discipline(reader)
    assert known.is_decided(1, [SESSION]), "nobody plays in it"
    reader.stored = (*ALL_OUT, Ruling("bee", False, 0))
    assert not known.is_decided(1, [SESSION])
    assert known.out(0) == {"ant", "cat"}
