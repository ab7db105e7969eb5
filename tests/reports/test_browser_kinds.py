"""A page of each kind, on phones and desks, light and dark: accessible, and without an error."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.reports.browsers import Browser, Chromium
from tests.reports.kinds import KINDS, NEEDS_SCRIPTS, page_of
from tests.reports.parsed import parsed
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST, SCROLLERS

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.slow

LOOKS = ((320, "light"), (1100, "dark"))
"""Widths of a phone and a desk, and the colours in which a page is looked at. Firefox has the phone alone."""

READY = """
return new Promise((done) => {
  const look = () => {
    if (/#m/.test(location.hash) && document.querySelector("#match").hidden) return setTimeout(look, 20);
    for (const part of [...document.querySelectorAll("details")].slice(0, 2)) part.open = true;
    done();
  };
  look();
});
"""
"""Waits for what a script fills, and opens two of what is closed."""

AXE = """
return axe.run().then((found) => [
  found.passes.length,
  found.violations.map((rule) => [rule.id, rule.nodes.map((node) => node.html.slice(0, 200))]),
]);
"""

UNSEEN = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (walker.currentNode.data.trim() && !element.getClientRects().length
      && !element.closest("details, #match"))
    found.push(element.closest("[hidden]")?.className ?? element.outerHTML);
}
return [...new Set(found)];
"""
"""What has text that is not laid out, except a match: the class of the hidden part with it, or itself."""


@pytest.mark.parametrize("kind", KINDS)
def test_everybody_can_use_it(
    either: Browser, tmp_path_factory: pytest.TempPathFactory, axe: str, kind: str
) -> None:
    chromium = isinstance(either, Chromium)
    for width, scheme in LOOKS if chromium else LOOKS[:1]:
        either.show(page_of(tmp_path_factory, kind), width, scheme)
        either.run(READY)
        wide = either.run("return document.documentElement.scrollWidth;")
        assert wide <= width, f"{wide} pixels of {width}"
        assert either.run(SCROLLERS) == [], "what scrolls must be reached by keyboard"
        assert either.run(LOW_CONTRAST, CONTRAST)[1] == [], (width, scheme)
        if chromium:  # the rules of axe look at what is written, alike in both
            either.run(axe)
            passes, violations = either.run(AXE)
            assert passes > 20
            assert violations == [], (width, scheme)
    assert either.errors() == []


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - set(NEEDS_SCRIPTS)))
def test_without_scripts_it_is_complete(
    browser: Chrome, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    address, chromium = page_of(tmp_path_factory, kind), Chromium(browser)
    with chromium.without_scripts():
        chromium.show(address)
        text = chromium.run("return document.body.textContent;")
        unseen = chromium.run(UNSEEN)
    served = parsed(Path(url2pathname(urlsplit(address).path)).read_text(encoding="utf-8"))
    # A browser drops the blanks between the parts of a table.
    assert "".join(text.split()) == "".join(served.one("body").text.split())
    assert set(unseen) <= {"filters"}, "only the filter of the list, which is a script's, is not there"
    assert chromium.errors() == []
