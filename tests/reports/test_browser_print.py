"""The pages on paper: how many sheets they take, and what is left out."""

from __future__ import annotations

import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reports import write_site
from tests.reports import played
from tests.reports.browsers import Browser
from tests.reports.browsing import show
from tests.reports.played import Bot, League
from tests.shared import once

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
PAGE = re.compile(rb"/Type\s*/Page\b")

ON_PAPER = """
const seen = (selector) => [...document.querySelectorAll(selector)]
  .filter((element) => element.getClientRects().length).map((element) => element.outerHTML.slice(0, 80));
return [seen("button:not(thead button), input, select, nav a, .replay, .skip"), seen("main p.legend"),
  seen("main table").length];
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five bots, one with the longest name that there may be; no faults."""

    def make(folder: Path) -> None:
        names = ("Unbrokenlylongnameofabotwithfortyletters", "Low", "Random", "Two words", "Greedy")
        with played.play(folder / "league.db", League(bots=tuple(map(Bot, names)), cycles=2)) as database:
            write_site(database, folder / "site")

    return once(tmp_path_factory, "on-paper", make) / "site"


def sheets(pdf: bytes) -> int:
    """How many pages a PDF has. Firefox packs what says so."""
    unpacked = []
    for stream in STREAM.findall(pdf):
        try:
            unpacked.append(zlib.decompressobj().decompress(stream))
        except zlib.error:
            continue
    return sum(len(PAGE.findall(part)) for part in (pdf, *unpacked))


@pytest.mark.parametrize(
    ("page", "most"), [("matches/replay.html#m1", 2), ("index.html", 3), ("bots/low.html", 3)]
)
def test_it_takes_few_sheets(either: Browser, site: Path, page: str, most: int) -> None:
    either.show(f"{site.as_uri()}/{page}", 1100, "dark")
    assert 1 <= sheets(either.printed()) <= most


@pytest.mark.parametrize(
    "page", ["matches/replay.html#m1", "index.html", "bots/low.html", "matches/index.html"]
)
def test_what_can_only_be_used_on_a_screen_is_left_out(browser: Chrome, site: Path, page: str) -> None:
    show(browser, f"{site.as_uri()}/{page}")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        controls, legends, tables = browser.execute_script(ON_PAPER)
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert controls == []
    assert len(legends) == (page == "matches/replay.html#m1")
    assert tables
