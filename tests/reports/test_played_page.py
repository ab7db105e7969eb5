"""The page of one match that belongs to no league: one file, with what decisions cost."""

from __future__ import annotations

from dataclasses import replace

from arena.deals import MatchKey
from arena.verify.match_file import MatchFile
from reports import CostlyDecision, LookBack, played_page
from tests.reports.parsed import Element, parsed
from tests.reports.test_hostile import NAMES
from tests.store.samples import played

FILE = MatchFile(1, ("You", "Sharp", "Count", "Duck"), played(MatchKey(0, 0, 0)))
BACK = LookBack(
    seat=0,
    tried=52,
    a_round=(12.5, 3.25),
    costly=(
        CostlyDecision(1, 3, ("S7",), ("P2",), 8.25, 1.0),
        CostlyDecision(0, 0, ("S1", "S3"), ("S1", "H2"), 7.0, 2.0),
    ),
)


def page(file: MatchFile = FILE, back: LookBack | None = None) -> Element:
    return parsed(played_page(file, back).decode())


def test_it_shows_the_match_and_loads_nothing() -> None:
    found = page()
    assert found.one("h1").text == "A match of You, Sharp, Count and Duck"
    assert "it belongs to no league" in found.text
    assert [script.attributes.get("type") for script in found.all("script")] == [
        "application/json",
        None,
        None,
    ]
    for element in found.walk():
        assert "src" not in element.attributes
        assert element.attributes.get("href", "#").startswith("#")
    assert "league’s database" not in found.text
    assert not found.all("nav")


def test_the_same_match_gives_the_same_bytes() -> None:
    assert played_page(FILE, BACK) == played_page(FILE, BACK)


def test_what_decisions_cost_with_links_to_the_cards() -> None:
    found = page(back=BACK)
    table = found.one("table", "differing")
    rows = [[cell.text for cell in row] for row in table.rows()[1:]]
    assert rows == [
        ["round 1, trick 2", "S7", "P2", "8.2 ± 1.0"],
        ["round 0, pass", "S1 S3", "S1 H2", "7.0 ± 2.0"],
    ]
    links = [link.attributes["href"] for link in table.all("a")]
    assert links == ["#r1t2s0", "#r0p"]
    assert "52 decisions with a choice were tried. Added up over a round" in found.text
    assert "expected to cost 12.5 ± 3.2 points" in found.text


def test_what_is_not_known_is_not_said() -> None:
    found = page(back=replace(BACK, a_round=None, costly=()))
    assert "52 decisions with a choice were tried. None of them surely cost a point or more." in found.text
    assert not found.all("table", "differing")


def test_hostile_names_stay_text() -> None:
    file = replace(FILE, names=(*NAMES[:3], "Duck"))
    found = page(file, BACK)
    assert len(found.all("script")) == 3
    assert not found.all("img")
    assert "\u202e" not in played_page(file).decode()
    assert page(replace(FILE, names=(*NAMES[3:6], "Duck"))).one("h1")
