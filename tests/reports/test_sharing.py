"""What links to the pages show where they are sent: a title and a sentence, if their address is known."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports import ReportOptions, write_site
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League

pytestmark = pytest.mark.usefixtures("few_languages")

URL = "https://example.org/spring"
EVIL = '"><script>alert(1)</script>'
BOTS = (Bot(EVIL, played.low), Bot("A\u202eB & C"), Bot("Duck"))
FIRST = League(name=f"Spring {EVIL}", bots=BOTS, seats=3, rounds=1)


def read(page: Path) -> Element:
    return parsed(page.read_text())


def tags(page: Path) -> dict[str, str]:
    """The meta tags of a page by name or property."""
    found = [tag.attributes for tag in read(page).all("meta")]
    return {one.get("name") or one.get("property", ""): one.get("content", "") for one in found}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sharing")
    with played.play(folder / "league.db", FIRST) as database:
        write_site(database, folder / "site", ReportOptions(url=f"{URL}/"))
        write_site(database, folder / "plain")
        write_site(database, folder / "private", ReportOptions(url=URL, author="duck"))
    return folder / "site"


def test_the_leaderboard_has_its_verdict(site: Path) -> None:
    page = site / "index.html"
    said = tags(page)
    assert said["og:description"] == said["description"] == read(page).one("p", "sentence").text
    assert EVIL in said["description"]
    assert said["og:title"] == said["og:site_name"] == FIRST.name
    assert (said["og:type"], said["og:url"]) == ("website", f"{URL}/")


def test_matches_and_bots_have_their_own(site: Path) -> None:
    match, bot = tags(site / "matches/2.html"), tags(site / "bots/duck.html")
    assert match["og:title"] == "Match 2"
    assert " won with " in match["og:description"]
    assert match["og:url"] == f"{URL}/matches/2.html"
    assert (bot["og:title"], bot["og:url"]) == ("Duck", f"{URL}/bots/duck.html")
    assert bot["og:description"].startswith("Duck has ")


def test_no_name_breaks_out_of_them(site: Path) -> None:
    for path in site.rglob("*.html"):
        assert "<script>alert" not in path.read_text()
        assert "\u202e" not in path.read_text()


@pytest.mark.parametrize("other", ["plain", "private"])
def test_without_an_address_and_on_private_pages_there_are_none(site: Path, other: str) -> None:
    pages = list((site.parent / other).rglob("*.html"))
    assert pages
    for path in pages:
        assert not [name for name in tags(path) if name == "description" or name.startswith("og:")]


def test_the_address_changes_pages_and_their_mark(site: Path) -> None:
    name = "matches/2.html"
    assert (site / name).read_bytes() != (site.parent / "plain" / name).read_bytes()
    mark = "data/made-from.json"
    assert (site / mark).read_bytes() != (site.parent / "plain" / mark).read_bytes()
