"""The brake of a bot's processes: by signals, by the keeper, by a control group, and beside a late keeper."""

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
from arena.linux.keeper import dismiss, kept
from arena.linux.process_tree import below
from tests.tables import comes_to


@contextmanager
def sleeper() -> Iterator[tuple[int, int]]:
    """A keeper, and the process that it keeps, by their numbers."""
    with subprocess.Popen(kept(["sleep", "600"], own_processes=False), process_group=0) as keeper:
        try:
            while not (found := below(keeper.pid)):
                time.sleep(0.001)
            yield keeper.pid, found[0].pid
        finally:
            dismiss(keeper.pid)


def pending(pid: int) -> set[signal.Signals]:
    """Which of the two signals that a keeper is told by it has not heard yet."""
    words = dict(line.split(":\t") for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    mask = int(words["ShdPnd"], 16)
    return {number for number in (signal.SIGUSR1, signal.SIGUSR2) if mask >> (number - 1) & 1}


@pytest.fixture(params=["no group", "a group that cannot freeze"])
def group(request: pytest.FixtureRequest, tmp_path: Path) -> BotGroup | None:
    return None if request.param == "no group" else BotGroup(tmp_path / "gone")


def test_what_is_stopped_goes_on_whoever_does_it(group: BotGroup | None) -> None:
    with sleeper() as (keeper, pid):
        brake = Brake(keeper, group)
        for stop, free in ((brake.freeze, brake.thaw), (brake.rest, brake.wake), (brake.rest, brake.thaw)):
            stop()
            assert brake.on
            assert comes_to(pid, "T")
            free()
            assert not brake.on
            assert comes_to(pid, "S")


def test_what_the_arena_frees_no_late_keeper_stops(group: BotGroup | None) -> None:
    with sleeper() as (keeper, pid):
        brake = Brake(keeper, group)
        os.kill(keeper, signal.SIGSTOP)
        assert comes_to(keeper, "T")
        brake.rest()
        assert pending(keeper) == {signal.SIGUSR1}
        brake.thaw()
        assert pending(keeper) == {signal.SIGUSR1, signal.SIGUSR2}, "it will hear the second one last"
        os.kill(keeper, signal.SIGCONT)
        assert comes_to(keeper, "S")
        assert comes_to(pid, "S")


def test_a_late_keeper_frees_nobody_for_long(group: BotGroup | None) -> None:
    with sleeper() as (keeper, pid):
        brake = Brake(keeper, group)
        brake.rest()
        assert comes_to(pid, "T")
        os.kill(keeper, signal.SIGSTOP)
        brake.wake()
        brake.freeze()
        assert comes_to(pid, "T")
        os.kill(keeper, signal.SIGCONT)
        assert comes_to(pid, "S")
        brake.hold()
        assert comes_to(pid, "T")


def test_a_control_group_does_it_alone(tmp_path: Path) -> None:
    file = tmp_path / "cgroup.freeze"
    file.write_text("0")
    with sleeper() as (keeper, pid):
        brake = Brake(keeper, BotGroup(tmp_path))
        os.kill(keeper, signal.SIGSTOP)
        assert comes_to(keeper, "T")
        for stop, free in ((brake.freeze, brake.thaw), (brake.rest, brake.wake)):
            stop()
            assert file.read_text() == "1"
            assert comes_to(pid, "S"), "nobody signals it"
            free()
            assert file.read_text() == "0"
        assert pending(keeper) == set()
