"""The tables of SPEC.md are those that follow from the schema and the code."""

from __future__ import annotations

from tests.protocol.spec_page import PAGE, filled


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page, "python -m tests.protocol.spec_page"
