"""Folders as archives: the same bytes for the same content, and nothing hostile is ever unpacked."""

from __future__ import annotations

import gzip
import io
import os
import subprocess
import tarfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.season import bundle
from arena.season.bundle import SUMS, BundleError, is_bundle, pack, unpack, wrong_sums

Member = tuple[tarfile.TarInfo, bytes]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all that may be in one."""
    made = tmp_path / "spring"
    (made / "bots" / "deep").mkdir(parents=True)
    (made / "empty").mkdir()
    (made / "bots" / "run").write_bytes(b"#!/bin/sh\n")
    (made / "bots" / "run").chmod(0o750)
    (made / "bots" / "deep" / "data ä.bin").write_bytes(bytes(range(256)) * 5000)
    (made / "bots" / "link").symlink_to("deep/data ä.bin")
    (made / "a.txt").write_text("a")
    (made / "hard").hardlink_to(made / "a.txt")
    return made


def contents(folder: Path) -> dict[str, object]:
    """All files and links, with whether they may be executed."""
    return {
        path.relative_to(folder).as_posix(): (
            path.readlink() if path.is_symlink() else (path.read_bytes(), os.access(path, os.X_OK))
        )
        for path in folder.rglob("*")
        if path.is_symlink() or path.is_file()
    }


@pytest.mark.parametrize("name", [b"a\\b.txt", b"a\nb", b"caf\xe9", "a\u00a0b".encode()])
def test_a_name_that_no_archive_may_have_is_refused_when_it_is_packed(
    name: bytes, folder: Path, tmp_path: Path
) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).touch()
    with pytest.raises(BundleError, match="is no name that a file in an archive may have"):
        pack(folder, tmp_path / "spring.tar.gz")
    assert not (tmp_path / "spring.tar.gz").exists()


def test_what_is_packed_comes_out_again(folder: Path, tmp_path: Path) -> None:
    before = contents(folder)
    pack(folder, tmp_path / "spring.tar.gz")
    assert is_bundle(tmp_path / "spring.tar.gz")
    (tmp_path / "out").mkdir()
    found = unpack(tmp_path / "spring.tar.gz", tmp_path / "out")
    assert found == tmp_path / "out" / "spring"
    after = contents(found)
    assert after.pop(SUMS) == ((folder / SUMS).read_bytes(), False)
    assert after == before
    assert list(wrong_sums(found)) == []


def test_the_same_content_gives_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    pack(folder, tmp_path / "one.tar.gz")
    for path in folder.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000), follow_symlinks=False)
    (folder / "a.txt").chmod(0o600)
    pack(folder, tmp_path / "two.tar.gz")
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()


def test_the_sums_are_those_of_sha256sum(folder: Path, tmp_path: Path) -> None:
    pack(folder, tmp_path / "spring.tar.gz")
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", SUMS], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_what_the_sums_do_not_agree_with_is_named(folder: Path, tmp_path: Path) -> None:
    pack(folder, tmp_path / "spring.tar.gz")
    (folder / "hard").unlink()
    (folder / "bots" / "run").write_text("other")
    (folder / "more").write_text("x")
    assert list(wrong_sums(folder)) == [
        ("bots/run", f"its sum differs from that in {SUMS}"),
        ("hard", f"listed in {SUMS}, but missing"),
        ("more", f"not listed in {SUMS}"),
    ]
    (folder / SUMS).unlink()
    with pytest.raises(BundleError, match="SHA256SUMS cannot be read"):
        list(wrong_sums(folder))


def member(name: str, kind: bytes = tarfile.REGTYPE, target: str = "", content: bytes = b"") -> Member:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, target, len(content)
    return info, content


def archive(path: Path, *members: Member, **pax: str) -> Path:
    with gzip.open(path, "wb") as packed, tarfile.open(fileobj=packed, mode="w", pax_headers=pax) as tar:
        for info, content in members:
            tar.addfile(info, io.BytesIO(content))
    return path


OUT = "../../out.txt"
HOSTILE = {
    "absolute": [member("/tmp/evil")],
    "above": [member(OUT, content=b"x")],
    "hidden above": [member("x/../../out.txt")],
    "link out": [member("x/link", tarfile.SYMTYPE, "../../out")],
    "absolute link": [member("x/link", tarfile.SYMTYPE, "/etc/passwd")],
    "through a link": [member("x/link", tarfile.SYMTYPE, "."), member("x/link/../../out.txt")],
    "hard link": [member("x/a"), member("x/b", tarfile.LNKTYPE, "x/a")],
    "device": [member("x/null", tarfile.CHRTYPE)],
    "pipe": [member("x/pipe", tarfile.FIFOTYPE)],
    "twice": [member("x/a"), member("x/a")],
    "a file below a file": [member("x/a"), member("x/a/b")],
    "control characters": [member("x/\x1b[2J")],
    "two folders": [member("x/a"), member("y/a")],
    "no folder": [member("a")],
    "nothing": [],
}


@pytest.mark.parametrize("members", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_members_are_refused(members: list[Member], tmp_path: Path) -> None:
    inside = tmp_path / "deep" / "er"
    inside.mkdir(parents=True)
    with pytest.raises(BundleError):
        unpack(archive(tmp_path / "evil.tar.gz", *members), inside)
    outside = {path for path in tmp_path.rglob("*") if not path.is_relative_to(inside)}
    assert outside == {tmp_path / "deep", inside.parent, tmp_path / "evil.tar.gz"} - {inside}


def test_a_link_never_leads_a_file_elsewhere(tmp_path: Path) -> None:
    """The link comes first in the archive, yet last on disk: the file takes its place."""
    (tmp_path / "in").mkdir()
    (tmp_path / "goal").mkdir()
    evil = archive(
        tmp_path / "evil.tar.gz", member("x/d", tarfile.SYMTYPE, "../goal"), member("x/d/file", content=b"x")
    )
    with pytest.raises(BundleError):
        unpack(evil, tmp_path / "in")
    assert list((tmp_path / "goal").iterdir()) == []


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = archive(tmp_path / "bomb.tar.gz", member("x/zeros", content=bytes(3 << 20)))
    monkeypatch.setattr(bundle, "_MOST", replace(bundle._MOST, total_bytes=2 << 20))
    with pytest.raises(BundleError, match="there is more in it than"):
        unpack(bomb, tmp_path)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE])
def test_a_deep_folder_in_an_archive_is_refused_by_name(kind: bytes, tmp_path: Path) -> None:
    deep = archive(tmp_path / "deep.tar.gz", member("x/" + "d/" * 3000 + "end", kind, "end"))
    (tmp_path / "out").mkdir()
    with pytest.raises(BundleError, match=r"refused: 'x/d/.*….*/end' is in more than 80 levels of folders"):
        unpack(deep, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_an_endless_header_is_not_held_in_memory(tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="a header of it is too long"):
        unpack(archive(tmp_path / "pax.tar.gz", member("x/a"), comment="c" * (2 << 20)), tmp_path)


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[: len(data) // 2], lambda data: b"PK" + data[2:], lambda _: b"", lambda d: d[:10]],
)
def test_what_is_no_archive_is_said(damage: Callable[[bytes], bytes], folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "spring.tar.gz"
    pack(folder, path)
    path.write_bytes(damage(path.read_bytes()))
    (tmp_path / "out").mkdir()
    with pytest.raises(BundleError, match="cannot be unpacked"):
        unpack(path, tmp_path / "out")


def test_what_counts_as_an_archive(tmp_path: Path) -> None:
    (tmp_path / "spring.db").write_bytes(b"SQLite format 3\0")
    assert not is_bundle(tmp_path / "spring.db")
    assert is_bundle(tmp_path / "nowhere.tar.gz")
    assert not is_bundle(tmp_path / "nowhere.db")
