"""Files as they are sent: compressed once, kept while they stay the same, forgotten when room is needed."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from arena.cli.organiser import sent_files
from arena.cli.organiser.sent_files import Following, SentFiles, accepts_gzip, has_tag, weights


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What has been compressed so far."""
    done: list[bytes] = []
    compress = gzip.compress

    def noting(data: bytes, level: int, *, mtime: int) -> bytes:
        done.append(data)
        return compress(data, level, mtime=mtime)

    monkeypatch.setattr(sent_files.gzip, "compress", noting)
    return done


def replace(file: Path, content: bytes) -> None:
    """Change a file as a run does: by another of its name, and the clock of the folder may be coarse."""
    other = file.with_name("other")
    other.write_bytes(content)
    os.utime(other, ns=(7, 7))
    other.replace(file)


def test_a_page_is_compressed_once_until_it_changes(tmp_path: Path, packed: list[bytes]) -> None:
    files, page = SentFiles(), tmp_path / "page.html"
    replace(page, b"one")
    sent = [files.get(page, packed=True, following=None) for _ in range(3)]
    assert (packed, len(set(sent))) == ([b"one"], 1)
    replace(page, b"two")
    changed = files.get(page, packed=True, following=None)
    assert gzip.decompress(changed.content) == b"two"
    assert changed.tag != sent[0].tag
    assert files.get(page, packed=False, following=None).content == b"two"
    assert packed == [b"one", b"two"]


def test_the_same_bytes_have_the_same_tag_whenever_they_were_written(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    replace(page, b"one")
    first = SentFiles().get(page, packed=True, following=None)
    replace(page, b"one")
    assert SentFiles().get(page, packed=True, following=None) == first


def test_a_page_that_follows_is_another(tmp_path: Path) -> None:
    files, page = SentFiles(), tmp_path / "page.html"
    page.write_bytes(b"<head></head><main></main>")
    ways = (None, Following("/a.js", 30, True), Following("/a.js", 30, False), Following("/b.js", 5, True))
    sent = [files.get(page, packed=False, following=way) for way in (*ways, *ways)]
    assert len({one.content for one in sent}) == len({one.tag for one in sent}) == len(ways)


def test_only_so_much_is_kept_and_what_was_sent_last(tmp_path: Path, packed: list[bytes]) -> None:
    files = SentFiles(room=100)
    pages = [tmp_path / f"{name}.html" for name in "abcdef"]
    for page in pages:
        page.write_bytes(page.name.encode())
        files.get(page, packed=True, following=None)
        files.get(pages[0], packed=True, following=None)
    del packed[:]
    for page in pages:
        files.get(page, packed=True, following=None)
    assert pages[0].name.encode() not in packed
    assert 1 < len(packed) < len(pages)
    large = tmp_path / "large.html"
    large.write_bytes(os.urandom(200))
    assert len(gzip.decompress(files.get(large, packed=True, following=None).content)) == 200


def test_a_file_that_is_gone_cannot_be_sent(tmp_path: Path) -> None:
    files, page = SentFiles(), tmp_path / "page.html"
    page.write_bytes(b"one")
    files.get(page, packed=False, following=None)
    page.unlink()
    with pytest.raises(FileNotFoundError):
        files.get(page, packed=False, following=None)


@pytest.mark.parametrize(
    ("header", "accepted"),
    [
        ("", False), ("gzip", True), ("deflate, GZIP", True), ("gzip;q=0", False), ("gzip; q=0.000", False),
        ("gzip;q=0.5, *;q=0", True), ("*", True), ("*;q=0", False), ("identity", False), ("gzip;q=x", False),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True), ("gzip;q=0, *", False), ("gzipped", False), (";,=", False),
    ],
)  # fmt: skip
def test_who_can_read_gzip(header: str, accepted: bool) -> None:
    assert accepts_gzip(header) is accepted


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("", False),
        ('"a"', True),
        ('W/"a"', True),
        ('"b" , "a"', True),
        ("*", True),
        ("a", False),
        ('"ab"', False),
    ],
)
def test_which_tags_are_the_same(header: str, known: bool) -> None:
    assert has_tag(header, '"a"') is known


def test_what_a_browser_accepts_and_how_gladly() -> None:
    assert weights("gzip, BR;q=0.5, *;q=0, x;q=y, z;p=1,,") == {
        "gzip": 1.0,
        "br": 0.5,
        "*": 0.0,
        "x": 0.0,
        "z": 0.0,
    }
    assert weights("") == {}
