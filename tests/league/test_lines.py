"""The search for lines: it points at the key that is meant, or at what is around it."""

from __future__ import annotations

import pytest

from arena.league.lines import KeyPath, line_of

TEXT = """# [time] of a comment
top = 1
process.jobs = 2

[league]  # a comment with ] and "quotes"
name = "Spring"
"quoted" = [
    "a",  # seats = 4
]

  [[ bots ]]
  name = 'One'
[[bots]]
'name' = "Two"
env.A = "1"
[bots.deep]
x = 1
[[bots]]
name = "Three"
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), "top = 1"),
        (("process", "jobs"), "process.jobs = 2"),
        (("league",), '[league]  # a comment with ] and "quotes"'),
        (("league", "name"), 'name = "Spring"'),
        (("league", "quoted", 0), '"quoted" = ['),
        (("league", "seats"), '[league]  # a comment with ] and "quotes"'),
        (("bots",), "  [[ bots ]]"),
        (("bots", 0, "command"), "  [[ bots ]]"),
        (("bots", 1, "name"), "'name' = \"Two\""),
        (("bots", 1, "env", "A"), 'env.A = "1"'),
        (("bots", 1, "deep", "x"), "[bots.deep]"),
        (("bots", 2, "name"), 'name = "Three"'),
        (("bots", 3, "name"), "# [time] of a comment"),
        (("nowhere", "at", "all"), "# [time] of a comment"),
    ],
)
def test_a_key_is_found_where_it_stands(path: KeyPath, line: str) -> None:
    assert TEXT.split("\n")[line_of(TEXT, path) - 1] == line
