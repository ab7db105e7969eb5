"""The folder of a host: where it is, its locks and places, and what is removed from it."""

from __future__ import annotations

import errno
import os
import stat
import time
from pathlib import Path

import pytest

from arena.cluster.host_folder import FOLDER, UNUSED_SECONDS, HostFolder, host_id
from tests.cluster.working import WorkerProcess, host_folder


@pytest.fixture
def folder(tmp_path: Path) -> HostFolder:
    made = HostFolder(tmp_path / "host")
    made.make()
    return made


def test_it_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv(FOLDER, raising=False)
    assert HostFolder.here().path == tmp_path / "home" / ".cache" / "papayoo-arena" / host_id()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert HostFolder.here().path == tmp_path / "cache" / "papayoo-arena" / host_id()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert HostFolder.here().path == tmp_path / "home" / ".cache" / "papayoo-arena" / host_id()
    monkeypatch.setenv(FOLDER, str(tmp_path / "named"))
    assert HostFolder.here().path == tmp_path / "named" / host_id()


def test_nobody_else_may_look_into_it(folder: HostFolder) -> None:
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700
    assert sorted(path.name for path in folder.path.iterdir()) == ["built", "bundles", "rolls"]


def test_a_lock_keeps_others_out_until_it_is_released(folder: HostFolder) -> None:
    one, other = folder.lock("some"), folder.lock("some")
    assert one.try_to_take()
    assert not other.try_to_take()
    assert folder.lock("another").try_to_take()
    one.release()
    assert other.try_to_take()
    other.release()
    with one.held():
        assert not other.try_to_take()
    assert other.try_to_take()


@pytest.mark.slow
def test_the_place_of_a_killed_worker_is_free(tmp_path: Path) -> None:
    with WorkerProcess(tmp_path / "host") as worker:
        # It claims its place although there is nothing to begin.
        worker.call("begin", b"Order {}\n")
        assert host_folder(tmp_path / "host").claim_place()[0] == 1
        worker.kill()
    assert host_folder(tmp_path / "host").claim_place()[0] == 0


def test_only_a_digest_names_a_bundle(folder: HostFolder) -> None:
    assert folder.bundle("0a" * 32) == folder.bundles / ("0a" * 32)
    for name in ("", "..", "../" + "a" * 61, "A" * 64, "a" * 63, "a" * 64 + "\n"):
        with pytest.raises(ValueError, match="no digest"):
            folder.bundle(name)


def test_what_nobody_has_used_for_long_is_removed(folder: HostFolder) -> None:
    old, new, failed = (letter * 64 for letter in "abc")
    for store in (folder.bundles, folder.built):
        for name in (old, new):
            (store / name).mkdir()
            (store / name / "file").touch(0o444)
    (folder.built / failed).mkdir()  # its build has never come to an end
    for name in (old, new, failed):
        (folder.built / f"{name}.log").touch()
        (folder.rolls / name).touch()
    for name in (old, new):
        (folder.built / f"{name}.mark").touch()
    long_ago = time.time() - UNUSED_SECONDS - 60
    for path in folder.path.rglob("*"):
        os.utime(path, (long_ago, long_ago))
    folder.note_use([folder.bundles / new, folder.built / new, folder.built / "gone"])
    (folder.rolls / new).touch()
    folder.remove_unused()
    assert [path.name for path in folder.bundles.iterdir()] == [new]
    assert sorted(path.name for path in folder.built.iterdir()) == [new, f"{new}.mark"]
    assert [path.name for path in folder.rolls.iterdir()] == [new]


def test_why_there_is_no_room(folder: HostFolder) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/some/file")
    assert folder.no_room(full) == (
        "/some/file: No space left on device; make room there, or name another folder with "
        "PAPAYOO_ARENA_HOST_FOLDER"
    )
    many = OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))
    assert folder.no_room(many).startswith("there is no room for another process or open file: ")
