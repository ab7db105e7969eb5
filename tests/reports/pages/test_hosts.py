"""The table of hosts: bots' times compared, slower ones marked, sessions that moved counted, nobody named."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.hosts import Comparison, Host, HostTimes, compared
from arena.store.reader import Reader
from reports import ReportOptions, write_site
from reports.facts import LeagueFacts, read_facts
from reports.pages.hosts import host_rows, host_sentences
from tests.reports import played
from tests.reports.parsed import parsed
from tests.reports.played import HOST, League

NODES = tuple(
    replace(HOST, name=f"secret-{name}", machine=name, processor=f"Processor {name}", pace_us=5_000)
    for name in "abc"
)


BOTS = tuple(bot for bot in played.FIVE if not bot.fault_rate)
"""Bots whose times are all alike, but for that of the host."""


def league(*hosts: tuple[Host, float], cycles: int = 8) -> League:
    return League(bots=BOTS, seats=3, rounds=3, cycles=cycles, hosts=hosts)


def facts_of(path: Path, played_league: League, *changes: str) -> LeagueFacts:
    with played.play(path, played_league) as database:
        with database.writing() as connection:
            for change in changes:
                connection.exec_driver_sql(change)
        return read_facts(Reader(database))


def test_one_host_is_compared_with_none(tmp_path: Path) -> None:
    facts = facts_of(tmp_path / "x.db", league((HOST, 1.0), cycles=1))
    assert len(facts.hosts) == 1
    assert facts.host_times == ()
    assert list(host_rows(facts)) == []
    assert list(host_sentences(facts)) == []


@pytest.mark.slow
def test_a_slower_host_is_marked_and_no_other(tmp_path: Path) -> None:
    facts = facts_of(tmp_path / "x.db", league((NODES[0], 1.0), (NODES[1], 1.25), (NODES[2], 1.0)))
    rows = list(host_rows(facts))
    assert [(row.number, row.slower, row.processor) for row in rows] == [
        (1, False, "Processor a"), (2, True, "Processor b"), (3, False, "Processor c"),
    ]  # fmt: skip
    one, two, three = (row.relative or 0.0 for row in rows)
    assert two / one == pytest.approx(1.25, abs=0.03)
    assert one == pytest.approx(three, abs=0.03)
    # Each has a third of the sessions, so together they are as usual.
    assert (one + two + three) / 3 == pytest.approx(1.0, abs=0.01)
    assert all(row.error is not None and 0 < row.error < 0.05 for row in rows)
    assert sum(row.matches for row in rows) == len(facts.matches)
    assert list(host_sentences(facts)) == ["Host 2 is slower than the others."]


@pytest.mark.slow
def test_times_are_those_of_the_same_bots(tmp_path: Path) -> None:
    """A host on which slow bots happened to play is not a slow host."""
    slow_bot = "UPDATE seat SET took_total_us = took_total_us * 9 WHERE bot = 'duck'"
    only_here = (
        "UPDATE seat SET took_total_us = took_total_us * 50 WHERE bot = 'low'",
        "UPDATE match SET host = 1 WHERE id IN (SELECT match FROM seat WHERE bot = 'low')",
    )
    there = league((NODES[0], 1.0), (NODES[1], 1.0))
    facts = facts_of(tmp_path / "x.db", there, slow_bot, *only_here)
    rows = list(host_rows(facts))
    assert [row.slower for row in rows] == [False, False]
    assert all(row.relative == pytest.approx(1.0, abs=0.05) for row in rows)


def test_a_database_of_an_older_arena_has_matches_without_a_host(tmp_path: Path) -> None:
    older = "UPDATE match SET host = NULL WHERE cycle < 2"
    facts = facts_of(tmp_path / "x.db", league((NODES[0], 1.0), (NODES[1], 1.0), cycles=3), older)
    with_host = [match for match in facts.matches if match.host is not None]
    assert sum(row.matches for row in host_rows(facts)) == len(with_host) < len(facts.matches)


def test_sessions_that_moved_are_counted(tmp_path: Path) -> None:
    moved = 'UPDATE match SET host = 2 WHERE cycle = 0 AND "index" IN (0, 2) AND "order" > 1'
    facts = facts_of(tmp_path / "x.db", league((NODES[0], 1.0), (NODES[1], 1.0), cycles=2), moved)
    assert list(host_sentences(facts)) == ["The matches of 2 sessions were played on several hosts."]


@pytest.mark.slow
def test_the_page_names_no_host(tmp_path: Path) -> None:
    hosts = ((NODES[0], 1.0), (NODES[1], 1.25))
    with played.play(tmp_path / "x.db", league(*hosts, cycles=6)) as database:
        write_site(database, tmp_path / "site", ReportOptions())
    page = parsed((tmp_path / "site" / "health.html").read_text())
    assert "Host 2 is slower than the others." in page.text
    assert "slower than the others" in page.text.split("Time for a decision", 1)[1]
    for path in (tmp_path / "site").rglob("*.*"):
        assert b"secret-" not in path.read_bytes(), path


def times(host: int, parts: int, mean: float, deviation: float = 0.1) -> HostTimes:
    return HostTimes(host, parts, parts * mean, (parts - 1) * deviation**2 + parts * mean**2)


@pytest.mark.parametrize(
    ("own", "slower"),
    [
        (times(1, 50, 1.2), True),
        (times(1, 50, 1.04, 0.001), False),  # surely, but by little
        (times(1, 12, 1.2, 0.3), False),  # by much, but it may be chance
        (times(1, 9, 1.2), False),  # too little was played
        (times(1, 50, 0.8), False),
    ],
)
def test_a_host_is_slower_beyond_its_error(own: HostTimes, slower: bool) -> None:
    found = compared([own, times(2, 100, 1.0), times(3, 100, 1.0)])
    assert found[1].slower is slower
    assert found[1].relative == pytest.approx(own.mean)
    assert not found[2].slower or slower is False


def test_what_cannot_be_compared_is_absent() -> None:
    assert compared([]) == {}
    assert compared([times(1, 50, 1.0)]) == {}
    one = HostTimes(1, 1, 1.0, 1.0)
    found = compared([one, times(2, 50, 1.0)])
    assert found[1] == Comparison(1.0, math.inf, slower=False)
