"""What a program can and cannot do in the real sandbox: one that tries it all, by both ways in."""

from __future__ import annotations

import json
import os
import platform
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.syscalls import ARCHITECTURES, NUMBERS
from tests.sandbox.starting import ROOT, STARTERS, Cell, needs_sandbox

Told = dict[str, Any]


@pytest.fixture(scope="module", params=STARTERS)
def told(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Told:
    """What the escape artist says of its attempts."""
    needs_sandbox(request.param)
    base = tmp_path_factory.mktemp("league")
    cell = Cell(request.param, base / "spring.arena" / "bots" / "abc")
    cell.folder.mkdir(parents=True)
    cell.folder.chmod(0o755)
    cell.inmate("escape")
    other = base / "spring.arena" / "bots" / "def"
    other.mkdir()
    for path in (base / "league.toml", base / "spring.db", other / "bot.py"):
        path.write_text("secret")
        path.chmod(0o644)
    secrets = [base / "league.toml", base / "spring.db", other, other / "bot.py", Path.home() / ".bashrc"]
    secrets += [ROOT / "pyproject.toml", ROOT / "tests", *map(Path, ("/etc/shadow", "/etc/hostname", "/run"))]
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        name = f"papayoo-{os.getpid()}"
        column = ARCHITECTURES[platform.machine()][1]
        abstract.bind("\0" + name)
        abstract.listen()
        outside = {
            "secrets": [*map(str, secrets), "/sys", "/var", "/boot", "/opt", "/srv", "/mnt"],
            "packages": [str(ROOT / "arena"), str(ROOT / "protocol"), str(ROOT)],
            "pid": os.getpid(),
            "port": server.getsockname()[1],
            "abstract": name,
            "numbers": {name: numbers[column] for name, numbers in NUMBERS.items()},
        }
        os.environ["SECRET_OF_THE_ORGANISER"] = "1"
        try:
            done = cell.run(said=json.dumps(outside) + "\n")
        finally:
            del os.environ["SECRET_OF_THE_ORGANISER"]
    assert done.returncode == 0, done.stderr
    return {**json.loads(done.stdout), "folder": str(cell.folder)}


def test_it_has_no_rights_and_gains_none(told: Told) -> None:
    status = told["status"]
    assert status["Uid"].split() == ["65534"] * 4
    assert status["Gid"].split() == ["65534"] * 4
    assert set(status["Groups"].split()) <= {"65534"}
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0, name
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")
    assert told["root again"] == "EINVAL"  # in its namespace there is no such user
    assert told["setuid program"] != 0


def test_its_environment_holds_nothing_of_the_organiser(told: Told) -> None:
    environment = told["environment"]
    assert environment.pop("PATH").split(":")
    assert environment == {
        "HOME": "/home",
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": "/tmp",
    }
    assert told["cwd"] == told["folder"]
    assert told["host name"] == "arena"


def test_it_sees_nothing_of_others(told: Told) -> None:
    assert told["read"] == []
    listed = told["listed"]
    assert "passwd" in listed["/etc"]
    assert "shadow" not in listed["/etc"]
    assert listed["/home"] == listed["/dev/shm"] == []
    # The ways to what is shown: its own folder, where tests have theirs, and the arena and its Python.
    shown = [Path(told["folder"]), ROOT, Path(sys.prefix), Path(sys.base_prefix)]
    assert set(listed["/tmp"]) <= {path.parts[2] for path in shown if path.is_relative_to("/tmp")}


def test_it_writes_in_its_two_memory_disks_alone(told: Told) -> None:
    own = [folder for folder in told["written"] if not folder.startswith("/tmp/")]
    assert own == []  # below /tmp tests have their folders: an empty one there is in its memory disk
    assert told["tmp"] == "both"


def test_it_sees_and_touches_no_process_of_others(told: Told) -> None:
    assert len(told["processes"]) == 2  # bubblewrap's and its own
    assert told["kill outside"] == "ESRCH"
    assert told["kill all"] in ("ESRCH", None)
    assert told["ptrace reaper"] == "EPERM"
    # Nothing of it is shown: its descriptors are the machine's own.
    assert told["memory of reaper"] == told["environment of reaper"] == told["root of reaper"] == "ENOENT"


def test_it_reaches_nobody(told: Told) -> None:
    assert told["interfaces"] == ["lo"]
    assert told["abstract socket of the host"] == "ECONNREFUSED"
    assert told["loopback of the host"] == told["internet"] == told["netlink"] == "EAFNOSUPPORT"
    assert told["packet socket"] == told["vsock"] == "EAFNOSUPPORT"


@pytest.mark.parametrize(
    "what",
    [
        "user namespace",
        "user namespace by clone",
        "namespace of mounts",
        "mount",
        "chroot",
        "keyring",
        "bpf",
        "perf",
        "io_uring",
        "shared memory",
        "another core",
    ],
)
def test_the_kernel_refuses_it(told: Told, what: str) -> None:
    assert told[what] == "EPERM"


def test_it_has_no_terminal(told: Told) -> None:
    assert told["terminal"] in ("ENXIO", "ENOENT")
    assert told["typing"] == "EPERM"


def test_it_gives_way(told: Told) -> None:
    assert told["nice"] == max(10, os.getpriority(os.PRIO_PROCESS, 0))
    assert told["higher priority"] in ("EACCES", "EPERM")
    assert told["oom_score_adj"] >= 800


def test_its_limits_hold(told: Told) -> None:
    assert told["limits"] == {
        "RLIMIT_NPROC": [64, 64],
        "RLIMIT_NOFILE": [64, 64],
        "RLIMIT_FSIZE": [16 << 20, 16 << 20],
        "RLIMIT_CORE": [0, 0],
        "RLIMIT_MSGQUEUE": [0, 0],
        "RLIMIT_SIGPENDING": [256, 256],
    }
    assert told["raise a limit"] in ("EPERM", "refused")
    assert told["descriptors"] == [0, 1, 2, 3]  # the last one is the listing itself
    assert told["big file"] == "EFBIG"
    assert told["full tmp"] == "ENOSPC"
    assert told["many descriptors"] == "EMFILE"
