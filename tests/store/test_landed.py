"""Databases of earlier versions stay readable: each is verified, exported, and gone on with."""

from __future__ import annotations

import lzma
import shutil
from pathlib import Path

import pytest

from arena.deals import Derivation
from arena.store.database import Database
from arena.store.reader import Reader
from tests.cli.calling import Arena, caller
from tests.running import edit, play

LANDED = sorted(folder for folder in Path(__file__).with_name("landed").iterdir() if folder.is_dir())


@pytest.fixture(params=LANDED, ids=lambda folder: folder.name)
def league(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of the league's file, with its bots and database beside it."""
    folder = shutil.copytree(request.param, tmp_path / "league")
    (folder / "landed.db").write_bytes(lzma.decompress((folder / "landed.db.xz").read_bytes()))
    return folder / "league.toml"


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    return caller(capsys)


def test_it_is_found_to_agree(arena: Arena, league: Path) -> None:
    called = arena("verify", league)
    assert called.code == 0
    assert "24 matches" in called.out
    assert "Everything that could be checked agrees." in called.out


@pytest.mark.parametrize("what", ["standings", "sessions", "rounds"])
def test_its_tables_are_what_they_were(arena: Arena, league: Path, what: str) -> None:
    called = arena("export", league, "--what", what)
    assert called.out == (league.parent / f"{what}.csv").read_bytes().decode()


@pytest.mark.slow
def test_its_season_goes_on_as_it_began(arena: Arena, league: Path) -> None:
    edit(league, "cycles = 1", "cycles = 2")
    assert play(league).code == 0
    with Database.open(league.with_name("landed.db"), read_only=True) as database:
        (season,) = Reader(database).seasons()
        assert Reader(database).progress(1).matches_finished == 48
    assert season.derivation is Derivation.PAPAYOO_1
    assert [stretch.number for stretch in season.stretches] == [0, 1]
    called = arena("verify", league)
    assert "deals and stand-in derived again in 48 matches" in called.out
    assert "Everything that could be checked agrees." in called.out
