"""Finds the files of a league from its file or its database, and what is said when nothing was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli.league_files import opened
from arena.errors import LeagueFileError, UsageError
from arena.store import write
from arena.store.database import Database
from arena.store.history import Action
from tests.cli.leagues import change

LEAGUE = """
[league]
name  = "Spring league"
seats = 4
rounds = 4
[store]
url = "sqlite:///{database}"
""" + "".join(
    f'[[bots]]\nname = "{name}"\nfolder = "bots/{name}"\ncommand = ["{{python}}", "bot.py"]\n'
    for name in ("Duck", "Low", "Random", "Moody", "Greedy")
)


def league_file(folder: Path, database: str = "spring.db") -> Path:
    path = folder / "spring.toml"
    path.write_text(LEAGUE.replace("{database}", database).replace("{{python}}", "{python}"))
    return path


def test_from_the_league_file(finished: Path) -> None:
    with opened(league_file(finished.parent)) as league:
        assert league.season.number == 1
        assert league.files.database == finished
        assert league.files.pages == finished.parent / "spring-report"
        assert league.files.lock == finished.parent / "spring.lock"


def test_from_the_database_alone(finished: Path) -> None:
    with opened(finished) as league:
        files = league.files
    assert (files.id, files.name, files.database) == ("spring", "Spring league", finished)
    assert files.lock == finished.parent / "spring.lock"
    assert files.pages == finished.parent / "spring-report"
    assert files.report.reveal == "session"


def test_the_database_knows_what_the_last_run_noted(finished: Path) -> None:
    root = finished.parent
    (root / "results").mkdir()
    moved = finished.rename(root / "results" / "spring.db")
    free = {
        "league": {"name": "Autumn league"},
        "store": {"url": "sqlite:///results/spring.db"},
        "report": {"reveal": "finished", "publish": ["faults"]},
    }
    with Database.open(moved) as database:
        note = json.dumps({"free": free, "growing": {}})
        write.action(database, Action(1, "ann", "league file", "1", "", note))
    with opened(moved) as league:
        files = league.files
    assert files.name == "Autumn league"
    assert files.lock == root / "spring.lock"
    assert files.pages == root / "spring-report"
    assert (files.report.reveal, files.report.publish) == ("finished", ("faults",))


@pytest.mark.parametrize("text", ["no TOML", "[report]\nreveal = 'some'\n", "[store]\nurl = 3\n"])
def test_a_stored_file_that_says_nothing_useful_gives_way_to_defaults(finished: Path, text: str) -> None:
    change(finished, "UPDATE season SET league_text = '" + text.replace("'", "''") + "'")
    with opened(finished) as league:
        assert league.files.name == "spring"
        assert league.files.pages == finished.parent / "spring-report"


def test_a_league_that_was_never_run(tmp_path: Path) -> None:
    league = league_file(tmp_path, "sprung.db")
    (tmp_path / "spring.db").touch()
    with pytest.raises(UsageError) as caught, opened(league):
        pass
    first, *rest = caught.value.message.splitlines()
    assert first == f"nothing played yet: arena run {league}"
    assert str(tmp_path / "sprung.db") in rest[0]
    assert rest[1] == "In the same folder: spring.db"


def test_a_database_that_is_not_there(finished: Path) -> None:
    with pytest.raises(UsageError) as caught, opened(finished.with_name("sprong.db")):
        pass
    assert "nothing played yet" in caught.value.message
    assert "spring.db" in caught.value.message


def test_a_league_file_that_is_not_there(tmp_path: Path) -> None:
    league_file(tmp_path)
    with (
        pytest.raises(LeagueFileError, match=r"did you mean .*spring\.toml"),
        opened(tmp_path / "sprung.toml"),
    ):
        pass


def test_a_folder_is_refused_alike_whatever_its_name(tmp_path: Path) -> None:
    for name in ("spring.db", "spring"):
        folder = tmp_path / name
        folder.mkdir()
        with pytest.raises(LeagueFileError, match=f"{name}: a folder, not a league file"), opened(folder):
            pass
    with (
        pytest.raises(UsageError, match=r"spring\.db: a folder, not a database"),
        opened(league_file(tmp_path)),
    ):
        pass
