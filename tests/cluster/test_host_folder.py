"""The folder of a host: where it is, who may use it, and what is removed from it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.cluster.host_folder import FOLDER, UNUSED_SECONDS, HostFolder


@pytest.fixture
def folder(tmp_path: Path) -> HostFolder:
    made = HostFolder(tmp_path / "host")
    made.make()
    return made


def test_it_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv(FOLDER, raising=False)
    assert HostFolder.here().path.parent == tmp_path / "home" / ".cache" / "papayoo-arena"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert HostFolder.here().path.parent == tmp_path / "cache" / "papayoo-arena"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert HostFolder.here().path.parent == tmp_path / "home" / ".cache" / "papayoo-arena"
    monkeypatch.setenv(FOLDER, str(tmp_path / "named"))
    assert HostFolder.here().path.parent == tmp_path / "named"
    assert HostFolder.here().id == HostFolder.here().id != HostFolder(tmp_path).id


def test_nobody_else_may_look_into_it(folder: HostFolder) -> None:
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_one_process_has_it_until_that_is_gone(folder: HostFolder) -> None:
    code = (
        "import sys, pathlib\nfrom arena.cluster.host_folder import HostFolder\n"
        "print(HostFolder(pathlib.Path(sys.argv[1])).lock(), flush=True)\nsys.stdin.read()"
    )
    argv = [sys.executable, "-c", code, str(folder.path)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"True\n"
        assert not folder.lock()
        other.kill()
    assert folder.lock()


def test_only_a_digest_names_a_bundle(folder: HostFolder) -> None:
    assert folder.bundle("0a" * 32) == folder.path / "bundles" / ("0a" * 32)
    for name in ("", "..", "../" + "a" * 61, "A" * 64, "a" * 63, "a" * 64 + "\n"):
        with pytest.raises(ValueError, match="no digest"):
            folder.bundle(name)


def test_what_nobody_has_used_for_long_is_removed(folder: HostFolder) -> None:
    old, new, half = "a" * 64, "b" * 64, ".making-x"
    for store in (folder.path / "bundles", folder.built):
        for name in (old, new, half):
            (store / name).mkdir()
            (store / name / "file").touch(0o444)
    for name in (old, new):
        (folder.built / f"{name}.log").touch()
        (folder.built / f"{name}.mark").touch()
    long_ago = time.time() - UNUSED_SECONDS - 60
    for path in folder.path.rglob("*"):
        os.utime(path, (long_ago, long_ago))
    folder.tidy([folder.path / "bundles" / new, folder.built / new, folder.built / "gone"])
    assert [path.name for path in (folder.path / "bundles").iterdir()] == [new]
    assert sorted(path.name for path in folder.built.iterdir()) == [new, f"{new}.mark"]
