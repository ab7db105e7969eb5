"""The page of a match's messages in a real browser: see `conftest`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.browsing import log, requests, show
from tests.reports.kinds import folder_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory) / "site"


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
