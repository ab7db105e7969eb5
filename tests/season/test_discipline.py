"""Who sits in the next cycle, what is read to know it, and what is stored when a cycle is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.disqualify import Ruling, Sitting, disqualified
from arena.match.faults import HandOver
from arena.season.discipline import Discipline
from arena.store.history import Action, LogLine
from tests.conduct.shares import ByShare

BOTS = ("ant", "bee", "cat")


class Rulings:
    """A database of rulings, to which the organiser may add. Counts how often it is read."""

    def __init__(self, *rulings: Ruling, played: Sequence[Sitting] = ()) -> None:
        self.stored = rulings
        self.played = played
        self.reads = 0
        self.logged: list[str] = []
        self.acts: list[Action] = []

    def rulings(self, season: int) -> tuple[Ruling, ...]:
        self.reads += 1
        return self.stored

    def sittings(self, season: int) -> Sequence[Sitting]:
        return self.played

    def disqualify(self, season: int, rulings: Sequence[Ruling], by: tuple[int, str]) -> None:
        assert (season, by[1]) == (1, "arena")
        self.stored += tuple(rulings)

    def log(self, line: LogLine) -> None:
        self.logged.append(line.text)

    def actions(self) -> list[Action]:
        return self.acts

    def action(self, act: Action, acts: int) -> bool:
        assert acts == len(self.acts)
        self.acts.append(act)
        return True


def _asked(name: str) -> Callable[..., object]:
    return lambda rulings, *given: getattr(rulings, name)(*given)


ASKED = SimpleNamespace(
    **{name: _asked(name) for name in ("rulings", "sittings", "actions", "disqualify", "log", "action")}
)
"""The functions of the store, which ask the made-up one that they are given."""


@pytest.fixture(autouse=True)
def _by_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.season.discipline.limits_of", lambda season: season.limits)
    monkeypatch.setattr("arena.season.discipline.read", ASKED)
    monkeypatch.setattr("arena.season.discipline.write", ASKED)


def discipline(
    reader: Rulings, say: Callable[[str], None] = lambda said: None, share: float = 0.1
) -> Discipline:
    limits = ByShare(share, 1) if share < 1 else None
    season = SimpleNamespace(
        view=SimpleNamespace(number=1, is_duel=False, plans_anew=False, limits=limits),
        bots=BOTS,
        plan=SimpleNamespace(matches_per_session=3),
    )
    made = Discipline(cast(Any, season), cast(Any, reader), say)
    reader.reads = 0
    return made


def test_what_the_organiser_rules_before_a_cycle_begins_holds_in_it() -> None:
    """Also if the run had decided already that the cycle is played, and by whom."""
    reader, said = Rulings(), list[str]()
    known = discipline(reader, said.append)
    reader.stored = (Ruling("bee", True, 1, "a copy", by_organiser=True),)
    assert known.out(1) == set()
    assert known.read_again()
    assert (known.out(0), known.out(1)) == (set(), {"bee"})
    since = "from session 1.0 on it plays no more"
    assert said == [f"bee is excluded by the organiser: a copy; {since}"]


def test_who_is_withdrawn_is_judged_for_the_cycle_that_it_still_plays() -> None:
    """So the decision of the limits never depends on when the organiser acts."""
    reader, said = Rulings(played=cycles("", "bee")), list[str]()
    known = discipline(reader, said.append)
    withdrawal = Ruling("bee", True, 2, "its author asked", by_organiser=True)
    reader.stored = (withdrawal,)
    known.decide(2, 2)
    assert reader.stored == (withdrawal, Ruling("bee", True, 2, "replaced in 3 of 6 matches"))
    assert disqualified(reader.stored) == {"bee": withdrawal}
    assert said == [str(withdrawal)], "the organiser's is the one that is shown"


def cycles(*lost_by: str) -> list[Sitting]:
    """A session a cycle; who is named lost all its matches in that cycle."""
    return [
        Sitting(bot, cycle, 0, order, HandOver.CRASHED if bot == loser else None)
        for cycle, loser in enumerate(lost_by)
        for order in range(3)
        for bot in BOTS
    ]


def test_who_fell_in_a_cycle_is_out_from_the_next_one_on() -> None:
    reader, said = Rulings(played=cycles("", "bee", "cat")), list[str]()
    known = discipline(reader, said.append)
    known.decide(0, 0)
    known.decide(1, 1)
    assert (reader.stored, said) == ((), [])
    known.decide(2, 2)
    reason = "replaced in 3 of 6 matches"
    assert reader.stored == (Ruling("bee", True, 2, reason),)
    assert said == [f"bee is excluded by the arena: {reason}; from session 2.0 on it plays no more"]
    assert (known.out(1), known.out(2)) == (set(), {"bee"})
    known.decide(3, 3)
    assert reader.stored[1:] == (Ruling("cat", True, 3, "replaced in 3 of 9 matches"),)
    assert reader.logged == said


def test_what_is_decided_already_is_not_stored_again() -> None:
    reader = Rulings(Ruling("bee", True, 2, "replaced in 3 of 6 matches"), played=cycles("", "bee"))
    discipline(reader).decide(2, 2)
    assert len(reader.stored) == 1


def test_a_ruling_holds_one_block_later() -> None:
    reader, said = Rulings(played=cycles("", "bee", "cat")), list[str]()
    known = discipline(reader, said.append)
    known.decide(2, 3)
    (ruling,) = reader.stored
    assert ruling == Ruling("bee", True, 3, "replaced in 3 of 6 matches", after=2)
    assert (known.out(2), known.out(3)) == (set(), {"bee"})
    known.decide(2, 3)
    assert reader.stored == (ruling,)
    known.decide(3, 3)
    assert reader.stored == (ruling, Ruling("cat", True, 3, "replaced in 3 of 9 matches"))


def test_whether_the_limits_can_rule_at_all() -> None:
    assert discipline(Rulings()).asked
    assert not discipline(Rulings(), share=1).asked
