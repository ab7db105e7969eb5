"""The lists of matches in a real browser: their filters go over the matches of all pages."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.store import read
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
        return read.matches(database, 1)


@pytest.fixture
def site(matches: list[MatchView], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp() / "lists" / "site" / "matches"


def shown(browser: Chrome) -> list[int]:
    """The numbers of the matches in the list, once it shows what the address says."""
    from selenium.webdriver.support.ui import WebDriverWait

    ready = "const said = document.querySelector('.filters p').textContent;"
    WebDriverWait(browser, 10).until(
        lambda found: found.execute_script(f"{ready} return !location.hash.slice(1) === (said === '')")
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


def test_two_hundred_rows_are_made_at_once_and_more_when_asked_for(
    browser: Chrome, site: Path, matches: list[MatchView], tmp_path: Path
) -> None:
    shutil.copytree(site.parent, tmp_path / "site")
    (script,) = (tmp_path / "site" / "static").glob("matches.*.js")
    few = script.read_text(encoding="utf-8").replace("MOST=200", "MOST=7")
    script.write_text(few, encoding="utf-8")
    show(browser, (tmp_path / "site" / "matches" / "index.html").as_uri() + "#from=0")
    assert shown(browser) == [*range(1, 8)]
    assert browser.execute_script(SAID) == f"{len(matches)} of {len(matches)} matches, the first 7 shown"
    more = browser.find_element("css selector", ".scroll ~ button")
    assert more.text == "Show 7 more"
    while more.is_displayed():
        browser.execute_script("arguments[0].click()", more)
    assert shown(browser) == [match.number for match in matches]
    assert browser.execute_script(SAID) == f"{len(matches)} of {len(matches)} matches"
    assert choose(browser, order="new") == [match.number for match in matches[::-1][:7]], (
        "from the first again"
    )
    assert choose(browser, **{"from": "", "order": ""}) == [*range(1, 11)]
    assert not more.is_displayed()


def test_where_no_match_fits_it_says_which_choice_to_leave_out(
    browser: Chrome, site: Path, matches: list[MatchView]
) -> None:
    show(browser, (site / "index.html").as_uri())
    with_bot = [match.number for match in matches if "duck" in {seat.bot for seat in match.seats}]
    assert choose(browser, bot="duck", **{"from": "700"}) == []
    assert browser.execute_script(SAID) == "No match fits."
    assert not browser.find_element("css selector", ".list").is_displayed()
    offers = browser.find_elements("css selector", ".none button")
    assert [offer.text for offer in offers] == [
        f"Margin from: 700 (then {len(with_bot)} matches)",
        "Clear all",
    ]
    offers[0].click()
    assert shown(browser) == with_bot
    assert browser.execute_script("return document.activeElement.name") == "from"
    assert not browser.find_element("css selector", ".none").is_displayed()
    choose(browser, **{"from": "700", "to": "1"})
    offers = browser.find_elements("css selector", ".none *")
    assert [offer.text for offer in offers] == ["Two choices or more have to go.", "Clear all"]
    offers[-1].click()
    assert shown(browser) == [*range(1, 11)]
    assert log(browser, "browser") == []


def test_fields_are_of_one_height_and_an_empty_result_has_room(browser: Chrome, site: Path, axe: str) -> None:
    width = 320
    show(browser, (site / "index.html").as_uri() + "#bot=duck&from=700", width)
    assert shown(browser) == []
    heights = "return [...document.querySelectorAll('.filters label > *')].map(field => field.offsetHeight)"
    assert len(set(browser.execute_script(heights))) == 1
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    browser.execute_script(axe)
    found = browser.execute_async_script("axe.run(document).then(arguments[0])")
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []
