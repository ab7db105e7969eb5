"""In a browser: the page of a match as one file, and words and edges of tables on a narrow screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import ReportOptions, match_file, write_site
from tests.reports import played
from tests.reports.browsing import log, requests, show
from tests.reports.played import Bot, League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

LETTERS = "abcdefghijklmnopqrstuvwxyz" * 2
USUAL = ("Count", "Grandmaster", "Conservative", "Greedy Algorithm")
LONG = (LETTERS[:40], f"{LETTERS[:39]}x", "W" * 40, "<img src=x>")
BROKEN = """
const broken = [];
for (const cell of document.querySelectorAll("h1, h2, h3, th, td")) {
  if (!cell.offsetParent || cell.closest(".replay")) continue;
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const word of texts.currentNode.data.matchAll(/[\\p{L}\\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, word.index);
      range.setEnd(texts.currentNode, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map(box => Math.round(box.top)));
      if (lines.size > 1 && word[0].length < 14) broken.push(word[0]);
    }
  }
}
return broken;
"""
OVERLAPPING = """
const names = [...document.querySelectorAll(".grid thead bdi")].map(name => name.getBoundingClientRect());
return names.some((name, at) => at && name.left < names[at - 1].right);
"""
PAGES = ("index.html", "health.html", "matches/replay.html#m1", "matches/index.html", "bots/{}.html")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two sites, of bots with usual and with long names, and a match of the first as one file."""
    folder = tmp_path_factory.mktemp("narrow")
    for name, names in (("usual", USUAL), ("long", LONG)):
        bots = tuple(Bot(each, played.low, fault_rate=0.01 * number) for number, each in enumerate(names))
        with played.play(folder / f"{name}.db", League(bots=bots)) as database:
            write_site(database, folder / name)
            (folder / f"{name}.html").write_bytes(match_file(database, 1, 2, ReportOptions()))
    return folder


@pytest.mark.slow
def test_one_file_is_whole(browser: Chrome, folder: Path) -> None:
    show(browser, "about:blank")
    log(browser, "browser")
    requests(browser)
    page, said = (
        (folder / "usual.html").as_uri(),
        "return document.querySelector('#replay .said').textContent",
    )
    show(browser, f"{page}#r1t2s3")
    assert all(asked.startswith(page) for asked in requests(browser))
    assert browser.execute_script(said).startswith("Round 1, trick 2: ")
    browser.find_element("css selector", "#replay button").send_keys("n")
    assert browser.execute_script(said).startswith("Round 2: ")
    assert browser.current_url == f"{page}#r2"
    assert log(browser, "browser") == [], "the policy of the file allows all that is inside"
    place = "return getComputedStyle(document.querySelector('.skip')).position"
    assert browser.execute_script(place) == "absolute", "the style inside counts"


@pytest.mark.slow
def test_axe_finds_nothing_in_one_file(browser: Chrome, axe: str, folder: Path) -> None:
    show(browser, (folder / "long.html").as_uri(), 320, "dark")
    assert browser.execute_script("return document.documentElement.scrollWidth") <= 320
    browser.execute_script(axe)
    found = browser.execute_async_script("axe.run(document).then(arguments[0])")
    assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []
    assert "<img src=x>" in browser.find_element("css selector", ".result").text
    assert not browser.find_elements("css selector", "img"), "a name is text, whatever it is"


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_usual_words_are_whole_on_a_narrow_screen(browser: Chrome, folder: Path, name: str) -> None:
    for site, bot in (("usual", "grandmaster"), ("long", LONG[0])):
        show(browser, f"{(folder / site).as_uri()}/{name.format(bot)}", 320)
        assert browser.execute_script(BROKEN) == []
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 320


@pytest.mark.slow
@pytest.mark.parametrize("site", ["usual", "long"])
def test_names_above_points_do_not_overlap(browser: Chrome, folder: Path, site: str) -> None:
    show(browser, f"{(folder / site).as_uri()}/matches/replay.html#m1", 320)
    assert browser.execute_script(OVERLAPPING) is False
