"""Copies of bots' folders: complete, checked, never half done, whoever else is copying."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bot.snapshot import Snapshot, folder_digest, is_intact, naming, take_snapshot
from arena.errors import BotFolderError
from arena.linux.folders import remove_tree


@pytest.fixture
def bot(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "bot"
    (folder / "data" / "__pycache__").mkdir(parents=True)
    (folder / "data" / "__pycache__" / "x.pyc").touch()
    (folder / "empty").mkdir()
    (folder / "bot.py").write_text("print('hello')\n")
    (folder / "bot.py").chmod(0o700)
    (folder / "data" / "net.bin").write_bytes(b"net")
    (folder / "data" / "up").symlink_to("../bot.py")
    yield folder
    remove_tree(folder)  # pytest itself could not remove a deep one


def contents(folder: Path) -> dict[str, str]:
    """What is in a folder: modes in octal, targets of links."""
    return {str(path.relative_to(folder)): _content(path) for path in folder.rglob("*")}


def _content(path: Path) -> str:
    return str(path.readlink()) if path.is_symlink() else oct(path.stat().st_mode & 0o777)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("umask", [0o022, 0o077])
def test_a_copy_holds_what_counts(bot: Path, tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        taken = take_snapshot(bot, tmp_path / "deep" / "store")
    finally:
        os.umask(before)
    assert taken == Snapshot(folder_digest(bot), tmp_path / "deep" / "store" / folder_digest(bot))
    assert contents(taken.path) == {
        "bot.py": "0o555",
        "data": "0o755",
        "data/net.bin": "0o444",
        "data/up": "../bot.py",
    }
    assert taken.path.stat().st_mode & 0o777 == 0o755
    assert (taken.path / "data" / "up").read_text() == "print('hello')\n"
    assert names(tmp_path / "deep" / "store") == [taken.digest]


def test_a_changed_folder_gets_its_own_copy(bot: Path, tmp_path: Path) -> None:
    first = take_snapshot(bot, tmp_path / "store")
    (bot / "bot.py").write_text("print('other')\n")
    second = take_snapshot(bot, tmp_path / "store")
    assert names(tmp_path / "store") == sorted([first.digest, second.digest])
    assert (first.path / "bot.py").read_text() == "print('hello')\n"


def test_a_copy_that_was_written_into_is_replaced(bot: Path, tmp_path: Path) -> None:
    taken = take_snapshot(bot, tmp_path / "store")
    (taken.path / "log.txt").write_text("a bot was here")
    assert not is_intact(taken)
    assert take_snapshot(bot, tmp_path / "store") == taken
    assert is_intact(taken)
    assert names(tmp_path / "store") == [taken.digest]


def test_a_folder_that_changes_meanwhile_is_refused(
    bot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save_then_copy(source: Path, target: Path) -> None:
        source.chmod(0o700)
        source.write_text("the author saves just now")
        target.write_bytes(source.read_bytes())

    monkeypatch.setattr(shutil, "copyfile", save_then_copy)
    with pytest.raises(BotFolderError) as caught:
        take_snapshot(bot, tmp_path / "store")
    assert str(caught.value) == f"{bot}: changed while it was copied; run again when it is complete"
    assert names(tmp_path / "store") == []


def test_a_store_that_cannot_be_written(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file")
    with pytest.raises(BotFolderError) as caught:
        take_snapshot(bot, tmp_path / "store")
    assert str(caught.value) == f"{bot}: cannot be copied to {tmp_path}/store: File exists"


@pytest.mark.parametrize("spoiled", [False, True])
def test_many_at_once(bot: Path, tmp_path: Path, spoiled: bool) -> None:
    store = tmp_path / "store"
    if spoiled:
        (store / folder_digest(bot)).mkdir(parents=True)
        (store / folder_digest(bot) / "rest").touch()
    start = threading.Barrier(6)
    taken: list[Snapshot] = []

    def take() -> None:
        start.wait()
        taken.append(take_snapshot(bot, store))

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(taken) == 6
    assert len(set(taken)) == 1
    assert is_intact(taken[0])
    assert names(store) == [taken[0].digest]


def deep(folder: Path, levels: int) -> None:
    """Make a folder of so many levels, deeper than a path can be written."""
    folder.mkdir(exist_ok=True)
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("end", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


@pytest.mark.slow
def test_a_folder_that_is_too_deep_is_refused_and_named(bot: Path, tmp_path: Path) -> None:
    deep(bot / "data" / "deep", 1500)
    with pytest.raises(BotFolderError) as caught, naming("duck"):
        take_snapshot(bot, tmp_path / "store")
    said = str(caught.value)
    assert said.startswith(f"duck: {tmp_path}"[:30])
    assert said.endswith(
        "/d/d/d: more than 64 levels of folders; a bot's folder holds at most 64 levels of folders, "
        "100,000 files and folders, 1 GiB in a file and 2 GiB in all"
    )
    assert len(said) < 500


def test_a_sparse_file_is_refused_without_being_read(bot: Path, tmp_path: Path) -> None:
    (bot / "hole").touch()
    os.truncate(bot / "hole", 1 << 40)
    with pytest.raises(BotFolderError, match="hole: a file of 1 TiB, more than 1 GiB; a bot's folder holds"):
        take_snapshot(bot, tmp_path / "store")


def test_a_name_with_control_characters_is_shown_as_text(bot: Path, tmp_path: Path) -> None:
    (bot / "\x1b[2Jx").symlink_to("/\x07")
    with pytest.raises(BotFolderError, match=r"\\x1b\[2Jx: a link to the absolute path /\\x07;"):
        take_snapshot(bot, tmp_path / "store")
