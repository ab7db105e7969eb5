"""`arena archive`, and `arena verify` of what it makes."""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bot.snapshot import folder_digest
from arena.season.bundle import SUMS, pack
from tests.cli.calling import Arena
from tests.cli.leagues import change, value


@pytest.fixture
def league(finished: Path) -> Path:
    """A finished league with a copy of the bot that all its entries play."""
    bot = finished.parent / "bot"
    bot.mkdir()
    (bot / "bot.py").write_text("print('hello')\n")
    (bot / "link").symlink_to("bot.py")
    digest = folder_digest(bot)
    bot.rename(finished.parent / "made")
    shutil.copytree(
        finished.parent / "made", finished.parent / "spring.arena" / "bots" / digest, symlinks=True
    )
    return change(finished, f"UPDATE entry SET digest = '{digest}'")


def edited(archive: Path, edit: Callable[[Path], None]) -> Path:
    """The archive again after an edit of what is in it, its sums made anew."""
    folder = archive.parent / "edited"
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    edit(folder / "spring")
    pack(folder / "spring", archive)
    return archive


def test_an_archive_holds_the_league_and_verifies(arena: Arena, league: Path, tmp_path: Path) -> None:
    target = tmp_path / "spring.tar.gz"
    called = arena("archive", league, "-o", target)
    assert (called.code, called.out) == (0, f"{target}\n")
    assert "1 copy of bots" in called.err
    with tarfile.open(target) as tar:
        names = tar.getnames()
    digest = value(league, "SELECT digest FROM entry")
    wanted = {
        SUMS, "archive.json", "league.toml", "spring.db", "spring-report/index.html",
        f"spring.arena/bots/{digest}/bot.py", f"spring.arena/bots/{digest}/link",
    }  # fmt: skip
    assert {f"spring/{name}" for name in wanted} <= set(names)
    assert list(tmp_path.glob(".archive-*")) == []


@pytest.mark.slow
def test_an_archive_is_verified_as_a_league_is(arena: Arena, finished: Path, tmp_path: Path) -> None:
    target = tmp_path / "spring.tar.gz"
    assert arena("archive", finished, "-o", target, "--without-bots").code == 0
    called = arena("verify", target)
    assert called.code == 0, called.out
    assert called.out.startswith("archive: all files match their sums")
    assert "20 matches, 80 rounds played again" in called.out
    assert "files in the archive agree with the database" in called.out
    assert json.loads(arena("verify", target, "--json").out)["agrees"] is True


def test_bots_that_are_missing_are_asked_about(arena: Arena, finished: Path, tmp_path: Path) -> None:
    called = arena("archive", finished, "-o", tmp_path / "spring.tar.gz")
    assert called.code == 2
    assert "is missing or was changed; --without-bots leaves all copies out" in called.err
    assert not (tmp_path / "spring.tar.gz").exists()


def test_no_other_file_is_overwritten(arena: Arena, finished: Path) -> None:
    called = arena("archive", finished, "-o", finished, "--without-bots")
    assert called.code == 2
    assert "this file exists and is not an archive" in called.err
    assert arena("standings", finished).code == 0


def test_a_changed_archive_is_found(arena: Arena, league: Path, tmp_path: Path) -> None:
    target = tmp_path / "spring.tar.gz"
    arena("archive", league, "-o", target)

    def change_bot(folder: Path) -> None:
        (bot,) = folder.glob("spring.arena/bots/*/bot.py")
        bot.write_text("print('evil')\n")

    called = arena("verify", edited(target, change_bot))
    assert called.code == 1
    assert called.out.startswith("DIFFERENCE  archive, spring.arena/bots/")
    assert "the digest of this copy is" in called.out
    told = json.loads(arena("verify", target, "--json").out)
    assert (told["agrees"], told["archive"]["others"]) == (False, 0)


def test_what_is_no_archive(arena: Arena, tmp_path: Path) -> None:
    assert arena("verify", tmp_path / "nowhere.tar.gz").code == 2
    (tmp_path / "spring.tar.gz").write_bytes(b"\x1f\x8bnonsense")
    called = arena("verify", tmp_path / "spring.tar.gz")
    assert called.code == 2
    assert "cannot be unpacked" in called.err
