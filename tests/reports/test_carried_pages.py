"""The pages and the terminal say that earlier stages count; who is out is not named as one of the field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.scoring import scored
from reports import write_site
from reports.facts import LeagueFacts, read_facts
from reports.options import ReportOptions
from tests.cli.calling import caller
from tests.shared import copied, once
from tests.staged_played import play_carried

pytestmark = pytest.mark.slow


@pytest.fixture
def league(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """A league whose final was played, in which 9 sessions of its heats count."""
    return copied(once(tmp_path_factory, "carried", play_carried), tmp_path / "league") / "league.toml"


def facts_of(league: Path) -> LeagueFacts:
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        return read_facts(Reader(database))


def test_the_pages_say_how_many_sessions_of_earlier_stages_count(league: Path) -> None:
    facts = facts_of(league)
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        write_site(database, league.parent / "site", ReportOptions())
    site = league.parent / "site"
    texts = {path.name: " ".join(path.read_text(encoding="utf-8").split()) for path in site.glob("*.html")}
    assert "9 sessions of earlier stages count in the scores, too." in texts["index.html"]
    assert "After 24 complete sessions." in texts["index.html"]
    assert "by what they played in this stage and in 9 sessions of earlier stages" in texts["index.html"]
    assert "These and the rounds are of earlier stages too" in texts["index.html"]
    method = texts["method.html"]
    assert "9 sessions of earlier stages count as well." in method
    assert "This is stage 2 of 2, Final. Of the 5 bots of season 1, 4 went on to it" in method
    assert "based on 24 sessions in 6 complete cycles and 9 of earlier stages" in method
    assert "among all pairs of those who began the first stage" in method
    (gone,) = set(facts.standings.fit.bots) - {entry.bot for entry in facts.season.entries}
    assert not (site / "bots" / f"{gone}.html").exists(), "who is out has no page in the final"
    data = json.loads((site / "data/standings.json").read_text())
    assert (data["earlier_sessions"], data["sessions"], data["provisional"]) == (9, 24, None)
    assert [moment for moment, _ in facts.course] == [1, 2, 3, 4, 5, 6]


def test_the_terminal_says_it_too(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = caller(capsys)
    said = " ".join(arena("standings", league, "--elo").out.split())
    assert "by what they played in this stage and in 9 sessions of earlier stages" in said
    assert "from 24 sessions in 6 complete cycles and 9 of earlier stages" in said
    assert "The bots that are still in the field average par; what the others played counts." in said
    assert "elo and se rest on the rounds of this stage alone." in said
    document = json.loads(arena("standings", league, "--elo", "--json").out)
    assert document["earlier_sessions"] == 9
    assert document["stage"]["after"]["carried"] == 9
    assert (document["verdicts"]["cycles"], document["verdicts"]["sessions"]) == (6, 33)
    assert all(line["elo"] for line in document["standings"])
    with Database.open(league.with_name("tiny.db"), read_only=True) as database:
        reader = Reader(database)
        rows = scored(reader, reader.seasons()[-1]).standings.rows
    assert [(line["bot"], line["score"], line["sessions"]) for line in document["standings"]] == [
        (row.bot, row.score, row.sessions) for row in rows
    ]
    assert all(line["sessions"] > 18 for line in document["standings"]), "18 in the final alone"


def test_the_whole_league_agrees_with_its_pages(league: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arena = caller(capsys)
    assert arena("report", league).code == 0
    checked = arena("verify", league)
    assert checked.code == 0, checked.out + checked.err


def test_the_table_of_exports_is_that_of_the_terminal(
    league: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arena = caller(capsys)
    exported = json.loads(arena("export", league, "--what", "standings", "--format", "json").out)
    shown = json.loads(arena("standings", league, "--json").out)["standings"]
    mine = [line for line in exported if line["season"] == 2]
    assert [(line["bot"], line["sessions"], line["rank"]) for line in mine] == [
        (line["bot"], line["sessions"], line["rank"]) for line in shown
    ]
