"""The columns of an export are documented, and the documentation is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.export import TABLES, What, columns_markdown, columns_of

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "export.md"


def test_the_guide_has_the_columns_as_they_are() -> None:
    """`python -c "from arena.export import columns_markdown; print(columns_markdown())"` prints them."""
    _, _, tables = GUIDE.read_text(encoding="utf-8").partition("none changes its meaning or goes.\n\n")
    assert tables == columns_markdown()


@pytest.mark.parametrize("what", What)
def test_columns_have_names_of_their_own(what: What) -> None:
    names = [column.name for column in TABLES[what]]
    assert len(names) == len(set(names))
    assert all(column.meaning and column.kind for column in TABLES[what])


@pytest.mark.parametrize("what", What)
def test_what_depends_on_clocks_is_left_out_unless_asked_for(what: What) -> None:
    plain = columns_of(what)
    assert columns_of(what, timing=True) == TABLES[what]
    assert plain == tuple(column for column in TABLES[what] if not column.timing)
    assert not any(column.name.endswith(("_us", "_at")) for column in plain)
