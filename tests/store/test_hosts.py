"""Each finished match knows its host; a host is stored once, whatever it says of itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from arena.linux.machine import Host
from arena.store import read, write
from arena.store.history import HostView
from tests.store.samples import keys, opened, planned, played

NODE = Host("node1", "4f2a", "A processor", 8, True, "own-users", "1.0", "3.12.1")


def test_a_host_is_stored_once_as_long_as_it_stays_the_same(tmp_path: Path) -> None:
    with opened(tmp_path / "spring.db") as database:
        first = write.note_host(database, NODE, 1_000)
        assert write.note_host(database, NODE, 2_000) == first
        others = [
            replace(NODE, machine="77b1"), replace(NODE, arena="1.1"), replace(NODE, sandbox="off"),
            replace(NODE, compiled=False), replace(NODE, cores=4),
        ]  # fmt: skip
        numbers = [write.note_host(database, host, 3_000) for host in others]
        assert len({first, *numbers}) == 6
        assert [write.note_host(database, host, 4_000) for host in others] == numbers


def test_each_match_knows_where_it_was_finished(tmp_path: Path) -> None:
    with opened(tmp_path / "spring.db") as database:
        unused, here, there = (
            write.note_host(database, replace(NODE, name=name), 7) for name in ("a", "b", "c")
        )
        write.begin_sessions(database, 1, 0, [(planned(), keys())], 5)
        records = [played(key) for key in keys()]
        assert {match.host for match in read.matches(database, 1, state=None)} == {None}
        one, two, *rest = records
        hosts = {one.key: there, two.key: here}
        write.begin_sessions(database, 1, 0, [], 5, records=[one, two], hosts=hosts)
        write.save_matches(database, 1, rest, {rest[0].key: here})
        found = {match.order: match.host for match in read.matches(database, 1)}
        assert found == {0: there, 1: here, 2: here} | dict.fromkeys(range(3, len(records)))
        assert read.hosts(database, 1) == [
            HostView("b", *_facts(NODE), here, 7),
            HostView("c", *_facts(NODE), there, 7),
        ]
        assert read.hosts(database, 2) == []
        assert unused not in {host.id for host in read.hosts(database, 1)}


def _facts(host: Host) -> tuple[str, str, int, bool, str, str, str]:
    return (
        host.machine, host.processor, host.cores, host.compiled, host.sandbox, host.arena, host.python
    )  # fmt: skip
