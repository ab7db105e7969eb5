"""The folder of a new contest: valid as it is, of the name that was asked for, and never over other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.league import read_league
from arena.league.contest import make_contest
from arena.league.entries import sections
from tests.cli.calling import caller


def test_it_is_an_open_league_of_two_bots_in_a_required_sandbox(tmp_path: Path) -> None:
    make_contest(tmp_path / "spring", "An evening of cards")
    loaded = read_league(tmp_path / "spring/league.toml", to_play=True)
    league = loaded.league
    assert league.league.name == "An evening of cards"
    assert (league.league.open, league.sandbox.mode) == (True, "require")
    assert [stage.name for stage in league.stages] == ["Ladder", "Final"]
    bots, refused = sections(league, loaded.root)
    assert [(bot.id, bot.name) for bot in bots] == [("count", "Count"), ("low", "Low")]
    assert not refused
    assert "# An evening of cards" in (tmp_path / "spring/README.md").read_text()


@pytest.mark.parametrize(
    ("folder", "name", "said"),
    [
        ("full", "", "full: is not empty; take another folder"),
        ("full/file", "", "file: is not empty; take another folder"),
        ("new", 'a "b"', "give a name without quotes"),
        ("new", "a\nb", "no name for a league: character 2 (U+000A) cannot be seen"),
    ],
)
def test_what_cannot_be_made_is_said_and_nothing_is_written(
    tmp_path: Path, folder: str, name: str, said: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").touch()
    with pytest.raises(UsageError) as error:
        make_contest(tmp_path / folder, name)
    assert said in str(error.value)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full"]


@pytest.mark.slow
def test_it_can_be_played_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = caller(capsys)
    folder = tmp_path / "spring"
    assert arena("init", folder).code == 0
    assert arena("run", folder / "league.toml", "--sandbox", "auto").code == 0
    assert (folder / "league-report/index.html").is_file()
    assert arena("verify", folder / "league.toml").code == 0
    again = arena("init", folder)
    assert (again.code, "is not empty" in again.err) == (2, True)
