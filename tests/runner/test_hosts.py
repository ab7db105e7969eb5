"""What a run stores of the machine it is on, and of a host of a cluster."""

from __future__ import annotations

from arena.cluster.frames import Facts
from arena.runner.hosts import host_of
from arena.store.history import Host


def test_a_host_of_a_cluster_is_stored_as_it_says() -> None:
    facts = Facts("4f2a", "node1", "1.0", "3.12.1", "A processor", 8, True, "own-users")
    assert host_of(facts) == Host("node1", "4f2a", "A processor", 8, True, "own-users", "1.0", "3.12.1")
