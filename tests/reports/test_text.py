"""How text and numbers are written."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.score.words import points
from reports import text


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("plain & <b>", "plain & <b>"),
        ("Zoë 東京 ♠", "Zoë 東京 ♠"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("a\x00b\x1b\x7f\r", r"a\x00b\x1b\x7f\x0d"),
        ("\u202eabc\u2069", r"\u202eabc\u2069"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("line\u2028paragraph\u2029", r"line\u2028paragraph\u2029"),
        ("\U000e0041", r"\U000e0041"),
        ("\ud800", r"\ud800"),
        ("a\u3164\U0001d159", r"a\u3164\U0001d159"),
    ],
)
def test_what_cannot_be_seen_is_written_out(given_text: str, shown: str) -> None:
    assert text.visible(given_text) == shown


@given(st.text(st.characters()))
def test_visible_text_has_nothing_invisible_and_can_be_encoded(any_text: str) -> None:
    shown = text.visible(any_text)
    shown.encode()
    hidden = {
        c for c in shown if unicodedata.category(c)[0] == "C" or unicodedata.category(c) in ("Zl", "Zp")
    }
    assert hidden <= {"\n", "\t"}
    assert text.visible(shown) == shown


def test_numbers_have_one_form() -> None:
    assert [text.points(value) for value in (0.0, -0.001, 61.5, -3.14159, 1234.567)] == [
        "0.00", "0.00", "61.50", "−3.14", "1,234.57",
    ]  # fmt: skip
    assert [text.milliseconds(us) for us in (0, 41, 3_140, 120_400, 1_250_000)] == [
        "0.00 ms", "0.04 ms", "3.1 ms", "120 ms", "1.25 s",
    ]  # fmt: skip
    assert text.number(-12345) == "−12,345"
    assert [points(number) for number in (0.5, 1.0, 1.5)] == ["0.5 points", "1 point", "1.5 points"]


def test_lists_and_places() -> None:
    assert [text.listed(items) for items in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == [
        "", "A", "A and B", "A, B and C",
    ]  # fmt: skip
    assert [text.ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st",
    ]  # fmt: skip
