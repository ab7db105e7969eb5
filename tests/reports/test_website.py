"""The site as a whole: its files, links, secrets, and that the same database gives the same bytes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest

import reports
from arena.errors import StoreError
from arena.store import read, write
from arena.store.database import Database
from reports import Publish, ReportOptions, Reveal, write_site
from reports.pages.rules import rules_path
from tests.reports import played
from tests.reports.conftest import FEW
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League
from tests.reports.replayed import matches_of, shows_cards

pytestmark = pytest.mark.usefixtures("few_languages")

EVERYTHING = ReportOptions(publish=frozenset(Publish))
A_CARD = re.compile(r"\b[SHDCP](?:20|1\d|\d)\b")
Play = Callable[[League], Database]


@pytest.fixture
def play(tmp_path: Path, request: pytest.FixtureRequest) -> Play:
    """Plays a league into a database of its own."""

    def play_league(league: League) -> Database:
        database = played.play(tmp_path / f"league{len(list(tmp_path.glob('*.db')))}.db", league)
        request.addfinalizer(database.close)
        return database

    return play_league


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a site."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def page(folder: Path, name: str) -> Element:
    return parsed((folder / name).read_text(encoding="utf-8"))


def test_the_site_has_the_files_it_promises(play: Play, tmp_path: Path) -> None:
    result = write_site(play(League(matches=4)), tmp_path / "site")
    names = set(contents(tmp_path / "site"))
    style = {name for name in names if name.startswith("static/")}
    sources = {path.name for path in (Path(reports.__file__).parent / "static").iterdir()}
    assert {re.sub(r"\.[0-9a-f]{12}\.", ".", name) for name in style} == {
        f"static/{name}" for name in sources
    }
    matches = {"matches/replay.html", "data/replay-1.js", *(f"matches/{n}.json" for n in range(1, 5))}
    bots = {f"bots/{entry}.html" for entry in ("duck", "greedy", "low", "moody", "random")}
    lists = {f"matches/{name}.html" for name in ("index", "faults", "closest")}
    data = {f"data/{name}" for name in ("made-from.json", "matches-1.js", "standings.csv", "standings.json")}
    fronts = {"index.html", "health.html"}
    rules = {rules_path(language) for language in FEW}
    assert names == style | matches | bots | lists | data | fronts | rules
    assert (result.written, result.unchanged, result.removed) == (len(names), 0, 0)
    assert result.index == tmp_path / "site" / "index.html"


def test_the_same_league_gives_the_same_bytes(play: Play, tmp_path: Path) -> None:
    league = League(matches=2)
    write_site(play(league), tmp_path / "one", EVERYTHING)
    write_site(play(league), tmp_path / "two", EVERYTHING)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize("incremental", [False, True])
def test_nothing_is_written_twice(play: Play, tmp_path: Path, incremental: bool) -> None:
    database, site = play(League(matches=2)), tmp_path / "site"
    first = write_site(database, site)
    times = {name: (site / name).stat().st_mtime_ns for name in contents(site)}
    again = write_site(database, site, incremental=incremental)
    assert (again.written, again.unchanged) == (0, first.written)
    assert times == {name: (site / name).stat().st_mtime_ns for name in contents(site)}


@pytest.mark.slow
def test_an_incremental_site_is_the_same_as_a_new_one(play: Play, tmp_path: Path) -> None:
    league = League(bots=(*played.FIVE[:4], Bot("Sixth", fault_rate=0.01)))
    database = Database.open(tmp_path / "growing.db", create=True)
    builder = played.Builder(database, league)
    with database:
        for session in builder.plan.cycle(0)[:2]:
            for first in (0, 2):  # a session in two goes: its first matches are secret in between
                builder.play_session(session, first, first + 2)
                write_site(database, tmp_path / "grown", EVERYTHING, incremental=True)
        write_site(database, tmp_path / "new", EVERYTHING)
    assert contents(tmp_path / "grown") == contents(tmp_path / "new")


@pytest.mark.slow
def test_incremental_pages_obey_changed_options(play: Play, tmp_path: Path) -> None:
    database, site = play(League(matches=4)), tmp_path / "site"
    write_site(database, site, EVERYTHING)
    assert shows_cards(matches_of(site)[1])
    write_site(database, site, ReportOptions(publish=frozenset()), incremental=True)
    assert not shows_cards(matches_of(site)[1])
    assert not [*site.glob("matches/*-messages.html"), *site.glob("matches/*.json")]


def test_files_of_ours_that_are_no_longer_wanted_go_and_others_stay(play: Play, tmp_path: Path) -> None:
    database, site = play(League(matches=2)), tmp_path / "site"
    write_site(database, site)
    strangers = ["matches/notes.html", "static/logo.png", "CNAME", "bots/duck.html"]
    ours = [
        "matches/99.json", "matches/99-messages.html", "matches/page-9.html", "data/matches-9.js",
        "static/site.0123456789ab.css",
    ]  # fmt: skip
    for name in strangers + ours:
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text("x")
    assert write_site(database, site).removed == 5
    names = set(contents(site))
    assert names.issuperset(strangers)
    assert not names.intersection(ours)


def test_a_database_without_a_season_is_a_clear_error(tmp_path: Path) -> None:
    empty = Database.open(tmp_path / "empty.db", create=True)
    with empty as database, pytest.raises(StoreError, match="no season yet"):
        write_site(database, tmp_path / "site")
    assert not (tmp_path / "site" / "index.html").exists()


def test_a_season_without_a_match_has_pages(play: Play, tmp_path: Path) -> None:
    database = Database.open(tmp_path / "new.db", create=True)
    with database:
        played.Builder(database, League())
        write_site(database, tmp_path / "site")
    main = page(tmp_path / "site", "index.html").one("main").text
    assert "nothing to compare" in main
    assert "No match has been finished yet." in page(tmp_path / "site", "matches/index.html").one("main").text


@pytest.mark.slow
@pytest.mark.parametrize(
    "league",
    [
        League(matches=9),
        League(bots=played.FIVE[:4], cycles=3, seed="known"),
        League(seats=3, rounds=3, matches=7),
        League(bots=tuple(Bot(f"Bot {n}") for n in range(9)), seats=8, rounds=8, matches=9, sandbox="off"),
    ],
    ids=["running", "finished", "three seats", "eight seats"],
)
def test_pages_are_well_formed_and_every_link_leads_somewhere(
    play: Play, tmp_path: Path, league: League
) -> None:
    write_site(play(league), tmp_path, EVERYTHING)
    pages = {path: parsed(path.read_text(encoding="utf-8")) for path in tmp_path.rglob("*.html")}
    ids = {
        path: [e.attributes["id"] for e in tree.walk() if "id" in e.attributes]
        for path, tree in pages.items()
    }
    for path, tree in pages.items():
        assert len(ids[path]) == len(set(ids[path])), f"{path} has an id twice"
        for element in tree.all("a") + tree.all("link"):
            target = urlsplit(element.attributes["href"])
            if target.scheme == "data":
                continue
            assert not target.scheme, element.attributes
            assert not target.netloc, element.attributes
            file = (path.parent / unquote(target.path)).resolve() if target.path else path
            assert file.is_file(), f"{path} links to {target.path}"
            if target.fragment and file.name == "replay.html" and file != path:
                found = re.fullmatch(r"m(\d+)(r\d+(p|t\d+(s\d+)?)?|faults)?", target.fragment)
                assert found, f"{path} links to #{target.fragment}"
                assert int(found[1]) in matches_of(tmp_path)
            elif target.fragment:
                wanted, known = {target.fragment}, set(ids[file])
                if "=" in target.fragment:  # choices of a filter, no place on the page
                    wanted = set(dict(parse_qsl(target.fragment)).values())
                    known = {option.attributes["value"] for option in pages[file].all("option")}
                assert wanted <= known, f"{path} links to #{target.fragment}"


SECRETIVE = League(
    bots=tuple(Bot(f"Bot {n}", fault_rate=0.2, sent="S7 P20 D10", stderr="my hand: H1") for n in range(5)),
    matches=6,
)


def test_no_card_is_shown_before_its_session_is_complete(play: Play, tmp_path: Path) -> None:
    database = play(SECRETIVE)
    write_site(database, tmp_path / "site", EVERYTHING)
    assert not list((tmp_path / "site").glob("matches/[56]-*")), "messages would hold them too"
    matches = matches_of(tmp_path / "site")
    for number in (5, 6):  # of the second session, which is not complete
        match = matches[number]
        assert not A_CARD.search(json.dumps(match)), "a card in the data"
        assert "the same deals are still being played" in match["hidden"]
        assert [sum(points) for points in match["rounds"]] == [250] * 4
        assert all(fault.keys() == {"seat", "round"} for fault in match["faults"])
        assert not match.keys() & {"stderr", "file", "messages"}
    assert shows_cards(matches[4])
    assert A_CARD.search(page(tmp_path / "site", "matches/4-messages.html").one("main").text)


def test_cards_can_wait_for_the_end_of_the_league(play: Play, tmp_path: Path) -> None:
    options = ReportOptions(publish=frozenset(Publish), reveal=Reveal.FINISHED)
    write_site(play(SECRETIVE), tmp_path / "running", options)
    assert not list((tmp_path / "running").glob("matches/*-messages.html"))
    assert not any(map(shows_cards, matches_of(tmp_path / "running").values()))
    assert not A_CARD.search((tmp_path / "running" / "data/replay-1.js").read_text("utf-8"))
    write_site(play(League(bots=played.FIVE[:4])), tmp_path / "over", options)
    assert all(map(shows_cards, matches_of(tmp_path / "over").values()))


@pytest.mark.slow
@pytest.mark.parametrize("kind", Publish)
def test_only_what_is_published_is_shown(play: Play, tmp_path: Path, kind: Publish) -> None:
    write_site(play(SECRETIVE), tmp_path / "site", ReportOptions(publish=frozenset({kind})))
    match = matches_of(tmp_path / "site")[1]
    assert shows_cards(match) is match.get("file", False) is (kind is Publish.REPLAYS)
    assert ("S7 P20 D10" in str(match)) is (kind is Publish.FAULTS)
    assert ("my hand: H1" in str(match)) is (kind is Publish.STDERR)
    assert (tmp_path / "site" / "matches/1-messages.html").exists() is (kind is Publish.MESSAGES)
    assert ("messages" in match) is (kind is Publish.MESSAGES)
    assert match["faults"], "they are counted anyway"


def test_a_secret_is_shown_only_when_its_phase_has_ended(play: Play, tmp_path: Path) -> None:
    running = play(League(matches=2))
    secret = read.phase_secret(running, 1, 0).hex()
    write_site(running, tmp_path / "running", EVERYTHING)
    assert not any(secret.encode() in content for content in contents(tmp_path / "running").values())
    write.end_phase(running, 1, 0, "enough", played.START)
    write_site(running, tmp_path / "ended", EVERYTHING)
    main = page(tmp_path / "ended", "index.html").one("main").text
    assert secret in main
    assert "ended before the whole schedule was played (enough)" in main


def test_a_seed_is_named_on_every_page(play: Play, tmp_path: Path) -> None:
    write_site(play(League(matches=2, seed="known")), tmp_path)
    for path in tmp_path.rglob("*.html"):
        assert "Deals predictable" in parsed(path.read_text(encoding="utf-8")).one("main").text


@pytest.mark.slow
def test_pages_are_light(play: Play, tmp_path: Path) -> None:
    bots = (*played.FIVE, Bot("A sixth with a long name", author="Somebody", language="Lisp"))
    write_site(play(League(bots=bots)), tmp_path / "lists")
    write_site(play(League(bots=bots[2:])), tmp_path / "messages", EVERYTHING)
    assert (tmp_path / "lists" / "index.html").stat().st_size < 40_000
    assert (tmp_path / "lists" / "matches" / "index.html").stat().st_size < 40_000
    for path in (tmp_path / "messages" / "matches").glob("*-messages.html"):
        assert path.stat().st_size < 300_000
    for path in [*tmp_path.glob("*/*.html"), *tmp_path.glob("*/[bm]*/*1*.html")]:
        sources = [node.attributes["src"] for node in parsed(path.read_text(encoding="utf-8")).all("script")]
        assert sum((path.parent / source).stat().st_size for source in sources) < 24 * 1024, path
        assert "live." not in path.read_text(encoding="utf-8"), "only a server puts this into a page"
    (live,) = (tmp_path / "lists" / "static").glob("live.*.js")
    assert live.stat().st_size < 3_600


def test_scripts_lose_nothing_but_comments_and_blanks() -> None:
    """A text in quotes inside a text in quotes would lose its blanks."""
    for path in (Path(reports.__file__).parent / "static").glob("*.js"):
        assert not re.search(r"\$\{[^}]*`", path.read_text(encoding="utf-8")), path.name
