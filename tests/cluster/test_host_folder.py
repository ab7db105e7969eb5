"""The folder of a host: where it is, who may use it, and what is removed from it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from arena.cluster.host_folder import UNUSED_SECONDS, HostFolder


@pytest.fixture
def folder(tmp_path: Path) -> HostFolder:
    made = HostFolder(tmp_path / "host")
    made.make()
    return made


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
