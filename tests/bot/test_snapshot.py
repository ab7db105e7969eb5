"""Bots' folders: the digest, what is refused, and copies that are complete whoever else is copying."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from arena.bot.snapshot import Snapshot, folder_digest, is_intact, take_snapshot
from arena.errors import BotFolderError


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A folder with a program, a data file deep inside, a link, and what does not count."""
    folder = tmp_path / "bot"
    (folder / "data" / "__pycache__").mkdir(parents=True)
    (folder / "data" / "__pycache__" / "x.pyc").touch()
    (folder / "empty").mkdir()
    (folder / "bot.py").write_text("print('hello')\n")
    (folder / "bot.py").chmod(0o700)
    (folder / "data" / "net.bin").write_bytes(bytes(range(256)))
    (folder / "weights").symlink_to("data/net.bin")
    return folder


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_format_is_as_written(bot: Path) -> None:
    expected = b"papayoo-bot-folder-1\n"
    program = sha(b"print('hello')\n")
    expected += f"x {program} bot.py".encode() + b"\0"
    expected += f"f {sha(bytes(range(256)))} data/net.bin".encode() + b"\0"
    expected += f"l {sha(b'data/net.bin')} weights".encode() + b"\0"
    assert folder_digest(bot) == sha(expected)


def change(bot: Path, script: str) -> None:
    """Have a shell change something in the folder."""
    subprocess.run(["sh", "-ec", script], cwd=bot, check=True)


@pytest.mark.parametrize(
    ("counts", "script"),
    [
        (True, "echo more >> bot.py"),
        (True, "touch more.txt"),
        (True, "rm data/net.bin"),
        (True, "mv bot.py Bot.py"),
        (True, "chmod 744 data/net.bin"),
        (True, "ln -sfn ./data/net.bin weights"),
        (True, "rm weights; printf data/net.bin > weights"),
        (False, "mkdir __pycache__ .git; touch __pycache__/x data/__pycache__/x .git/x old.pyc"),
        (False, "touch -d @0 bot.py"),
        (False, "chmod 755 bot.py data; chmod 600 data/net.bin"),
        (False, "mkdir -p empty/deep"),
    ],
)
def test_what_counts(bot: Path, script: str, counts: bool) -> None:
    before = folder_digest(bot)
    change(bot, script)
    assert (folder_digest(bot) != before) is counts


def refusal(folder: Path) -> str:
    with pytest.raises(BotFolderError) as caught:
        folder_digest(folder)
    assert caught.value.exit_code == 2
    return str(caught.value)


OUT = "out: a link that leaves the folder, to {}; copy the file instead"
SPECIAL = "neither a file nor a folder nor a link; it cannot be copied"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        *(
            (f"ln -s {to} out", OUT.format(to))
            for to in ("..", "../other", "data/../../other", "../bot/bot.py")
        ),
        ("ln -s . here; ln -s here/../secret out", OUT.format("here/../secret")),
        ("ln -s /etc out", "out: a link to the absolute path /etc; make it relative, or copy the file"),
        ("mkfifo data/pipe", f"data/pipe: {SPECIAL}"),
        ("python3 -c \"import socket; socket.socket(socket.AF_UNIX).bind('sock')\"", f"sock: {SPECIAL}"),
    ],
)
def test_what_cannot_be_copied_is_refused(bot: Path, script: str, words: str) -> None:
    change(bot, script)
    assert refusal(bot) == f"{bot}/{words}"


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    words = "a bot's folder holds its program"
    assert refusal(tmp_path / "no") == f"{tmp_path}/no: there is no such folder; {words}"
    assert refusal(tmp_path / "file") == f"{tmp_path}/file: is not a folder; {words}"


def test_what_cannot_be_read_is_named(bot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(path: Path, *_: object) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    with monkeypatch.context() as patch:  # by hand, because nothing is unreadable to root
        patch.setattr(Path, "open", deny)
        assert refusal(bot) == f"{bot}/bot.py: cannot be read: Permission denied"
    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", deny)
        assert refusal(bot) == f"{bot}: cannot be read: Permission denied"


# Copies


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
        "weights": "data/net.bin",
    }
    assert taken.path.stat().st_mode & 0o777 == 0o755
    assert names(tmp_path / "deep" / "store") == [taken.digest]


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


def test_many_at_once(bot: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
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


def test_a_sparse_file_is_refused_without_being_read(bot: Path, tmp_path: Path) -> None:
    (bot / "hole").touch()
    os.truncate(bot / "hole", 1 << 40)
    with pytest.raises(BotFolderError, match="hole: a file of 1 TiB, more than 1 GiB; a bot's folder holds"):
        take_snapshot(bot, tmp_path / "store")


def test_a_name_with_control_characters_is_shown_as_text(bot: Path, tmp_path: Path) -> None:
    (bot / "\x1b[2Jx").symlink_to("/\x07")
    with pytest.raises(BotFolderError, match=r"\\x1b\[2Jx: a link to the absolute path /\\x07;"):
        take_snapshot(bot, tmp_path / "store")
