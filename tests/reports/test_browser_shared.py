"""The one page that shows every match of a large league: it shows what a page of the match's own would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import selection, write_site
from tests.reports import played
from tests.reports.browsing import log, show
from tests.reports.played import Bot, League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

READY = "return document.querySelector('#replay') !== null || document.querySelector('.round') === null"
TABLES = """
const text = (selector) => [...document.querySelectorAll(selector)].map((element) =>
  element.textContent.replace(/\\s+/g, "").replace(/([SHDCP])/g, " $1"));
return {
  heading: text("h1"), lead: text(".lead"), notice: text(".notice"), seats: text(".grid thead th"),
  grid: text(".grid tbody td"), hands: text(".hands tbody tr"), tricks: text(".tricks tbody tr"),
  result: [...document.querySelectorAll(".result tr")].map((row) => row.innerText.split("\\t").slice(2, 6)),
  taken: [...document.querySelectorAll(".tricks td")].map((cell) => cell.classList.contains("t")),
  passed: [...document.querySelectorAll(".hands td")].map((cell) =>
    [...cell.querySelectorAll("s")].map((cards) => cards.textContent)),
  others: text(".others tbody tr"), papayoo: text(".round > p"),
  more: text(".others b:not(:empty)"), less: text(".others i:not(:empty)"),
  cards: [...document.querySelectorAll(".hands td, .tricks td")].map((cell) =>
    [getComputedStyle(cell).color, getComputedStyle(cell, "::before").content]),
  bots: [...document.querySelectorAll(".result th a:not(.fault)")].map((link) => link.getAttribute("href")),
  costly: text(".hands b, .tricks b, .round > p > i").map((card) => card.replace("*", "")),
};
"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The match pages of one league: with a page each, and with one for all save the last with a fault."""
    folder = tmp_path_factory.mktemp("shared")
    bots = (Bot("Moody", fault_rate=0.03), Bot("A <b>", played.low), Bot("東京", played.high), Bot("Random"))
    with (
        pytest.MonkeyPatch.context() as patch,
        played.play(folder / "league.db", League(bots=bots, cycles=4, matches=14)) as database,
    ):
        write_site(database, folder / "own")
        patch.setattr(selection, "ALL_UP_TO", 1)
        write_site(database, folder / "one")
    return folder / "own" / "matches", folder / "one" / "matches"


def tables(browser: Chrome, address: str) -> dict[str, list[object]]:
    from selenium.webdriver.support.ui import WebDriverWait

    show(browser, "about:blank")
    show(browser, address)
    WebDriverWait(browser, 10).until(lambda found: found.execute_script(READY))
    read: dict[str, list[object]] = browser.execute_script(TABLES)
    return read


def own_pages(sites: tuple[Path, Path]) -> list[int]:
    return [int(path.stem) for path in sites[1].glob("[0-9]*.html")]


def test_it_shows_what_the_page_of_a_match_shows(browser: Chrome, sites: tuple[Path, Path]) -> None:
    (own,) = own_pages(sites)
    log(browser, "browser")
    marked = 0
    for number in {1, 5, 8, 12, 14} - {own}:
        alone = tables(browser, (sites[0] / f"{number}.html").as_uri())
        shared = tables(browser, (sites[1] / "replay.html").as_uri() + f"#m{number}")
        shared["notice"] = [text for text in shared["notice"] if text]
        alone["grid"] = [str(text).rstrip("!") for text in alone["grid"]]  # who erred: on its own page only
        for key in alone.keys() - {"notice"}:
            assert shared[key] == alone[key], key
        assert bool(shared["notice"]) is bool(alone["notice"]) is (number > 12)
        marked += sum("*" in str(text) for text in [*shared["tricks"], *shared["hands"]])
        assert all((sites[1] / str(path)).is_file() for path in shared["bots"])
    assert marked, "the stand-in must have played for this to be a test"
    assert log(browser, "browser") == []


def test_links_lead_to_cards_and_on_to_other_matches(browser: Chrome, sites: tuple[Path, Path]) -> None:
    page, said = (
        (sites[1] / "replay.html").as_uri(),
        "return document.querySelector('#replay .said').textContent",
    )
    tables(browser, f"{page}#m5r2t5c3")
    words = browser.execute_script(said)
    pattern = r"Round 2, trick 5: \S.* plays (the Papayoo )?[SHDCP]\d+(, \S.*| and) takes \d+\."
    assert re.fullmatch(pattern, words)
    browser.execute_script("document.querySelector('#replay').focus()")
    browser.switch_to.active_element.send_keys("n")
    assert browser.current_url == f"{page}#m5r3"
    browser.execute_script("document.querySelector('.grid tbody a').click()")
    assert browser.execute_script(said).startswith("Round 0: ")
    assert browser.current_url == f"{page}#m5r0"
    (own,) = own_pages(sites)
    tables(browser, f"{page}#m{own}r1t2")
    assert browser.current_url.endswith(f"/{own}.html#r1t2")
    shown = tables(browser, f"{page}#m5")["heading"]
    browser.execute_script("document.querySelector('.pager [rel=prev]').click()")
    assert shown != tables(browser, browser.current_url)["heading"]
