"""The leaderboard of a league with many bots in a real browser: groups, filter, sorting, narrow screens."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.browsing import show
from tests.reports.kinds import folder_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow
NAMES = "return [...document.querySelectorAll('.standings tbody th[scope=row] a')].map(e => e.textContent)"
VISIBLE = """return [...document.querySelectorAll('.standings tbody tr')]
    .filter(row => row.getClientRects().length).map(row => row.cells.length)"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The leaderboard of six bots, which are many here."""
    return folder_of(tmp_path_factory) / "many" / "index.html"


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
    assert browser.execute_script(VISIBLE) == [5] * 6


def test_a_group_has_an_address(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    links = browser.find_elements("css selector", ".groups a")
    headings = browser.find_elements("css selector", ".group th[colspan]")
    assert len(links) == len(headings) > 1
    assert links[-1].text in headings[-1].text
