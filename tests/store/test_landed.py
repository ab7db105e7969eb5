"""Databases of earlier versions stay readable: each is verified, exported, and gone on with."""

from __future__ import annotations

import lzma
import shutil
from csv import DictReader
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from arena.deals import Derivation
from arena.league import read_league
from arena.match.rebuild import rebuild
from arena.match.record import RECORD_VERSIONS
from arena.season.forecast import forecast
from arena.season.open_forecast import open_forecast
from arena.standings import ScoreRule
from arena.store.database import Database
from arena.store.models import SCHEMA_VERSION
from arena.store.reader import Reader
from protocol.codec import encode
from tests.cli.calling import Arena, caller
from tests.cli.leagues import change, value
from tests.running import edit, play

LANDED = Path(__file__).with_name("landed")


@dataclass(frozen=True, slots=True)
class Landed:
    """What a folder holds, and how many sessions are played when its league goes on.

    `cycles`: those that its file asks for, of which one more is asked for then. In an open league nothing
    needs to be asked for: each run plays a stretch.
    """

    derivation: Derivation
    score_rule: ScoreRule
    cycles: int | None
    sessions: int
    matches: int
    more_sessions: int
    stretches: int = 1


AS_LANDED = {
    "schema_2": Landed(Derivation.PAPAYOO_1, ScoreRule.SCORE_1, 1, 4, 24, more_sessions=4),
    "schema_3": Landed(Derivation.PAPAYOO_2, ScoreRule.SCORE_2, 2, 5, 30, more_sessions=1),
    "schema_4": Landed(Derivation.PAPAYOO_2, ScoreRule.SCORE_2, 2, 5, 30, more_sessions=1),
    "schema_5": Landed(Derivation.PAPAYOO_2, ScoreRule.SCORE_2, 4, 10, 60, more_sessions=1),
    "schema_6": Landed(Derivation.PAPAYOO_2, ScoreRule.SCORE_2, 4, 10, 60, more_sessions=1),
    "schema_4_open": Landed(
        Derivation.PAPAYOO_2, ScoreRule.SCORE_2, None, 15, 90, more_sessions=5, stretches=3
    ),
}
MATCHES_PER_SESSION = 6
LINES = {
    "schema_2": "e5bdaf58bfd25028f006280c49daceb243c68365781265affbc7aa0058a64285",
    "schema_3": "f2bf934f10f923db7a57da7039480e51db9dbcb4a7e3a9a9aae8848ac21331f0",
    "schema_4": "734c4f8f982a278bcdbe01e83394d5d6f509023972c8024e024cac92cf1732e5",
    "schema_4_open": "767c6b7c3a8ea12698f5962ee7a3540b9b5fb65148e407750b701affdce1a664",
    "schema_5": "411c3ea8f3bed27c2e0ce837725d5eccf415760183540cfabd689294ab9dc7e8",
    "schema_6": "411c3ea8f3bed27c2e0ce837725d5eccf415760183540cfabd689294ab9dc7e8",
}
"""SHA-256 of all lines of all matches, to the bots and from them, as the arena of that time rebuilt them."""


@pytest.fixture(params=AS_LANDED)
def name(request: pytest.FixtureRequest) -> str:
    """The name of a folder."""
    return str(request.param)


@pytest.fixture
def landed(name: str) -> Landed:
    return AS_LANDED[name]


@pytest.fixture
def league(name: str, tmp_path: Path) -> Path:
    """A copy of the league's file, with its bots and database beside it."""
    folder = shutil.copytree(LANDED / name, tmp_path / "league")
    (folder / "landed.db").write_bytes(lzma.decompress((folder / "landed.db.xz").read_bytes()))
    return folder / "league.toml"


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    return caller(capsys)


def test_every_folder_is_read() -> None:
    assert set(AS_LANDED) == {folder.name for folder in LANDED.iterdir() if folder.is_dir()}


def test_it_is_found_to_agree(arena: Arena, league: Path, landed: Landed) -> None:
    called = arena("verify", league)
    assert called.code == 0
    assert f"{landed.sessions} sessions, {landed.matches} matches" in called.out
    assert "Everything that could be checked agrees." in called.out


def test_its_lines_are_those_that_were_sent(league: Path, name: str) -> None:
    """Byte for byte: a key that was added to a message since is not in them."""
    digest = sha256()
    with Database.open(league.with_name("landed.db"), read_only=True) as database:
        reader = Reader(database)
        numbers = [match.number for match in reader.each_match(1)]
        for stored in reader.records(1, numbers):
            record = stored.record()
            assert record.version in RECORD_VERSIONS
            for line in rebuild(record).lines:
                digest.update(encode(line.message))
    assert digest.hexdigest() == LINES[name]


@pytest.mark.parametrize("what", ["standings", "sessions", "rounds"])
def test_its_tables_are_what_they_were(arena: Arena, league: Path, what: str) -> None:
    """Columns may have been added; none has changed or gone."""
    found = list(DictReader(arena("export", league, "--what", what).out.splitlines()))
    before = list(DictReader((league.parent / f"{what}.csv").read_text().splitlines()))
    assert [{name: row[name] for name in before[0]} for row in found] == before


@pytest.mark.parametrize("name", ["schema_6"])
def test_its_reviews_are_what_they_were(arena: Arena, league: Path) -> None:
    test_its_tables_are_what_they_were(arena, league, "reviews")
    assert arena("report", league).code == 0
    (page,) = league.parent.glob("*-report/bots/low.html")
    assert "<h2 id=review>" in page.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        ("standings",),
        ("status", "--balance"),
        ("verify",),
        ("report",),
        ("archive", "--without-bots"),
        ("replay", "1"),
    ],
    ids=lambda command: command[0],
)
def test_whoever_only_reads_changes_nothing_in_it(
    arena: Arena, league: Path, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(league.parent)  # where the archive goes
    before = league.with_name("landed.db").read_bytes()
    called = arena(command[0], league, *command[1:])
    assert called.code == 0, called.err
    assert league.with_name("landed.db").read_bytes() == before
    assert not list(league.parent.glob("*.schema-*"))


@pytest.mark.slow
def test_an_act_brings_it_up_to_date(arena: Arena, league: Path) -> None:
    path = league.with_name("landed.db")
    version = value(path, "SELECT value FROM meta")
    called = arena("void", league, "0.2", "--reason", "noise")
    assert called.code == 0, called.err
    assert value(path, "SELECT value FROM meta") == str(SCHEMA_VERSION)
    if version != str(SCHEMA_VERSION):
        kept = path.with_name(f"landed.schema-{version}.db")
        assert f"the original is kept as {kept.name}" in called.err
        assert value(kept, 'SELECT state FROM session WHERE cycle = 0 AND "index" = 2') == "complete"
    assert "void" in arena("status", league).out
    assert arena("verify", league).code == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["schema_2", "schema_3", "schema_4", "schema_5"])
def test_a_part_of_it_is_read(arena: Arena, league: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several machines once played a league, each into a database of its own: here every second session."""
    monkeypatch.chdir(league.parent)  # where the archive goes
    part = league.with_name("landed.db").rename(league.with_name("landed.shard-1-of-2.db"))
    elsewhere = '(cycle > 0 OR "index" % 2)'
    change(
        part,
        *(
            f"DELETE FROM {table} WHERE match IN (SELECT id FROM match WHERE {elsewhere})"
            for table in ("seat", "round", "fault")
        ),
        f"DELETE FROM match WHERE {elsewhere}",
        f"DELETE FROM session WHERE {elsewhere}",
        "DELETE FROM action WHERE what IN ('disqualify', 'void')",
        "UPDATE stretch SET ended_at = NULL, end_reason = ''",
    )
    before = part.read_bytes()
    told = arena("verify", part).out
    assert f"2 sessions, {2 * MATCHES_PER_SESSION} matches" in told
    assert "Everything that could be checked agrees." in told
    for command in (["status"], ["standings"], ["report"], ["export"], ["archive", "--without-bots"]):
        called = arena(*command, part)
        assert called.code == 0, called.err
    assert part.read_bytes() == before


def one_more_cycle(league: Path, landed: Landed) -> None:
    if landed.cycles is not None:
        edit(league, f"cycles = {landed.cycles}", f"cycles = {landed.cycles + 1}")


def test_its_season_is_not_a_changed_one(league: Path, landed: Landed) -> None:
    one_more_cycle(league, landed)
    loaded = read_league(league)
    if loaded.league.league.open:
        ahead = open_forecast(loaded)
        assert (ahead.season, ahead.size.sessions) == (1, landed.more_sessions)
    else:
        seen = forecast(loaded)
        assert (seen.season, seen.changes, seen.left.sessions) == (1, (), landed.more_sessions)


def test_a_derivation_of_a_newer_arena_is_named(arena: Arena, league: Path) -> None:
    newer = """json_set(document, '$.deals', json_object('derivation', 'papayoo-9'))"""
    change(league.with_name("landed.db"), f"UPDATE season SET document = {newer}")
    called = arena("run", league, "--dry-run")
    assert called.code == 4
    assert "Season 1 is dealt by 'papayoo-9'; this arena knows papayoo-1, papayoo-2." in called.err


def test_a_score_rule_of_a_newer_arena_is_named(arena: Arena, league: Path) -> None:
    newer = """json_set(document, '$.score', json_object('rule', 'score-9'))"""
    change(league.with_name("landed.db"), f"UPDATE season SET document = {newer}")
    called = arena("run", league, "--dry-run")
    assert called.code == 4
    assert "Season 1 is scored by 'score-9'; this arena knows score-1, score-2, score-3." in called.err


@pytest.mark.slow
def test_its_season_goes_on_as_it_began(arena: Arena, league: Path, landed: Landed) -> None:
    one_more_cycle(league, landed)
    assert play(league).code == 0
    matches = landed.matches + landed.more_sessions * MATCHES_PER_SESSION
    with Database.open(league.with_name("landed.db"), read_only=True) as database:
        (season,) = Reader(database).seasons()
        assert Reader(database).progress(1).matches_finished == matches
    assert season.derivation is landed.derivation
    assert season.score_rule is landed.score_rule
    assert [stretch.number for stretch in season.stretches] == list(range(landed.stretches + 1))
    called = arena("verify", league)
    assert f"deals and stand-in derived again in {matches} matches" in called.out
    assert "Everything that could be checked agrees." in called.out
