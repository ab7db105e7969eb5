"""The rules in a real browser: from one language to another, and back to the league."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reports.browsing import show
from tests.reports.kinds import page_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.mark.slow
def test_a_reader_finds_another_language_and_back(
    browser: Chrome, tmp_path_factory: pytest.TempPathFactory
) -> None:
    show(browser, page_of(tmp_path_factory, "rules"))
    for name, language in (("Deutsch", "de"), ("ελληνικά", "el"), ("English", "en")):
        link = browser.find_element("css selector", f".languages a[hreflang={language}]")
        browser.execute_script("arguments[0].click()", link)  # wherever smooth scrolling has come to
        assert browser.execute_script("return document.documentElement.lang") == language
        here = browser.find_element("css selector", ".languages [aria-current]")
        assert here.text == name
    browser.find_element("link text", "Leaderboard").click()
    assert browser.current_url.endswith("/index.html")
