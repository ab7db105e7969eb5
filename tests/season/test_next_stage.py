"""From stage to stage: who goes on, by which files, and what a changed league file may do."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BotFolderError, SeasonChanged, UsageError
from arena.league.reader import read_league
from arena.runner import seasons
from arena.runner.seasons import begin_next_stage, open_season
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.acts import CLOSE, void_act
from arena.store.history import NEW_SEASON, Action
from arena.store.stage import Decision, decision_of, stage_of, words_of
from arena.store.views import Role
from tests.open_played import OpenPlay
from tests.running import edit, enter, leave, make_open_league

STAGES = '[[stages]]\nname = "Ladder"\nkeep = 3\n[[stages]]\nname = "Final"\ncycles = 2\n'


def ladder(folder: Path, stages: str = STAGES) -> Path:
    """An open league of 5 bots with two stages, whose bot b0 is the best."""
    league = make_open_league(folder, bots=5, schedule="version_hours = 0\n")
    league.write_text(league.read_text() + stages)
    return league


def close(played: OpenPlay) -> None:
    write.action(played.database, Action(now_ms(), "test", CLOSE, "1", "the season is over"))


def goes_on(played: OpenPlay, league: Path) -> bool:
    return begin_next_stage(read_league(league), played.database, played.said.append)


@pytest.mark.slow
def test_nobody_goes_on_before_an_open_stage_is_closed_and_over(tmp_path: Path) -> None:
    league = ladder(tmp_path)
    with OpenPlay(league) as played:
        assert not goes_on(played, league), "nothing was played"
        played.phase()
        assert not goes_on(played, league), "bots may still come"
        played.begin()
        close(played)
        assert not goes_on(played, league), "a phase is being played"


def test_the_first_three_of_a_ladder_play_the_final_as_they_were(tmp_path: Path) -> None:
    league = ladder(tmp_path)
    with OpenPlay(league) as played:
        played.phase()
        enter(league, "b1", 1, name="Better")
        played.phase()
        close(played)
        leave(league, "b0")  # what is in the folders now does not matter any more
        loaded = read_league(league)
        league.unlink()  # nor does the file: what a run has read counts
        assert begin_next_stage(loaded, played.database, played.said.append)
        season = played.arrivals.view
        assert season.league_text == read.seasons(played.database)[0].league_text == loaded.text
        decision = decision_of(season)
        assert str(stage_of(season)) == "stage 2 of 2, Final"
        assert decision is not None
        assert (len(decision.going_on), decision.season, decision.rule) == (3, 1, 3)
        first = {entry.bot: entry for entry in read.seasons(played.database)[0].entries}
        entrants = [entry for entry in season.entries if entry.role is Role.ENTRANT]
        assert {entry.bot for entry in entrants} == {bot.partition("@")[0] for bot in decision.going_on}
        assert {entry.digest for entry in entrants} == {first[bot].digest for bot in decision.going_on}
        assert (season.open, season.line_ups) == (False, "all")
        opened = open_season(loaded, played.database)
        assert (opened.view.number, opened.cycles) == (2, 2)
        assert [Path(command.folder).name for command in opened.commands] == [one.digest for one in entrants]
        assert "the first 3" in words_of(season)[1]
        assert any("3 of 5 bots go on" in line for line in played.said)


@pytest.mark.slow
def test_a_lost_copy_is_made_again_from_the_same_files_only(tmp_path: Path) -> None:
    league = ladder(tmp_path)
    with OpenPlay(league) as played:
        played.phase()
        close(played)
        assert goes_on(played, league)
        entry = played.arrivals.view.entries[0]
        shutil.rmtree(tmp_path / "league.arena" / "bots" / entry.digest)
        open_season(read_league(league), played.database)
        shutil.rmtree(tmp_path / "league.arena" / "bots" / entry.digest)
        enter(league, entry.bot, 3, slow=0.5)
        with pytest.raises(BotFolderError, match=f"{entry.bot}: its copy .* is gone or damaged"):
            open_season(read_league(league), played.database)


@pytest.mark.slow
def test_the_stages_are_announced_with_the_first_season(tmp_path: Path) -> None:
    league = ladder(tmp_path)
    with OpenPlay(league) as played:
        played.phase()
        edit(league, "keep = 3", "keep = 2")
        with pytest.raises(SeasonChanged, match=r"stages\.1\.keep: 3 -> 2"):
            open_season(read_league(league), played.database)
        edit(league, "keep = 2", "keep = 3")
        edit(league, 'name = "Final"', 'name = "The end"')
        open_season(read_league(league), played.database)
        close(played)
        assert goes_on(played, league)
        whole = league.read_text()
        league.write_text(whole.partition("[[stages]]")[0])
        with pytest.raises(UsageError, match="season 2 is stage 2 of 2, The end, and it has no"):
            open_season(read_league(league), played.database)
        league.write_text(whole)
        again = open_season(read_league(league), played.database, "once more").view
        assert (str(stage_of(again)), again.open) == ("stage 1 of 2, Ladder", True)


@pytest.mark.slow
def test_a_session_that_becomes_void_while_it_is_decided_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league, decide = ladder(tmp_path), seasons._decision
    with OpenPlay(league) as played:
        played.phase()
        close(played)

        def slowly(*given: Any) -> Decision:
            made = decide(*given)
            if not made.void:
                write.void(played.database, 1, (0, 1), void_act(1, (0, 1), "a power cut", (now_ms(), "test")))
            return made

        monkeypatch.setattr(seasons, "_decision", slowly)
        assert goes_on(played, league)
        decision = decision_of(played.arrivals.view)
        assert decision is not None
        assert decision.void == ("0.1",)
        begun = read.actions(played.database)[decision.acts]
        assert (begun.what, begun.subject) == (NEW_SEASON, "2")
        assert sum("is over" in line for line in played.said) == 1, "told once"
