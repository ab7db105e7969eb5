"""The pages of an open league: who is ranked, who has left and why, what is new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.organiser.board import Board
from arena.score.verdicts import Look
from arena.season.opening import now_ms
from arena.store import write
from arena.store.scoring import scored
from reports import write_site
from reports.facts import LeagueFacts, read_facts
from reports.options import ReportOptions
from reports.pages.bot import versions_of
from reports.pages.leaderboard import Leaderboard, leaderboard
from reports.pages.verdict import on_first_place
from reports.summary import SeasonSummary
from tests.open_played import LAST_WORDS, OpenPlay
from tests.running import enter, leave, make_open_league

pytestmark = pytest.mark.usefixtures("few_languages")


def board_of(facts: LeagueFacts) -> Leaderboard:
    return leaderboard(facts)


def notes(board: Leaderboard) -> dict[str, str]:
    """Return what is said of each bot that has left."""
    return {row.name: row.note for row in board.retired}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenPlay]:
    """Three phases: b1 is improved, b2 leaves, b3 is excluded with all its versions."""
    league = make_open_league(tmp_path_factory.mktemp("open"), schedule="version_hours = 0\n")
    with OpenPlay(league) as play:
        play.phase()
        enter(league, "b1", 3)
        leave(league, "b2")
        play.phase()
        write.exclude(play.database, 1, "b3", "its author asked", (now_ms(), "me"))
        play.phase()
        yield play


def test_who_is_present_is_ranked_and_the_others_stand_apart(played: OpenPlay) -> None:
    facts = read_facts(played.database)
    board = board_of(facts)
    assert {row.name for group in board.ranked for row in group.rows} == {"B0", "B1 v2"}
    assert notes(board) == {"B1": "replaced", "B2": "left", "B3": "excluded"}
    assert [row.reason for row in board.retired if row.name == "B3"] == ["its author asked"]
    assert facts.gone == {"b1@1", "b2@1", "b3@1"}
    gone = {line.standing.bot: line.excluded_by for line in facts.lines if not line.present}
    assert gone == {"b1@1": None, "b2@1": None, "b3@1": "organiser"}
    assert "b1@2 has come: B1 v2" in [one.text for one in board.news]


def test_the_versions_of_a_bot_stand_side_by_side(played: OpenPlay) -> None:
    facts = read_facts(played.database)
    old, new = versions_of(facts, "b1@2")
    assert (old.name, old.path, old.note) == ("B1", "b1@1.html", "replaced")
    assert (new.name, new.path, new.note) == ("B1 v2", "", "")
    rows = {row.bot: row for row in facts.standings.rows}
    assert (new.score, new.sessions) == (rows["b1@2"].score, rows["b1@2"].sessions)
    assert old.matches == facts.tallies["b1@1"].matches > 0
    assert versions_of(facts, "b0@1") == ()


@pytest.mark.slow
def test_a_bot_that_never_started_has_not_played(tmp_path: Path) -> None:
    league = make_open_league(tmp_path)
    with OpenPlay(league) as play:
        play.phase()
        before = SeasonSummary.of(read_facts(play.database)).bots
        enter(league, "late", 1)
        play.phase(failed=["late@1"])
        assert "late@1" in {entry.bot for entry in play.arrivals.view.entries}
        assert SeasonSummary.of(read_facts(play.database)).bots == before == 4


@pytest.mark.slow
def test_who_is_still_catching_up_is_marked_and_no_champion(tmp_path: Path) -> None:
    """A newcomer with few sessions may have the fewest points: that is luck, and the pages say so."""
    league = make_open_league(tmp_path)
    with OpenPlay(league) as play:
        for _ in range(8):
            play.phase()
        assert not read_facts(play.database).newcomers
        enter(league, "late", 1)
        play.begin()
        play.play(sessions=1)
        facts = read_facts(play.database)
    (late,) = facts.newcomers
    counted, needed = facts.newcomers[late]
    assert counted == 1 < needed
    rows = {row.line.standing.bot: row for group in board_of(facts).ranked for row in group.rows}
    assert (rows[late].note, rows[late].aside) == ("catching up", f"1 of {needed} sessions")
    assert {row.note for bot, row in rows.items() if bot != late} == {""}
    ended = {row.note for group in board_of(replace(facts, ended=True)).ranked for row in group.rows}
    assert ended == {"", "newcomer"}
    table = facts.standings
    assert isinstance(facts.look, Look)
    leading = tuple(replace(row, rank=1 if row.bot == late else 2) for row in table.rows)
    said = on_first_place(replace(facts, standings=replace(table, rows=leading)), facts.look)
    assert said.startswith("LATE is a newcomer and not compared yet. Of the others: ")
    others = tuple(replace(row, rank=2 if row.bot == late else 1) for row in table.rows)
    assert "newcomer" not in on_first_place(replace(facts, standings=replace(table, rows=others)), facts.look)


def test_every_page_can_be_written_and_names_who_was_taken_out_as_a_whole(
    played: OpenPlay, tmp_path: Path
) -> None:
    season = played.arrivals.view
    text = Board(season, scored(played.database, season)).text()
    assert "B3 is excluded by the organiser from session" in " ".join(text.split())
    written = tmp_path / "pages"
    write_site(played.database, written, ReportOptions())
    assert (written / "bots" / "b3@1.html").is_file()
    board = (written / "index.html").read_text(encoding="utf-8")
    assert "No longer in the field" in board
    assert "A title is decided only by sessions after the close." in board


def test_pages_of_bots_that_left_or_did_not_start_say_so(tmp_path: Path) -> None:
    league, options = make_open_league(tmp_path), ReportOptions()
    with OpenPlay(league) as play:
        play.phase()
        leave(league, "b1")
        enter(league, "late", 1)
        play.phase(failed=["late@1"])
        write_site(play.database, tmp_path / "pages", options)
        write_site(play.database, tmp_path / "private", replace(options, author="late@1"))
        write_site(play.database, tmp_path / "nothing", replace(options, publish=frozenset()))

    def page(folder: str, bot: str) -> str:
        return (tmp_path / folder / "bots" / f"{bot}.html").read_text(encoding="utf-8")

    left, late = page("pages", "b1@1"), page("pages", "late@1")
    assert "B1 has left the field. By what it played with those who are present it has " in left
    assert "It has played " in left
    assert "count in the score" not in left
    assert "LATE has not played: it did not start." in late
    assert "<p>It did not start: it exits at once.</p>" in late
    assert LAST_WORDS not in late
    assert LAST_WORDS in page("private", "late@1")
    assert "<p>It did not start.</p>" in page("nothing", "late@1")
    assert LAST_WORDS not in page("nothing", "late@1")
