"""The page on which a person plays: it holds no card, and all that it names is beside it."""

from __future__ import annotations

import re

import pytest

from reports import seat_files
from tests.reports.parsed import Element, parsed


def named(page: Element) -> set[str]:
    """The files that a page names."""
    attributes = [element.attributes for element in page.walk()]
    return {value for one in attributes for key, value in one.items() if key in ("href", "src")}


@pytest.mark.parametrize("seats", [3, 8])
def test_what_it_names_is_beside_it(seats: int) -> None:
    files = seat_files(seats, 4)
    page = parsed(files.page.decode())
    assert page.one("html").attributes["lang"] == "en"
    assert {f"/{path}" for path in files.beside} >= named(page)
    assert "seat.js" not in " ".join(path for path in files.beside if path.startswith("static/live"))
    assert not re.search(r"\b[SHDCP](?:[1-9]|1\d|20)\b", page.text), "no card is on it"
    policy = page.all("meta")[1].attributes["content"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_the_rules_are_those_of_the_table_in_one_file() -> None:
    rules = parsed(seat_files(4, 6).beside["rules.html"].decode())
    facts = [value.text for value in rules.one("dl", "counts").all("dd")]
    assert facts == ["4", "60", "15", "5", "6"]
    assert {link for link in named(rules) if not link.startswith("#")} == set()
    assert not [link for link in named(rules) if link == "#languages"]


def test_the_scripts_of_a_seat_are_in_no_league() -> None:
    from reports.render import Assets

    assert not {"seat.js", "wording.js", "seat.css"} & Assets.read().paths.keys()
