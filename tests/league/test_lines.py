"""The scanner for lines: it agrees with tomllib about which keys there are, and points at the right lines."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from arena.league.lines import KeyPath, key_lines, line_of

HARD = '''# [not] = "a section"
top = 1

[league]  # a comment with ] and "quotes"
name = "Spring # not a comment ] \\" [x]"
"quoted key" = 'literal # \\'
'single' = """
several = "lines"
[no.header]
"" still inside \\""" ""\"""
after = \'\'\'
x = 1'\'\'\'\'
a . b."c.d" = { x = 1, y = [1, 2] }

[[bots]]
name = "One"
command = [
    "a",  # comment, with ] bracket
    "b",
]
env = { A = "1", B = "2" }

  [[ bots ]]
  name = 'Two'
  [bots.env]
  C = "3"
  [[bots.deep]]
  x = 1979-05-27T07:32:00Z
[table."x y"]
z = +1_000.5e3
'''


def paths(value: object, path: KeyPath = ()) -> Iterator[KeyPath]:
    """The path of everything inside a value that tomllib has read."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from paths(inner, (*path, number))


def test_every_key_of_a_hard_text_is_found() -> None:
    found = key_lines(HARD)
    named = set(paths(tomllib.loads(HARD)))
    assert set(found) == named - {("table",)}  # only [table."x y"] has a line
    rows = HARD.split("\n")
    expected = {
        ("top",): "top = 1",
        ("league",): '[league]  # a comment with ] and "quotes"',
        ("league", "quoted key"): "\"quoted key\" = 'literal # \\'",
        ("league", "after"): "after = '''",
        ("league", "a", "b", "c.d", "y"): 'a . b."c.d" = { x = 1, y = [1, 2] }',
        ("bots",): "[[bots]]",
        ("bots", 0, "command", 1): '    "b",',
        ("bots", 0, "env", "B"): 'env = { A = "1", B = "2" }',
        ("bots", 1): "  [[ bots ]]",
        ("bots", 1, "name"): "  name = 'Two'",
        ("bots", 1, "env", "C"): '  C = "3"',
        ("bots", 1, "deep", 0, "x"): "  x = 1979-05-27T07:32:00Z",
        ("table", "x y", "z"): "z = +1_000.5e3",
    }
    assert {path: rows[found[path] - 1] for path in expected} == expected


def test_what_has_no_line_falls_back_to_what_is_around_it() -> None:
    lines = key_lines("x = 1\n[time]\nmove = 1\n")
    assert line_of(lines, ("time", "move", 3, "deep")) == 3
    assert line_of(lines, ("time", "other")) == 2
    assert line_of(lines, ("nowhere", "at", "all")) == 1


@given(st.text(st.sampled_from("[]{}=\"'\\#,.\n ab1"), max_size=60))
def test_no_text_makes_it_crash_and_valid_text_is_read_to_its_end(content: str) -> None:
    found = key_lines(content)
    try:
        value = tomllib.loads(content)
    except tomllib.TOMLDecodeError:
        return
    leaves = {path for path in paths(value) if not isinstance(path[-1], int)}
    headless = {
        path[:length] for path in found for length in range(1, len(path))
    }  # of [a.b], "a" has no line
    assert leaves <= set(found) | headless
