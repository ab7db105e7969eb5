"""The page of one match that belongs to no league: one file, with what another bot would have done."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from arena.deals import MatchKey
from arena.verify.match_file import MatchFile
from reports import AskedBack, Differing, played_page
from tests.reports.parsed import Element, parsed
from tests.reports.test_hostile import NAMES
from tests.store.samples import played

FILE = MatchFile(1, ("You", "Sharp", "Count", "Duck"), played(MatchKey(0, 0, 0)))
ASKED = AskedBack(
    seat=0,
    name="Redeal",
    asked=52,
    a_round=(12.5, 3.25),
    exact=True,
    differing=(
        Differing(0, 0, ("S1", "S3"), ("S1", "H2"), 1.0, 2.0),
        Differing(1, 3, ("S7",), ("P2",), 8.25, 1.0),
        Differing(0, 1, ("S7",), ("P2",), -3.0, 1.0),
    ),
)


def page(file: MatchFile = FILE, asked: AskedBack | None = None) -> Element:
    return parsed(played_page(file, asked).decode())


def test_it_shows_the_match_and_loads_nothing() -> None:
    found = page()
    assert found.one("h1").text == "A match of You, Sharp, Count and Duck"
    assert "it belongs to no league" in found.text
    assert len(found.all("table", "hands")) == len(found.all("table", "tricks")) == len(FILE.record.rounds)
    assert len(found.all("script")) == 2, "the card table is inside"
    for element in found.walk():
        assert "src" not in element.attributes
        assert element.attributes.get("href", "#").startswith("#")
    assert "league’s database" not in found.text
    assert not found.all("nav")


def test_the_same_match_gives_the_same_bytes() -> None:
    assert played_page(FILE, ASKED) == played_page(FILE, ASKED)


def test_what_another_bot_would_have_done_the_costliest_first_with_links_to_the_cards() -> None:
    found = page(asked=ASKED)
    table = found.one("table", "differing")
    rows = [[cell.text for cell in row] for row in table.rows()[1:]]
    assert rows == [
        ["round 1, trick 2", "S7", "P2", "8.2 ± 1.0"],
        ["round 0, pass", "S1 S3", "S1 H2", "1.0 ± 2.0"],
        ["round 0, trick 0", "S7", "P2", "−3.0 ± 1.0"],
    ]
    assert [len(row[3].all("strong")) for row in table.rows()[1:]] == [1, 0, 1], "beyond two errors"
    links = [link.attributes["href"] for link in table.all("a")]
    assert [re.sub(r"c\d$", "", link) for link in links] == ["#r1t2", "#r0p", "#r0t0"]
    leads = int(found.all("table", "tricks")[1].rows()[3][1].text)
    assert links[0] == f"#r1t2c{(0 - leads) % 4}"
    anchors = {element.attributes.get("id") for element in found.walk()}
    assert "r0p" in anchors
    text = found.text
    assert "would have chosen otherwise in 3 of 52 decisions with a choice. Added up over a round" in text
    assert "expected to take 12.5 ± 3.2 points less." in text
    assert "answered differently" not in text


@pytest.mark.parametrize(
    ("a_round", "words"), [((-2.0, None), "take 2.0 points more."), (None, "with a choice.")]
)
def test_what_is_not_known_is_not_said(a_round: tuple[float, None] | None, words: str) -> None:
    text = page(asked=replace(ASKED, a_round=a_round, exact=False, differing=())).text
    assert words in text
    assert "Asked the same twice, Redeal answered differently" in text
    assert not page(asked=replace(ASKED, differing=())).all("table", "differing")


def test_hostile_names_stay_text() -> None:
    file = replace(FILE, names=(*NAMES[:3], "Duck"))
    found = page(file, replace(ASKED, name=NAMES[1]))
    assert len(found.all("script")) == 2
    assert not found.all("img")
    assert "\u202e" not in played_page(file).decode()
    assert page(replace(FILE, names=(*NAMES[3:6], "Duck"))).one("h1")
