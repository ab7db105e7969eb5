"""The model of a league: strictness, what is refused whatever wrote it, and what it computes."""

from __future__ import annotations

import json
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from arena.league import League, parse_league
from arena.league.texts import folded, slug
from tests.examples import examples
from tests.league.samples import PATH, league


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


NAMES = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=40).filter(
    lambda name: name.isprintable() and normalize("NFC", name) == name
)
VALUES: dict[str, dict[str, st.SearchStrategy[object]]] = {
    "time": {
        "start_seconds": st.floats(0.1, 3600),
        "move_seconds": st.floats(0.001, 3600),
        "bank_seconds": st.integers(0, 86400),
    },
    "faults": {
        "fault_points": st.integers(0, 10000),
        "max_faults": st.integers(1, 10000),
    },
    "schedule": {
        "line_ups": st.just("all"),
        "cycles": st.just("auto") | st.integers(1, 100_000),
        "seed": st.text("abc XYZ;:!~0", min_size=1, max_size=20),
    },
    "process": {"tables": st.integers(1, 64)},
    "report": {"reveal": st.sampled_from(["session", "finished"])},
}


@st.composite
def leagues(draw: st.DrawFn) -> dict[str, Any]:
    """A valid league with random keys, as data for TOML."""
    seats = draw(st.integers(3, 8))
    names = draw(st.lists(NAMES, min_size=seats, max_size=12, unique_by=folded))
    sections: dict[str, Any] = {
        name: draw(st.fixed_dictionaries({}, optional=keys)) for name, keys in VALUES.items()
    }
    sections["league"] = {"name": draw(NAMES), "seats": seats, "rounds": draw(st.integers(3, 160))}
    sections["schedule"]["line_ups"] = "all"
    sections["bots"] = [
        {
            "name": name,
            "id": f"b{number}",
            "folder": f"bots/{number}",
            "command": ["./bot", "-" + draw(NAMES)],
        }
        for number, name in enumerate(names)
    ]
    return sections


def as_toml(sections: dict[str, Any]) -> str:
    """The text of a league file; JSON writes these values as TOML does."""
    lines = []
    for section, content in sections.items():
        for table in content if isinstance(content, list) else [content]:
            lines.append(f"[[{section}]]" if isinstance(content, list) else f"[{section}]")
            lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items()]
    return "\n".join(lines)


@examples(50)
@given(leagues())
def test_a_random_valid_league_survives_the_round_trip(sections: dict[str, Any]) -> None:
    read = parse_league(as_toml(sections), PATH)
    values = read.model_dump(mode="json")
    for section, content in sections.items():
        if section == "bots":
            assert [{key: bot[key] for key in content[0]} for bot in values["bots"]] == content
        else:
            assert {key: values[section][key] for key in content} == content
    assert League.model_validate(values) == read
    assert League.model_validate_json(read.model_dump_json()) == read


@given(st.text(max_size=60))
def test_a_slug_is_empty_or_a_valid_id(name: str) -> None:
    made = slug(name)
    assert made == "" or (set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") and len(made) <= 40)
    assert slug(made) == made
