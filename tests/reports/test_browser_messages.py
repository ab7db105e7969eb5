"""The page of a match's messages in a real browser: see `conftest`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import Publish, ReportOptions, write_site
from tests.reports import played
from tests.reports.browsing import log, requests, show
from tests.reports.played import Bot, League
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST, SCHEMES, SCROLLERS, WIDTHS

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

OPEN_ALL = "document.querySelectorAll('details').forEach(part => { part.open = true; })"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One session, with long names, faults, and a bot that is replaced."""
    folder = tmp_path_factory.mktemp("messages")
    bots = (
        Bot("Unbrokenlylongnameofabotwithfortyletters", played.low),
        Bot("Moody", fault_rate=0.05, sent="x" * 80, stderr="y" * 500),
        Bot("東京のカード"),
        Bot("Silent", fault_rate=1.0),
    )
    with played.play(folder / "league.db", League(bots=bots)) as database:
        write_site(database, folder / "site", ReportOptions(publish=frozenset(Publish)))
    return folder / "site"


@pytest.fixture(scope="module")
def page(site: Path) -> str:
    return (site / "matches" / "1-messages.html").as_uri()


def test_it_is_reached_from_the_match_and_leads_back(browser: Chrome, site: Path) -> None:
    from selenium.webdriver import Keys

    requests(browser)
    show(browser, (site / "matches" / "1.html").as_uri())
    browser.find_element("link text", "Messages of this match").send_keys(Keys.ENTER)
    assert browser.title.startswith("Messages of match 1 ")
    assert log(browser, "browser") == []
    assert {address.split(":")[0] for address in requests(browser)} <= {"file", "data"}
    browser.find_element("link text", "← Match 1").click()
    assert browser.title.startswith("Match 1 ")


def test_a_round_opens_by_keyboard(browser: Chrome, page: str) -> None:
    from selenium.webdriver import Keys

    show(browser, page)
    assert browser.execute_script("return document.querySelectorAll('details[open]').length") == 0
    summary = browser.find_element("css selector", "#s0r2 summary")
    summary.send_keys(Keys.ENTER)
    line = browser.find_element("css selector", "#s0r2 dd")
    assert json.loads(line.text)["type"] == "pass"


@pytest.mark.parametrize("width", WIDTHS)
def test_it_does_not_scroll_sideways(browser: Chrome, page: str, width: int) -> None:
    show(browser, page, width)
    browser.execute_script(OPEN_ALL)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
    assert browser.execute_script(SCROLLERS) == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_it_can_be_read(browser: Chrome, axe: str, page: str, scheme: str) -> None:
    show(browser, page, 375, scheme)
    browser.execute_script(OPEN_ALL)
    seen, low = browser.execute_script(LOW_CONTRAST, CONTRAST)
    assert seen > 500
    assert low == []
    browser.execute_script(axe)
    options = json.dumps({"rules": {"color-contrast": {"enabled": False}}})  # slow, and tested above
    found = browser.execute_async_script(f"axe.run(document, {options}).then(arguments[0])")
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []
