"""Bundles: a bot's copy comes out as it went in, and nothing else ever does."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.snapshot import BOT_BOUNDS, Snapshot, copy_folder, folder_digest, is_intact
from arena.cluster import bundles
from arena.cluster.bundles import pieces, unpack
from arena.errors import BotFolderError
from arena.linux.folders import walk


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


def bundle_of(folder: Path, most: int = 1 << 20) -> bytes:
    return b"".join(pieces(folder, most))


@pytest.mark.parametrize("most", [7, 1 << 20])
def test_what_comes_out_is_what_a_copy_holds(bot: Path, tmp_path: Path, most: int) -> None:
    snapshot = Snapshot(folder_digest(bot), tmp_path / "store" / folder_digest(bot))
    unpack(io.BytesIO(bundle_of(bot, most)), snapshot)
    copy_folder(bot, tmp_path / "copy")
    assert seen(snapshot.path) == seen(tmp_path / "copy")
    assert is_intact(snapshot)
    assert [path.name for path in snapshot.path.parent.iterdir()] == [snapshot.digest]


def tar(*entries: tuple[str, str, bytes]) -> bytes:
    """An archive of these entries: their types (of tar), paths, and contents or targets."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for kind, path, content in entries:
            info = tarfile.TarInfo(path)
            info.type, info.linkname = kind.encode(), content.decode() if kind == "2" else ""
            info.size = 0 if kind in "25" else len(content)
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


OUTSIDE = b"../../../outside"
"""The target of a link that leads from a copy that is being made to the folder `outside` of the test."""
FINE = ("0", "fine", b"fine")
HOSTILE = {
    "no bundle": (b"PK\3\4" * 200, "invalid header"),
    "nothing": (b"", "empty file"),
    "a path upwards": (tar(("0", "../evil", b"x")), "no path in a bot's folder"),
    "a path upwards inside": (tar(("0", "a/../../evil", b"x")), "no path in a bot's folder"),
    "an absolute path": (tar(("0", "/tmp/evil", b"x")), "no path in a bot's folder"),
    "a dot": (tar(("0", "a/./b", b"x")), "no path in a bot's folder"),
    "what the digest leaves out": (tar(FINE, ("0", "__pycache__/evil.py", b"x")), "no path"),
    "compiled code": (tar(FINE, ("0", "evil.pyc", b"x")), "no path in a bot's folder"),
    "too deep": (tar(("0", "/".join("d" * 66), b"x")), "more than 64"),
    "a folder": (tar(("5", "folder", b"")), "neither a file nor a link"),
    "a pipe": (tar(("6", "pipe", b"")), "neither a file nor a link"),
    "twice": (tar(FINE, FINE), "File exists"),
    "a link where a file is": (tar(FINE, ("2", "fine", b"x")), "File exists"),
    "below a file": (tar(FINE, ("0", "fine/below", b"x")), "exists"),
    "through a link": (tar(("2", "out", OUTSIDE), ("0", "out/evil", b"x")), "File exists"),
    "a link through a link": (tar(("2", "out", OUTSIDE), ("2", "out/evil", b"x")), "File exists"),
    "an absolute link": (tar(("2", "out", b"/etc/passwd")), "absolute path /etc/passwd"),
    "a link outwards": (tar(("2", "out", b"../../x")), "leaves the folder"),
    "a file that ends": (tar(("0", "a", bytes(2000)))[:1000], "unexpected end of data"),
    "another bot": (tar(FINE, ("0", "more", b"")), "its digest is another one"),
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
    monkeypatch.setattr(bundles, "BOT_BOUNDS", replace(BOT_BOUNDS, entries=3, total_bytes=150))
    snapshot = Snapshot("0" * 64, tmp_path / "store" / ("0" * 64))
    for data in (
        tar(*(("0", f"{number}", b"") for number in range(4))),
        tar(("0", "one", bytes(80)), ("0", "two", bytes(80))),
    ):
        with pytest.raises(BotFolderError, match="more in it than a bot's folder holds: at most 64"):
            unpack(io.BytesIO(data), snapshot)
