"""The pages for one bot's author: all that is the bot's own, and of the others what everybody sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store import read
from arena.store.database import Database
from arena.store.views import MatchView
from reports import Publish, ReportOptions, Reveal, write_site
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League
from tests.reports.replayed import matches_of

pytestmark = pytest.mark.usefixtures("few_languages")

NOTHING = ReportOptions(publish=frozenset())
OWN = replace(NOTHING, author="moody")
LEAGUE = League(
    bots=(
        Bot("Duck", played.low, fault_rate=0.06, sent="sent by Duck", stderr="written by Duck"),
        Bot("Low", played.low, fault_rate=0.06, sent="sent by Low", stderr="written by Low"),
        Bot("Random", stderr="written by Random"),
        Bot("Moody", fault_rate=0.06, sent="sent by Moody", stderr="written by Moody"),
        Bot("Greedy", played.high, stderr="written by Greedy"),
    ),
    rounds=2,
    matches=18,
)
"""Four sessions, one of them without Moody, and two matches of a fifth, whose cards are still secret."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    with played.play(tmp_path_factory.mktemp("private") / "league.db", LEAGUE) as database:
        yield database


@pytest.fixture(scope="module")
def site(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Moody's pages of a league that publishes nothing."""
    return write_site(database, tmp_path_factory.mktemp("moody"), OWN).index.parent


@pytest.fixture(scope="module")
def matches(database: Database) -> list[MatchView]:
    return list(read.matches(database, 1))


def page(site: Path, name: str) -> Element:
    return parsed((site / name).read_text(encoding="utf-8"))


def own(match: MatchView) -> set[str]:
    return {str(seat.seat) for seat in match.seats if seat.bot == "moody"}


def test_standard_error_is_ones_own(site: Path, matches: list[MatchView]) -> None:
    shown = matches_of(site)
    for match in matches:
        text = str(shown[match.number].get("stderr"))
        assert ("written by Moody" in text) is (bool(own(match)) and match.cards_may_show)
    everything = "".join(path.read_text(encoding="utf-8") for path in site.rglob("*.*"))
    for bot in ("Duck", "Low", "Random", "Greedy"):
        assert f"written by {bot}" not in everything
        assert f"sent by {bot}" not in everything


def test_messages_are_ones_own(site: Path, matches: list[MatchView]) -> None:
    for match in matches:
        path = site / f"matches/{match.number}-messages.html"
        assert path.exists() is (bool(own(match)) and match.cards_may_show)
        if path.exists():
            (section,) = page(site, f"matches/{path.name}").all("section", "talk")
            assert section.one("h2").text.endswith(", Moody")
            asked = [json.loads(dd.text) for dd in section.all("dd") if dd.text.startswith('{"type": "pass"')]
            assert {str(message["seat"]) for message in asked} == own(match)


def test_a_fault_is_explained_to_its_author(site: Path, matches: list[MatchView]) -> None:
    explained = 0
    for match in matches:
        found = matches_of(site)[match.number]
        by_bot = {seat.name: seat.faults for seat in match.seats}
        shown = [found["names"][fault["seat"]] for fault in found.get("faults", ()) if "kind" in fault]
        assert shown == ["Moody"] * (by_bot.get("Moody", 0) if match.cards_may_show else 0)
        hidden = any(bot != "Moody" and count for bot, count in by_bot.items())
        if match.cards_may_show:
            assert ("Reasons and evidence are not published" in found.get("unsaid", "")) is hidden
        explained += len(shown)
    assert explained > 3
    assert "sent by Moody" in page(site, "bots/moody.html").text


def test_cards_are_secret_for_as_long_as_for_everybody(database: Database, tmp_path: Path) -> None:
    write_site(database, tmp_path, replace(OWN, reveal=Reveal.FINISHED))
    assert not list(tmp_path.glob("matches/*-messages.html"))
    for path in tmp_path.glob("data/*.js"):
        text = path.read_text(encoding="utf-8")
        assert "written by" not in text
        assert "sent by" not in text


@pytest.mark.slow
def test_the_file_of_a_match_keeps_what_is_others_own(database: Database, tmp_path: Path) -> None:
    write_site(database, tmp_path, replace(OWN, publish=frozenset({Publish.REPLAYS})))
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.glob("matches/*.json")]
    assert any("written by Moody" in text and "sent by Moody" in text for text in texts)
    for bot in ("Duck", "Low", "Random", "Greedy"):
        assert not any(f"written by {bot}" in text or f"sent by {bot}" in text for text in texts)


def test_every_page_says_that_it_is_private(site: Path, database: Database, tmp_path: Path) -> None:
    for path in site.rglob("*.html"):
        assert "only the author of Moody may see" in page(path.parent, path.name).one("main").text
    for path in write_site(database, tmp_path, NOTHING).index.parent.rglob("*.html"):
        assert "only the author of" not in page(path.parent, path.name).text


@pytest.mark.slow
def test_pages_for_everybody_take_their_place_without_a_trace(
    database: Database, site: Path, tmp_path: Path
) -> None:
    write_site(database, tmp_path / "one", OWN)
    write_site(database, tmp_path / "one", NOTHING, incremental=True)
    write_site(database, tmp_path / "two", NOTHING)
    one, two = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in ("one", "two")
    )
    assert one == two
