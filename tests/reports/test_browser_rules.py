"""The rules in a real browser: in several scripts, at the widths of phones and desks, light and dark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import Replays, ReportOptions, write_site
from tests.reports import played
from tests.reports.browsing import log, requests, show
from tests.reports.played import Bot, League
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST, SCHEMES, SCROLLERS, WIDTHS

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

TAGS = ("de", "el", "fi", "hu", "ko", "ru", "zh-hant")


@pytest.fixture(scope="module", params=[4, 8])
def rules(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The page of the rules in some languages, for a table of four and of eight."""
    folder, seats = tmp_path_factory.mktemp("rules"), int(request.param)
    league = League(bots=tuple(Bot(f"Bot {n}") for n in range(seats)), seats=seats, matches=1, seed="known")
    with played.play(folder / "league.db", league) as database:
        write_site(database, folder / "site", ReportOptions(replays=Replays.NONE))
    return [folder / "site" / "rules.html", *(folder / "site" / "rules" / f"{tag}.html" for tag in TAGS)]


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
def test_the_rules_fit_every_width_and_load_nothing_from_elsewhere(
    browser: Chrome, rules: list[Path], width: int
) -> None:
    requests(browser)
    for path in rules:
        show(browser, path.as_uri(), width)
        inner, widest = browser.execute_script(
            """
            const boxes = [...document.querySelectorAll("main *")].filter(e => !e.closest(".scroll"));
            const right = e => e.getBoundingClientRect().right;
            return [document.documentElement.scrollWidth, Math.max(...boxes.map(right))];
            """
        )
        assert inner <= width, path
        assert widest <= width, path
        assert browser.execute_script(SCROLLERS) == []
        assert log(browser, "browser") == []
    assert {address.split(":")[0] for address in requests(browser)} <= {"file", "data"}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_rules_can_be_read_by_everybody(
    browser: Chrome, axe: str, rules: list[Path], scheme: str
) -> None:
    """With enough contrast, and as the rules of axe demand: languages, headings, names of tables."""
    options = json.dumps({"rules": {"color-contrast": {"enabled": False}}})  # slow, and tested here
    for path in rules:
        show(browser, path.as_uri(), 375, scheme)
        seen, low = browser.execute_script(LOW_CONTRAST, CONTRAST)
        assert seen > 100
        assert low == [], path
        browser.execute_script(axe)
        found = browser.execute_async_script(f"axe.run(document, {options}).then(arguments[0])")
        assert len(found["passes"]) > 20
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == [], path


@pytest.mark.slow
def test_a_reader_finds_another_language_and_back(browser: Chrome, rules: list[Path]) -> None:
    show(browser, rules[0].as_uri())
    for name, language in (("Deutsch", "de"), ("ελληνικά", "el"), ("English", "en")):
        link = browser.find_element("css selector", f".languages a[hreflang={language}]")
        browser.execute_script("arguments[0].click()", link)  # wherever smooth scrolling has come to
        assert browser.execute_script("return document.documentElement.lang") == language
        here = browser.find_element("css selector", ".languages [aria-current]")
        assert here.text == name
    browser.find_element("link text", "Leaderboard").click()
    assert browser.current_url.endswith("/index.html")
