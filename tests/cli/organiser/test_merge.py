"""`arena run --shard`, `arena run --begin` and `arena merge` as their users meet them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.store.lock import RunLock
from tests.cli.calling import Arena, caller
from tests.cli.leagues import change
from tests.running import Run, edit, make_league

FIXED = "\n[faults]\ndisqualify_share = 1\n"
TABLES = ("standings", "sessions", "matches", "rounds", "plays")


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Arena:
    monkeypatch.setattr("arena.linux.strays.become_subreaper", lambda: None)  # we have other children
    return caller(capsys)


def league_in(folder: Path, cycles: int = 2, more: str = FIXED, secret: bool = False) -> Path:
    """Four bots at three seats: four sessions a cycle, of six matches."""
    folder.mkdir()
    path = make_league(folder, cycles=cycles, more=more)
    if secret:
        edit(path, 'seed = "tests"\n', "")
    return path


def of_part(league: Path, query: str, part: str = ".shard-1-of-2") -> object:
    with closing(sqlite3.connect(league.parent / f"tiny{part}.db")) as database:
        return database.execute(query).fetchone()[0]


def tables(arena: Arena, league: Path) -> list[str]:
    return [arena("export", league, "--what", what).out for what in TABLES]


@pytest.mark.slow
def test_parts_are_the_whole_league_also_when_one_was_stopped(tmp_path: Path, arena: Arena) -> None:
    whole, parts = league_in(tmp_path / "whole"), league_in(tmp_path / "parts")
    assert arena("run", whole).code == 0

    run = Run(parts, "--shard", "1/2")
    run.wait_for(lambda: (parts.parent / "tiny.shard-1-of-2.db").exists())
    run.wait_for(lambda: "match" in _names(parts) and of_part(parts, "SELECT count(*) FROM match") != 0)
    run.interrupt()
    assert run.end().code in (0, 130)
    second = arena("run", parts, "--shard", "2/2")
    assert second.code == 0
    assert "24/24 matches, 100%, done" in second.err
    assert second.err.endswith(
        "this part of the league has been played\n"
        f"To join it to the league: arena merge {parts} {parts.parent / 'tiny.shard-2-of-2.db'}\n"
    )
    assert second.out == ""
    early = arena("merge", parts)
    assert early.code == 0
    assert "tiny.shard-2-of-2.db: 24 new matches in 4 sessions" in early.out
    assert arena("run", parts, "--shard", "1/2").code == 0
    assert of_part(parts, "SELECT count(*) FROM stretch WHERE ended_at IS NOT NULL") == 0

    late = arena("merge", parts)
    assert late.out.endswith(
        f"tiny.shard-2-of-2.db: nothing new\n{parts.parent / 'tiny.db'}: 48 of 48 matches\n"
    )
    assert arena("verify", parts).code == 0
    assert arena("standings", parts).out == arena("standings", whole).out
    assert tables(arena, parts) == tables(arena, whole)
    assert arena("run", parts).code == 0
    assert "Everything that could be checked agrees" in arena("verify", parts).out


def _names(league: Path) -> list[str]:
    with closing(sqlite3.connect(league.parent / "tiny.shard-1-of-2.db")) as database:
        return [name for (name,) in database.execute("SELECT name FROM sqlite_master")]


@pytest.mark.slow
def test_parts_of_a_committed_league_share_its_secret(tmp_path: Path, arena: Arena) -> None:
    league = league_in(tmp_path / "league", cycles=1, more="", secret=True)
    refused = arena("run", league, "--shard", "1/2")
    assert refused.code == 2
    assert (
        "without [schedule] seed each part would draw deals of its own. Begin the season once" in refused.err
    )
    begun = arena("run", league, "--begin")
    assert (begun.code, begun.out) == (0, "")
    commitment = of_part(league, "SELECT commitment FROM stretch", "")
    assert f"committed: {commitment}\nthe season is open, nothing was played." in begun.err
    assert of_part(league, "SELECT count(*) FROM match", "") == 0

    with RunLock(league.parent / "tiny.lock"):
        assert "the league itself is being run" in arena("run", league, "--shard", "1/2").err
    assert arena("run", league, "--shard", "1/2").code == 0
    assert of_part(league, "SELECT commitment FROM stretch") == commitment
    part = league.parent / "tiny.shard-1-of-2.db"
    with RunLock(part.with_suffix(".lock")):
        told = arena("status", part).out
    assert "Tiny (tiny.shard-1-of-2)" in told
    assert "12 of 24 finished" in told
    assert f"process {os.getpid()}" in told
    assert arena("merge", league).code == 0
    rest = arena("run", league)
    assert "12 of 24 matches are over; 12 are left" in rest.err
    assert "Everything that could be checked agrees" in arena("verify", league).out
    assert "nothing is left to play" in arena("run", league, "--begin").err
    late = arena("run", league, "--shard", "2/2")
    assert late.code == 2
    assert f"no committed deals are left to play; to begin: arena run {league} --begin" in late.err


def test_nothing_is_decided_in_a_part(tmp_path: Path, arena: Arena) -> None:
    league = league_in(tmp_path / "league", more="")
    refused = arena("run", league, "--shard", "1/2")
    assert refused.code == 2
    assert "2 cycles are left to play, and between them the arena decides who is disq" in refused.err


def test_a_part_keeps_to_the_season_that_was_begun(tmp_path: Path, arena: Arena) -> None:
    league = league_in(tmp_path / "league", cycles=1)
    assert arena("run", league, "--begin").code == 0
    edit(league.parent / "bots/b0/bot.py", "PICK = 0", "PICK = 3")
    changed = arena("run", league, "--shard", "1/2")
    assert changed.code == 2
    assert "bots.b0.digest: " in changed.err
    part = league.parent / "tiny.shard-1-of-2.db"
    assert f"arena run {league} --begin --new-season 'why', and remove {part}" in changed.err
    edit(league.parent / "bots/b0/bot.py", "PICK = 3", "PICK = 0")
    edit(league, "cycles = 1", "cycles = 2")
    longer = arena("run", league, "--shard", "1/2")
    assert longer.code == 2
    assert f"{part}: begun for 1 cycles, the league file asks for 2." in longer.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--shard", "4/3"], "the parts of N are 1/N to N/N"),
        (["--shard", "one"], "expected a part as K/N, such as 1/3"),
        (["--shard", "1/3", "--begin"], "--dry-run, --begin and --shard exclude one another"),
        (["--dry-run", "--begin"], "--dry-run, --begin and --shard exclude one another"),
        (["--shard", "1/3", "--new-season", "why"], "A season is begun for all parts together"),
    ],
)
def test_wishes_that_exclude_one_another(tmp_path: Path, arena: Arena, options: list[str], said: str) -> None:
    outcome = arena("run", tmp_path / "league.toml", *options)
    assert outcome.code == 2
    assert said in outcome.err


def test_nothing_to_merge(tmp_path: Path, arena: Arena) -> None:
    league = league_in(tmp_path / "league")
    outcome = arena("merge", league)
    assert outcome.code == 2
    assert "no parts of it are beside it; name their databases" in outcome.err
    assert arena("merge", league, tmp_path / "none.db").code == 4
    assert not (league.parent / "tiny.db").exists()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "UPDATE round SET points = '250 0 0 0' WHERE match = (SELECT id FROM match WHERE number = 7)",
            "part.db is not joined, for arena verify finds a difference in it: season 1, match 7, round 0: "
            "the points by seat are 250 0 0 0",
        ),
        (
            "CREATE VIEW more AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
            "SELECT x FROM n",
            "part.db is not as an arena makes it: more is a view, not a table",
        ),
    ],
)
def test_a_part_is_verified_before_it_is_joined(
    statement: str, said: str, tmp_path: Path, arena: Arena, finished: Path
) -> None:
    part = Path(shutil.copy(finished, tmp_path / "part.db"))
    joined = arena("merge", tmp_path / "good.db", part)
    assert (joined.code, "20 new matches in" in joined.out) == (0, True), joined.err
    refused = arena("merge", tmp_path / "whole.db", change(part, statement))
    assert (refused.code, refused.out) == (2 if "UPDATE" in statement else 4, "")
    assert said in refused.err
    assert not (tmp_path / "whole.db").exists()
