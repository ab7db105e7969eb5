"""The look that ended a league is stored; what is ruled later changes scores, and not that it has ended."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.conduct.disqualify import Ruling
from arena.season import settling
from arena.season.settling import End, Settling, settled_by
from arena.season.stretches import is_settled
from arena.standings import NoLook
from arena.store import read, write
from arena.store.acts import void_act
from arena.store.database import Database
from arena.store.deciding_looks import LOOK, SETTLED, DecidingLook, looks_from
from arena.store.history import NOTED_KEYS, Action
from arena.store.looks import Played, played_of
from arena.store.scoring import scored
from arena.store.views import Role, SeasonView
from tests.cli.leagues import DOCUMENT, change, make
from tests.reports.played import FIVE, START, League
from tests.shared import once
from tests.verify.test_tampering import difference

CYCLES = 15
"""Of two sessions each: so many are enough for verdicts on a duel, and one session less is not."""
LEAGUE = League(bots=(FIVE[0], FIVE[4]), seats=3, rounds=1, cycles=CYCLES)
FILE = SimpleNamespace(league=SimpleNamespace(schedule=SimpleNamespace(stop="settled", margin=100.0)))
SETTLED_END = End(f"settled after {CYCLES} cycles of at most {CYCLES}", CYCLES)


def _play(folder: Path) -> None:
    """A duel of bots that count as level within 100 points."""
    rules = {"id": "spring", "seats": 3, "rounds": 1, "show_names": False}
    path = make(folder / "duel.db", LEAGUE, {**DOCUMENT, "league": rules})
    with Database.open(path) as database:
        noted = {"free": {"schedule": {"margin": 100.0}}, "growing": {}}
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


def settling_of(database: Database, said: list[str] | None = None) -> Settling:
    season = SimpleNamespace(loaded=FILE, view=season_of(database))
    say = [].append if said is None else said.append
    return Settling(cast(Any, season), database, cast(Any, say))


def void(database: Database, *sessions: tuple[int, int]) -> None:
    for session in sessions:
        write.void(database, 1, session, void_act(1, session, "noise", (START, "ann")))


def looks(database: Database) -> list[DecidingLook]:
    return [look for _, look in looks_from(read.actions(database), 1)]


def test_what_decided_that_a_league_is_settled_is_stored_once(database: Database, path: Path) -> None:
    said: list[str] = []
    assert not settling_of(database, said).goes_on(CYCLES)
    assert said[0].startswith("after 15 cycles: Settled: ")
    (look,) = looks(database)
    assert look == DecidingLook(1, SETTLED, CYCLES, ("duck", "greedy"), 30, ())
    again = settling_of(database)
    assert not again.goes_on(CYCLES), "a run that was killed before it stored the end"
    assert again.end(season_of(database).stretches[-1]) == SETTLED_END
    assert looks(database) == [look]
    assert difference(path) == ""


@pytest.mark.slow
def test_a_league_that_was_settled_stays_so_when_sessions_become_void(database: Database, path: Path) -> None:
    assert settling_of(database).end(season_of(database).stretches[-1]) == SETTLED_END
    assert is_settled(cast(Any, FILE), season_of(database), database)
    void(database, (3, 0), (4, 1))
    now = scored(database, season_of(database))
    assert isinstance(now.scoring.deciding_look(now.results), NoLook), "28 sessions are too few"
    assert is_settled(cast(Any, FILE), season_of(database), database)
    assert settling_of(database).end(season_of(database).stretches[-1]) == SETTLED_END
    assert difference(path) == ""


def test_what_was_played_ahead_is_no_part_of_a_look(database: Database) -> None:
    """The first 14 cycles have too few sessions for verdicts, whatever was played after them."""
    said: list[str] = []
    assert settling_of(database, said).goes_on(CYCLES - 1)
    assert said[0].startswith("after 14 cycles: no verdicts yet: ")
    assert looks(database) == []


def test_a_cycle_that_was_decided_before_the_league_was_settled_is_not_decided_anew(
    database: Database,
) -> None:
    """A run that was killed may ask again, and the organiser may have ruled meanwhile."""
    assert not settling_of(database).goes_on(CYCLES)
    said: list[str] = []
    assert settling_of(database, said).goes_on(CYCLES - 1)
    assert said == []


@pytest.mark.slow
def test_what_was_void_before_is_told_and_a_league_that_is_not_settled_stores_nothing(
    database: Database, path: Path
) -> None:
    void(database, (3, 0))
    assert settling_of(database).goes_on(CYCLES)
    assert looks(database) == []
    assert not is_settled(cast(Any, FILE), season_of(database), database)
    assert difference(path) == ""


def test_what_is_ruled_while_a_run_looks_is_looked_at_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def while_ruling(database: Database, season: int) -> Played:
        found = played_of(database, season)
        if read.session_states(database, 1)[3, 0].value == "complete":
            void(database, (3, 0))
        return found

    monkeypatch.setattr(settling, "played_of", while_ruling)
    assert settling_of(database).goes_on(CYCLES)
    assert looks(database) == []


def test_a_bot_that_was_out_and_is_back_has_to_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    look = DecidingLook(1, SETTLED, 9, ("ant", "bee"), 40, ())

    def known(*rulings: Ruling) -> DecidingLook | None:
        asked = SimpleNamespace(
            actions=lambda database: [look.act(START, "arena")], rulings=lambda database, season: rulings
        )
        monkeypatch.setattr("arena.season.settling.read", asked)
        entries = [SimpleNamespace(bot=bot, role=Role.ENTRANT) for bot in ("ant", "bee", "cat")]
        season = SimpleNamespace(number=1, entries=entries, open=False, sessions_per_cycle=8)
        stretch = SimpleNamespace(first_cycle=0, cycles_at_most=20, cycles_planned=10)
        return settled_by(cast(Any, None), cast(Any, season), cast(Any, stretch))

    out = Ruling("cat", True, 3, "noise", by_organiser=True)
    assert known(out) == look
    assert known(out, Ruling("ant", True, 9, "noise", by_organiser=True)) == look, "who leaves later"
    assert known(out, Ruling("cat", False, 9)) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "new", "said"),
    [
        ("cycles", 14, "it was not settled after 14 cycles, by what counted then"),
        ("sessions", 29, "it was settled after 15 cycles with sessions = 29; then it was 30"),
        ("field", ["duck"], "with field = ('duck',); then it was ('duck', 'greedy')"),
        ("more", 1, "a look of season 1 is not as an arena writes it"),
    ],
)
def test_a_changed_look_is_found(key: str, new: object, said: str, database: Database, path: Path) -> None:
    settling_of(database).goes_on(CYCLES)
    (act,) = [act for act in read.actions(database) if act.what == LOOK]
    detail = json.dumps({**json.loads(act.detail), key: new}, sort_keys=True, separators=(",", ":"))
    if key == "cycles":  # also the number of sessions, so that only the verdicts can tell
        detail = detail.replace('"sessions":30', '"sessions":28')
    database.close()
    change(path, f"UPDATE action SET detail = '{detail}' WHERE what = 'look'")
    assert said in difference(path)


@pytest.mark.slow
def test_a_look_that_was_put_after_what_was_ruled_later_is_found(database: Database, path: Path) -> None:
    settling_of(database).goes_on(CYCLES)
    void(database, (3, 0))
    database.close()
    change(path, "UPDATE action SET id = 1000 WHERE what = 'look'")
    assert "it was settled after 15 cycles with sessions = 30; then it was 29" in difference(path)


@pytest.mark.slow
def test_what_no_look_decides_is_found(database: Database, path: Path) -> None:
    settling_of(database).goes_on(CYCLES)
    database.close()
    change(
        path,
        "UPDATE action SET reason = 'won', detail = replace(detail, 'settled', 'won') WHERE what = 'look'",
    )
    assert "a look decided 'won', which no arena decides" in difference(path)
