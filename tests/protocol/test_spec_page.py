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
    since = {key.since for message in message_shapes() for key in message.keys}
    assert since == {"0.1.0"}
    assert "(since" not in "".join(parts().values())


def test_titles_say_what_answers() -> None:
    assert [title(shape) for shape in message_shapes()][:3] == [
        "hello (answer: ready)", "ready", "start (no answer)",
    ]  # fmt: skip
