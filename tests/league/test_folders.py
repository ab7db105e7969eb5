"""Bots' folders that are not there: a mistake of the league file, but only for whoever wants to play."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import LeagueFileError
from arena.league import read_league
from tests.league.samples import text


@pytest.fixture
def file(tmp_path: Path) -> Path:
    for number in (1, 2, 4):
        (tmp_path / f"bots/b{number}").mkdir(parents=True)
    (tmp_path / "bots/note.txt").write_text("not a folder")
    (tmp_path / "bots/duck").mkdir()
    return tmp_path / "league.toml"


def complaints(file: Path, content: str) -> list[str]:
    file.write_text(content)
    with pytest.raises(LeagueFileError) as caught:
        read_league(file, to_play=True)
    return [line.removeprefix(f"{file}:") for line in str(caught.value).split("\n")]


def test_a_missing_folder_has_its_line_and_the_nearest_name(file: Path) -> None:
    content = text("rounds = 3\n").replace("bots/b3", "bots/dukc")
    assert complaints(file, content) == [
        '15: [[bots]] number 3, folder: there is no folder "bots/dukc" beside this file; '
        'did you mean "bots/duck"?',
    ]


def test_a_file_is_no_folder_and_a_strange_name_has_no_neighbour(file: Path) -> None:
    content = text().replace("bots/b1", "bots/note.txt").replace("bots/b3", "elsewhere/quite-other")
    assert complaints(file, content) == [
        '6: [[bots]] number 1, folder: "bots/note.txt" is a file; expected the folder that holds the '
        "bot's files",
        '14: [[bots]] number 3, folder: there is no folder "elsewhere/quite-other" beside this file',
    ]
