"""The French pages of a league stand beside the English ones: same pages, same links, nothing twice."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import reports.league
from arena.store.database import Database
from reports import Publish, Replays, ReportOptions, check_site, selection, website, write_site
from reports.checking import SiteComparison
from reports.state import PATH
from reports.summary import PATH as SUMMARY
from reports.website import SeasonPages
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import START, Bot, League
from tests.shared import copied, once

BOTH = ReportOptions(frozenset(Publish), languages=("en", "fr"))
ENGLISH = ReportOptions(frozenset(Publish))
OLD = (*played.FIVE[:2], Bot("Leaver", author="Edsger", stderr="my own words", fault_rate=0.01))
FIRST = League(bots=OLD, seats=3, rounds=3, matches=2)
NEW = (*played.FIVE[:2], played.FIVE[3])
SECOND = League(bots=NEW, seats=3, rounds=3, matches=3, began=START + 86_400_000, why="Moody for Leaver")
OF_LANGUAGE = re.compile(r'<a href="[^"]*" lang=(?:fr|en) hreflang=(?:fr|en)>(?:Français|English)</a>\n')
MADE_FROM = re.compile(r"(?:<!--|//) made from [0-9a-f]+")


def make(folder: Path) -> None:
    """Play two seasons, of which the second goes on, and write their pages."""
    for league in (FIRST, SECOND):
        played.play(folder / "league.db", league).close()
    with Database.open(folder / "league.db") as database:
        write_site(database, folder / "site", BOTH)
        write_site(database, folder / "english", ENGLISH)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league: its database, its pages in both languages, its pages in English alone."""
    return once(tmp_path_factory, "two-languages", make)


@pytest.fixture
def database(league: Path, tmp_path: Path) -> Iterator[Database]:
    with Database.open(shutil.copy(league / "league.db", tmp_path / "league.db")) as database:
        yield database


@pytest.fixture
def site(league: Path, tmp_path: Path) -> Path:
    """The pages in both languages, for a test that changes them."""
    return copied(league / "site", tmp_path / "site")


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a site."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def names(folder: Path, ending: str) -> set[str]:
    return {name for name in contents(folder) if name.endswith(ending)}


def french(folder: Path, ending: str) -> set[str]:
    return {name[3:] for name in names(folder, ending) if name.startswith("fr/")}


def trees(folder: Path) -> dict[Path, Element]:
    return {path: parsed(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))}


def test_every_page_has_its_counterpart(league: Path) -> None:
    """But the rules: there is a page of them in each language already."""
    own = {name for name in names(league / "site", ".html") if not name.startswith("fr/")}
    rules = re.compile(r"(?:season-1/)?rules/.*")
    assert french(league / "site", ".html") == {name for name in own if not rules.fullmatch(name)}
    assert {"index.html", "seasons.html", "season-1/index.html", "season-1/bots/leaver.html"} <= own


def test_files_for_programs_are_not_written_twice(league: Path) -> None:
    files = {name for name in names(league / "site", "") if name.startswith("fr/")}
    rest = {name[3:] for name in files if not name.endswith(".html")}
    assert rest == {
        "data/matches-1.js", PATH, "season-1/data/matches-1.js", f"season-1/{PATH}", f"season-1/{SUMMARY}",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("replays", [Replays.ALL, Replays.NONE])
def test_every_link_of_both_languages_leads_somewhere(
    database: Database, tmp_path: Path, replays: Replays
) -> None:
    folder = tmp_path / "site"
    options = ReportOptions(frozenset(Publish), replays=replays, languages=("en", "fr"))
    write_site(database, folder, options)
    assert_linked(folder)


def assert_linked(folder: Path) -> None:
    """Every link leads to a place that is there; one to another language to the same page."""
    pages = trees(folder)
    ids = {path: {one.attributes.get("id") for one in tree.walk()} for path, tree in pages.items()}
    for path, tree in pages.items():
        for element in tree.walk():
            for target in (element.attributes.get("href"), element.attributes.get("src")):
                parts = urlsplit(target or "#")
                file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                assert file.is_file(), f"{path} links {target}"
                if parts.fragment and "=" not in parts.fragment and file.name != "replay.html":
                    assert parts.fragment in ids[file], f"{path} links {target}"
        assert_other_language(folder, path, tree)


def assert_other_language(folder: Path, path: Path, tree: Element) -> None:
    name = path.relative_to(folder).as_posix()
    to = [one for one in tree.all("nav")[0].all("a") if "hreflang" in one.attributes]
    assert len(to) == 1
    there = (path.parent / to[0].attributes["href"]).resolve().relative_to(folder.resolve()).as_posix()
    if name.startswith("fr/"):
        assert (there, to[0].attributes["hreflang"], to[0].text) == (name[3:], "en", "English")
        assert tree.one("html").attributes["lang"] == "fr"
    else:
        same = re.sub(r"rules/.*", "rules.html", name)
        assert (there, to[0].attributes["hreflang"], to[0].text) == (f"fr/{same}", "fr", "Français")


@pytest.mark.slow
def test_links_of_a_large_league_lead_somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "ALL_UP_TO", 1)
    with played.play(tmp_path / "large.db", League(seats=3, rounds=3, matches=12)) as database:
        write_site(database, tmp_path / "site", BOTH)
    assert (tmp_path / "site/fr/matches/replay.html").is_file()
    assert_linked(tmp_path / "site")


def test_english_pages_differ_by_the_link_alone(league: Path) -> None:
    both, alone = contents(league / "site"), contents(league / "english")
    assert {name for name in both if not re.match(r"fr/|static/\w+-fr\.", name)} == alone.keys()
    for name, content in alone.items():
        if name.endswith(PATH):
            continue
        own = OF_LANGUAGE.sub("", both[name].decode())
        assert MADE_FROM.sub("", own) == MADE_FROM.sub("", content.decode()), name


@pytest.mark.slow
def test_pages_just_written_agree_and_are_not_written_again(
    league: Path, database: Database, site: Path
) -> None:
    found = check_site(database, site, BOTH)
    assert (found.found, found.difference, found.older) == (True, None, "")
    assert found.files == len(contents(site))
    result = write_site(database, site, BOTH)
    assert (result.written, result.unchanged, result.removed) == (0, found.files, 0)
    assert contents(site) == contents(league / "site"), "the same league gives the same bytes"


@pytest.mark.slow
def test_incremental_writing_keeps_what_is_unchanged_in_both(
    database: Database, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(site)
    times = {name: (site / name).stat().st_mtime_ns for name in before}
    matches: list[str] = []
    read: list[int | None] = []
    read_facts, page = website.read_facts, SeasonPages._match_page
    monkeypatch.setattr(website, "read_facts", lambda *a: read.append(a[1]) or read_facts(*a))
    monkeypatch.setattr(SeasonPages, "_match_page", lambda *a: matches.append(a[2]) or page(*a))
    write_site(database, site, BOTH, incremental=True)
    assert read == [2, 2], "each language reads the newest season alone"
    assert matches == []
    assert contents(site) == before
    assert times == {name: (site / name).stat().st_mtime_ns for name in before}


@pytest.mark.slow
def test_an_incremental_site_is_the_same_as_a_new_one(tmp_path: Path) -> None:
    with Database.open(tmp_path / "growing.db", create=True) as database:
        builder = played.Builder(database, League(bots=OLD, seats=3, rounds=3))
        for session in builder.plan.cycle(0)[:2]:
            for first in (0, 2):
                builder.play_session(session, first, 2 if not first else len(session.rows))
                write_site(database, tmp_path / "grown", BOTH, incremental=True)
        write_site(database, tmp_path / "new", BOTH)
    assert contents(tmp_path / "grown") == contents(tmp_path / "new")


@pytest.mark.slow
def test_languages_that_come_later_reach_every_season(
    league: Path, tmp_path: Path, database: Database
) -> None:
    site = copied(league / "english", tmp_path / "later")
    write_site(database, site, BOTH, incremental=True)
    assert contents(site) == contents(league / "site")


@pytest.mark.slow
def test_french_pages_that_are_no_longer_wanted_go_and_what_others_put_there_stays(
    league: Path, database: Database, site: Path
) -> None:
    names = (
        "fr/notes.html",
        "fr/bots/mine.html",
        "fr/season-1/mine.html",
        "fr/data/a.csv",
        "fr/b/index.html",
        "fr/season-notes.txt",
    )
    strangers = dict.fromkeys(names, b"<!doctype html>\n<p>mine")
    for name, content in strangers.items():
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_bytes(content)
    own = {name for name in contents(league / "site") if name.startswith("fr/") or "-fr." in name}
    assert write_site(database, site, ENGLISH, incremental=True).removed == len(own)
    assert contents(site) == contents(league / "english") | strangers
    assert not (site / "fr" / "matches").exists()
    write_site(database, site, BOTH, incremental=True)
    assert contents(site) == contents(league / "site") | strangers, "nothing says that pages are there"


@pytest.mark.slow
def test_folders_that_are_empty_then_go(database: Database, site: Path) -> None:
    write_site(database, site, ENGLISH, incremental=True)
    assert not (site / "fr").exists()
    assert (site / "season-1").is_dir()


@pytest.mark.slow
def test_french_pages_that_were_changed_are_found(database: Database, site: Path) -> None:
    changed = ["fr/index.html", "fr/matches/2.html", "fr/season-1/method.html", "fr/data/matches-1.js"]
    for name in changed:
        (site / name).write_bytes(b"x" + (site / name).read_bytes())
    (site / "fr/rules.html").unlink()
    (site / "fr/extra.html").write_text("<p>")
    found = SiteComparison(site)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reports.league, "SiteComparison", lambda folder: found)
        result = check_site(database, site, BOTH)
    assert (result.differing, result.older) == (6, "")
    said = {one.file: one.text for one in found.differences}
    assert said == {
        **dict.fromkeys(changed, "the database gives another text"),
        "fr/rules.html": "it is missing",
        "fr/extra.html": "the database gives no such page",
    }


@pytest.mark.slow
def test_pages_in_other_languages_were_made_with_other_choices(database: Database, league: Path) -> None:
    why = "they were made with other choices in the section [report] of the league file"
    assert check_site(database, league / "english", BOTH).older == why
    assert check_site(database, league / "site", ENGLISH).older == why


@pytest.mark.slow
def test_french_pages_older_than_the_database_are_told_from_changed_ones(tmp_path: Path) -> None:
    with played.play(tmp_path / "few.db", League(bots=OLD, seats=3, rounds=3, matches=1)) as database:
        write_site(database, tmp_path / "site", BOTH)
    with played.play(tmp_path / "more.db", League(bots=OLD, seats=3, rounds=3, matches=2)) as database:
        found = check_site(database, tmp_path / "site", BOTH)
    assert found.older == "they know 1 finished matches, the database 2"


@pytest.mark.slow
def test_the_address_of_a_french_page_is_in_its_folder(database: Database, tmp_path: Path) -> None:
    url = "https://example.org/league"
    write_site(database, tmp_path, ReportOptions(url=url, languages=("en", "fr")))
    for name, address in {
        "index.html": "",
        "fr/index.html": "fr/",
        "season-1/matches/2.html": "season-1/matches/2.html",
        "fr/season-1/matches/2.html": "fr/season-1/matches/2.html",
    }.items():
        tree = parsed((tmp_path / name).read_text(encoding="utf-8"))
        said = {one.attributes.get("property"): one.attributes.get("content") for one in tree.all("meta")}
        assert said["og:url"] == f"{url}/{address}"


@pytest.mark.slow
def test_private_pages_are_in_french_too(database: Database, tmp_path: Path) -> None:
    options = ReportOptions(frozenset(), author="leaver", languages=("en", "fr"))
    result = write_site(database, tmp_path / "site", options, season=1)
    assert result.index == tmp_path / "site/index.html"
    assert french(tmp_path / "site", ".html") == {
        name for name in names(tmp_path / "site", ".html") if not re.match("fr/|rules/", name)
    }
    assert "my own words" in (tmp_path / "site/fr/matches/1.html").read_text(encoding="utf-8")
    assert check_site(database, tmp_path / "site", options, season=1).difference is None
    assert_linked(tmp_path / "site")


def test_french_pages_load_french_scripts(league: Path) -> None:
    folder = league / "site"
    spoken = {name for name in names(folder, ".js") if re.match(r"static/\w+-fr\.", name)}
    assert len(spoken) == len(names(folder / "static", ".js")) / 2
    for path, tree in trees(folder).items():
        loaded = {Path(one.attributes["src"]).name for one in tree.all("script")}
        of_french = {name for name in loaded if "-fr." in name}
        assert of_french == (loaded if (folder / "fr") in path.parents else set()), path


def test_scripts_of_a_french_page_are_no_more_than_others_may_be(league: Path) -> None:
    for path, tree in trees(league / "site" / "fr").items():
        sizes = [(path.parent / one.attributes["src"]).stat().st_size for one in tree.all("script")]
        assert sum(sizes) < 24 * 1024, path
