"""A league of several seasons: each keeps its pages, and those of an ended season are written once."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from arena.cli.organiser.board import Board
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.acts import CLOSE
from arena.store.database import Database
from arena.store.history import Action, SeasonMark
from arena.store.scoring import scored
from reports import Publish, ReportOptions, Reveal, check_site, website, write_site
from reports.facts import LeagueFacts, read_facts
from reports.pages.seasons import seasons_page
from reports.state import PATH, Making
from reports.summary import PATH as SUMMARY
from reports.summary import SeasonSummary
from reports.writing import SiteFolder
from tests.open_played import OpenPlay
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import START, Bot, League
from tests.reports.replayed import matches_of, shows_cards
from tests.running import enter, leave, make_open_league
from tests.shared import copied

pytestmark = pytest.mark.usefixtures("few_languages")

DAY = 86_400_000
OLD = (*played.FIVE[:3], Bot("Leaver", author="Edsger", stderr="my own words", fault_rate=0.01))
FIRST = League(bots=OLD, matches=6, cycles=2)
"""Broken off in its second session. Its bot Leaver is in no other season."""
SECOND = League(bots=played.FIVE[:4], matches=4, cycles=2, began=START + DAY, why="Moody for Leaver")
THIRD = League(bots=played.FIVE[:4], matches=2, began=START + 2 * DAY, why="more cards")


@pytest.fixture(scope="module")
def two_seasons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of two seasons; the second goes on."""
    path = tmp_path_factory.mktemp("two") / "league.db"
    for league in (FIRST, SECOND):
        played.play(path, league).close()
    return path


@pytest.fixture
def database(two_seasons: Path, tmp_path: Path) -> Iterator[Database]:
    with Database.open(shutil.copy(two_seasons, tmp_path / "league.db")) as database:
        yield database


@pytest.fixture(scope="module")
def written(two_seasons: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with Database.open(two_seasons) as database:
        return write_site(database, tmp_path_factory.mktemp("written") / "site").index.parent


@pytest.fixture
def site(written: Path, tmp_path: Path) -> Path:
    """The pages of the two seasons, for a test that changes them."""
    return copied(written, tmp_path / "site")


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a site."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


def page(path: Path) -> Element:
    return parsed(path.read_text(encoding="utf-8"))


@pytest.fixture
def numbers_read(monkeypatch: pytest.MonkeyPatch) -> list[int | None]:
    """The seasons that are read to make pages."""
    numbers: list[int | None] = []

    def noting(database: Database, number: int | None = None) -> LeagueFacts:
        numbers.append(number)
        return read_facts(database, number)

    monkeypatch.setattr(website, "read_facts", noting)
    return numbers


def test_each_season_has_its_pages(database: Database, tmp_path: Path) -> None:
    site = tmp_path / "site"
    result = write_site(database, site)
    files = contents(site)
    assert (result.written, result.removed) == (len(files), 0)
    assert result.index == site / "index.html"
    old = {name.removeprefix("season-1/") for name in files if name.startswith("season-1/")}
    own = {name for name in files if not name.startswith("season-1/")}
    assert {name for name in own if name.startswith("matches/") and name[8].isdecimal()} == {
        f"matches/{number}.json" for number in range(1, 5)
    }
    assert {f"matches/{number}.json" for number in range(1, 7)} <= old
    assert {"index.html", "health.html", "bots/leaver.html", "bots/duck.html"} <= old
    assert "bots/leaver.html" not in own
    assert "seasons.html" in own - old
    assert not [name for name in old if name.startswith("static/")], "all share the static files"
    assert "Leaver" not in page(site / "index.html").one("table", "standings").text
    assert write_site(database, site, season=1).index == site / "season-1" / "index.html"


@pytest.mark.slow
def test_every_link_leads_somewhere(database: Database, tmp_path: Path) -> None:
    write_site(database, tmp_path / "site", ReportOptions(publish=frozenset(Publish)))
    trees = {path: page(path) for path in (tmp_path / "site").rglob("*.html")}
    for path, tree in trees.items():
        targets = [e.attributes.get("href", "") or e.attributes.get("src", "") for e in tree.walk()]
        for target in filter(None, targets):
            name = urlsplit(target).path
            assert not name or (path.parent / name).is_file(), f"{path} links {target}"
        links = {(path.parent / urlsplit(e.attributes["href"]).path).resolve() for e in tree.all("a")}
        assert tmp_path / "site" / "seasons.html" in links, f"{path} has no link to all seasons"


@pytest.mark.slow
def test_a_league_of_one_season_has_no_page_of_seasons(tmp_path: Path) -> None:
    with played.play(tmp_path / "one.db", FIRST) as database:
        write_site(database, tmp_path / "site")
        # As where a backup was put back that had no second season yet.
        (tmp_path / "site" / "seasons.html").write_bytes((tmp_path / "site" / "index.html").read_bytes())
        assert write_site(database, tmp_path / "site").removed == 1
    assert not (tmp_path / "site" / "seasons.html").exists()
    for path in (tmp_path / "site").rglob("*.html"):
        assert "season" not in {e.attributes.get("class") for e in page(path).walk()}
        assert "seasons.html" not in path.read_text(encoding="utf-8")


def test_what_is_left_over_goes_and_what_others_put_there_stays(database: Database, site: Path) -> None:
    ours = (site / "season-1/bots/leaver.html").read_bytes()
    for name in ("bots/leaver.html", "bots/leaver@2.html", "matches/999.json"):
        (site / name).write_bytes(ours.replace(b"../../static", b"../static"))
    for name in ("bots/mine.html", "season-1/notes.html", "notes.html"):
        (site / name).write_text("<!doctype html>\n<p>mine")
    assert write_site(database, site).removed == 3
    assert not (site / "bots/leaver.html").exists()
    assert all((site / name).exists() for name in ("bots/mine.html", "season-1/notes.html", "notes.html"))


@pytest.mark.slow
def test_the_pages_of_a_season_do_not_change_when_further_ones_begin(
    database: Database, tmp_path: Path, numbers_read: list[int | None]
) -> None:
    site = tmp_path / "site"
    write_site(database, site)
    before = contents(site / "season-1")
    played.play(tmp_path / "league.db", THIRD).close()
    write_site(database, site, incremental=True)
    assert numbers_read[2:] == [2, 3]
    write_site(database, tmp_path / "new")
    assert contents(site) == contents(tmp_path / "new")
    assert contents(site / "season-1") == before


class KilledError(Exception):
    pass


@pytest.mark.slow
@pytest.mark.parametrize(("after", "whole"), [(0, False), (11, False), (12, True)])
def test_a_writing_that_was_killed_is_made_good(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, whole: bool
) -> None:
    """It is killed after so many pages. The earlier season has 12 (2 are the rules): then it is complete."""
    site, put = tmp_path / "site", SiteFolder.put
    left = [after]

    def killed(folder: SiteFolder, name: str, content: bytes) -> None:
        if name.endswith(".html"):
            if not left[0]:
                raise KilledError
            left[0] -= 1
        put(folder, name, content)

    with monkeypatch.context() as patch:
        patch.setattr(SiteFolder, "put", killed)
        with pytest.raises(KilledError):
            write_site(database, site, incremental=True)
    assert (site / "season-1" / PATH).exists() is whole
    write_site(database, site, incremental=True)
    write_site(database, tmp_path / "new")
    assert contents(site) == contents(tmp_path / "new")


def stamp(site: Path, **changed: object) -> None:
    path = site / "season-1" / PATH
    path.write_text(json.dumps({**json.loads(path.read_bytes()), **changed}))


@pytest.mark.slow
@pytest.mark.parametrize("name", [PATH, SUMMARY])
@pytest.mark.parametrize("content", [None, "nonsense"])
def test_a_folder_that_does_not_say_what_it_was_made_from_is_made_again(
    database: Database, site: Path, written: Path, name: str, content: str | None
) -> None:
    path = site / "season-1" / name
    path.unlink() if content is None else path.write_text(content)
    write_site(database, site, incremental=True)
    assert contents(site) == contents(written)


@pytest.mark.parametrize(
    "changed",
    [
        {"code": "0" * 24},
        {"arena": "0.0.1"},
        {"season": 3},
        {"matches": 5},
        {"publish": []},
        {"reveal": "finished"},
        {"author": "duck"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_what_tells_the_pages_of_an_ended_season_from_others(
    database: Database, written: Path, changed: dict[str, object]
) -> None:
    making, mark = Making.now(ReportOptions()), read.season_marks(database)[0]
    content = (written / "season-1" / PATH).read_bytes()
    assert making.made(content, mark)
    assert not making.made(json.dumps({**json.loads(content), **changed}).encode(), mark)
    for damaged in (b"", b"[]", b"{}", b"nonsense", b"\xff", b'{"season": 1}'):
        assert not making.made(damaged, mark)


def test_nothing_of_an_ended_season_is_secret(database: Database, tmp_path: Path) -> None:
    """Its last session was broken off: nobody plays these deals any more, and their secret is shown."""
    write_site(database, tmp_path / "site", ReportOptions(reveal=Reveal.FINISHED))
    old, new = tmp_path / "site" / "season-1", tmp_path / "site"
    ended = matches_of(old)
    assert all(map(shows_cards, ended.values()))
    assert ended[6]["standing"] == "Not scored: the season ended before its session was over."
    assert not shows_cards(matches_of(new)[1]), "the newest season goes on"
    assert read.phase_secret(database, 1, 0).hex() in page(old / "index.html").text
    assert read.phase_secret(database, 2, 0).hex() not in page(new / "index.html").text


def told(site: Path) -> list[dict[str, str]]:
    """What the page of all seasons says of each: its title, its sentences, its facts by their terms."""
    found = []
    for section in page(site / "seasons.html").all("section"):
        terms, said = section.all("dt"), section.all("dd")
        facts = {term.text: fact.text for term, fact in zip(terms, said, strict=True)}
        found.append({"title": section.one("h2").text, "said": section.one("p").text, **facts})
    return found


def test_the_page_of_all_seasons(database: Database, site: Path) -> None:
    newest, first = told(site)
    assert newest == {
        "title": "Season 2",
        "said": newest["said"],
        "Why": "Moody for Leaver",
        "Began": "2023-11-15 22:13 UTC",
        "Played": "4 bots, 4 matches",
        "Ended": "not yet",
    }
    assert " has the fewest points so far. That is not sure: verdicts need " in newest["said"]
    facts = read_facts(database, 1)
    (champion,) = (row.bot for row in facts.standings.rows if row.rank == 1)
    assert first["said"].startswith(
        f"{facts.entry(champion).name} has the fewest points. That is not sure: verdicts need "
    )
    del first["said"]
    assert first == {
        "title": "Season 1",
        "Began": "2023-11-14 22:13 UTC",
        "Played": "4 bots, 6 matches",
        "Ended": "a new season was begun",
    }
    links = [e.attributes["href"] for e in page(site / "seasons.html").one("main").all("a")]
    assert links == ["index.html", "season-1/index.html"]


def test_champions_who_share_the_first_place_are_all_named() -> None:
    summary = SeasonSummary(1, "Season 1", START, "", "", 2, 4, "settled", ("Duck", "Low"), "So it is.")
    assert seasons_page([summary]).seasons[0].first == "Duck and Low share the fewest points."
    open_ended = replace(summary, end="", champions=("Duck",))
    assert seasons_page([open_ended]).seasons[0].first == "Duck has the fewest points so far."
    assert seasons_page([replace(summary, champions=())]).seasons[0].first == ""


def test_every_page_says_which_season_it_is_of(site: Path) -> None:
    for path in site.rglob("*.html"):
        tree, old = page(path), path.is_relative_to(site / "season-1")
        if path.name != "seasons.html":
            assert ("Season 1 · " in tree.one("title").text) is old
            assert ("Season 2 · " in tree.one("title").text) is not old
        assert ("Season 1 has ended. There is a newer one." in tree.text) is old
    assert page(site / "index.html").one("p", "lead").text == "Season 2: Moody for Leaver"
    assert page(site / "season-1/index.html").one("p", "lead").text == "Season 1"


@pytest.mark.slow
def test_an_open_season_and_then_a_closed_one(tmp_path: Path) -> None:
    """With an improved bot and one that left: versions have pages of their own in the open season."""
    league = make_open_league(tmp_path, schedule="version_hours = 0\n")
    site = tmp_path / "site"
    with OpenPlay(league) as play:
        play.phase()
        write_site(play.database, site, incremental=True)
        enter(league, "b1", 3)
        leave(league, "b2")
        play.phase()
        write.action(play.database, Action(now_ms(), "me", CLOSE, "1", "the evening is over"))
        began = now_ms() + 1000
        played.Builder(play.database, replace(SECOND, began=began)).play()
        write_site(play.database, site, ReportOptions(reveal=Reveal.FINISHED), incremental=True)
        options = ReportOptions(reveal=Reveal.FINISHED)
        assert check_site(play.database, site, options).difference is None
        text = Board(
            read.season(play.database, 1), scored(play.database, read.season(play.database, 1)), ended=True
        ).text()
    assert text.startswith("Season 1. Another season has begun since.")
    assert {path.name for path in (site / "season-1/bots").iterdir()} >= {
        "b1@1.html",
        "b1@2.html",
        "b2@1.html",
    }
    assert {path.name for path in (site / "bots").iterdir()} == {
        f"{name}.html" for name in ("duck", "low", "random", "moody")
    }
    first = told(site)[1]
    assert (first["Played"].partition(",")[0], first["Ended"]) == ("4 bots", "closed: the evening is over")
    assert all(map(shows_cards, matches_of(site / "season-1").values()))


@pytest.mark.slow
def test_names_and_reasons_of_seasons_are_harmless(tmp_path: Path) -> None:
    evil = "</a><script>alert(1)</script>\u202e"
    bots = (Bot(evil, played.low), *(replace(bot, play=played.high) for bot in OLD[1:]))
    played.play(tmp_path / "league.db", replace(FIRST, why=evil, bots=bots)).close()
    with played.play(tmp_path / "league.db", replace(SECOND, why=evil)) as database:
        write_site(database, tmp_path / "site")
    shown = r"</a><script>alert(1)</script>\u202e"
    text = (tmp_path / "site" / "seasons.html").read_text(encoding="utf-8")
    assert not re.search("<script>|\u202e", text)
    assert [one["Why"] for one in told(tmp_path / "site")] == [shown, shown]
    assert told(tmp_path / "site")[1]["said"].startswith(shown)


@pytest.mark.slow
def test_private_pages_are_of_one_season(database: Database, tmp_path: Path) -> None:
    options = ReportOptions(author="leaver")
    index = write_site(database, tmp_path / "site", options, season=1).index
    assert index == tmp_path / "site" / "index.html"
    assert not list(tmp_path.glob("site/season*"))
    assert "my own words" in (tmp_path / "site" / "data" / "replay-1.js").read_text(encoding="utf-8")
    assert "seasons.html" not in index.read_text(encoding="utf-8")
    assert check_site(database, tmp_path / "site", options, season=1).difference is None


@pytest.mark.slow
def test_pages_of_all_seasons_are_compared(database: Database, site: Path) -> None:
    found = check_site(database, site)
    assert (found.difference, found.files) == (None, len(contents(site)))
    path = site / "season-1" / "bots" / "duck.html"
    path.write_text(path.read_text(encoding="utf-8").replace("Duck", "Dack", 1), encoding="utf-8")
    found = check_site(database, site)
    assert str(found.difference).startswith("season-1/bots/duck.html, line ")
    assert not found.older
    (site / "season-3").mkdir()
    (site / "season-3" / "index.html").write_text("x")
    assert check_site(database, site).differing == 2
    stamp(site, code="0" * 24)
    assert check_site(database, site).older == "they were made by another state of the arena's code"


def test_a_summary_is_that_of_its_season_or_none(database: Database) -> None:
    summary = SeasonSummary.of(read_facts(database, 1))
    mark = read.season_marks(database)[0]
    assert mark == SeasonMark(1, START, played.DIGEST, 6)
    assert SeasonSummary.read(summary.to_json(), mark) == summary
    for other in (replace(mark, matches=7), replace(mark, opened_at=START + 1), replace(mark, digest="x")):
        assert SeasonSummary.read(summary.to_json(), other) is None
    for content in (b"", b"[]", b"\xff", json.dumps({**json.loads(summary.to_json()), "bots": "x"}).encode()):
        assert SeasonSummary.read(content, mark) is None
