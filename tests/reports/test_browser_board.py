"""The leaderboard's script in a real browser: sorting, filtering, copying."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import write_site
from tests.reports import played
from tests.reports.browsing import log, show
from tests.reports.played import Bot, League

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

NAMES = "return [...document.querySelectorAll('.standings tbody th[scope=row] a')].map(e => e.textContent)"
SHOWN = "return [...document.querySelectorAll('.standings tbody tr')].filter(e => !e.hidden).length"


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("board")
    bots = (
        Bot("Duck", played.low, "Ada"),
        Bot("=Low", played.low),
        Bot('Ran"dom', language="C"),
        Bot("<b>Greedy", played.high),
    )
    with played.play(folder / "league.db", League(bots=bots, seats=3, rounds=3, cycles=8)) as database:
        write_site(database, folder / "site")
    return folder / "site" / "index.html"


def copied(browser: Chrome, form: str) -> str:
    """What a button would copy: the text that is selected when the browser is asked to copy."""
    script = """
    let taken;
    document.execCommand = () => { taken = document.activeElement.value; return true; };
    [...document.querySelectorAll(".tools button")].find(e => e.textContent === arguments[0]).click();
    return taken;
    """
    return str(browser.execute_script(script, form))


@pytest.mark.slow
def test_a_heading_sorts_its_column_up_and_down(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    ranked = browser.execute_script(NAMES)
    browser.execute_script("document.querySelector('.standings th.score button').click()")
    assert browser.execute_script(NAMES) == ranked
    browser.execute_script("document.querySelector('.standings th.score button').click()")
    assert browser.execute_script(NAMES) == ranked[::-1]
    assert browser.execute_script("return document.querySelector('th.score').ariaSort") == "descending"
    browser.execute_script("document.querySelectorAll('.standings thead button')[1].click()")
    assert set(browser.execute_script(NAMES)) == set(ranked)
    assert browser.execute_script(NAMES)[-1] == 'Ran"dom'
    assert browser.execute_script("return document.querySelectorAll('[aria-sort]').length") == 1
    assert log(browser, "browser") == []


@pytest.mark.slow
def test_the_filter_hides_what_does_not_match_and_says_how_many_are_left(
    browser: Chrome, board: Path
) -> None:
    show(browser, board.as_uri())
    field = browser.find_element("css selector", ".tools input")
    field.send_keys("ada")
    assert browser.execute_script(SHOWN) == 1
    assert browser.find_element("css selector", "[role=status]").text == "1 shown"
    field.clear()
    field.send_keys("no such bot")
    assert browser.execute_script(SHOWN) == 0
    said = browser.find_element("css selector", "[role=status]").text
    assert said == "No bot fits. Clear the filter to see all."


@pytest.mark.slow
def test_the_standings_can_be_copied_in_three_forms(browser: Chrome, board: Path) -> None:
    show(browser, board.as_uri())
    names = browser.execute_script(NAMES)
    rows = list(csv.reader(io.StringIO(copied(browser, "CSV"))))
    assert rows[0] == ["#", "Bot", "Ranks", "Group", "Score", "±"]
    assert [row[1] for row in rows[1:]] == names
    document = json.loads(copied(browser, "JSON"))
    assert [row["Bot"] for row in document] == names
    assert [float(row["Score"]) for row in document] == sorted(float(row["Score"]) for row in document)
    text = copied(browser, "text").splitlines()
    assert len(text) == len(names) + 1
    assert all(name in line for name, line in zip(names, text[1:], strict=True))
