"""Names and texts that bots and league files could bring along to break a page, or to fool its reader."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

import reports
from arena.store.views import Role
from reports import Publish, ReportOptions, write_site
from tests.reports import played
from tests.reports.parsed import Element, parsed
from tests.reports.played import Bot, League
from tests.reports.replayed import matches_of

pytestmark = pytest.mark.usefixtures("few_languages")

MARKUP = "</title></pre><script>alert(1)</script>"
EVENTS = "\"'><img src=x onerror=alert(1)>"
BIDI = "evil\u202egnp.\u2066exe\u200b"
CONTROL = "\x1b[31mred\x00\x07\x85\ud7ff"
FORMULA = '=HYPERLINK("http://x.invalid")'
TEMPLATE = "{{ site }}{% raw %}&lt;b&gt;"
NAMES = (MARKUP, EVENTS, BIDI, CONTROL, FORMULA, TEMPLATE)


BARE = re.compile(r"""\s[\w-]+=((?:[^\s"'<>{]|\{\{.*?\}\})+)""")
"""The value of an attribute without quotes, in a template."""

SAFE = {
    "cell.tone", "data", "framed", "group.suit", "one.chunk", "one.last", "one.passed", "page.lang or \"en\"",
    "page.root", "row.path", "shade.tone", 'site.path("/", "icon.svg")', 'site.path(page.root, "icon.svg")',
    '"page" if page.path == "index.html" else "true"',
    '"page" if page.path == "matches/index.html" else "true"',
    '"page" if page.path == "rules.html" else "true"',
}  # fmt: skip
"""What may be printed there: words, numbers and paths that are made here, never a text from elsewhere."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league whose every text is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    bots = tuple(
        Bot(name, author=EVENTS, language=MARKUP, fault_rate=0.1, sent=name * 2, stderr=f"{name}\n{MARKUP}")
        for name in NAMES
    )
    league = League(name=MARKUP + BIDI, bots=(*bots, Bot("house", role=Role.HOUSE)), rounds=2, matches=12)
    with played.play(folder / "league.db", league) as database:
        write_site(database, folder / "site", ReportOptions(publish=frozenset(Publish)))
    return folder / "site"


@cache
def pages(site: Path) -> list[tuple[str, Element]]:
    texts = [path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))]
    return [(text, parsed(text)) for text in texts]


@pytest.mark.slow
def test_no_text_becomes_an_element_or_an_attribute(site: Path) -> None:
    for _, tree in pages(site):
        elements = list(tree.walk())
        scripts = [element.attributes for element in elements if element.tag == "script"]
        ours = re.compile(r"(?:\.\./)?static/(?:board|cards|match|matches)\.[0-9a-f]{12}\.js")
        assert all(ours.fullmatch(own["src"]) for own in scripts)
        assert not {e.tag for e in elements} & {"img", "iframe", "object", "style", "base", "form"}
        for element in elements:
            assert not [name for name in element.attributes if name.startswith("on") or name == "style"]
            assert not element.attributes.get("href", "").lower().startswith("javascript:")


def test_only_what_is_made_here_is_an_attribute_without_quotes() -> None:
    printed: set[str] = set()
    for path in (Path(reports.__file__).parent / "templates").iterdir():
        template = re.sub(r"\{[#%].*?[#%]\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        for value in BARE.findall(template):
            printed.update(re.findall(r"\{\{ (.*?) \}\}", value))
    assert printed == SAFE


def test_nothing_invisible_is_on_a_page(site: Path) -> None:
    for text, _ in pages(site):
        assert {c for c in set(text) if unicodedata.category(c).startswith("C")} == {"\n"}


def test_every_name_can_be_read_as_it_is(site: Path) -> None:
    text = parsed((site / "index.html").read_text(encoding="utf-8")).one("main").text
    for name in (MARKUP, EVENTS, FORMULA, TEMPLATE):
        assert name in text
    assert r"evil\u202egnp.\u2066exe\u200b" in text
    assert r"\x1b[31mred\x00\x07\x85" in text


def test_evidence_and_stderr_are_quoted_as_they_are(site: Path) -> None:
    quoted = "".join(pre.text for _, tree in pages(site) for pre in tree.all("pre"))
    sent = {fault["sent"] for match in matches_of(site).values() for fault in match["faults"]}
    for name in (MARKUP, EVENTS, TEMPLATE):
        assert name * 2 in quoted
        assert name * 2 in sent


def test_data_of_matches_hold_nothing_that_a_page_would_take_for_markup(site: Path) -> None:
    for script in site.glob("data/replay-*.js"):
        text = script.read_text(encoding="utf-8")
        assert text.isascii()
        assert "<" not in text
    names = {name for match in matches_of(site).values() for name in match["names"]}
    assert r"evil\u202egnp.\u2066exe\u200b" in names


def test_names_are_isolated_from_the_direction_of_their_neighbours(site: Path) -> None:
    for _, tree in pages(site):
        for cell in tree.all("th"):
            if MARKUP in cell.text:
                assert any(MARKUP in bdi.text for bdi in cell.all("bdi"))


def test_a_house_bot_stands_apart_without_a_rank(site: Path) -> None:
    table = parsed((site / "index.html").read_text(encoding="utf-8")).one("table", "standings")
    apart = table.one("tbody", "apart").rows()
    assert [cell.text for cell in apart[1][:2]] == ["–", "house house bot"]


def test_a_spreadsheet_finds_no_formula(site: Path) -> None:
    text = (site / "data" / "standings.csv").read_text(encoding="utf-8")
    names = [row["name"] for row in csv.DictReader(io.StringIO(text))]
    assert f"'{FORMULA}" in names
    assert not [name for name in names if name.startswith(("=", "+", "-", "@"))]


def test_programs_get_every_name_exactly(site: Path) -> None:
    document = json.loads((site / "data" / "standings.json").read_text(encoding="utf-8"))
    assert {row["name"] for row in document["standings"]} == {*NAMES, "house"}
    assert document["league"] == MARKUP + BIDI
