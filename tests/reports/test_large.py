"""The site of a league that is too large for a file of each match: what is written, and when."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.store import read
from arena.store.database import Database
from reports import check_site, website, write_site
from reports.pages import match as chunks
from tests.reports import played
from tests.reports.played import Bot, Builder, League

LEAGUE = League(bots=(*played.FIVE[:3], Bot("Moody", fault_rate=0.004)), cycles=6)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A league of 24 matches is large, and a script has two sessions."""
    monkeypatch.setattr(website, "FILES_UP_TO", 20)
    monkeypatch.setattr(chunks, "ABOUT", 10)


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[Builder]:
    with Database.open(tmp_path / "league.db", create=True) as database:
        yield Builder(database, LEAGUE)


def play(builder: Builder, first: int, last: int) -> None:
    """The only session of each cycle from `first` to before `last`."""
    for cycle in range(first, last):
        (session,) = builder.plan.cycle(cycle)
        builder.play_session(session, 0, 4)


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names(folder)}


def test_every_match_is_on_the_shared_page_from_the_beginning(tmp_path: Path, builder: Builder) -> None:
    play(builder, 0, 1)
    write_site(builder.database, tmp_path / "site")
    made = names(tmp_path / "site")
    assert {"matches/replay.html", "data/replay-1.js"} <= made
    listed = (tmp_path / "site" / "matches" / "index.html").read_text("utf-8")
    assert listed.count("replay.html#m") == 4
    faulty = {match.number for match in read.each_match(builder.database, 1) if match.faults}
    assert {int(path.stem) for path in (tmp_path / "site/matches").glob("*.json")} == faulty


@pytest.mark.slow
def test_only_the_newest_script_changes_while_the_league_is_played(tmp_path: Path, builder: Builder) -> None:
    site, database = tmp_path / "site", builder.database
    play(builder, 0, 3)
    write_site(database, site, incremental=True)
    before = {name: (site / name).stat().st_mtime_ns for name in names(site)}
    play(builder, 3, 4)
    write_site(database, site, incremental=True)
    assert (site / "data" / "replay-1.js").stat().st_mtime_ns == before["data/replay-1.js"]
    assert (site / "data" / "replay-2.js").stat().st_mtime_ns > before["data/replay-2.js"]
    play(builder, 4, 6)
    write_site(database, site, incremental=True)
    assert (site / "data" / "replay-2.js").stat().st_mtime_ns < (site / "data/replay-3.js").stat().st_mtime_ns
    write_site(database, tmp_path / "new")
    assert contents(site) == contents(tmp_path / "new")
    assert check_site(database, site).difference is None
