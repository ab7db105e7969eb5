"""`arena enter` and `arena close`: a bot's folder comes to an open league; its season ends."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arena.league.reader import read_league
from arena.season.next_stage import begin_next_stage
from arena.store.database import Database
from arena.store.history import Action
from arena.store.reader import Reader
from tests.cli.calling import Arena
from tests.open_played import OpenPlay
from tests.running import make_league, make_open_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make_open_league(tmp_path)


@pytest.fixture
def duck(league: Path) -> Path:
    """A bot's folder outside the league."""
    folder = league.parent / "mine" / "duck"
    shutil.copytree(league.parent / "entries" / "b0", folder)
    (folder / "bot.toml").write_text('name = "Duck"\ncommand = ["{python}", "bot.py"]\n')
    return folder


def files(league: Path) -> list[str]:
    return sorted(path.name for path in (league.parent / "entries").iterdir())


def acts(league: Path, what: str) -> list[Action]:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        return [act for act in Reader(database).actions() if act.what == what]


def test_a_folder_is_entered_and_plays(arena: Arena, league: Path, duck: Path) -> None:
    (duck / "notes").mkdir()
    (duck / "notes" / "a.txt").write_text("x")
    called = arena("enter", league, duck)
    assert (called.code, called.out) == (0, "duck is entered as Duck: entries/duck\n"), called.err
    assert files(league) == ["b0", "b1", "b2", "b3", "duck"]
    copy = league.parent / "entries" / "duck"
    assert (copy / "notes" / "a.txt").read_text() == "x"
    (copy / "bot.py").write_text("changed")  # as in any other folder of the entries
    shutil.rmtree(copy)
    assert arena("enter", league, duck).code == 0
    with OpenPlay(league) as play:
        play.stretch()
        assert "duck@1" in [entry.bot for entry in play.arrivals.view.entries]


def test_it_is_an_act_once_there_is_a_season(arena: Arena, league: Path, duck: Path) -> None:
    with OpenPlay(league) as play:
        play.stretch()
    assert arena("enter", league, duck).code == 0
    (act,) = acts(league, "enter")
    assert (act.subject, act.detail) == ("duck", str(duck))
    arena("withdraw", league, "duck", "--reason", "asked")
    called = arena("enter", league, duck, "--replace")
    assert "duck is withdrawn (asked) and plays only when it is reinstated" in called.err


def test_another_folder_gives_way_only_when_asked(arena: Arena, league: Path, duck: Path) -> None:
    called = arena("enter", league, duck, "--id", "b1")
    assert called.code == 2
    assert "entries/b1: is there already" in called.err
    assert "--replace" in called.err
    assert 'name = "B1"' in (league.parent / "entries" / "b1" / "bot.toml").read_text()
    assert arena("enter", league, duck, "--id", "b1", "--replace").code == 0
    assert 'name = "Duck"' in (league.parent / "entries" / "b1" / "bot.toml").read_text()
    assert files(league) == ["b0", "b1", "b2", "b3"]
    assert arena("enter", league, league.parent / "entries" / "b1", "--replace").code == 2


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ('name = "B0"\ncommand = ["x"]\n', "the name B0 belongs to b0"),
        ('name = "Duck"\ncommand = ["x"]\nthreads = 8\n', "only the league file may say this of a bot"),
        ('name = "Duck"\n', "command"),
        (
            'name = "   "\ncommand = ["x"]\n',
            "bot.toml: name: expected a text of 1 to 40 visible characters (nothing",
        ),
        (
            'name = "\\u3164"\ncommand = ["x"]\n',
            "bot.toml: name: expected a text of 1 to 40 visible characters (char",
        ),
        (None, "expected a bot's folder with a bot.toml"),
    ],
)
def test_what_a_run_would_refuse_is_not_copied(
    arena: Arena, league: Path, duck: Path, told: str | None, said: str
) -> None:
    (duck / "bot.toml").unlink()
    if told is not None:
        (duck / "bot.toml").write_text(told)
    called = arena("enter", league, duck)
    assert called.code == 2
    assert said in called.err
    assert files(league) == ["b0", "b1", "b2", "b3"]


@pytest.mark.parametrize(
    ("name", "said"),
    [("My Duck", "give another: --id my-duck"), ("house-1", "the arena's own bots"), ("../x", "an id is")],
)
def test_ids_that_cannot_be(arena: Arena, league: Path, duck: Path, name: str, said: str) -> None:
    called = arena("enter", league, duck, "--id", name)
    assert called.code == 2
    assert said in called.err
    assert files(league) == ["b0", "b1", "b2", "b3"]


def test_a_link_out_of_the_folder_is_not_copied(arena: Arena, league: Path, duck: Path) -> None:
    (duck / "secret").symlink_to("/etc/passwd")
    called = arena("enter", league, duck)
    assert called.code == 2
    assert "secret" in called.err
    assert files(league) == ["b0", "b1", "b2", "b3"]


def test_a_closed_league_takes_no_folder(arena: Arena, tmp_path: Path, duck: Path) -> None:
    (tmp_path / "closed").mkdir()
    called = arena("enter", make_league(tmp_path / "closed"), duck)
    assert called.code == 2
    assert "takes no folders: that needs [league] open = true" in called.err


def test_a_season_is_closed_after_its_cycle(arena: Arena, league: Path, duck: Path) -> None:
    league.write_text(league.read_text().replace('seed = "tests"', 'seed = "tests"\ncycles = 3'))
    with OpenPlay(league) as play:
        assert play.begin()
        called = arena("close", league, "--reason", "the evening is over")
        assert (called.code, called.out) == (0, "season 1 is closed: the evening is over\n")
        assert "Its stretch ends after the blocks of cycles that are under way" in called.err
        play.play()
        (stretch,) = play.arrivals.view.stretches
        assert stretch.cycles_planned == 1
        assert "season 1 is closed: the evening is over" in stretch.end_reason
    assert arena("close", league, "--reason", "again").code == 2
    called = arena("enter", league, duck)
    assert called.code == 2
    assert "season 1 is closed, so no bot is taken: the evening is over" in called.err


def test_a_run_of_a_closed_season_says_so_and_plays_nothing(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        play.stretch()
    arena("close", league, "--reason", "it is over")
    shutil.rmtree(league.parent / "entries" / "b3")
    called = arena("run", league, "--follow")
    assert called.code == 0, called.err
    assert "season 1 is closed: it is over; no further stretch of it is played" in called.err
    with OpenPlay(league) as play:
        assert len(play.arrivals.view.stretches) == 1


def test_what_cannot_be_closed(arena: Arena, league: Path, finished: Path) -> None:
    assert "nothing played yet" in arena("close", league, "--reason", "x").err
    called = arena("close", finished, "--reason", "x")
    assert called.code == 2
    assert "its field was fixed when it began" in called.err


def test_no_bot_is_taken_while_a_final_is_played(arena: Arena, league: Path, duck: Path) -> None:
    league.write_text(league.read_text() + '[[stages]]\nkeep = 3\n[[stages]]\nname = "Final"\n')
    with OpenPlay(league) as play:
        play.stretch()
        closed = arena("close", league, "--reason", "it is over")
        assert "Then arena run plays stage 2 of 2." in closed.err
        assert begin_next_stage(read_league(league), play.reader, play.writer, play.said.append)
    called = arena("enter", league, duck)
    assert called.code == 2
    assert "season 2 is stage 2 of 2, Final, so no bot is taken" in called.err
    assert arena("close", league, "--reason", "again").code == 2
