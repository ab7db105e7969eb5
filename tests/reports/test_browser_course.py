"""How the scores moved, in a real browser: names, leaders, and what is set off by pointing and by keys."""

from __future__ import annotations

import functools
import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import Replays, ReportOptions, write_site
from tests.reports import played
from tests.reports.browsing import log, show
from tests.reports.played import Bot, League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

LAID_OUT = """
const groups = [...document.querySelectorAll(".course g[class^=k]")];
const box = document.querySelector(".course").getBoundingClientRect();
return groups.map(g => {
  const line = g.querySelector("polyline"), last = line.points[line.points.length - 1];
  const end = new DOMPoint(last.x, last.y).matrixTransform(line.getScreenCTM());
  const leader = g.querySelector(":scope > line"), own = leader.getScreenCTM();
  const at = (x, y) => {
    const p = new DOMPoint(x.baseVal.value, y.baseVal.value).matrixTransform(own);
    return [p.x, p.y];
  };
  const text = g.querySelector("text"), name = text.getBBox(), shift = box.top;
  return {name: text.textContent, end: [end.x, end.y],
          from: at(leader.x1, leader.y1), to: at(leader.x2, leader.y2),
          top: name.y + shift, bottom: name.y + name.height + shift, left: name.x + box.left,
          on: g.classList.contains("on")};
});
"""
SEEN = """
const shown = [...document.querySelectorAll(".course g[class^=k]")].filter(g => {
  const band = g.querySelector("polygon");
  return band && Number(getComputedStyle(band).opacity) > 0;
});
return shown.map(g => g.querySelector("text").textContent);
"""
LIT = """
return [".course g.lit text", ".moved tr.lit th"].map(
  one => [...document.querySelectorAll(one)].map(e => e.textContent));
"""


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The first pages of leagues of 6, 12 and 40 bots."""
    ways = (played.low, played.at_random, played.high)
    found = {}
    for size, cycles in ((6, 3), (12, 4), (40, 2)):
        folder = tmp_path_factory.mktemp(f"course-{size}")
        names = ["Unbrokenlylongnameofabotwithfortyletters", *(f"Bot {n}" for n in range(1, size))]
        bots = tuple(Bot(name, ways[n % 3]) for n, name in enumerate(names))
        with played.play(folder / "league.db", League(bots=bots, cycles=cycles)) as database:
            write_site(database, folder / "site", ReportOptions(replays=Replays.NONE))
        found[size] = folder / "site" / "index.html"
    return found


@pytest.mark.slow
@pytest.mark.parametrize("size", [6, 12, 40])
@pytest.mark.parametrize("width", [320, 1100])
def test_every_line_has_a_leader_to_a_name_of_its_own(
    browser: Chrome, sites: dict[int, Path], size: int, width: int
) -> None:
    show(browser, sites[size].as_uri(), width)
    lines = browser.execute_script(LAID_OUT)
    assert len(lines) == size
    for line in lines:
        assert line["from"] == pytest.approx(line["end"], abs=1.5), line["name"]
        assert line["top"] < line["to"][1] < line["bottom"]
        assert 0 < line["left"] - line["to"][0] < 12
    order = sorted(lines, key=lambda line: float(line["top"]))
    for above, below in pairwise(order):
        assert above["bottom"] <= below["top"] + 1, (above["name"], below["name"])
        assert above["end"][1] <= below["end"][1] + 0.5, "leaders do not cross"
    inner = browser.execute_script("return document.documentElement.scrollWidth")
    assert inner <= width
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_the_area_is_that_of_the_chosen_bot(browser: Chrome, sites: dict[int, Path]) -> None:
    from selenium.webdriver.support.ui import Select

    show(browser, sites[12].as_uri())
    names = browser.execute_script(
        "return [...document.querySelectorAll('.moved tbody th')].map(e => e.textContent)"
    )
    assert browser.execute_script(SEEN) == names[:1]
    Select(browser.find_element("css selector", ".course + p select")).select_by_index(4)
    assert browser.execute_script(SEEN) == [names[4]]
    for how in (".moved tbody tr:nth-child(7) td", ".course g.k2 text"):
        element = browser.find_element("css selector", how)
        browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        element.click()
        chosen = browser.execute_script(SEEN)
        assert len(chosen) == 1
        assert chosen[0] == (names[6] if "nth" in how else element.text)
        at = browser.execute_script("return document.querySelector('.course + p select').value")
        assert at == chosen[0]


@pytest.mark.slow
def test_the_line_that_is_pointed_at_or_focused_is_set_off(browser: Chrome, sites: dict[int, Path]) -> None:
    from selenium.webdriver import ActionChains

    show(browser, sites[12].as_uri())
    link = browser.find_element("css selector", ".moved tbody tr:nth-child(3) a")
    name = f"3 {link.text}"
    browser.execute_script("arguments[0].focus()", link)
    assert browser.execute_script(LIT) == [[name], [name]]
    faint = """
        const groups = [...document.querySelectorAll(".course g[class^=k]")];
        const found = groups.filter(g => getComputedStyle(g).opacity == "1");
        return found.map(g => g.querySelector("text").textContent);
    """
    chosen = browser.execute_script(SEEN)
    assert set(browser.execute_script(faint)) == {name, *chosen}, "all others are faint"
    browser.execute_script("arguments[0].blur()", link)
    assert browser.execute_script(LIT) == [[], []]
    row = browser.find_element("css selector", ".moved tbody tr:nth-child(5) td")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", row)
    ActionChains(browser).move_to_element(row).perform()
    fifth = browser.find_element("css selector", ".moved tbody tr:nth-child(5) th").text
    assert browser.execute_script(LIT) == [[fifth], [fifth]]
    # Beside a line, a few pixels off its end: the nearest line.
    drawing = browser.find_element("css selector", ".course")
    browser.execute_script("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", drawing)
    lines = browser.execute_script(LAID_OUT)
    last = max(lines, key=lambda line: float(line["end"][1]))
    actions = ActionChains(browser)
    actions.w3c_actions.pointer_action.move_to_location(int(last["end"][0]) - 3, int(last["end"][1]) + 6)
    actions.perform()
    assert browser.execute_script(LIT)[0] == [last["name"]]


SWAP = """
const rows = document.querySelectorAll(".moved tbody tr");
const texts = [...document.querySelectorAll(".course g[class^=k] text")];
const [name, other] = [2, 3].map(number => texts.find(text => text.textContent.startsWith(`${number} `)));
[name.textContent, other.textContent] = [`2 ${other.textContent.slice(2)}`, `3 ${name.textContent.slice(2)}`];
rows[1].before(rows[2]);
rows[1].querySelector("th").firstChild.data = "3 ";
rows[2].querySelector("th").firstChild.data = "2 ";
document.dispatchEvent(new Event("arena:swapped"));
"""
"""What live.js does when the second and third bot change places: rows go with their bots, lines do not."""


@pytest.mark.slow
def test_a_bot_that_moves_up_keeps_its_interval(browser: Chrome, sites: dict[int, Path]) -> None:
    from selenium.webdriver.support.ui import Select

    show(browser, sites[12].as_uri())
    first = browser.execute_script(SEEN)
    browser.execute_script(SWAP)
    assert browser.execute_script(SEEN) == first, "nobody chose, so the page does"
    show(browser, "about:blank")
    show(browser, sites[12].as_uri())
    Select(browser.find_element("css selector", ".course + p select")).select_by_index(2)
    ((_, name),) = [text.split(" ", 1) for text in browser.execute_script(SEEN)]
    browser.execute_script(SWAP)
    assert browser.execute_script(SEEN) == [f"2 {name}"]
    assert browser.execute_script("return document.querySelector('.course + p select').value") == f"2 {name}"
    browser.execute_script("document.querySelector('.moved tbody tr:nth-child(2) a').focus()")
    assert browser.execute_script(LIT) == [[f"2 {name}"], [f"2 {name}"]]
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_without_a_script_the_first_bot_has_its_interval(browser: Chrome, sites: dict[int, Path]) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        show(browser, sites[12].as_uri())
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    shown = browser.execute_script(SEEN)
    assert len(shown) == 1
    assert browser.find_elements("css selector", ".course + p select") == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_stand_out_from_the_page(browser: Chrome, sites: dict[int, Path], scheme: str) -> None:
    """WCAG 2.1, 1.4.11: graphics have a contrast of 3 to what is beside them."""
    show(browser, sites[6].as_uri(), scheme=scheme)
    colours = browser.execute_script(
        """
        const numbers = c => c.match(/\\d+/g).slice(0, 3).map(Number);
        const lines = [...document.querySelectorAll(".course g > svg")];
        return [numbers(getComputedStyle(document.documentElement).backgroundColor),
                ...lines.map(e => numbers(getComputedStyle(e).stroke))];
        """
    )
    ground, *lines = (_light(colour) for colour in colours)
    assert len(lines) == 6
    assert len({tuple(colour) for colour in colours}) == 7
    assert min((max(line, ground) + 0.05) / (min(line, ground) + 0.05) for line in lines) > 3


def _light(colour: list[int]) -> float:
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.slow
def test_axe_finds_no_violation_in_many_lines(browser: Chrome, axe: str, sites: dict[int, Path]) -> None:
    options = json.dumps({"rules": {"color-contrast": {"enabled": False}}})
    for path in (sites[40], sites[12].parent / "bots" / "bot-1.html"):
        show(browser, path.as_uri(), 320)
        browser.execute_script(axe)
        found = browser.execute_async_script(f"axe.run(document, {options}).then(arguments[0])")
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found["violations"]] == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 1100])
def test_the_page_of_a_bot_does_not_scroll_sideways(
    browser: Chrome, sites: dict[int, Path], width: int
) -> None:
    measured = functools.partial(browser.execute_script, "return document.documentElement.scrollWidth")
    for path in (sites[6].parent / "bots").iterdir():
        show(browser, path.as_uri(), width)
        assert measured() <= width
