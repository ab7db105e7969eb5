"""The leaderboard of a league with many bots in a real browser: groups, filter, sorting, narrow screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import reports.facts
from arena.standings import groups
from reports import Replays, ReportOptions, write_site
from tests.reports import played
from tests.reports.browsing import log, show
from tests.reports.pages.conftest import BOTS
from tests.reports.played import League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow
NAMES = "return [...document.querySelectorAll('.standings tbody th[scope=row] a')].map(e => e.textContent)"
VISIBLE = """return [...document.querySelectorAll('.standings tbody tr')]
    .filter(row => row.getClientRects().length).map(row => row.cells.length)"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The leaderboard of five bots, of which three are many."""
    folder = tmp_path_factory.mktemp("many")
    with (
        pytest.MonkeyPatch.context() as patch,
        played.play(folder / "league.db", League(bots=BOTS, seats=3, rounds=3, cycles=3)) as database,
    ):
        patch.setattr(reports.facts, "EVERY_PAIR_UP_TO", 3)
        patch.setattr(groups, "LETTERS_UP_TO", 3)
        write_site(database, folder / "site", ReportOptions(replays=Replays.NONE))
    return folder / "site" / "index.html"


def test_the_points_are_on_a_page_of_their_own_with_links_to_the_bots(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    browser.execute_script("document.querySelector('a[href=\"points.html\"]').click()")
    links = browser.find_elements("css selector", "tbody th a")
    assert len(links) == len(BOTS)
    browser.execute_script("document.querySelector('tbody th a').click()")
    assert (
        browser.find_element("css selector", ".self bdi").text == browser.find_element("tag name", "h1").text
    )
    assert log(browser, "browser") == []


def test_a_filter_leaves_only_groups_with_a_hit_and_gives_them_back(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    everything = browser.execute_script(VISIBLE)
    assert everything.count(1) > 1  # headings of groups
    field = browser.find_element("css selector", ".tools input")
    field.send_keys("duck")
    assert browser.execute_script(VISIBLE) == [1, 5]
    field.send_keys("\b" * 4)
    assert browser.execute_script(VISIBLE) == everything


def test_sorting_goes_over_all_groups(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    ranked = browser.execute_script(NAMES)
    for _ in range(2):
        browser.execute_script("document.querySelector('.standings th.score button').click()")
    assert browser.execute_script(NAMES) == ranked[::-1]
    assert browser.execute_script(VISIBLE) == [5] * len(BOTS)


def test_a_group_has_an_address(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    links = browser.find_elements("css selector", ".groups a")
    headings = browser.find_elements("css selector", ".group th[colspan]")
    assert len(links) == len(headings) > 1
    assert links[-1].text in headings[-1].text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_it_without_scrolling_sideways(
    browser: Chrome, board: Path, axe: str, scheme: str
) -> None:
    for name in ("index.html", "points.html", "bots/duck.html"):
        show(browser, (board.parent / name).as_uri(), width=360, scheme=scheme)
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 360
        browser.execute_script(axe)
        found = browser.execute_async_script("axe.run().then(arguments[0])")
        assert [(name, one["id"]) for one in found["violations"]] == []
