"""Bots that come, change and leave between phases of an open season: real folders, a real database."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.snapshot import Snapshot, is_intact
from arena.deals import commitment
from arena.schedule.catch_up import Owed
from arena.schedule.open_plan import OpenPlan, catch_up_block
from arena.season import phases
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.acts import CLOSE, Decision
from arena.store.history import Action
from arena.verify.verify import verify
from tests.open_played import OpenPlay
from tests.running import edit, enter, leave, make_open_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make_open_league(tmp_path, schedule="version_hours = 0\n")


@pytest.fixture
def played(league: Path) -> Iterator[OpenPlay]:
    with OpenPlay(league) as opened:
        yield opened


def fields(played: OpenPlay) -> list[tuple[str, ...]]:
    return [phase.entries for phase in played.arrivals.view.phases]


def assert_agrees(played: OpenPlay) -> None:
    assert verify(played.database, read.seasons(played.database)).difference is None


def copy_of(played: OpenPlay, entry: str) -> Path:
    digest = next(one.digest for one in played.arrivals.view.entries if one.bot == entry)
    return played.loaded.arena_folder / "bots" / digest


def damage(copy: Path) -> None:
    (copy / "bot.py").chmod(0o644)
    (copy / "bot.py").write_text("raise SystemExit")


@pytest.mark.slow
def test_a_copy_that_is_damaged_or_gone_is_made_again_from_a_folder_that_fits(played: OpenPlay) -> None:
    played.phase()
    damage(copy_of(played, "b0@1"))
    shutil.rmtree(copy_of(played, "b1@1"))
    played.phase()
    assert fields(played)[-1] == ("b0@1", "b1@1", "b2@1", "b3@1")
    assert is_intact(Snapshot(copy_of(played, "b0@1").name, copy_of(played, "b0@1")))
    assert is_intact(Snapshot(copy_of(played, "b1@1").name, copy_of(played, "b1@1")))
    shutil.rmtree(copy_of(played, "b2@1"))
    played.begin()
    played.play(1)
    shutil.rmtree(copy_of(played, "b2@1"))
    played.arrivals.keep_copies()  # when the phase is resumed
    assert copy_of(played, "b2@1").is_dir()


@pytest.mark.slow
def test_who_has_no_copy_and_no_folder_of_it_waits_and_nobody_else_does(
    played: OpenPlay, league: Path
) -> None:
    """Not told of more than once, and no reason to end a phase of several cycles early."""
    played.phase()
    edit(league, "version_hours = 0", "version_hours = 0\ncycles = 2")
    (league.parent / "entries/b0/bot.toml").write_text("command = ")
    with OpenPlay(league) as later:
        later.phase()
        assert fields(later)[-1] == ("b0@1", "b1@1", "b2@1", "b3@1"), "its folder cannot be taken as it is"
        shutil.rmtree(copy_of(later, "b0@1"))
        later.phase()
        assert fields(later)[-1] == ("b1@1", "b2@1", "b3@1")
        assert later.arrivals.view.phases[-1].end_reason == "its cycles were played", "both of them"
        said = [line for line in later.said if line.startswith("b0@1 does not play: its copy was damaged")]
        assert len(said) == 1
        enter(league, "b0", 0)
        later.phase()
        assert fields(later)[-1] == ("b0@1", "b1@1", "b2@1", "b3@1"), "its folder is as it was"
        assert_agrees(later)


def test_what_the_organiser_rules_while_bots_are_started_holds_at_once(played: OpenPlay) -> None:
    played.look()
    found = played.arrivals.field()
    write.exclude(played.database, 1, "b2", "its author asked", (now_ms(), "ann"))
    assert played.arrivals.begin(found.entries)
    assert fields(played) == [("b0@1", "b1@1", "b3@1")]


def test_no_phase_begins_when_the_season_is_closed_while_bots_are_started(played: OpenPlay) -> None:
    played.look()
    found = played.arrivals.field()
    write.action(played.database, Action(now_ms(), "ann", CLOSE, "1", "the evening is over"))
    assert not played.arrivals.begin(found.entries)
    assert played.said[-1] == "season 1 is closed: the evening is over; no further phase is begun"
    assert played.arrivals.view.phases == ()


def test_folders_end_a_phase_only_after_a_cycle_of_it_but_rulings_at_once(
    played: OpenPlay, league: Path
) -> None:
    played.phase()
    assert played.begin()
    enter(league, "b1", 3)
    leave(league, "b3")
    played.look()
    begun = played.arrivals.view.phases[-1].first_cycle
    changes, stored = played.arrivals.changes, played.arrivals.stored
    assert changes(stored, begun) is None, "nothing of this phase has been played"
    assert changes(stored, begun + 1) == (begun + 1, "b1@2 has come; b3@1 has left")
    write.exclude(played.database, 1, "b2", "its author asked", (now_ms(), "ann"))
    assert changes(played.arrivals.stored, begun) == (begun, "b2@1 is excluded")
    later = Decision(begun + 1, begun + 2, (("b1@1", "it fails"),), False, (), 0, (), (), len(stored.acts), 0)
    assert changes(replace(stored, decisions=[later]), begun + 1) == (begun + 2, "b1@1 is excluded")


@pytest.mark.slow
def test_a_version_that_is_disqualified_ends_its_phase_and_stays_out(league: Path) -> None:
    """Another version of the bot begins anew."""
    edit(league, "[sandbox]", "[faults]\ndisqualify_share = 0.1\n[sandbox]")
    edit(league, "version_hours", "cycles = 12\nversion_hours")
    with OpenPlay(league, {"b3@1": 0.6}) as played:
        played.phase()
        (ruling,) = read.rulings(played.database, 1)
        assert (ruling.bot, ruling.by_limits) == ("b3@1", True)
        (phase,) = played.arrivals.view.phases
        assert phase.cycles_planned == ruling.from_cycle < 12
        assert "b3@1 is excluded" in phase.end_reason
        enter(league, "b3", 0)
        played.phase()
        assert fields(played)[-1] == ("b0@1", "b1@1", "b2@1", "b3@2")
        enter(league, "b3", 3)
        played.begin()
        assert fields(played)[-1] == ("b0@1", "b1@1", "b2@1", "b3@2"), "the old version stays out"
        assert_agrees(played)


@pytest.mark.slow
def test_the_secrets_of_a_season_with_a_public_draw_are_a_chain(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, schedule='public_draw = "7 11"\n')
    edit(league, 'seed = "tests"\n', "")
    with OpenPlay(league) as played:
        for _ in range(3):
            played.phase()
        view = played.arrivals.view
        shown = [phase.secret for phase in view.phases]
        assert [phase.commitment for phase in view.phases][1:] == shown[:-1]
        assert view.phases[0].commitment == commitment(bytes.fromhex(shown[0] or ""))
        assert read.chain_end(played.database, 1).hex() not in repr(view)
        assert_agrees(played)


def test_a_season_that_begins_anew_tries_everybody_again(tmp_path: Path) -> None:
    """What did not start in the season that it replaced was another entry, though it had the same id."""
    league = make_open_league(tmp_path)
    with OpenPlay(league) as played:
        assert played.begin(failed=["b3@1"])
    edit(league, "rounds = 3", "rounds = 4")
    with OpenPlay(league) as played:
        assert played.begin()
        assert fields(played) == [("b0@1", "b1@1", "b2@1", "b3@1")]


@pytest.mark.slow
def test_who_owes_sessions_is_counted_as_the_score_counts_also_beside_house_bots_of_earlier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A house bot that is not needed has not left, so a session with it and one bot that left counts."""
    league = make_open_league(tmp_path, bots=2, schedule="version_hours = 0\ncycles = 4\n")
    told: list[Mapping[int, int]] = []

    def noting(plan: OpenPlan, entries: Sequence[int], cycles: int, counted: Mapping[int, int]) -> Owed:
        told.append(counted)
        return catch_up_block(plan, entries, cycles, counted)

    monkeypatch.setattr(phases, "catch_up_block", noting)
    with OpenPlay(league) as play:
        play.phase()
        leave(league, "b1")
        for bot in ("c0", "c1"):
            enter(league, bot, 0)
        assert play.begin()
        results = read.session_results(play.database, 1)
        assert {frozenset(session.card_points) for session in results} == {
            frozenset({"b0@1", "b1@1", "house-1@1"})
        }
        b0 = next(entry.number for entry in play.arrivals.view.entries if entry.bot == "b0@1")
        assert told[-1][b0] == len(results) > 0
