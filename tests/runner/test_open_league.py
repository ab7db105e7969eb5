"""Open leagues played as people play them: bots come, change, are built and leave, and a run follows.

That runs are killed is in test_resume; here is what an undisturbed league does, and a run with `--follow`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import read
from arena.store.acts import NOT_READY
from arena.store.stage import decision_of, stage_of
from tests.runner import whole
from tests.running import (
    HELD,
    LONG_MOVES,
    Run,
    assert_nothing_runs,
    enter,
    finished,
    leave,
    make_open_league,
    play,
    processes,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.open_league(tmp_path_factory)


def fields(league: Path) -> list[tuple[str, ...]]:
    return [phase.entries for phase in whole.seasons(league)[0].phases]


def failures(league: Path) -> list[str]:
    """The versions that did not start before a phase, in the order of the acts."""
    with whole.opened(league) as database:
        return [act.subject for act in read.actions(database) if act.what == NOT_READY]


def test_bots_come_change_fail_and_leave(league: Path) -> None:
    first, second, third = whole.seasons(league)[0].phases[:3]
    assert first.entries == ("b0@1", "b1@1", "house-1@1"), "a house bot fills the table"
    assert second.entries == ("b0@1", "b1@2", "b2@1", "b3@1", "b4@1")
    assert third.entries == ("b0@1", "b1@2", "b3@1", "b4@1", "broken@2")
    assert third.owed[0][0] == "broken@2", "it catches up first"
    assert failures(league) == ["broken@1"]
    said = (league.parent / "said-1").read_text()
    assert "building b4@1: sh -c true; cp bot.py built.py" in said
    assert "broken@1 is not ready" in said
    assert "thief does not play: entries/thief: the name b0 belongs to b0" in said
    assert "B2 does not play: entries/B2: an id is 1 to 40 of a-z, 0-9 and -" in said
    assert "empty does not play: " in said
    assert "link does not play: entries/link: a link" in said


def test_after_its_close_its_stages_are_played(league: Path) -> None:
    ladder, middle, final = whole.seasons(league)
    assert [str(stage_of(one)) for one in (ladder, middle, final)] == [
        "stage 1 of 3, Ladder",
        "stage 2 of 3, Stage 2",
        "stage 3 of 3, Final",
    ]
    assert [one.open for one in (ladder, middle, final)] == [True, False, False]
    assert len(middle.entries) == 4
    assert len(final.entries) <= 3
    decision = decision_of(final)
    assert decision is not None
    assert decision.season == middle.number
    assert len({one.phases[0].commitment for one in (ladder, middle, final)}) == 3
    said = (league.parent / "said-3").read_text()
    assert "stage 1 of 3, Ladder, is over: 4 of 5 bots go on: the first 4" in said
    assert "stage 2 of 3, Stage 2, is over: 3 of 4 bots go on" in said
    again = play(league)
    assert again.code == 0
    assert "everything that was asked for has been played" in again.err
    assert len(whole.seasons(league)) == 3
    verified = Run(league, command="verify").end()
    assert verified.code == 0
    assert "Everything that could be checked agrees." in verified.out


def enter_waiting(league: Path, bot: str) -> Path:
    """Enter a bot whose build waits for a file, and return that file's path."""
    gate = league.parent / f"{bot}.gate"
    whole.enter_built(league, bot, f"while ! [ -e {gate} ]; do sleep 0.5; done")
    return gate


def builds(league: Path) -> list[str]:
    """The processes that work in folders of builds which are not done."""
    there = processes(league.parent / "league.arena/built")
    return [one for one in there if "sleep" in one or "sh -c" in one]


def test_a_run_that_follows_takes_who_comes_and_waits_for_no_build(tmp_path: Path) -> None:
    """Also when it is killed while a bot is being built, and is begun anew.

    With many cycles a phase: each ends after the cycle in which something changed.
    """
    league = make_open_league(tmp_path, schedule="cycles = 1000\n")
    gate = enter_waiting(league, "slow")
    run = Run(league, "--follow")
    run.wait_for_matches(1)
    run.wait_for(lambda: builds(league))
    run.kill()
    assert_nothing_runs(tmp_path)
    assert not list(tmp_path.glob("league.arena/built/*.mark"))
    run = Run(league, "--follow")
    run.wait_for(lambda: builds(league))
    whole.enter_built(league, "broken", "exit 7")
    run.wait_for(lambda: failures(league))
    assert len(fields(league)) == 1, "no phase ends for a build that goes on, or fails"
    enter(league, "late", 1)
    run.wait_for(lambda: "late@1" in fields(league)[-1])
    before = finished(league)
    run.wait_for(lambda: finished(league) > before)
    assert builds(league), "it goes on beside the next phase"
    gate.touch()
    run.wait_for(lambda: "slow@1" in fields(league)[-1])
    leave(league, "b0")
    run.wait_for(lambda: "b0@1" not in fields(league)[-1])
    run.interrupt()
    outcome = run.end()
    assert outcome.code == 130
    assert_nothing_runs(tmp_path)
    everybody = ("b0@1", "b1@1", "b2@1", "b3@1")
    assert [set(field).difference(everybody) for field in fields(league)] == [
        set(),
        {"late@1"},
        {"late@1", "slow@1"},
        {"late@1", "slow@1"},
    ]
    assert [one.end_reason.rpartition(": ")[2] for one in whole.seasons(league)[0].phases[:3]] == [
        "late@1 has come",
        "slow@1 has come",
        "b0@1 has left",
    ]
    assert failures(league) == ["broken@1"], "it is not tried again as long as it is the same"
    assert "late@1 has come: LATE" in outcome.err
    whole.assert_agrees(league)


def test_a_run_of_one_phase_waits_for_builds_and_leaves_nothing_when_it_is_stopped(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, bots=2)
    gate = enter_waiting(league, "slow")
    run = Run(league)
    run.wait_for(lambda: builds(league))
    assert fields(league) == [], "whoever types it wants all who are there"
    run.interrupt()
    assert run.end().code == 130
    assert_nothing_runs(tmp_path)
    assert not list(tmp_path.glob("league.arena/built/*.mark"))
    gate.touch()
    assert play(league).code == 0
    assert fields(league) == [("b0@1", "b1@1", "slow@1")]


def test_a_stop_in_the_last_match_of_a_phase_begins_no_other_phase(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, bots=2, schedule="cycles = 1\n", more=LONG_MOVES)
    # It counts the rounds that it has begun, three in a match, and waits in the last one of the phase.
    count = 'with open("../../../begun", "a") as file: file.write("x" * (len(question["hand"]) == 20))'
    only = 'os.path.getsize("../../../begun") == 54 and '
    enter(league, "b2", 2, trick=f"{count}\n    {HELD.replace('while ', f'while {only}')}")
    (tmp_path / "hold").touch()
    run = Run(league, "--follow")
    run.wait_for_matches(17)
    run.interrupt()
    run.wait_for(lambda: "stopping" in run.said())
    (tmp_path / "hold").unlink()
    assert run.end().code == 130
    assert (len(fields(league)), finished(league)) == (1, 18)
