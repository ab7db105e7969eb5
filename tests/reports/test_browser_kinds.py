"""A page of each kind in both browsers, at four widths, light and dark: accessible, and without an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from tests.reports.browsers import Browser
from tests.reports.kinds import KINDS, NEEDS_SCRIPTS, page_of
from tests.reports.parsed import parsed
from tests.reports.test_browser import CONTRAST, LOW_CONTRAST, SCROLLERS

pytestmark = pytest.mark.slow

WIDTHS = (320, 375, 768, 1100)
RULES: dict[str, object] = {"light": {}, "dark": {"runOnly": ["color-contrast"]}}
"""Options of axe by colour scheme: all rules in the first; the other can change nothing but colours."""

READY = """
return new Promise((done) => {
  const look = () => {
    if (!document.querySelector("#replay") && document.querySelector(".round")) return setTimeout(look, 20);
    for (const part of [...document.querySelectorAll("details")].slice(0, 2)) part.open = true;
    done();
  };
  look();
});
"""
"""Waits for what a script fills, and opens two of what is closed."""

AXE = """
return axe.run(document, arguments[0]).then((found) => [
  found.passes.length,
  found.violations.map((rule) => [rule.id, rule.nodes.map((node) => node.html.slice(0, 200))]),
]);
"""

UNSEEN = """
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (walker.currentNode.data.trim() && !element.getClientRects().length && !element.closest("details"))
    found.push(element.closest("[hidden]")?.className ?? element.outerHTML);
}
return [...new Set(found)];
"""
"""What has text that is not laid out: the class of the hidden part that it is in, or itself."""


@pytest.fixture
def shown(either: Browser, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, int, str], Browser]:
    """Loads a page of a kind."""

    def show(kind: str, width: int, scheme: str) -> Browser:
        either.show(page_of(tmp_path_factory, kind), width, scheme)
        return either

    return show


@pytest.mark.parametrize("kind", KINDS)
def test_everybody_can_use_it(shown: Callable[[str, int, str], Browser], axe: str, kind: str) -> None:
    for width in WIDTHS:
        browser = shown(kind, width, next(iter(RULES)))
        browser.run(READY)
        wide = browser.run("return document.documentElement.scrollWidth;")
        assert wide <= width, f"{wide} pixels of {width}"
        assert browser.run(SCROLLERS) == [], "what scrolls must be reached by keyboard"
        browser.run(axe)
        for scheme, rules in RULES.items():
            browser.resize(width, scheme)
            assert browser.run(LOW_CONTRAST, CONTRAST)[1] == [], (width, scheme)
            passes, violations = browser.run(AXE, rules)
            assert passes > 20 or rules
            assert violations == [], (width, scheme)
        assert browser.errors() == []


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - set(NEEDS_SCRIPTS)))
def test_without_scripts_it_is_complete(
    either: Browser, tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    address = page_of(tmp_path_factory, kind)
    with either.without_scripts():
        either.show(address)
        text = either.run("return document.body.textContent;")
        unseen = either.run(UNSEEN)
    served = parsed(Path(url2pathname(urlsplit(address).path)).read_text(encoding="utf-8"))
    # A browser drops the blanks between the parts of a table.
    assert "".join(text.split()) == "".join(served.one("body").text.split())
    assert set(unseen) <= {"filters"}, "only the filter of the list, which is a script's, is not there"
    assert either.errors() == []
