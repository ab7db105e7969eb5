"""Pages compared with their database: what was changed, what is missing, what is too much, what is old."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.database import Database
from reports import Publish, ReportOptions, SiteCheck, check_site, write_site
from reports.state import PATH
from tests.reports import played
from tests.reports.played import League
from tests.shared import copied

pytestmark = pytest.mark.usefixtures("few_languages")

LEAGUE = League(bots=played.FIVE[:4], matches=3)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with played.play(tmp_path_factory.mktemp("league") / "league.db", LEAGUE) as database:
        yield database


@pytest.fixture(scope="module")
def written(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_site(database, tmp_path_factory.mktemp("written") / "site").index.parent


@pytest.fixture
def site(written: Path, tmp_path: Path) -> Path:
    """A site of its own for a test that changes it."""
    return copied(written, tmp_path / "site")


def first(found: SiteCheck) -> str:
    """The first difference in words, which must be one that counts."""
    assert found.found
    assert not found.older
    return str(found.difference)


def change(path: Path, edit: Callable[[str], str]) -> None:
    text = path.read_text(encoding="utf-8")
    edited = edit(text)
    assert edited != text
    path.write_text(edited, encoding="utf-8")


def test_pages_just_written_agree_and_stay_as_they_are(database: Database, site: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    found = check_site(database, site)
    assert (found.found, found.difference, found.older, found.differing) == (True, None, "", 0)
    assert found.files == sum(path.is_file() for path in before)
    assert before == {path: path.stat().st_mtime_ns for path in site.rglob("*")}


@pytest.mark.parametrize("name", ["index.html", "data/standings.csv", "data/replay-1.js"])
def test_the_first_line_that_was_changed_is_named(database: Database, site: Path, name: str) -> None:
    lines = (site / name).read_bytes().splitlines(keepends=True)
    lines[1] = b"x" + lines[1]
    (site / name).write_bytes(b"".join(lines))
    found = check_site(database, site)
    assert first(found) == f"{name}, line 2: the database gives another text"
    assert found.differing == 1


def test_a_page_cut_off_or_continued(database: Database, site: Path) -> None:
    page = site / "bots/duck.html"
    whole = page.read_bytes()
    page.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    assert first(check_site(database, site)) == "bots/duck.html, line 4: it ends too early"
    page.write_bytes(whole)
    change(site / "data/standings.json", lambda text: text + "\n")
    assert first(check_site(database, site)).endswith("it goes on where it must end")


@pytest.mark.parametrize("name", ["matches/99.html", "bots/deep/x.HTML", "static/evil.js"])
def test_a_page_that_the_database_does_not_give_is_named(database: Database, site: Path, name: str) -> None:
    (site / name).parent.mkdir(parents=True, exist_ok=True)
    (site / name).write_text("<p>", encoding="utf-8")
    assert first(check_site(database, site)) == f"{name}: the database gives no such page"


def test_a_folder_without_pages(database: Database, tmp_path: Path) -> None:
    assert not check_site(database, tmp_path / "nowhere").found
    (tmp_path / "empty").mkdir()
    assert not check_site(database, tmp_path / "empty").found


def test_pages_older_than_the_database_are_told_from_changed_ones(site: Path, tmp_path: Path) -> None:
    with played.play(tmp_path / "later.db", replace(LEAGUE, matches=4)) as later:
        found = check_site(later, site)
    assert found.difference is not None
    assert found.older == "they know 3 finished matches, the database 4"


def test_pages_made_with_other_choices(database: Database, site: Path) -> None:
    found = check_site(database, site, ReportOptions(publish=frozenset({Publish.STDERR})))
    assert found.older == "they were made with other choices in the section [report] of the league file"


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("author", "duck", "they are the private pages of the author of duck"),
        ("season", 2, "they are of season 2, the newest is 1"),
        ("database", "0" * 24, "the database was changed since they were made"),
        ("arena", "0.0.1", "they were made by arena 0.0.1, this is "),
        ("code", "0" * 24, "they were made by another state of the arena's code"),
    ],
)
def test_why_pages_need_not_agree(database: Database, site: Path, key: str, value: object, why: str) -> None:
    change(site / PATH, lambda text: json.dumps({**json.loads(text), key: value}))
    assert check_site(database, site).older.startswith(why)


@pytest.mark.parametrize("content", ["", "[]", '{"season": 9}'])
def test_pages_that_do_not_say_what_they_were_made_from_must_agree(
    database: Database, site: Path, content: str
) -> None:
    (site / PATH).write_text(content, encoding="utf-8")
    assert first(check_site(database, site)).startswith(PATH)
