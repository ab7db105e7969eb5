"""That a league is settled is decided from whole cycles and the acts before, stored, and derived again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.runner.director import Director
from arena.schedule import canonical_json
from arena.score.verdicts import NoLook
from arena.season.decide import compare, conduct_of, decide, decision_in_force, is_settled
from arena.store import read, write
from arena.store.acts import EXCLUDE, Decision, void_act
from arena.store.database import Database
from arena.store.history import NOTED_KEYS, Action
from arena.store.scoring import played_of, scored
from arena.store.stored_season import StoredSeason
from arena.store.views import SeasonView
from tests.cli.leagues import DOCUMENT, change, make
from tests.reports.played import FIVE, START, League
from tests.shared import once
from tests.verify.test_tampering import difference

CYCLES = 8
"""Of two sessions each: so many are enough for verdicts on a duel, and one session less is not."""
LEAGUE = League(bots=(FIVE[0], FIVE[4]), seats=3, rounds=1, cycles=CYCLES)


def _play(folder: Path) -> None:
    """A duel of bots that count as level within 100 points."""
    rules = {"seats": 3, "rounds": 1}
    path = make(folder / "duel.db", LEAGUE, {**DOCUMENT, "league": rules})
    with Database.open(path) as database:
        noted = {"free": {"schedule": {"margin": 100.0, "stop": "settled"}}, "growing": {}}
        write.action(database, Action(START, "ann", NOTED_KEYS, "1", "", json.dumps(noted)))


@pytest.fixture
def path(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    return Path(shutil.copy(once(tmp_path_factory, "duel", _play) / "duel.db", tmp_path))


@pytest.fixture
def database(path: Path) -> Iterator[Database]:
    with Database.open(path) as opened:
        yield opened


def season_of(database: Database) -> SeasonView:
    (season,) = read.seasons(database)
    return season


def stored_in(database: Database) -> StoredSeason:
    stored = read.stored_season(database)
    assert stored is not None
    return stored


def settled(database: Database) -> bool:
    return is_settled(stored_in(database), "settled", lambda: scored(database, season_of(database)))


def decided(database: Database, cycles: int) -> Decision:
    stored = stored_in(database)
    compared = compare(stored, played_of(database, 1), cycles)
    return decide(stored, conduct_of(stored.view), cycles, min(cycles + 4, CYCLES), compared, START)


def store(database: Database, cycles: int) -> Decision:
    decision = decided(database, cycles)
    assert write.decision(database, 1, decision)
    return decision


def void(database: Database, *sessions: tuple[int, int]) -> None:
    for session in sessions:
        write.void(database, 1, session, void_act(1, session, "noise", (START, "ann")))


def test_a_decision_says_what_it_rests_on(database: Database, path: Path) -> None:
    decision = store(database, CYCLES)
    assert decision == Decision(
        CYCLES, CYCLES, (), True, ("duck", "greedy"), 16, (), (("duck", "greedy", CYCLES),), 1, START
    )
    assert read.decisions(database, 1) == (decision,)
    assert difference(path) == ""


def test_what_was_played_ahead_is_no_part_of_it(database: Database) -> None:
    """The first 7 cycles have too few sessions for verdicts, whatever was played after them."""
    assert not decided(database, CYCLES - 1).settled


def test_a_decision_that_does_not_know_the_newest_act_is_not_stored(database: Database) -> None:
    decision = decided(database, CYCLES)
    void(database, (3, 0))
    assert not write.decision(database, 1, decision)
    assert read.decisions(database, 1) == ()


def test_what_was_void_before_does_not_count(database: Database, path: Path) -> None:
    void(database, (3, 0))
    decision = store(database, CYCLES)
    assert (decision.settled, decision.sessions, decision.void) == (False, 15, ("3.0",))
    assert not settled(database)
    assert difference(path) == ""


def test_a_league_that_was_settled_stays_so_when_sessions_become_void(database: Database, path: Path) -> None:
    decision = store(database, CYCLES)
    void(database, (3, 0), (4, 1))
    assert isinstance(scored(database, season_of(database)).look, NoLook), "14 sessions are too few"
    assert settled(database)
    assert decision_in_force(stored_in(database), CYCLES) == decision
    assert difference(path) == ""


def test_a_bot_that_was_out_and_is_back_has_to_be_compared(database: Database) -> None:
    decision = replace(store(database, CYCLES), field=("duck",))
    stored = replace(stored_in(database), decisions=(decision,))
    assert decision_in_force(stored, CYCLES) is None
    out = json.dumps({"season": 1, "from_cycle": CYCLES})
    stored = replace(stored, acts=(*stored.acts, Action(START, "ann", EXCLUDE, "greedy", "a copy", out)))
    assert decision_in_force(stored, CYCLES) == decision, "who leaves later"


def test_what_is_ruled_while_it_is_decided_is_looked_at_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_decision, meanwhile = write.decision, [(3, 0)]

    def store_after_an_act(*given: Any) -> bool:
        while meanwhile:
            void(database, meanwhile.pop())
        return store_decision(*given)

    monkeypatch.setattr("arena.runner.director.write.decision", store_after_an_act)
    view = season_of(database)
    of_file = SimpleNamespace(league=SimpleNamespace(schedule=SimpleNamespace(margin=100.0)))
    season = SimpleNamespace(loaded=of_file, view=view, bots=("duck", "greedy"), plan=view)
    director = Director(cast(Any, season), database, lambda said: None, pytest.fail)
    director.begin(view.phases[0])
    director.decide(CYCLES)
    (decision,) = read.decisions(database, 1)
    assert (decision.settled, decision.void, decision.acts) == (False, ("3.0",), 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"settled": False}, "after 8 cycles: settled is False, it was True"),
        ({"sessions": 15}, "after 8 cycles: sessions is 15, it was 16"),
        ({"field": ("duck",)}, "after 8 cycles: field is duck, it was duck greedy"),
        ({"void": ("3.0",)}, "after 8 cycles: void is 3.0, it was none"),
        ({"effect": 7}, "after 8 cycles: effect is 7, it was 8"),
        ({"cycles": 9, "effect": 9}, "decided after 9 cycles, which is no decision cycle that is over"),
        ({"acts": 2}, "after 8 cycles followed from 2 acts, there are 1"),
        ({"excluded": (("duck", "noise"),)}, "duck is excluded after 8 cycles, what was played does not"),
    ],
)
def test_a_changed_decision_is_found(
    changes: dict[str, Any], said: str, database: Database, path: Path
) -> None:
    changed = replace(store(database, CYCLES), **changes)
    text = canonical_json(asdict(changed)).replace("'", "''")
    database.close()
    change(path, f"UPDATE decision SET cycles = {changed.cycles}, document = '{text}'")
    assert said in difference(path)


@pytest.mark.slow
def test_a_decision_with_acts_that_were_ruled_later_is_found(database: Database, path: Path) -> None:
    decision = store(database, CYCLES)
    void(database, (3, 0))
    database.close()
    text = canonical_json(asdict(replace(decision, acts=2)))
    change(path, f"UPDATE decision SET document = '{text}'")
    assert "settled is True, it was False" in difference(path)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "{}", "[" * 1000, "null"])
def test_what_is_no_decision_is_a_sentence(text: str, database: Database, path: Path) -> None:
    store(database, CYCLES)
    database.close()
    change(path, f"UPDATE decision SET document = '{text}'")
    assert "a decision after 8 cycles: " in difference(path)
