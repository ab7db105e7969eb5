"""What a run stores of the machine it is on, and of a host of a cluster."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path

import pytest

from arena.cluster.orders import Facts
from arena.run.hosts import host_of, this_host, too_slow
from arena.store.database import Database
from arena.store.hosts import Host
from arena.store.reader import Reader
from tests.running import make_league, play


def test_a_host_of_a_cluster_is_stored_as_it_says() -> None:
    facts = Facts("4f2a", "node1", "1.0", "3.12.1", "A processor", 8, True, "own-users", 5_000)
    assert host_of(facts) == Host(
        "node1", "4f2a", "A processor", 8, True, "own-users", "1.0", "3.12.1", 5_000
    )


@pytest.mark.slow
def test_a_run_on_one_machine_does_not_name_it(tmp_path: Path) -> None:
    league = make_league(tmp_path)
    for _ in range(2):
        assert play(league).code == 0
        league.write_text(league.read_text().replace("cycles = 1", "cycles = 2"))
    with Database.open(tmp_path / "tiny.db", read_only=True) as database:
        reader = Reader(database)
        (host,) = reader.hosts(1)
        matches = reader.matches(1)
    assert {match.host for match in matches} == {host.id}
    assert {match.cycle for match in matches} == {0, 1}
    assert (host.name, host.machine, host.pace_us) == ("", "", 0)
    assert (host.arena, host.python) == (version("papayoo-arena"), platform.python_version())
    assert host.cores == len(os.sched_getaffinity(0))
    assert {match.sandbox for match in matches} == {host.sandbox}
    assert this_host(host.sandbox).processor == host.processor


@pytest.mark.parametrize(
    ("paces", "slow"),
    [
        ({}, set()),
        ({"a": 1_000}, set()),
        ({"a": 1_000, "b": 1_100}, set()),
        ({"a": 1_000, "b": 1_101, "c": 990, "d": 5_000}, {"b", "d"}),
        ({"a": 1_000, "b": 10**400}, {"b"}),
        ({"a": -(10**400), "b": 1_000}, {"b"}),
    ],
)
def test_hosts_are_alike_up_to_a_tenth(paces: dict[str, int], slow: set[str]) -> None:
    assert too_slow("alike", paces) == slow
    assert too_slow("any", paces) == set()
