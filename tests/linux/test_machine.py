"""What a league was played on: noted whole, and read from logs that somebody else wrote."""

from __future__ import annotations

import json
import platform

from arena.linux.machine import Machine, machines_of, this_machine


def test_this_machine_names_versions_and_no_place() -> None:
    machine = this_machine("league.toml")
    assert machine.python == platform.python_version()
    assert machine.cores >= 1
    assert machine.memory_mib > 100
    assert platform.node() not in machine.to_text().split('"')


def test_a_log_gives_back_what_was_noted_and_ignores_the_rest() -> None:
    one = this_machine("a.toml")
    other = Machine("9", "3.99", "3", "Plan 9", "", 1, 0, "ü.toml")
    texts = [one.to_text(), "time is up", '{"arena": 1}', other.to_text()]
    assert machines_of(texts) == [one, other]
    assert json.loads(other.to_text())["league_file"] == "ü.toml"
