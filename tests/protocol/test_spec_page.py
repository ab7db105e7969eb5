"""How parts of a page are made anew."""

from __future__ import annotations

import pytest

from protocol.schema import message_shapes
from protocol.spec_page import PageError, filled, parts, table, title

PAGE = "By hand.\n<!-- made: one -->\nold\n<!-- end -->\nBy hand.\n<!-- made: two -->\n<!-- end -->\n"


def test_only_what_stands_between_the_marks_is_replaced() -> None:
    new = filled(PAGE, {"one": "1 \\1\n", "two": "2\n"})
    assert new == PAGE.replace("old\n", "1 \\1\n").replace("two -->\n", "two -->\n2\n")
    assert filled(new, {"one": "old\n", "two": ""}) == PAGE


@pytest.mark.parametrize(
    ("made", "named"), [({"one": ""}, "two"), ({"one": "", "two": "", "three": ""}, "three")]
)
def test_a_part_too_few_or_too_many_is_told(made: dict[str, str], named: str) -> None:
    with pytest.raises(PageError, match=f": {named}$"):
        filled(PAGE, made)


def test_a_part_that_stands_twice_is_told() -> None:
    with pytest.raises(PageError, match=r": one$"):
        filled(PAGE.replace("two", "one"), {"one": ""})


def test_a_table_is_even_and_its_bars_are_escaped() -> None:
    assert table(("a", "b"), [("long", "x|y"), ("s", "")]) == (
        "| a    | b |\n|------|---|\n| long | x\\|y |\n| s    |  |\n"
    )


def test_a_younger_key_says_since_when() -> None:
    since = {(message.name, key.name): key.since for message in message_shapes() for key in message.keys}
    younger = {place: version for place, version in since.items() if version != "0.1.0"}
    assert younger == {("pass", "players"): "0.2.0", ("play", "players"): "0.2.0"}
    made = parts()
    assert [name for name, part in made.items() if "(since" in part] == ["pass", "play"]
    assert "how many seats the table has (since 0.2.0) |" in made["pass"]


def test_a_long_list_is_cut_in_the_table_of_keys_alone() -> None:
    table_of_keys, whole = parts()["play"].split("```json")
    assert '`["S1", "S3", "S9", "H1", …]`' in table_of_keys
    assert '`[{"event": "passed", …}, …]`' in table_of_keys
    assert "…" not in whole


def test_titles_say_what_answers() -> None:
    assert [title(shape) for shape in message_shapes()][:3] == [
        "hello (answer: ready)", "ready", "start (no answer)",
    ]  # fmt: skip
