"""The brake of a bot's processes: by signals, and by a control group."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.linux.brake import Brake
from arena.linux.cgroups import BotGroup
from arena.linux.process_tree import below
from tests.tables import comes_to


@contextmanager
def sleeper() -> Iterator[tuple[int, int]]:
    """The first process of a family, and one below it, by their numbers."""
    argv = ["sh", "-c", "sleep 600 & wait"]
    with subprocess.Popen(argv, start_new_session=True) as first:
        try:
            while not (found := below(first.pid)):
                time.sleep(0.001)
            yield first.pid, found[0].pid
        finally:
            os.killpg(first.pid, signal.SIGKILL)


@pytest.mark.parametrize("how", ["no group", "a group that cannot freeze", "known to be at rest"])
def test_what_is_stopped_goes_on(how: str, tmp_path: Path) -> None:
    group = BotGroup(tmp_path / "gone") if how == "a group that cannot freeze" else None
    with sleeper() as (first, pid):
        brake = Brake(first, group)
        for _ in range(2):
            brake.freeze(below(first) if how == "known to be at rest" else None)
            assert brake.on
            assert comes_to(pid, "T")
            assert comes_to(first, "S"), "it goes on"
            brake.thaw()
            assert not brake.on
            assert comes_to(pid, "S")


def test_a_control_group_does_it_alone(tmp_path: Path) -> None:
    file = tmp_path / "cgroup.freeze"
    file.write_text("0")
    with sleeper() as (first, pid):
        brake = Brake(first, BotGroup(tmp_path))
        brake.freeze()
        assert file.read_text() == "1"
        assert comes_to(pid, "S"), "nobody signals it"
        brake.thaw()
        assert file.read_text() == "0"
