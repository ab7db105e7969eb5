"""How many cycles are over when the director decides who plays on: between cycles, and at the end."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.disqualify import Cause, Ruling
from arena.season import settling
from arena.season.director import Director
from arena.season.settling import End
from arena.standings import ScoreRule, Scoring
from arena.store.views import Role
from tests.season.test_discipline import BOTS, Rulings, cycles

ENTRIES = [SimpleNamespace(bot=bot, name=bot.title(), role=Role.ENTRANT) for bot in BOTS]
FELL = Ruling("bee", True, 2, "replaced in 3 of 6 matches")


def director(reader: Rulings, stop: str = "cycles", duel: bool = False) -> Director:
    faults = SimpleNamespace(disqualify_share=0.4, disqualify_after=1)
    season = SimpleNamespace(
        loaded=SimpleNamespace(
            league=SimpleNamespace(faults=faults, schedule=SimpleNamespace(stop=stop)),
        ),
        view=SimpleNamespace(
            open=False,
            number=1,
            is_duel=duel,
            entries=ENTRIES,
            score_rule=ScoreRule.SCORE_1,
            plans_anew=False,
        ),
        bots=BOTS,
        plan=SimpleNamespace(matches_per_session=3, playable=lambda cycles: cycles),
    )
    said = list[str]()
    return Director(cast(Any, season), cast(Any, reader), cast(Any, reader), said.append, pytest.fail)


def stretch(cycles_planned: int) -> Any:
    return SimpleNamespace(cycles_planned=cycles_planned, first_cycle=0)


def test_after_a_cycle_it_is_decided_who_fell_in_it() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader)
    assert known.goes_on(1)
    assert reader.stored == (), "the second cycle is not over"
    assert known.goes_on(2)
    assert reader.stored == (FELL,)
    assert (known.out(1), known.out(2)) == (set(), {"bee"})


def test_at_the_end_it_is_decided_who_fell_in_the_last_cycle() -> None:
    reader = Rulings(played=cycles("", "bee"))
    assert director(reader).end(stretch(2)) == End("its cycles were played", 2)
    assert reader.stored == (FELL,)


def test_a_league_that_is_settled_early_has_the_cycles_that_settled_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its last cycle is the last of these, not the last that was planned."""
    look = SimpleNamespace(settled=True, cycles=2)
    scoring = Scoring(bots=BOTS, seats=3)
    monkeypatch.setattr(Scoring, "deciding_look", lambda scoring, results: look)
    score = SimpleNamespace(scoring=scoring, results=())
    monkeypatch.setattr(settling, "scored", lambda reader, season: score)
    reader = Rulings(played=cycles("", "bee"))
    ended = director(reader, stop="settled").end(stretch(5))
    assert ended == End("settled after 2 cycles of at most 5", 2)
    assert reader.stored == (FELL,)


def test_a_duel_ends_when_one_of_the_two_is_disqualified() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader, duel=True)
    assert known.goes_on(1)
    assert not known.goes_on(2), "the stand-in would have the seats of the next cycle"
    assert not known.goes_on_early(2, [])
    why = "Bee is disqualified, and a duel takes two"
    assert known.end(stretch(8)) == End(f"ended after 2 cycles of at most 8: {why}", 2)
    assert reader.stored == (FELL,)

    reader.stored += (Ruling("bee", False, 2),)
    again = director(reader, duel=True)
    assert again.goes_on(2), "it was reinstated"


def test_a_duel_is_not_played_on_when_a_bot_is_withdrawn_while_it_is_played() -> None:
    """The run finds the ruling only when it asks whether the next cycle is certain."""
    reader = Rulings()
    known = director(reader, duel=True)
    assert known.goes_on_early(1, [])
    reader.stored = (Ruling("bee", True, 1, "its author asked", Cause.WITHDRAWN),)
    assert not known.goes_on_early(1, [])
    assert not known.goes_on(1)


def test_a_duel_of_which_a_bot_falls_in_the_last_cycle_is_played_out() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader, duel=True)
    assert known.end(stretch(2)) == End("its cycles were played", 2)
    assert reader.stored == (FELL,)
