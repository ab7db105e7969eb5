"""What is not supported yet is refused by name; what is supported is not."""

from __future__ import annotations

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league
from arena.league.describe import all_keys
from arena.league.landed import NOT_LANDED
from tests.league.samples import PATH, league, text

REFUSED = {
    "store": {
        'url = "postgresql://db/x"': 'the scheme of url = "postgresql" is not supported yet; '
        'for now: the scheme of url = "sqlite"',
    },
}
LINES = [(section, line, words) for section, lines in REFUSED.items() for line, words in lines.items()]


@pytest.mark.parametrize(("section", "line", "words"), LINES, ids=[line for _, line, _ in LINES])
def test_a_missing_feature_is_refused(section: str, line: str, words: str) -> None:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text(f"[{section}]\n{line}\n"), PATH)
    assert str(caught.value) == f"league.toml:5: [{section}] {line.partition(' ')[0]}: {words}"


def test_every_line_of_the_table_is_tried_here_and_names_a_real_key() -> None:
    tried = {f"{section}.{line.partition(' ')[0]}" for section, line, _ in LINES}
    listed = {path for path in NOT_LANDED if "." in path}
    assert tried == listed
    assert listed <= set(all_keys())


WORKING = [
    ("report", 'replays = "none"'),
    ("report", 'replays = "interesting"'),
    ("report", "publish = []"),
    ("report", 'publish = ["stderr", "replays"]'),
    ("report", 'publish = ["messages"]'),
    ("report", 'reveal = "finished"'),
    ("schedule", 'stop = "cycles"'),
    ("schedule", 'stop = "settled"'),
    ("schedule", "max_hours = 8.0"),
    ("schedule", 'line_ups = "all"'),
    ("schedule", 'line_ups = "balanced"'),
    ("schedule", 'seed = "paper 1"'),
    ("schedule", "margin = 3.5"),
    ("schedule", 'public_draw = "1 2 3"'),
    ("time", "build_seconds = 300.0"),
    ("process", "tables = 1"),
    ("process", "tables = 64"),
    ("process", "jobs = 2"),
    ("process", "pin = false"),
    ("process", "nice = 0"),
    ("process", "fresh_process = true"),
    ("sandbox", 'mode = "off"'),
    ("sandbox", 'mode = "auto"'),
    ("sandbox", 'mode = "require"'),
    ("sandbox", "processes = 64\nopen_files = 64\nfile_size_mib = 16\ntmp_mib = 64"),
    ("sandbox", "memory_mib = 512\ncpu_seconds = 0"),
    ("sandbox", 'read_only = ["/opt"]\nuser = "nobody"'),
    ("store", 'url = "sqlite:///other.db"'),
    ("report", 'replays = "all"'),
    ("report", 'publish = ["faults", "replays"]'),
    ("report", 'reveal = "session"'),
]


@pytest.mark.parametrize(("section", "line"), WORKING)
def test_what_is_there_is_accepted(section: str, line: str) -> None:
    assert league(f"[{section}]\n{line}\n").league.seats == 4


def test_a_value_that_is_wrong_as_well_is_told_once() -> None:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text("[process]\ntables = 0\n"), PATH)
    assert str(caught.value) == (
        "league.toml:5: [process] tables: expected a whole number from 1 to 64, got 0"
    )
