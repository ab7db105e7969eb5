"""Control groups on a tree of plain files: what is asked of the kernel. No kernel does it here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.linux.cgroups import BotGroup, open_home

_GROUP_FILES = (
    "cgroup.procs",
    "cgroup.freeze",
    "cgroup.kill",
    "memory.max",
    "memory.oom.group",
    "memory.swap.max",
    "memory.events",
    "cpuset.cpus",
)


class _Mount:
    """A fake of /sys/fs/cgroup, in which this process is in `scope`; new groups have the kernel's files."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.mount, self.own = folder / "cgroup", folder / "own"
        self.scope = self.mount / "user.slice/arena.scope"
        self.own.write_text("0::/user.slice/arena.scope\n")
        make = Path.mkdir

        def mkdir(path: Path, mode: int = 0o777, parents: bool = False, exist_ok: bool = False) -> None:
            make(path, mode, parents, exist_ok)
            for name in _GROUP_FILES:
                (path / name).touch()

        monkeypatch.setattr(Path, "mkdir", mkdir)
        self.scope.mkdir(parents=True)
        self.write("cgroup.controllers", "cpuset cpu memory pids")
        self.write("cgroup.type", "domain")
        self.write("cgroup.subtree_control", "")
        self.write("cgroup.procs", f"{os.getpid()}\n")
        self.delegated = b"1"
        monkeypatch.setattr(os, "getxattr", lambda path, name: self.delegated)

    def write(self, name: str, text: str) -> None:
        (self.scope / name).write_text(text)

    def open(self) -> Path | None:
        return open_home(self.mount, self.own)


@pytest.fixture
def mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> _Mount:
    return _Mount(tmp_path, monkeypatch)


def test_a_group_that_is_ours_alone_becomes_a_home(mount: _Mount) -> None:
    assert mount.open() == mount.scope
    leaf = mount.scope / f"arena-{os.getpid()}"
    assert (leaf / "cgroup.procs").read_text() == str(os.getpid())
    assert (mount.scope / "cgroup.subtree_control").read_text() == "+memory +cpuset"


@pytest.mark.parametrize("why", ["not ours", "others in it", "no memory", "refused"])
def test_nothing_is_changed_where_it_cannot_be(mount: _Mount, why: str) -> None:
    match why:
        case "not ours":
            mount.delegated = b"0"
        case "others in it":
            mount.write("cgroup.procs", f"1\n{os.getpid()}\n")
        case "no memory":
            mount.write("cgroup.controllers", "cpu pids")
        case "refused":
            (mount.scope / "cgroup.subtree_control").unlink()
    assert mount.open() is None
    assert (mount.scope / "cgroup.procs").read_text().split()[-1] == str(os.getpid())


def test_a_bots_group(mount: _Mount) -> None:
    group = BotGroup.make(mount.scope, "bot-7", 512, {3, 1})
    assert group is not None
    path = mount.scope / "bot-7"
    assert (path / "memory.max").read_text() == str(512 << 20)
    assert (path / "memory.oom.group").read_text() == "1"
    assert (path / "memory.swap.max").read_text() == "0"
    assert (path / "cpuset.cpus").read_text() == "1,3"
    (path / "cgroup.procs").write_text("7\n")
    assert group.pids() == [7]
    group.enter([7])
    assert group.pids() == [7]
    group.enter([8])
    assert (path / "cgroup.procs").read_text().startswith("8")
    assert group.freeze(True)
    assert (path / "cgroup.freeze").read_text() == "1"
    assert group.freeze(False)
    assert (path / "cgroup.freeze").read_text() == "0"
    group.kill()
    assert (path / "cgroup.kill").read_text() == "1"


def test_whether_the_kernel_has_ended_it(mount: _Mount) -> None:
    group = BotGroup.make(mount.scope, "bot-7", 512, {0})
    assert group is not None
    events = mount.scope / "bot-7" / "memory.events"
    for kills, ran_out in ((0, False), (3, True)):
        events.write_text(f"low 0\nhigh 0\nmax 12\noom 1\noom_kill {kills}\noom_group_kill {kills}\n")
        assert group.ran_out_of_memory() is ran_out


def test_what_the_kernel_will_not_do_is_not_an_error(mount: _Mount) -> None:
    assert BotGroup.make(mount.scope / "missing", "bot-7", 512, {0}) is None
    gone = BotGroup(mount.scope / "gone")
    gone.enter([1])
    gone.kill()
    gone.remove()
    assert gone.pids() == []
    assert not gone.freeze(True)
    assert not gone.ran_out_of_memory()
