"""Rows in three formats: read back they are the same."""

from __future__ import annotations

import csv
import io
import json
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.export import Cell, Format, encoded, formats

NAMES = ("number", "text", "share", "truth")
CELLS = st.tuples(
    st.none() | st.integers(),
    st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.booleans(),
)


def written(rows: list[tuple[Cell, ...]], format: Format) -> str:
    return b"".join(encoded(rows, NAMES, format)).decode()


@given(st.lists(CELLS, max_size=5), st.integers(1, 4))
def test_json_comes_back_whatever_the_pieces(rows: list[tuple[Cell, ...]], at_once: int) -> None:
    expected = [dict(zip(NAMES, row, strict=True)) for row in rows]
    with patch.object(formats, "_ROWS_AT_ONCE", at_once):
        assert json.loads(written(rows, Format.JSON)) == expected
        lines = written(rows, Format.JSONL).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == expected


@given(st.lists(CELLS, max_size=5), st.integers(1, 4))
def test_csv_comes_back_as_text(rows: list[tuple[Cell, ...]], at_once: int) -> None:
    with patch.object(formats, "_ROWS_AT_ONCE", at_once):
        text = written(rows, Format.CSV)
    head, *read = csv.reader(io.StringIO(text, newline=""))
    assert tuple(head) == NAMES
    for (number, words, share, truth), cells in zip(rows, read, strict=True):
        assert cells[0] == ("" if number is None else str(number))
        assert cells[1].removeprefix("'") == (str(words or "")).removeprefix("'")
        assert (float(cells[2]) if cells[2] else None) == share
        assert (
            cells[3] == {None: "", True: "true", False: "false"}[bool(truth) if truth is not None else None]
        )


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_nothing_becomes_a_formula(text: str) -> None:
    assert f"'{text[0]}" in written([(1, text, None, None)], Format.CSV)


def test_numbers_stay_numbers() -> None:
    assert written([(-3, "a-b", -0.5, True)], Format.CSV).splitlines()[1] == "-3,a-b,-0.5,true"


def test_empty_tables_are_still_tables() -> None:
    assert written([], Format.CSV) == "number,text,share,truth\r\n"
    assert written([], Format.JSON) == "[]\n"
    assert written([], Format.JSONL) == ""
