"""French pages in a real browser: their scripts read the tables as the English ones do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import ReportOptions, write_site
from tests.reports import played
from tests.reports.browsing import log, resize, show
from tests.reports.played import League
from tests.shared import once

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

BOX = "document.querySelector('#replay')"
STATE = f"""return [{BOX}.querySelector(".said").textContent,
  [...{BOX}.querySelectorAll(".chip")].map(one => [one.querySelector(".dealer").childNodes.length,
    one.querySelector("bdi").textContent, one.querySelector(".points b").textContent])]"""
SORTED = """const table = document.querySelector(".sortable"), at = arguments[0];
table.tHead.rows[0].cells[at].querySelector("button").click();
return [...table.tBodies].flatMap(body => [...body.rows]).filter(row => row.cells[1])
  .map(row => row.querySelector("a").getAttribute("href"))"""
SORTABLE = """return [...document.querySelector(".sortable").tHead.rows[0].cells]
  .filter(head => head.querySelector("button")).map(head => head.cellIndex)"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(folder: Path) -> None:
        league = League(bots=played.FIVE[:4], seats=3, rounds=3, cycles=2)
        with played.play(folder / "league.db", league) as database:
            write_site(database, folder / "site", ReportOptions(languages=("en", "fr")))

    return once(tmp_path_factory, "french-in-a-browser", make) / "site"


@pytest.mark.parametrize("anchor", ["r0", "r0p", "r1t0c0", "r2t3c2"])
def test_the_card_table_says_the_same(browser: Chrome, site: Path, anchor: str) -> None:
    found = []
    for folder in (site, site / "fr"):
        show(browser, "about:blank")
        browser.get(f"{(folder / 'matches/1.html').as_uri()}#{anchor}")
        said, chips = browser.execute_script(STATE)
        found.append((re.findall(r"[SHDCP]?\d+", said), chips))
        assert said.startswith("Manche " if folder.name == "fr" else "Round ")
    assert found[0] == found[1]
    assert sum(dealer > 0 for dealer, _, _ in found[1][1]) == 1
    assert log(browser, "browser") == []


@pytest.mark.parametrize("width", [320, 1100])
def test_the_controls_of_the_card_table_fit(browser: Chrome, site: Path, width: int) -> None:
    show(browser, (site / "fr/matches/1.html").as_uri(), width)
    wide = "return [document.documentElement.scrollWidth, innerWidth]"
    scrolls, inner = browser.execute_script(wide)
    assert scrolls <= inner
    buttons = f"return [...{BOX}.querySelectorAll('.steps button')].map(one => [one.textContent, one.title])"
    assert browser.execute_script(buttons) == [
        ["", "Début"], ["", "Reculer"], ["Poursuivre", "Poursuivre"], ["", "Avancer"], ["", "Fin"],
    ]  # fmt: skip
    resize(browser, 1100, "light")


def test_tables_are_sorted_alike(browser: Chrome, site: Path) -> None:
    show(browser, (site / "index.html").as_uri())
    columns = browser.execute_script(SORTABLE)
    assert len(columns) > 2
    for column in columns:
        orders = []
        for folder in (site, site / "fr"):
            show(browser, (folder / "index.html").as_uri())
            orders.append(browser.execute_script(SORTED, column))
        assert orders[0] == orders[1], column


def test_filters_count_in_french(browser: Chrome, site: Path) -> None:
    show(browser, f"{(site / 'fr/matches/index.html').as_uri()}#order=near")
    from selenium.webdriver.support.ui import WebDriverWait

    said = "return document.querySelector('.filters p').textContent"
    WebDriverWait(browser, 20).until(lambda found: found.execute_script(said))
    assert re.fullmatch(r"(\d+) sur \1 parties", browser.execute_script(said))
