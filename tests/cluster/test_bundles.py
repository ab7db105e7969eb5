"""Bundles: a bot's copy comes out as it went in, and nothing else ever does."""

from __future__ import annotations

import hashlib
import io
import os
import struct
from pathlib import Path

import pytest

from arena.bot.snapshot import BOT_BOUNDS, Snapshot, copy_folder, folder_digest, is_intact
from arena.cluster import bundles
from arena.cluster.bundles import MOST_BYTES, PIECE_BYTES, pieces, unpack
from arena.errors import BotFolderError
from arena.linux.folders import Bounds, walk

MAGIC = b"papayoo-bundle-1\n"


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """A folder with programs, data, links, odd names and an empty file."""
    folder = tmp_path / "bot"
    (folder / "data" / "deep").mkdir(parents=True)
    (folder / "bot.py").write_text("print('hello')\n")
    (folder / "bot.py").chmod(0o700)
    (folder / "data" / "deep" / "net.bin").write_bytes(bytes(range(256)) * 40)
    (folder / "data" / "net").symlink_to("deep/net.bin")
    (folder / "dangling").symlink_to("data/nothing here")
    (folder / "empty é").touch(0o600)
    (folder / os.fsdecode(b"no utf-8 \xff\n")).write_text("x")
    return folder


def seen(folder: Path) -> list[tuple[str, int, str]]:
    """What is in a folder: paths, modes and contents."""
    found = []
    for one in walk(folder, BOT_BOUNDS):
        path = folder / one.path
        if path.is_symlink():
            content = str(path.readlink())
        else:
            content = "" if one.is_folder else hashlib.sha256(path.read_bytes()).hexdigest()
        found.append((one.path, one.mode, content))
    return sorted(found)


def bundle_of(folder: Path, most: int = PIECE_BYTES) -> bytes:
    return b"".join(piece.data for piece in pieces(folder, most))


@pytest.mark.parametrize("most", [7, 64, PIECE_BYTES])
def test_what_comes_out_is_what_a_copy_holds(bot: Path, tmp_path: Path, most: int) -> None:
    snapshot = Snapshot(folder_digest(bot), tmp_path / "store" / folder_digest(bot))
    unpack(io.BytesIO(bundle_of(bot, most)), snapshot)
    copy_folder(bot, tmp_path / "copy")
    assert seen(snapshot.path) == seen(tmp_path / "copy")
    assert is_intact(snapshot)
    assert [path.name for path in snapshot.path.parent.iterdir()] == [snapshot.digest]


def test_pieces_follow_each_other_and_only_the_last_says_so(bot: Path) -> None:
    whole = bundle_of(bot)
    for most in (1000, len(whole) // 2, len(whole) - 1, len(whole), len(whole) + 1):
        found = list(pieces(bot, most))
        assert b"".join(piece.data for piece in found) == whole
        assert [piece.place for piece in found] == [number * most for number in range(len(found))]
        assert [piece.last for piece in found] == [False] * (len(found) - 1) + [True]
        assert all(0 < len(piece.data) <= most for piece in found)


def test_equal_folders_give_equal_bundles_whatever_else_is_in_them(bot: Path, tmp_path: Path) -> None:
    copy_folder(bot, tmp_path / "copy")
    before = bundle_of(bot)
    (bot / ".git").mkdir()
    (bot / ".git" / "config").touch()
    (bot / "bot.pyc").touch()
    assert bundle_of(bot) == before == bundle_of(tmp_path / "copy")


def entry(kind: str, path: str | bytes, content: bytes = b"", size: int = -1) -> bytes:
    """An entry as it is written; `size` claims another length of the content."""
    path = path.encode() if isinstance(path, str) else path
    claimed = len(content) if size < 0 else size
    return struct.pack(">cIQ", kind.encode(), len(path), claimed) + path + content


OUTSIDE = b"../../../outside"
"""The target of a link that leads from a copy that is being made to the folder `outside` of the test."""
FINE = entry("f", "fine", b"fine")
HOSTILE = {
    "no bundle": (b"PK\3\4", "none of this arena's"),
    "nothing": (b"", "none of this arena's"),
    "a path upwards": (MAGIC + entry("f", "../evil", b"x"), "no path in a bot's folder"),
    "a path upwards inside": (MAGIC + entry("f", "a/../../evil", b"x"), "no path in a bot's folder"),
    "an absolute path": (MAGIC + entry("f", "/tmp/evil", b"x"), "no path in a bot's folder"),
    "an empty path": (MAGIC + entry("f", ""), "no path in a bot's folder"),
    "a dot": (MAGIC + entry("f", "a/./b"), "no path in a bot's folder"),
    "a NUL": (MAGIC + entry("f", b"a\0b"), "no path in a bot's folder"),
    "a name that is too long": (MAGIC + entry("f", "n" * 256), "no path in a bot's folder"),
    "what the digest leaves out": (MAGIC + FINE + entry("f", "__pycache__/evil.py"), "no path"),
    "compiled code": (MAGIC + FINE + entry("f", "evil.pyc"), "no path in a bot's folder"),
    "too deep": (MAGIC + entry("f", "/".join("d" * 66)), "more than 64 levels"),
    "a folder": (MAGIC + entry("d", "folder"), "neither file nor link"),
    "a device": (MAGIC + entry("c", "device"), "neither file nor link"),
    "twice": (MAGIC + FINE + FINE, "twice"),
    "a link where a file is": (MAGIC + FINE + entry("l", "fine", b"x"), "twice"),
    "two links": (MAGIC + entry("l", "a", b"x") + entry("l", "a", b"y"), "twice"),
    "below a file": (MAGIC + FINE + entry("f", "fine/below"), "below a file"),
    "through a link": (MAGIC + entry("l", "out", OUTSIDE) + entry("f", "out/evil", b"x"), "twice"),
    "a link through a link": (MAGIC + entry("l", "out", OUTSIDE) + entry("l", "out/evil", b"x"), "twice"),
    "an absolute link": (MAGIC + entry("l", "out", b"/etc/passwd"), "absolute path /etc/passwd"),
    "a link outwards": (MAGIC + entry("l", "out", b"../../x"), "leaves the folder"),
    "a link to nothing": (MAGIC + entry("l", "out", b""), "link to nothing"),
    "a long link": (MAGIC + entry("l", "out", b"x" * 5000), "too long"),
    "a huge claim of a path": (MAGIC + struct.pack(">cIQ", b"f", 1 << 31, 0), "too long"),
    "a huge claim of a file": (MAGIC + entry("f", "a", b"x", size=1 << 40), "more in it than"),
    "a file that ends": (MAGIC + entry("f", "a", b"x", size=2), "ends too early"),
    "a head that ends": (MAGIC + b"f\0\0", "ends too early"),
    "another bot": (MAGIC + FINE + entry("f", "more"), "its digest is another one"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_bundle_is_refused_in_words_and_leaves_nothing(case: str, tmp_path: Path) -> None:
    data, why = HOSTILE[case]
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "honest").mkdir()
    (tmp_path / "honest" / "fine").write_bytes(b"fine")
    digest = folder_digest(tmp_path / "honest")
    snapshot = Snapshot(digest, tmp_path / "store" / digest)
    with pytest.raises(BotFolderError) as refused:
        unpack(io.BytesIO(data), snapshot)
    assert why in refused.value.message
    assert refused.value.message.startswith(f"the bundle {digest} is refused: ")
    assert "\n" not in refused.value.message
    assert list(snapshot.path.parent.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["honest", "outside", "store"]
    assert list(outside.iterdir()) == []
    assert not Path("/tmp/evil").exists()


def test_more_files_than_a_bot_may_have_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = Bounds(depth=64, entries=3, file_bytes=100, total_bytes=150)
    monkeypatch.setattr(bundles, "BOT_BOUNDS", few)
    snapshot = Snapshot("0" * 64, tmp_path / "store" / ("0" * 64))
    for data in (
        b"".join(entry("f", f"{number}") for number in range(4)),
        entry("f", "big", bytes(101)),
        entry("f", "one", bytes(80)) + entry("f", "two", bytes(80)),
    ):
        with pytest.raises(BotFolderError, match="more in it than a bot's folder holds: at most 64"):
            unpack(io.BytesIO(MAGIC + data), snapshot)


def test_no_honest_bundle_is_longer_than_the_most(bot: Path) -> None:
    """The most that a folder may hold, with names of the greatest length, still fits."""
    worst = BOT_BOUNDS.total_bytes + BOT_BOUNDS.entries * (len(entry("f", "n" * 4096)))
    assert len(MAGIC) + worst <= MOST_BYTES


def test_a_disk_that_cannot_be_written_is_no_refusal(bot: Path, tmp_path: Path) -> None:
    """Then the bundle may be good, so this is another error."""
    (tmp_path / "store").write_text("a file where the folder should be")
    with pytest.raises(FileExistsError):
        unpack(io.BytesIO(bundle_of(bot)), Snapshot(folder_digest(bot), tmp_path / "store" / "x"))
