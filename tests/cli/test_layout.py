"""Text for a terminal: columns are aligned, whatever the names are."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.layout import (
    columns,
    fitted,
    fitted_apart,
    plain,
    points_text,
    prose,
    table,
    width,
    wrapped,
)  # fmt: skip


@given(st.text())
def test_plain_text_cannot_move_the_cursor(text: str) -> None:
    assert all(letter.isprintable() for letter in plain(text))


def test_width_counts_columns() -> None:
    assert width("duck") == 4
    assert width("鴨") == 2
    assert width("e\u0301") == 1


@given(st.text(), st.integers(4, 40))
def test_fitted_text_fits(text: str, most: int) -> None:
    assert width(fitted(text, most)) <= most


@pytest.mark.parametrize(
    ("texts", "most", "shown"),
    [
        (["abcdefghij", "duck"], 8, ["abcde...", "duck"]),
        ([f"{'x' * 39}1", f"{'x' * 39}2"], 20, ["xxxxx...xxxxxxxxxxx1", "xxxxx...xxxxxxxxxxx2"]),
        ([f"{'x' * 20}{middle}{'y' * 19}" for middle in "12"], 8, ["xxx...~1", "xxx...~2"]),
        (["duck" * 10, f"{'duck' * 9}ducK", "duck"], 12, ["duc...ckduck", "duc...ckducK", "duck"]),
        (["x" * 40, "x" * 39], 8, ["xxx...~1", "xxx...~2"]),
    ],
)  # fmt: skip
def test_texts_that_are_cut_stay_different(texts: list[str], most: int, shown: list[str]) -> None:
    assert list(fitted_apart(texts, most).values()) == shown


@given(st.sets(st.text("ab鴨", max_size=40), max_size=9), st.integers(8, 40))
def test_different_texts_are_never_shown_the_same(texts: set[str], most: int) -> None:
    shown = fitted_apart(texts, most)
    assert len(set(shown.values())) == len(texts)
    assert all(width(cut) <= most for cut in shown.values())
    assert all(cut == text for text, cut in shown.items() if width(text) <= most)


@given(st.text("ab鴨 ", max_size=60), st.integers(8, 30))
def test_wrapped_text_keeps_its_words_and_its_width(text: str, most: int) -> None:
    lines = wrapped(text, most).splitlines()
    assert [word for line in lines for word in line.split()] == text.split()
    assert all(width(line) <= most or " " not in line for line in lines)
    for line, after in pairwise(lines):
        assert width(line) + 1 + width(after.split()[0]) > most


@pytest.mark.parametrize(("terminal", "most"), [("40", 40), ("60", 60), ("200", 80)])
def test_sentences_fit_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch, terminal: str, most: int) -> None:
    monkeypatch.setenv("COLUMNS", terminal)
    text = "duck " * 99
    assert prose(text) == wrapped(text, most)
    assert prose(text, 10) == wrapped(text, most - 10)


def test_columns_line_up_and_indent() -> None:
    assert columns([("a", "one"), ("long", "two\nthree"), ("b", "")]) == [
        "a     one",
        "long  two",
        "      three",
        "b",
    ]


def test_tables_line_up_also_with_wide_letters() -> None:
    lines = table(("n", "bot"), [("1", "鴨"), ("22", "duck")], frozenset({1}))
    assert lines == [" n  bot", " 1  鴨", "22  duck"]


@pytest.mark.parametrize(
    ("points", "text"),
    [(None, "-"), (-0.0, "0.00"), (-0.004, "0.00"), (-0.006, "-0.01"), (0.0, "0.00"), (61.5, "61.50")],
)
def test_points_are_never_minus_zero(points: float | None, text: str) -> None:
    assert points_text(points) == text
