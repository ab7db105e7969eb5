"""The digest of a bot's folder: what counts, what does not, what is refused."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bot.snapshot import Entry, EntryKind, folder_digest, folder_entries
from arena.errors import BotFolderError


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A folder with a program, a data file deep inside and a link."""
    folder = tmp_path / "bot"
    (folder / "data").mkdir(parents=True)
    (folder / "bot.py").write_text("print('hello')\n")
    (folder / "bot.py").chmod(0o755)
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
    "script",
    [
        "echo more >> bot.py",
        "touch more.txt",
        "rm data/net.bin",
        "mv bot.py Bot.py",
        "chmod 744 data/net.bin",
        "ln -sfn ./data/net.bin weights",
        "rm weights; printf data/net.bin > weights",
    ],
)
def test_what_counts(bot: Path, script: str) -> None:
    before = folder_digest(bot)
    change(bot, script)
    assert folder_digest(bot) != before


@pytest.mark.parametrize(
    "script",
    [
        "mkdir __pycache__ data/__pycache__ .git; touch __pycache__/x data/__pycache__/x .git/x old.pyc",
        "touch -d @0 bot.py",
        "chmod 700 bot.py data; chmod 600 data/net.bin",
        "mkdir -p empty/deep",
    ],
)
def test_what_does_not_count(bot: Path, script: str) -> None:
    before = folder_digest(bot)
    change(bot, script)
    assert folder_digest(bot) == before


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


@pytest.mark.parametrize("target", ["../bot.py", "nowhere", ".", "../data/./net.bin", "loop"])
def test_links_inside_are_kept_even_when_they_dangle(bot: Path, target: str) -> None:
    (bot / "data" / "loop").symlink_to(target)
    assert Entry("data/loop", EntryKind.LINK) in folder_entries(bot)


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


PATHS = st.lists(st.sampled_from(["a", "b", "c.py", "ü", "a b", "-"]), min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(PATHS, st.tuples(st.binary(max_size=4), st.booleans()), max_size=6).filter(
    lambda files: not any(other.startswith(f"{path}/") for path in files for other in files)
)


def _write(folder: Path, files: dict[str, tuple[bytes, bool]]) -> None:
    folder.mkdir()
    for path, (content, executable) in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        (folder / path).chmod(0o755 if executable else 0o644)


@given(first=FILES, second=FILES)
def test_equal_digests_mean_equal_folders(
    first: dict[str, tuple[bytes, bool]],
    second: dict[str, tuple[bytes, bool]],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("pair")
    _write(place / "first", first)
    _write(place / "second", second)
    assert (folder_digest(place / "first") == folder_digest(place / "second")) == (first == second)
