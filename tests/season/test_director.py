"""What the director decides at the ends of blocks, from when on it holds, and how a stretch ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.disqualify import Ruling
from arena.schedule import planned_blocks
from arena.season import settling
from arena.season.director import Director
from arena.season.settling import End
from arena.standings import NoLook, Scoring
from arena.store.views import Role
from tests.conduct.shares import ByShare
from tests.season.test_discipline import ASKED, BOTS, Rulings, cycles

ENTRIES = [SimpleNamespace(bot=bot, name=bot.title(), role=Role.ENTRANT) for bot in BOTS]
FELL = Ruling("bee", True, 3, "replaced in 3 of 6 matches", after=2)


@pytest.fixture(autouse=True)
def _by_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.season.discipline.limits_of", lambda season: season.limits)
    for module in ("discipline", "settling"):
        monkeypatch.setattr(f"arena.season.{module}.read", ASKED)
        monkeypatch.setattr(f"arena.season.{module}.write", ASKED)


def director(
    reader: Rulings, cycles: int = 5, stop: str = "cycles", duel: bool = False, share: float = 0.4
) -> Director:
    season = SimpleNamespace(
        loaded=SimpleNamespace(
            league=SimpleNamespace(schedule=SimpleNamespace(stop=stop, margin=0.0)),
        ),
        view=SimpleNamespace(
            open=False,
            number=1,
            is_duel=duel,
            entries=ENTRIES,
            plans_anew=False,
            limits=ByShare(share, 1) if share < 1 else None,
        ),
        bots=BOTS,
        plan=SimpleNamespace(matches_per_session=3),
    )
    made = Director(cast(Any, season), cast(Any, reader), lambda said: None, pytest.fail)
    made.begin(stretch(cycles))
    return made


def stretch(cycles: int) -> Any:
    text = planned_blocks(0, cycles).text
    return SimpleNamespace(number=0, season=1, cycles_planned=cycles, first_cycle=0, blocks=text)


def test_after_a_block_it_is_decided_who_fell_in_it() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader)
    known.decide(1)
    assert reader.stored == (), "the second cycle is not over"
    known.decide(2)
    assert reader.stored == (FELL,)
    assert (known.out(2), known.out(3)) == (set(), {"bee"}), "the third may be being played"
    assert known.ends() == 5


def test_at_the_end_it_is_decided_who_fell_in_the_last_block() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader, cycles=2)
    known.decide(2)
    assert reader.stored == (Ruling("bee", True, 2, FELL.reason),)
    assert known.end() == End("its cycles were played", 2)


@pytest.mark.parametrize(
    ("stop", "share", "decides"), [("cycles", 0.4, True), ("settled", 1, True), ("cycles", 1, False)]
)
def test_where_nothing_is_decided_there_are_no_blocks(stop: str, share: float, decides: bool) -> None:
    assert (director(Rulings(), stop=stop, share=share).begin(stretch(5)) is not None) is decides


def settled_after(monkeypatch: pytest.MonkeyPatch, cycles: int) -> list[int]:
    """Let a league be settled after so many cycles; return after how many it was looked at."""
    looked: list[int] = []

    def scored_then(season: Any, acts: Any, played: Any, cycles: int) -> tuple[Scoring, list[Any]]:
        looked.append(cycles)
        return Scoring(bots=BOTS, seats=3), []

    def look(scoring: Scoring, results: object) -> Any:
        seen = looked[-1]
        return SimpleNamespace(settled=True, cycles=seen) if seen >= cycles else NoLook("it is too early")

    monkeypatch.setattr(Scoring, "deciding_look", look)
    monkeypatch.setattr(settling.Settling, "_said", lambda settling, cycles, seen: [])
    monkeypatch.setattr(settling, "scoring_then", scored_then)
    monkeypatch.setattr(settling, "played_of", lambda reader, season: None)
    return looked


def test_a_league_that_is_settled_ends_with_the_block_that_settled_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And not with the one that was being played meanwhile."""
    looked = settled_after(monkeypatch, 2)
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader, stop="settled")
    known.decide(1)
    assert known.ends() == 5
    known.decide(2)
    assert (known.ends(), looked) == (2, [1, 2])
    assert known.end() == End("settled after 2 cycles of at most 5", 2)
    assert reader.stored == (FELL,)
    again = director(reader, stop="settled")  # a run that was killed before it stored the end
    again.decide(1)
    assert again.ends() == 5
    again.decide(2)
    assert (again.ends(), again.end(), looked) == (2, known.end(), [1, 2])


def test_a_league_that_is_settled_only_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = settled_after(monkeypatch, 3)
    known = director(Rulings(), cycles=3, stop="settled")
    for end in (1, 2, 3):
        known.decide(end)
    assert known.end() == End("settled after 3 cycles of at most 3", 3)
    assert looked == [1, 2, 3]


def test_a_duel_ends_when_one_of_the_two_is_disqualified() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader, cycles=8, duel=True)
    known.decide(1)
    assert known.ends() == 8
    known.decide(2)
    assert known.ends() == 3, "the stand-in would have the seats from there on"
    known.decide(3)
    why = "Bee is excluded, and a duel takes two"
    assert known.end() == End(f"ended after 3 cycles of at most 8: {why}", 3)
    assert reader.stored == (FELL,)

    reader.stored += (Ruling("bee", False, 3),)
    assert director(reader, cycles=8, duel=True).ends() == 8, "it was reinstated"


def test_a_duel_ends_where_the_withdrawal_of_a_bot_holds() -> None:
    reader = Rulings()
    known = director(reader, duel=True)
    assert known.ends() == 5
    reader.stored = (Ruling("bee", True, 2, "its author asked", by_organiser=True),)
    known.read_again()
    assert known.ends() == 2


def test_a_duel_of_which_a_bot_falls_in_the_last_blocks_is_played_out() -> None:
    reader = Rulings(played=cycles("", "bee"))
    known = director(reader, cycles=3, duel=True)
    known.decide(2)
    known.decide(3)
    assert known.end() == End("its cycles were played", 3)
    assert reader.stored == (FELL,)
