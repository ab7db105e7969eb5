"""The lists of matches in a real browser: their filters go over the matches of all pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.store.reader import Reader
from arena.store.views import MatchView
from reports import write_site
from reports.pages import listing
from tests.reports import played
from tests.reports.browsing import log, show
from tests.reports.played import Bot, League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

BOTS = (Bot("Duck", played.low), Bot("Low & Order", played.low), Bot("Random"), Bot("Moody", fault_rate=0.01))
ROWS = "return [...document.querySelectorAll('.list tbody tr')]"
SHOWN = f"{ROWS}.map((row) => Number(row.cells[0].textContent))"
SAID = "return document.querySelector('.filters p').textContent"
CHOOSE = """
const field = document.querySelector(`.filters [name=${arguments[0]}]`);
field.value = arguments[1];
field.dispatchEvent(new Event("input", { bubbles: true }));
"""


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> list[MatchView]:
    """Of a league in `site`, which has pages of ten matches."""
    folder = tmp_path_factory.getbasetemp() / "lists"
    folder.mkdir()
    with (
        pytest.MonkeyPatch.context() as patch,
        played.play(folder / "league.db", League(bots=BOTS, seats=3, rounds=3, cycles=2)) as database,
    ):
        patch.setattr(listing, "PER_PAGE", 10)
        write_site(database, folder / "site")
        return Reader(database).matches(1)


@pytest.fixture
def site(matches: list[MatchView], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp() / "lists" / "site" / "matches"


def shown(browser: Chrome) -> list[int]:
    """The numbers of the matches in the list, once all are loaded."""
    from selenium.webdriver.support.ui import WebDriverWait

    ready = "const said = document.querySelector('.filters p').textContent;"
    WebDriverWait(browser, 10).until(
        lambda found: found.execute_script(f"{ready} return !location.hash.slice(1) || said !== ''")
    )
    numbers: list[int] = browser.execute_script(SHOWN)
    return numbers


def choose(browser: Chrome, **choices: str) -> list[int]:
    for name, value in choices.items():
        browser.execute_script(CHOOSE, name, value)
        shown(browser)
    return shown(browser)


def margin(match: MatchView) -> int:
    totals = [seat.total for seat in match.seats]
    return max(totals) - min(totals)


def test_a_page_lists_its_own_matches_until_something_is_chosen(browser: Chrome, site: Path) -> None:
    show(browser, (site / "page-2.html").as_uri())
    assert shown(browser) == [*range(11, 21)]
    assert browser.find_element("css selector", ".filters").is_displayed()
    assert [link.text for link in browser.find_elements("css selector", ".pages a")][:4] == [
        "First",
        "Previous",
        "Next",
        "Last",
    ]
    assert log(browser, "browser") == []


def test_a_choice_goes_over_all_pages_and_can_be_taken_back(
    browser: Chrome, site: Path, matches: list[MatchView]
) -> None:
    show(browser, (site / "page-2.html").as_uri())
    faulty = [match.number for match in matches if match.faults]
    assert faulty
    assert choose(browser, fault="any") == faulty
    assert browser.execute_script(SAID) == f"{len(faulty)} of {len(matches)} matches"
    assert not browser.find_element("css selector", ".pages").is_displayed()
    browser.find_element("css selector", ".filters button").click()
    assert shown(browser) == [*range(11, 21)]


def test_choices_come_together_and_stand_in_the_address(
    browser: Chrome, site: Path, matches: list[MatchView]
) -> None:
    show(browser, (site / "index.html").as_uri() + "#bot=low---order&with=moody&from=50&order=far")
    expected = [
        match
        for match in matches
        if {"low---order", "moody"} <= {seat.bot for seat in match.seats} and margin(match) >= 50
    ]
    expected.sort(key=lambda match: (-margin(match), match.number))
    assert shown(browser) == [match.number for match in expected]
    nearer = [match.number for match in matches if match in expected and margin(match) <= 100]
    assert choose(browser, to="100", order="") == nearer
    assert browser.current_url.endswith("#bot=low---order&with=moody&from=50&to=100")
    assert log(browser, "browser") == []


def test_a_filtered_row_reads_like_the_one_it_stands_for(browser: Chrome, site: Path) -> None:
    texts = f"{ROWS}.map((row) => [row.innerText, row.querySelector('a').href])"
    show(browser, (site / "index.html").as_uri())
    before = browser.execute_script(texts)
    choose(browser, **{"from": "0"})
    assert browser.execute_script(texts)[:10] == before
    assert any("Low & Order" in text for text, _ in before)
