"""The page about the method: the balance of what counts, the kind of league, how it ended or paused."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store.database import Database
from arena.store.history import TIME_IS_UP, LogLine
from arena.store.reader import Reader
from arena.store.writer import Writer
from reports import write_site
from reports.facts import LeagueFacts, read_facts
from reports.pages.method import method_page
from tests.reports import played
from tests.reports.played import League


def facts(database: Database) -> LeagueFacts:
    return read_facts(Reader(database))


def test_the_balance_is_that_of_the_matches_that_count(tmp_path: Path) -> None:
    with played.play(tmp_path / "a.db", League(cycles=2, matches=9)) as database:
        page = method_page(facts(database))
    assert page.counted == 8  # two sessions of four matches, and one match of a third
    games = page.balance[0]
    assert (games.least, games.most, games.spread) == (4, 8, 4)
    assert (page.ended, page.ended_for) == ("not yet", "")
    assert page.verdicts.startswith("none yet: ")
    assert page.checks[0].command == "arena verify spring.db"


def test_a_whole_league_is_balanced_and_says_why_it_ended(tmp_path: Path) -> None:
    with played.play(tmp_path / "a.db", League(cycles=1)) as database:
        page = method_page(facts(database))
        ended = facts(database).season.stretches[-1].end_reason
    assert page.counted == 20
    assert [row.spread for row in page.balance][:4] == [0, 0, 0, 0]
    assert (page.ended, page.ended_for) == ("", ended)
    assert page.kind == "all"


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        (4, "4 rounds; each seat deals equally often, seat 0 first"),
        (
            5,
            "5 rounds; seats deal in turn, seat 0 first; over the matches of a session every bot deals "
            "equally often",
        ),
    ],
)
def test_who_deals_is_said_for_any_number_of_rounds(tmp_path: Path, rounds: int, said: str) -> None:
    with played.play(tmp_path / "a.db", League(bots=played.FIVE[:4], rounds=rounds)) as database:
        page = method_page(facts(database))
    assert dict(page.rules)["Match"] == said
    assert [row.spread for row in page.balance][:4] == [0, 0, 0, 0]


def test_a_run_whose_time_was_up_is_named_on_the_front_pages_only(tmp_path: Path) -> None:
    said = "a run ended after max_hours = 2; the next run resumes"
    with played.play(tmp_path / "a.db", League(cycles=2, matches=9)) as database:
        assert facts(database).paused == ""
        writer = Writer(database)
        writer.log(LogLine(1, "info", TIME_IS_UP, "of long ago"))
        assert facts(database).paused == ""
        writer.log(LogLine(played.START * 2, "info", TIME_IS_UP, said))
        assert facts(database).paused == said
        write_site(database, tmp_path / "site")
    for name, there in (("index.html", True), ("method.html", True), ("matches/1.html", False)):
        assert (said[1:] in (tmp_path / "site" / name).read_text()) == there
