"""The pages in a real browser: see `conftest` for what that needs.

`test_browser_kinds` opens a page of each kind at several widths; here is what it does not look at.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.reports.browsing import log, requests, served, show
from tests.reports.kinds import KINDS, folder_of, page_of

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

SCHEMES = ("light", "dark")
CONTRAST = 4.5  # WCAG 2.1, 1.4.3 (AA), text of any size

LOW_CONTRAST = """
const parse = c => {  // rgb(1, 2, 3), or what a mixture computes to: color(srgb 0.1 0.2 0.3)
  const found = c.match(/[\\d.]+/g).map(Number);
  return c.startsWith("color(srgb") ? found.map((v, n) => n < 3 ? v * 255 : v) : found;
};
const light = ([r, g, b]) => {
  const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
};
const ground = e => {
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return [255, 255, 255];
};
const low = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0;
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement, box = element.getBoundingClientRect();
  if (!walker.currentNode.data.trim() || box.width < 2 || box.height < 2) continue;
  const style = getComputedStyle(element), svg = element.namespaceURI.endsWith("svg");
  const [a, b] = [light(parse(svg ? style.fill : style.color)), light(ground(element))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  seen++;
  if (ratio < arguments[0]) low.push([walker.currentNode.data.trim(), ratio]);
}
return [seen, low];
"""

SCROLLERS = """
return [...document.querySelectorAll("body *")]
  .filter(e => ["auto", "scroll"].includes(getComputedStyle(e).overflowX))
  .filter(e => e.scrollWidth > e.clientWidth + 1 && e.tabIndex < 0).map(e => e.outerHTML.slice(0, 80));
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A running league with long names, faults, stderr, and a house bot."""
    return folder_of(tmp_path_factory) / "site"


def test_pages_open_from_a_file_without_errors_or_requests_outside(
    browser: Chrome, tmp_path_factory: pytest.TempPathFactory
) -> None:
    requests(browser)
    for kind in KINDS:
        show(browser, page_of(tmp_path_factory, kind))
        assert log(browser, "browser") == []
        styled = browser.execute_script("return getComputedStyle(document.querySelector('.skip')).position")
        assert styled == "absolute", "the style sheet was not loaded"
        asked = requests(browser)
        assert any(address.endswith(".css") for address in asked)
        # The browser's own first page may still be loading what it has inside.
        assert {address.split(":")[0] for address in asked} <= {"file", "data", "chrome"}


def test_paper_is_white_whatever_the_screen_is(browser: Chrome, site: Path) -> None:
    show(browser, f"{(site / 'matches/replay.html').as_uri()}#m1", scheme="dark")
    media = {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    ground = browser.execute_script("return getComputedStyle(document.documentElement).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    assert browser.execute_script(LOW_CONTRAST, CONTRAST)[1] == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_dark_is_dark_and_light_is_light(browser: Chrome, site: Path) -> None:
    grounds = []
    for scheme in SCHEMES:
        show(browser, (site / "index.html").as_uri(), scheme=scheme)
        colour = "return getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/g)"
        grounds.append(sum(map(int, browser.execute_script(colour))))
    assert grounds[0] > 700
    assert grounds[1] < 100


def test_the_keyboard_reaches_the_content_first(browser: Chrome, site: Path) -> None:
    from selenium.webdriver import ActionChains, Keys

    show(browser, (site / "index.html").as_uri())
    ActionChains(browser).send_keys(Keys.TAB).perform()
    focused = browser.switch_to.active_element
    assert focused.text == "Skip to the content"
    focused.send_keys(Keys.ENTER)
    assert browser.switch_to.active_element.get_attribute("id") == "main"


def test_symbols_of_the_suits_are_decoration_beside_their_letters(browser: Chrome, site: Path) -> None:
    show(browser, f"{(site / 'matches/replay.html').as_uri()}#m1")
    script = """
        const shown = (cell, letter) => [letter, getComputedStyle(cell, "::before").content,
          getComputedStyle(cell).color];
        const cells = (selector) => [...document.querySelectorAll(selector)];
        return [
          cells(".tricks td").filter((cell) => /[SHDCP]/.test(cell.textContent))
            .map((cell) => shown(cell, cell.textContent[0])),
          cells(".hands td").filter((cell) => cell.textContent)
            .map((cell) => shown(cell, cells(".hands th")[cell.cellIndex].textContent[0])),
          cells(".hands td s").map((cards) => getComputedStyle(cards, "::before").content)
        ];
        """
    tricks, hands, passes = browser.execute_script(script)
    for cards in (tricks, hands):
        found = {tuple(card) for card in cards}
        symbols = {(letter, content[1]) for letter, content, _ in found}
        assert symbols == set(zip("SHDCP", "♠♥♦♣★", strict=True))
        assert all(content.endswith('/ ""') for _, content, _ in found), "symbols are not read out"
        assert len({colour for _, _, colour in found}) == len(found) == 5
    assert {tuple(card) for card in hands} == {tuple(card) for card in tricks}
    assert len(passes) > 4
    assert all(content.endswith('/ "passes "') for content in passes), "those who listen must know of passes"


def test_pages_work_from_a_web_server_too(browser: Chrome, site: Path) -> None:
    with served(site) as root:
        requests(browser)
        show(browser, root)
        browser.find_element("link text", "Matches").click()
        browser.find_element("link text", "1").click()
        assert browser.title.startswith("Match 1 ")
        assert log(browser, "browser") == []
        assert all(address.startswith((root, "data:")) for address in requests(browser))
