"""Files are put whole, only when they change, and nobody else's are touched."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from reports.writing import SiteFolder


def test_only_changed_files_are_written(tmp_path: Path) -> None:
    first = SiteFolder(tmp_path / "new" / "site")
    first.put("a.html", b"one")
    first.put("matches/1.html", b"one")
    assert (first.written, first.unchanged) == (2, 0)
    second = SiteFolder(tmp_path / "new" / "site")
    second.put("a.html", b"one")
    second.put("matches/1.html", b"two")
    assert (second.written, second.unchanged) == (1, 1)
    assert (second.folder / "matches" / "1.html").read_bytes() == b"two"


def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SiteFolder(tmp_path).put("a.html", b"old")

    def fail(self: Path, target: Path) -> Path:
        raise OSError("disk full")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        SiteFolder(tmp_path).put("a.html", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.html": b"old"}


@pytest.mark.slow
def test_what_a_killed_writer_has_left_goes_and_what_is_being_written_stays(tmp_path: Path) -> None:
    killed = """
import os, sys
from pathlib import Path
from reports.writing import SiteFolder
Path.replace = lambda self, target: os._exit(9)
SiteFolder(Path(sys.argv[1])).put("matches/1.html", b"half a page")
"""
    assert subprocess.run([sys.executable, "-c", killed, tmp_path], check=False).returncode == 9
    (left,) = (tmp_path / "matches").iterdir()
    others = [tmp_path / "matches" / name for name in (".papayoo-x", ".x.tmp")]
    for path in others:
        path.write_bytes(b"")
    with left.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # as if another process were writing it now
        assert SiteFolder(tmp_path).finish() == 0
        assert left.exists()
    assert SiteFolder(tmp_path).finish() == 0
    assert sorted((tmp_path / "matches").iterdir()) == others


def test_files_can_be_read_by_a_web_server(tmp_path: Path) -> None:
    site = SiteFolder(tmp_path)
    site.put("a.html", b"")
    assert (tmp_path / "a.html").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("name", ["matches/01x.html", "matches/index.html", "static/site.css", "1.html"])
def test_finish_removes_only_what_can_be_ours(tmp_path: Path, name: str) -> None:
    for path in (tmp_path / name, tmp_path / "matches" / "7.json"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    site = SiteFolder(tmp_path)
    site.put("matches/8.json", b"")
    assert site.finish() == 1
    assert (tmp_path / name).exists()
    assert not (tmp_path / "matches" / "7.json").exists()


def test_keep_needs_the_same_beginning(tmp_path: Path) -> None:
    SiteFolder(tmp_path).put("matches/1.html", b"<!-- 1 -->rest")
    site = SiteFolder(tmp_path)
    assert not site.keep("matches/1.html", b"<!-- 2 -->")
    assert not site.keep("matches/2.html", b"<!-- 1 -->")
    assert site.keep("matches/1.html", b"<!-- 1 -->")
    assert (site.unchanged, site.finish()) == (1, 0)


def test_a_page_of_the_rules_that_is_no_longer_wanted_goes_if_it_is_ours(tmp_path: Path) -> None:
    ours = b"<!doctype html>\n<link rel=stylesheet href=../static/site.0123456789ab.css>"
    (tmp_path / "rules").mkdir()
    for name, content in (("xx.html", ours), ("house.html", b"our house rules"), ("xx.txt", ours)):
        (tmp_path / "rules" / name).write_bytes(content)
    assert SiteFolder(tmp_path).finish() == 1
    assert {path.name for path in (tmp_path / "rules").iterdir()} == {"house.html", "xx.txt"}
