"""What is not supported yet is refused by name; what is supported is not."""

from __future__ import annotations

import pytest

from arena.errors import LeagueFileError
from arena.league import parse_league
from arena.league.describe import all_keys
from arena.league.landed import NOT_LANDED, default_for_now
from tests.league.samples import PATH, league, text

REFUSED = {
    "time": {"build_seconds = 300.0": "build_seconds = 300.0 is not supported yet; remove the key"},
    "faults": {
        "disqualify_share = 0.1": "disqualify_share = 0.1 is not supported yet; remove the key",
        "disqualify_after = 10": "disqualify_after = 10 is not supported yet; remove the key",
    },
    "schedule": {
        'stop = "settled"': 'stop = "settled" is not supported yet; for now: stop = "cycles"',
        'line_ups = "balanced"': 'line_ups = "balanced" is not supported yet; '
        'for now: line_ups = "auto" or line_ups = "all"',
        "max_hours = 8.0": "max_hours = 8.0 is not supported yet; remove the key",
    },
    "process": {"tables = 2": "tables = 2 is not supported yet; for now: tables = 1"},
    "sandbox": {
        'mode = "auto"': 'mode = "auto" is not supported yet; for now: mode = "off"',
        'mode = "require"': 'mode = "require" is not supported yet; for now: mode = "off"',
        "memory_mib = 512": "memory_mib = 512 is not supported yet; remove the key",
        "processes = 64": "processes = 64 is not supported yet; remove the key",
        "open_files = 64": "open_files = 64 is not supported yet; remove the key",
        "file_size_mib = 16": "file_size_mib = 16 is not supported yet; remove the key",
        "tmp_mib = 64": "tmp_mib = 64 is not supported yet; remove the key",
        "cpu_seconds = 0": "cpu_seconds = 0 is not supported yet; remove the key",
        'read_only = ["/opt"]': 'read_only = ["/opt"] is not supported yet; remove the key',
        'user = "nobody"': 'user = "nobody" is not supported yet; remove the key',
    },
    "store": {
        'url = "postgresql://db/x"': 'the scheme of url = "postgresql" is not supported yet; '
        'for now: the scheme of url = "sqlite"',
    },
    "report": {
        'replays = "none"': 'replays = "none" is not supported yet; '
        'for now: replays = "auto" or replays = "all"',
        'publish = ["replays"]': 'publish = ["replays"] is not supported yet; '
        'for now: publish = ["replays", "faults"]',
        'reveal = "finished"': 'reveal = "finished" is not supported yet; for now: reveal = "session"',
    },
}
LINES = [(section, line, words) for section, lines in REFUSED.items() for line, words in lines.items()]


@pytest.mark.parametrize(("section", "line", "words"), LINES, ids=[line for _, line, _ in LINES])
def test_a_missing_feature_is_refused(section: str, line: str, words: str) -> None:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text(f"[{section}]\n{line}\n"), PATH)
    assert str(caught.value) == f"league.toml:5: [{section}] {line.partition(' ')[0]}: {words}"


BOT_LINES = {
    'build = ["make"]': 'build = ["make"] is not supported yet; for now: build = []',
    'role = "house"': 'role = "house" is not supported yet; for now: role = "entrant"',
    "threads = 2": "threads = 2 is not supported yet; for now: threads = 1",
    "memory_mib = 64": "memory_mib = 64 is not supported yet; remove the key",
}


@pytest.mark.parametrize(("line", "words"), BOT_LINES.items())
def test_a_missing_feature_of_a_bot_is_refused(line: str, words: str) -> None:
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text(after_bots=f"{line}\n"), PATH)
    assert str(caught.value) == f"league.toml:20: [[bots]] number 4, {line.partition(' ')[0]}: {words}"


def test_every_line_of_the_table_is_tried_here_and_names_a_real_key() -> None:
    tried = {f"{section}.{line.partition(' ')[0]}" for section, line, _ in LINES}
    tried |= {f"bots.{line.partition(' ')[0]}" for line in BOT_LINES}
    listed = {path for path in NOT_LANDED if "." in path}
    assert tried == listed
    assert listed <= set(all_keys())


WORKING = [
    ("schedule", 'stop = "cycles"'),
    ("schedule", 'line_ups = "all"'),
    ("schedule", 'seed = "paper 1"'),
    ("schedule", "margin = 3.5"),
    ("schedule", 'public_draw = "1 2 3"'),
    ("process", "tables = 1"),
    ("process", "jobs = 2"),
    ("process", "pin = false"),
    ("process", "nice = 0"),
    ("process", "fresh_process = true"),
    ("sandbox", 'mode = "off"'),
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


def test_fewer_bots_than_seats() -> None:
    for count, words in [(1, "1 bot"), (3, "3 bots")]:
        with pytest.raises(LeagueFileError) as caught:
            parse_league(text(count=count), PATH)
        assert str(caught.value) == (
            f"league.toml:4: [[bots]]: {words} for 4 seats: fewer bots than seats is not supported yet"
        )


def test_auto_that_would_mean_balanced() -> None:
    assert len(league(count=8).bots) == 8  # 70 line-ups
    with pytest.raises(LeagueFileError) as caught:
        parse_league(text("[schedule]\n", count=9), PATH)
    assert str(caught.value) == (
        "league.toml:4: [schedule] line_ups: 9 bots at 4 seats have 126 line-ups, "
        'so "auto" means "balanced", which is not supported yet; '
        'write line_ups = "all" to play every line-up in each cycle'
    )
    assert league('[schedule]\nline_ups = "all"\n', count=9).line_ups == "all"


def test_a_default_waits_for_its_feature() -> None:
    assert default_for_now("sandbox.mode", "auto") == "off"
    assert default_for_now("report.replays", "auto") == "auto"
    assert default_for_now("process.jobs", "auto") == "auto"
