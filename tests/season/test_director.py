"""What is decided after decision cycles, from when on it holds, and how a phase ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.exclusion import Ruling, Sitting, disqualified
from arena.match.faults import HandOver
from arena.runner.director import Director, End
from arena.score.scoring import Scoring
from arena.score.verdicts import NoLook
from arena.season.decide import Compared
from arena.store.acts import EXCLUDE, REINSTATE, Decision
from arena.store.history import NOTED_KEYS, Action, LogLine
from arena.store.stored_season import StoredSeason
from arena.store.views import Role
from tests.conduct.shares import ByShare

BOTS = ("ant", "bee", "cat")
ENTRIES = [SimpleNamespace(bot=bot, name=bot.title(), role=Role.ENTRANT) for bot in BOTS]
FELL = Ruling("bee", True, 3, "replaced in 3 of 6 matches", after=2)
SETTLES = Action(0, "ann", NOTED_KEYS, "1", "", json.dumps({"free": {"schedule": {"stop": "settled"}}}))


class Stored:
    """The acts, decisions and finished matches of a season, to which the organiser may add."""

    def __init__(self, *acts: Action, played: Sequence[Sitting] = ()) -> None:
        self.acts = list(acts)
        self.played = played
        self.made: list[Decision] = []
        self.view: Any = None
        self.logged: list[str] = []
        self.meanwhile: list[Action] = []
        """Acts that are stored just before the next decision is."""

    @property
    def excluded(self) -> list[Ruling]:
        return [ruling for decision in self.made for ruling in decision.rulings]

    def stored_season(self) -> StoredSeason:
        return StoredSeason(self.view, list(self.acts), tuple(self.made))

    def sittings(self, season: int) -> Sequence[Sitting]:
        return self.played

    def decision(self, season: int, made: Decision) -> bool:
        self.acts += self.meanwhile
        self.meanwhile = []
        if made.acts == len(self.acts):
            self.made.append(made)
        return made.acts == len(self.acts)

    def log(self, line: LogLine) -> None:
        self.logged.append(line.text)


def _asked(name: str) -> Callable[..., object]:
    return lambda stored, *given: getattr(stored, name)(*given)


ASKED = SimpleNamespace(**{name: _asked(name) for name in ("stored_season", "sittings", "decision", "log")})
"""The functions of the store, which ask the made-up one that they are given."""


@pytest.fixture(autouse=True)
def _by_share(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("season.decide", "runner.director"):
        monkeypatch.setattr(f"arena.{module}.limits_of", lambda season: season.limits)
    monkeypatch.setattr("arena.runner.director.read", ASKED)
    monkeypatch.setattr("arena.runner.director.write", ASKED)


def director(
    stored: Stored,
    cycles: int = 5,
    duel: bool = False,
    share: float = 0.4,
    say: Callable[[str], None] = lambda said: None,
) -> Director:
    season = SimpleNamespace(
        loaded=SimpleNamespace(league=SimpleNamespace(schedule=SimpleNamespace(margin=0.0))),
        view=SimpleNamespace(
            open=False,
            number=1,
            is_duel=duel,
            entries=ENTRIES,
            plans_anew=False,
            sessions_per_cycle=8,
            matches_per_session=3,
            rounds=1,
            section=lambda name: {},
            limits=ByShare(share, 1) if share < 1 else None,
        ),
        bots=BOTS,
        plan=SimpleNamespace(matches_per_session=3),
    )
    stored.view = season.view
    made = Director(cast(Any, season), cast(Any, stored), say, pytest.fail)
    made.begin(phase(cycles))
    return made


def phase(cycles: int) -> Any:
    return SimpleNamespace(number=0, season=1, cycles_planned=cycles, first_cycle=0, cycles_at_most=cycles)


def cycles(*lost_by: str) -> list[Sitting]:
    """A session a cycle; who is named lost all its matches in that cycle."""
    return [
        Sitting(bot, cycle, 0, order, HandOver.CRASHED if bot == loser else None)
        for cycle, loser in enumerate(lost_by)
        for order in range(3)
        for bot in BOTS
    ]


def act(what: str, bot: str, from_cycle: int, why: str = "a copy") -> Action:
    return Action(0, "ann", what, bot, why, json.dumps({"season": 1, "from_cycle": from_cycle}))


# Who plays


def test_who_fell_in_a_cycle_is_out_from_the_one_after_the_next_on() -> None:
    stored, said = Stored(played=cycles("", "bee", "cat")), list[str]()
    known = director(stored, share=0.1, say=said.append)
    known.decide(1)
    assert (stored.excluded, said) == ([], [])
    known.decide(2)
    assert stored.excluded == [FELL]
    assert said == [
        "bee is excluded by the arena: replaced in 3 of 6 matches; from session 3.0 on it plays no more"
    ]
    assert stored.logged == said
    assert (known.out(2), known.out(3)) == (set(), {"bee"}), "the third may be being played"
    known.decide(3)
    assert stored.excluded == [FELL, Ruling("cat", True, 4, "replaced in 3 of 9 matches", after=3)]
    assert known.ends() == 5


def test_what_the_organiser_rules_before_a_cycle_begins_holds_in_it() -> None:
    """Also if the run had decided already that the cycle is played, and by whom."""
    stored, said = Stored(), list[str]()
    known = director(stored, say=said.append)
    stored.acts.append(act(EXCLUDE, "bee", 1))
    assert known.out(1) == set()
    known.read_again()
    assert (known.out(0), known.out(1)) == (set(), {"bee"})
    since = "from session 1.0 on it plays no more"
    assert said == [f"bee is excluded by the organiser: a copy; {since}"]


def test_who_is_withdrawn_is_judged_for_the_cycle_that_it_still_plays() -> None:
    """So the decision of the limits never depends on when the organiser acts."""
    stored, said = Stored(played=cycles("", "bee")), list[str]()
    known = director(stored, say=said.append)
    stored.acts.append(act(EXCLUDE, "bee", 2))
    known.decide(2)
    assert stored.excluded == [FELL]
    assert disqualified(known.rulings)["bee"].by_organiser
    assert said == [str(known.rulings[0])], "the organiser's is the one that is shown"


@pytest.mark.parametrize(
    ("acts", "share", "decides"), [([], 0.4, True), ([SETTLES], 1, True), ([], 1, False)]
)
def test_where_nothing_can_be_decided_nothing_waits(acts: list[Action], share: float, decides: bool) -> None:
    assert (director(Stored(*acts), share=share).begin(phase(5)) is not None) is decides


# The end


def settled_after(monkeypatch: pytest.MonkeyPatch, cycles: int) -> list[int]:
    """Let a league be settled after so many cycles; return after how many it was looked at."""
    looked: list[int] = []

    class Found(Compared):
        @property
        def settled(self) -> bool:
            return looked[-1] >= cycles

        @property
        def field(self) -> tuple[str, ...]:
            return BOTS

    def compare(history: object, played: object, after: int) -> Compared:
        looked.append(after)
        return Found(Scoring(bots=BOTS, seats=3), [], (), NoLook("it is too early"))

    monkeypatch.setattr("arena.runner.director.compare", compare)
    monkeypatch.setattr("arena.runner.director.played_of", lambda database, season: None)
    return looked


def test_a_league_that_is_settled_ends_with_what_may_be_begun_by_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = settled_after(monkeypatch, 2)
    stored = Stored(SETTLES, played=cycles("", "bee"))
    known = director(stored)
    known.decide(1)
    assert known.ends() == 5
    known.decide(2)
    assert (known.ends(), looked) == (3, [1, 2])
    assert known.end() == End("settled after 2 cycles of at most 5", 3)
    assert stored.excluded == [FELL]
    again = director(stored)  # a run that was killed before it stored the end
    again.decide(1)
    assert again.ends() == 5
    again.decide(2)
    assert (again.ends(), again.end(), looked) == (3, known.end(), [1, 2])


def test_a_bot_that_was_out_and_is_back_has_to_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    settled_after(monkeypatch, 3)
    stored = Stored(SETTLES, act(EXCLUDE, "cat", 0))
    director(stored, cycles=3).decide(3)
    stored.made = [replace(stored.made[0], field=("ant", "bee"))]
    assert director(stored, cycles=3).end().reason.startswith("settled after")
    stored.acts.append(act(EXCLUDE, "ant", 3))
    assert director(stored, cycles=3).end().reason.startswith("settled after"), "who leaves later"
    stored.acts.append(act(REINSTATE, "cat", 3))
    assert director(stored, cycles=3).end().reason.startswith("budget reached")


def test_what_is_ruled_while_it_is_decided_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = settled_after(monkeypatch, 2)
    stored = Stored(SETTLES)
    stored.meanwhile = [act(EXCLUDE, "cat", 3)]
    director(stored).decide(2)
    assert looked == [2, 2]
    assert [decision.acts for decision in stored.made] == [2]


def test_a_duel_ends_when_one_of_the_two_is_excluded() -> None:
    stored = Stored(played=cycles("", "bee"))
    known = director(stored, cycles=8, duel=True)
    known.decide(1)
    assert known.ends() == 8
    known.decide(2)
    assert known.ends() == 3, "the stand-in would have the seats from there on"
    known.decide(3)
    why = "Bee is excluded, and a duel takes two"
    assert known.end() == End(f"ended after 3 cycles of at most 8: {why}", 3)
    assert stored.excluded == [FELL]

    stored.acts.append(act(REINSTATE, "bee", 3))
    assert director(stored, cycles=8, duel=True).ends() == 8, "it was reinstated"
