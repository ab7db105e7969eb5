"""Seasons of which too few bots are left: when they are over, and that they can go on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.exclusion import Ruling
from arena.league import read_league
from arena.match.stand_in import STAND_IN
from arena.season.decide import too_few_from, why_broken_off, why_cut_short
from arena.season.forecast import forecast
from arena.store import read
from arena.store.database import Database
from arena.store.views import Role
from arena.verify.verify import verify
from tests.cli.calling import caller
from tests.running import edit, make_league, play

OUT, IN = Ruling("bee", True, 2), Ruling("bee", False, 3)
GONE = Ruling("cat", True, 2, "asked", by_organiser=True)
ENTRIES = [
    SimpleNamespace(bot=bot, name=bot.title(), role=Role.ENTRANT) for bot in ("ant", "bee", "cat", "dog")
]


@pytest.mark.parametrize(
    ("bots", "rulings", "said"),
    [
        (2, [], ""),
        (2, [OUT], "Bee is excluded, and a duel takes two"),
        (2, [OUT, Ruling("ant", True, 2)], "Ant and Bee are excluded, and a duel takes two"),
        (2, [OUT, IN], ""),
        (4, [OUT], ""),
        (3, [OUT], "Bee is excluded, and 2 bots are left for 3 seats"),
        (4, [OUT, GONE], "Bee and Cat are excluded, and 2 bots are left for 3 seats"),
        (3, [OUT, GONE], "Bee and Cat are excluded, and 1 bot is left for 3 seats"),
        (3, [OUT, IN], ""),
        (
            3,
            [OUT, *(Ruling(bot, True, 2) for bot in ("ant", "cat"))],
            "Ant, Bee and Cat are excluded, and no bots are left for 3 seats",
        ),
    ],
)
def test_why_a_season_is_broken_off(bots: int, rulings: list[Ruling], said: str) -> None:
    season = SimpleNamespace(is_duel=bots == 2, entries=ENTRIES[:bots], seats=3, plans_anew=True, open=False)
    assert why_broken_off(cast(Any, season), rulings) == said


@pytest.mark.parametrize(
    ("rulings", "first"),
    [
        ([], None),
        ([OUT], 2),
        ([OUT, IN], None),
        ([OUT, IN, Ruling("ant", True, 5)], 5),
        ([Ruling("bee", True, 7), GONE], 2),
        ([OUT, GONE, Ruling("bee", False, 4)], 2),
    ],
)
def test_from_when_on_too_few_are_left(rulings: list[Ruling], first: int | None) -> None:
    season = SimpleNamespace(is_duel=False, entries=ENTRIES[:3], seats=3, plans_anew=True, open=False)
    found = too_few_from(cast(Any, season), rulings)
    assert (None if found is None else found[0]) == first


PHASEES = {
    "none was begun": [],
    "played to its end": [SimpleNamespace(ended_at=9, cycles_planned=4)],
    "ended early": [SimpleNamespace(ended_at=9, cycles_planned=2)],
    "being played": [SimpleNamespace(ended_at=None, cycles_planned=4)],
}


@pytest.mark.parametrize(
    ("phases", "cycles", "told"),
    [
        ("none was begun", 4, True),
        ("played to its end", 4, False),
        ("played to its end", 5, True),
        ("ended early", 4, True),
        ("being played", 4, True),
    ],
)
def test_who_left_after_the_last_cycle_cut_nothing_short(phases: str, cycles: int, told: bool) -> None:
    season = SimpleNamespace(
        open=False,
        is_duel=True,
        entries=ENTRIES[:2],
        seats=3,
        plans_anew=True,
        phases=PHASEES[phases],
    )
    over = "the duel is over: Bee is excluded, and a duel takes two; arena reinstate lets a bot play again"
    assert why_cut_short(cast(Any, season), [OUT], cycles) == (over if told else "")
    assert why_cut_short(cast(Any, season), [OUT, IN], cycles) == ""


def test_where_the_stand_in_has_the_seats_the_season_goes_on() -> None:
    season = SimpleNamespace(is_duel=False, entries=ENTRIES[:3], seats=3, plans_anew=False, open=False)
    assert why_broken_off(cast(Any, season), [OUT, GONE]) == ""


@pytest.mark.slow
def test_a_duel_is_not_played_on_against_the_stand_in(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = make_league(tmp_path, bots=2, cycles=7)
    crash = 'if os.path.exists("../../../crash"):\n        os._exit(3)'
    edit(tmp_path / "bots/b1/bot.py", "time.sleep(0.0)", crash)
    (tmp_path / "crash").touch()
    said = "B1 is excluded, and a duel takes two"
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    assert f"the duel is over: {said}; arena reinstate lets a bot play again" in outcome.err
    assert _reasons(league) == [f"ended after 6 cycles of at most 7: {said}"]
    seen = forecast(read_league(league))
    assert (seen.ended.startswith(said), seen.size_left.sessions) == (True, 0)

    (tmp_path / "crash").unlink()
    assert caller(capsys)("reinstate", league, "b1", "--reason", "mended").code == 0
    assert play(league).code == 0
    assert _reasons(league) == [f"ended after 6 cycles of at most 7: {said}", "its cycles were played"]


def _reasons(league: Path) -> list[str]:
    """Return why each phase ended, of a season that verifies and in which no stand-in sat."""
    with Database.open(league.parent / "league.db", read_only=True) as database:
        season = read.current_season(database)
        assert season is not None
        assert verify(database, [season]).difference is None
        assert all(seat.bot != STAND_IN for match in read.matches(database, 1) for seat in match.seats)
        return [phase.end_reason for phase in season.phases]
