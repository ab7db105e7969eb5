"""What a run stores of the machine it is on, and of a host of a cluster."""

from __future__ import annotations

import pytest

from arena.cluster.orders import Facts
from arena.runner.hosts import host_of, too_slow
from arena.store.history import Host


def test_a_host_of_a_cluster_is_stored_as_it_says() -> None:
    facts = Facts("4f2a", "node1", "1.0", "3.12.1", "A processor", 8, True, "own-users", 5_000)
    assert host_of(facts) == Host(
        "node1", "4f2a", "A processor", 8, True, "own-users", "1.0", "3.12.1", 5_000
    )


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
