"""Open seasons: `arena verify` finds what was changed in entries, phases and secrets."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest

from arena.deals import commitment
from arena.schedule import canonical_json
from arena.schedule.catch_up import Owed
from arena.schedule.open_plan import OpenPlan, catch_up_block
from arena.season import phases
from arena.store import write
from arena.store.acts import Decision, void_act
from tests.open_played import OpenPlay
from tests.running import enter, leave, make_open_league
from tests.shared import once
from tests.verify.test_tampering import difference

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three phases with a public draw: newcomers catch up, one is improved, one leaves and comes back."""
    return once(tmp_path_factory, "open-season", _play) / "league.db"


def _play(folder: Path) -> None:
    league = make_open_league(folder, bots=5, schedule='version_hours = 0\npublic_draw = "7 11 13"\n')
    text = league.read_text().replace('seed = "tests"\n', "")
    league.write_text(text.replace("[sandbox]", "[faults]\ndisqualify_share = 1\n[sandbox]"))
    with OpenPlay(league, {"b0": 0.05}) as played:
        played.phase()
        enter(league, "b5", 0)
        leave(league, "b3")
        played.phase()
        enter(league, "b1", 3)
        enter(league, "b3", 3)
        played.phase()


def test_nothing_is_found_in_the_original(original: Path) -> None:
    assert difference(original) == ""


def changed(original: Path, folder: Path, column: str, value: object) -> str:
    """What is found when phase 1 says something else in a column."""
    path = Path(shutil.copy(original, folder / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        text = json.dumps(value) if isinstance(value, list) else value
        database.execute(f"UPDATE phase SET {column} = ? WHERE number = 1", (text,))
    return difference(path)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("first_match", 7, "phase 1 begins with match 7, by its plan with 31"),
        ("cycles_at_most", 2, "phase 1 has 3 cycles, 2 were planned"),
        ("entries", ["b0@1", "b1@1", "b2@1", "b3@1", "b5@1"], "its line-up is"),
        ("entries", ["b0@1", "b1@1", "b2@1", "b5@1", "b1@2"], "two versions of b1 play in phase 1"),
        ("owed", [["b9@1", 3]], "names the entry 'b9@1', which is not there"),
        ("owed", [["b0@1", 1000]], "owed.0.1 is 1000: Input should be less than or equal to 32"),
        ("acts", 100, "phase 1 followed from 100 acts, there are"),
    ],
)
def test_a_changed_phase_is_found_and_said(
    column: str, value: object, said: str, original: Path, tmp_path: Path
) -> None:
    assert said in changed(original, tmp_path, column, value)


@pytest.mark.parametrize("text", ["{", "[" * 100_000])
@pytest.mark.parametrize(("table", "column"), [("phase", "entries"), ("entry", "version")])
def test_what_is_no_document_is_a_sentence(
    table: str, column: str, text: str, original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE {table} SET {column} = ? WHERE number = 1", (text,))
    found = difference(path)
    what = "The database " if table == "phase" else "the version of b1@1 cannot be read"
    assert what in found or "is JSON nested too deeply" in found
    assert "\n" not in found


def test_a_secret_that_is_no_link_of_the_chain_is_found(original: Path, tmp_path: Path) -> None:
    """Also if somebody changes secret and commitment of a phase together, as an organiser could."""
    secret = b"\x11" * 32
    committed = commitment(secret)
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "UPDATE phase SET secret = ?, commitment = ? WHERE number = 1", (secret.hex(), committed)
        )
    found = difference(path)
    assert f"phase 1 was committed to {committed}; by the chain of secrets" in found


def with_acts(
    original: Path, folder: Path, *acts: tuple[str, str, dict[str, object]], first: bool = False
) -> Path:
    """A copy with more acts: what, subject, detail; at the end, or before all others."""
    path = Path(shutil.copy(original, folder / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        for number, (what, subject, detail) in enumerate(acts):
            row = (1, "arena", what, subject, "because", json.dumps(detail))
            columns = "at, who, what, subject, reason, detail"
            database.execute(f"INSERT INTO action ({columns}) VALUES (?,?,?,?,?,?)", row)
            if first:
                place = "WHERE id = (SELECT max(id) FROM action)"
                database.execute(f"UPDATE action SET id = ? {place}", (number - len(acts),))
        if first:  # as if they had been known when each phase began
            database.execute(f"UPDATE phase SET acts = acts + {len(acts)}")
    return path


OUT = {"season": 1, "from_cycle": 1}


def test_a_version_that_was_disqualified_may_not_play_later(original: Path, tmp_path: Path) -> None:
    path = with_acts(original, tmp_path, ("exclude", "b2@1", OUT), first=True)
    assert "b2@1 plays in phase 0, and was excluded before: because" in difference(path)


def test_a_bot_that_the_organiser_had_taken_out_may_not_play(original: Path, tmp_path: Path) -> None:
    path = with_acts(original, tmp_path, ("exclude", "b2", {**OUT, "by": "organiser"}), first=True)
    assert "b2@1 plays in phase 0, and was excluded before: because" in difference(path)


def test_after_three_excluded_versions_a_fourth_may_not_play(original: Path, tmp_path: Path) -> None:
    def with_excluded(*versions: int) -> str:
        path = with_acts(original, tmp_path)
        excluded = tuple((f"b4@{version}", "because") for version in versions)
        document = canonical_json(asdict(Decision(1, 2, excluded, False, (), 0, (), (), 0, 1)))
        with closing(sqlite3.connect(path)) as opened, opened:
            opened.execute("DELETE FROM decision")
            opened.execute("INSERT INTO decision VALUES (1, 1, ?)", (document,))
        return difference(path)

    said = "b4@1 plays in phase 1, and was excluded before: 3 of its versions are excluded"
    assert said in with_excluded(2, 3, 4)
    assert "b4@1 plays" not in with_excluded(2, 3)


def test_a_phase_may_not_begin_after_the_close(original: Path, tmp_path: Path) -> None:
    assert difference(with_acts(original, tmp_path, ("close", "1", {}))) == "", "after the last phase"
    path = with_acts(original, tmp_path, ("close", "1", {}), first=True)
    assert "phase 0 began after the season had been closed: because" in difference(path)


@pytest.mark.parametrize("sessions", [0, 1])
def test_who_owes_sessions_is_counted_again(
    sessions: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A newcomer that did not have to play all that it owed, in a season that fits its phases."""

    def favour(plan: OpenPlan, entries: Sequence[int], cycles: int, counted: Mapping[int, int]) -> Owed:
        due = catch_up_block(plan, entries, cycles, counted)
        return ((5, sessions),) if sessions and due else ()

    league = make_open_league(tmp_path, bots=5, schedule="version_hours = 0\n")
    with OpenPlay(league) as played:
        played.phase()
        enter(league, "b5", 0)
        with monkeypatch.context() as patched:
            patched.setattr(phases, "catch_up_block", favour)
            played.phase()
    said = "b5@1 owes 1" if sessions else "nobody owes a session"
    found = difference(tmp_path / "league.db")
    assert f"of phase 1 is stored that {said}; by what counted when it began, b5@1 owes 3" in found


def test_what_was_void_when_a_phase_began_does_not_count_for_it_and_later_voids_change_nothing(
    tmp_path: Path,
) -> None:
    league = make_open_league(tmp_path, bots=5, schedule="version_hours = 0\ncycles = 2\n")
    with OpenPlay(league) as played:
        played.phase()
        for index in range(3):
            write.void(played.database, 1, (0, index), void_act(1, (0, index), "noise", (2**40, "ann")))
        enter(league, "b5", 0)
        played.phase()
        (owing,) = played.arrivals.view.phases[-1].owed
        assert owing < ("b5@1", 5), "0.7 times 6, if nothing were void"
        assert difference(tmp_path / "league.db") == ""
        for index in range(5):
            write.void(played.database, 1, (1, index), void_act(1, (1, index), "noise", (3, "ann")))
        assert difference(tmp_path / "league.db") == "", "although they say that they were made long before"
    with closing(sqlite3.connect(tmp_path / "league.db")) as database, database:
        database.execute("UPDATE phase SET acts = 2 WHERE number = 1")
    said = f"of phase 1 is stored that b5@1 owes {owing[1]}; by what counted when it began, b5@1 owes 5"
    assert said in difference(tmp_path / "league.db")
