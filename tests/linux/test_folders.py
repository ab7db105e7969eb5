"""Folders of strangers: looked at up to their bounds, removed whatever they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.linux.folders import Bounds, TooMuchError, remove_tree, walk, workshop

BOUNDS = Bounds(depth=3, path_bytes=20, entries=5, file_bytes=100, total_bytes=150)


def dig(folder: Path, levels: int, mode: int = 0o755) -> None:
    """Make a folder that is so many levels deep, with a file on each level."""
    folder.mkdir(exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.fchmod(here, mode)
        os.close(here)
        here = inner
    os.close(here)


def paths(folder: Path) -> list[str]:
    return sorted(found.path for found in walk(folder, BOUNDS))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (["a/b/c/d/file"], "a/b/c/d: more than 3 levels of folders"),
        (["a234567890/b234567890"], "a234567890/b234567890: a path of more than 20 bytes"),
        (["a", "b", "c", "d", "e", "f"], ": more than 5 files and folders"),
        (["long:101"], "long: a file of 101 bytes, more than 100 bytes"),
        (["x:80", "y:80"], ": with this file more than 150 bytes in all"),
    ],
)
def test_what_is_beyond_the_bounds_is_named(tmp_path: Path, made: list[str], said: str) -> None:
    for text in made:
        name, _, size = text.partition(":")
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
        os.truncate(tmp_path / name, int(size or 0))
    with pytest.raises(TooMuchError) as caught:
        paths(tmp_path)
    assert said in str(caught.value)


@pytest.mark.parametrize("mode", [0o755, 0o000])
@pytest.mark.slow
def test_a_folder_of_any_depth_is_removed(tmp_path: Path, mode: int) -> None:
    dig(tmp_path / "deep", 2100, mode)  # deeper than Python calls itself, and than a path is long
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "deep").chmod(0o755)
    (tmp_path / "deep" / "out").symlink_to(tmp_path / "kept")
    (tmp_path / "deep" / "up").symlink_to("..")
    (tmp_path / "deep").chmod(mode)
    remove_tree(tmp_path / "deep")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text() == "kept"


@pytest.mark.slow
def test_a_workshop_is_gone_afterwards(tmp_path: Path) -> None:
    with workshop("x-", tmp_path) as folder:
        assert folder.parent == tmp_path
        dig(folder, 1500)
    assert list(tmp_path.iterdir()) == []
