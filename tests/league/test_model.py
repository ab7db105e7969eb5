"""The model of a league: strictness, what is refused whatever wrote it, and what it computes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from arena.league import League
from arena.league.texts import slug
from tests.league.samples import league


def document(**sections: dict[str, Any]) -> dict[str, Any]:
    """A valid league as data, with the keys of `sections` over it."""
    data = league().model_dump(mode="json")
    for section, keys in sections.items():
        data[section] = {**data[section], **keys}
    return data


SLIPS = [
    ("league", "seats", "4"),
    ("league", "seats", 4.0),
    ("league", "seats", 2),
    ("league", "open", 1),
    ("time", "move_seconds", True),
    ("time", "move_seconds", float("nan")),
    ("time", "move_seconds", 0.0),
    ("faults", "disqualify_share", 1.01),
    ("schedule", "seed", ""),
    ("schedule", "public_draw", "ä"),
    ("sandbox", "read_only", ["opt"]),
    ("store", "url", "sqlite:///:memory:"),
]


@pytest.mark.parametrize(("section", "key", "value"), SLIPS)
def test_values_are_taken_as_they_are_or_refused(section: str, key: str, value: object) -> None:
    with pytest.raises(ValidationError) as caught:
        League.model_validate(document(**{section: {key: value}}))
    assert {error["loc"][:2] for error in caught.value.errors()} == {(section, key)}


def test_clocks_are_whole_milliseconds() -> None:
    time = league("[time]\nmove_seconds = 0.0015\nbank_seconds = 2.5\n").time
    assert (time.start_ms, time.move_ms, time.bank_ms) == (10_000, 2, 2_500)


@given(st.text(max_size=60))
def test_a_slug_is_empty_or_a_valid_id(name: str) -> None:
    made = slug(name)
    assert made == "" or (set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and len(made) <= 40)
    assert slug(made) == made
