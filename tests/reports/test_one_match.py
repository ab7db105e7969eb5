"""The page of one match as one file: what its page shows, and nothing that it may not show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.store.database import Database
from reports import Publish, ReportOptions, Reveal, match_file, write_site
from tests.reports import played
from tests.reports.parsed import parsed
from tests.reports.played import Bot, League
from tests.reports.replayed import matches_of

pytestmark = pytest.mark.usefixtures("few_languages")

EVIL = '"><script>alert(1)</script>'
BOTS = (Bot("Duck", played.low), Bot(EVIL, fault_rate=0.008), Bot("Random", fault_rate=0.008), Bot("Low"))
CARDS = frozenset({Publish.REPLAYS})
LEAGUE = League(bots=BOTS, seats=3, rounds=3, matches=7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A session of six matches, and the first match of another."""
    folder = tmp_path_factory.mktemp("one")
    with played.play(folder / "league.db", LEAGUE) as database:
        write_site(database, folder / "site")
    return folder


@pytest.fixture
def database(folder: Path) -> Database:
    return Database.open(folder / "league.db", read_only=True)


def made(database: Database, number: int = 2, options: ReportOptions | None = None, season: int = 1) -> str:
    return match_file(database, season, number, options or ReportOptions()).decode()


def test_it_loads_nothing_and_has_no_dead_link(database: Database) -> None:
    text = made(database)
    assert text == made(database)
    whole = parsed(text)
    assert not {e.tag for e in whole.walk()} & {"link", "img", "iframe", "nav"}
    assert all("src" not in e.attributes for e in whole.walk())
    assert "@import" not in text
    assert all("url(" not in style.text for style in whole.all("style"))
    ids = {e.attributes["id"] for e in whole.walk() if "id" in e.attributes}
    links = [e.attributes["href"] for e in whole.all("a")]
    assert all(link[0] == "#" and link[1:] in ids for link in links)
    assert "<script>alert" not in text


def test_it_has_the_data_of_the_page(folder: Path, database: Database) -> None:
    found = json.loads(parsed(made(database)).all("script")[0].text)
    there = matches_of(folder / "site")[2]
    own = found["matches"]["2"]
    assert [found["bots"][bot]["name"] for bot in own["bots"]] == there["names"]
    beside = {"bots", "names", "file"}
    assert {key: own[key] for key in own.keys() - beside} == {
        key: there[key] for key in there.keys() - beside
    }


@pytest.mark.parametrize(
    ("number", "options", "said"),
    [
        (7, {}, "match 7 has no cards to show yet. Cards appear when every match of its session is over"),
        (8, {}, "match 8 is not finished yet"),
        (999, {}, r"match 999 does not exist: the matches of season 1 are 1 to \d+"),
        (2, {"publish": frozenset({Publish.FAULTS})}, "match 2 .* Cards are not published in this league"),
        (2, {"reveal": Reveal.FINISHED}, "match 2 .* Cards appear when the whole league is over"),
    ],
)
def test_what_the_pages_hide_is_refused(
    database: Database, number: int, options: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        made(database, number, ReportOptions(**options))  # type: ignore[arg-type]
