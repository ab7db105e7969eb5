"""The page about the health of a league: its numbers are those of the database, and no more is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.store.database import Database
from reports.facts import read_facts
from reports.pages.health import HealthPage, health_page
from reports.render import Assets, Page, Renderer, Site
from tests.reports import played
from tests.reports.parsed import parsed
from tests.reports.played import Bot, League

BOTS = (*played.FIVE[:3], Bot("Moody", fault_rate=0.02))
START = played.START
TRACE = "Traceback:\n  File x\nOSError: cannot write '/home/ann/league/spring.log'"
Change = Callable[..., HealthPage]


@pytest.fixture
def change(tmp_path: Path) -> Iterator[Change]:
    """The page of a league of 13 matches after statements were carried out on its database."""
    league = League(bots=BOTS, seats=3, rounds=3, matches=13)
    with played.play(tmp_path / "league.db", league) as database:
        yield lambda *statements: _after(database, statements)


def _after(database: Database, statements: tuple[str, ...]) -> HealthPage:
    with database.writing() as db:
        for statement in statements:
            db.connection().exec_driver_sql(statement)
    facts = read_facts(database)
    return health_page(facts)


def test_faults_are_counted_by_bot_and_kind(change: Change) -> None:
    page = change("UPDATE seat SET late = 2 WHERE match = 3 AND bot = 'duck'")
    rows = {row.name: row for row in page.faults}
    assert page.kinds == ("bad message", "timeout")
    moody = rows["Moody"]
    assert moody.total == sum(moody.counts) > 0
    assert (rows["Duck"].total, rows["Duck"].counts, rows["Duck"].late) == (0, (0, 0), 2)
    assert page.sentences[0].startswith(f"{moody.total} faults in ")


def test_times_are_held_against_the_limit(change: Change) -> None:
    document = '{"faults": {"fault_points": 40, "max_faults": 3}, "time": {"move_seconds": 0.5}}'
    page = change(f"UPDATE season SET document = '{document}'")
    assert page.limit_us == 500_000
    for row in page.thinking[:3]:
        assert 20 <= row.median_us <= row.p95_us <= row.longest_us < 900
        assert row.width == f"{100 * row.longest_us / 500_000:.1f}%"
    assert change("UPDATE season SET document = replace(document, 'move_seconds', 'x')").limit_us is None


def test_processes_and_their_time_are_shown_where_they_were_recorded(change: Change) -> None:
    page = change(
        "UPDATE seat SET bot_table = 1",
        "UPDATE seat SET bot_table = 0, off_turn_us = 20000, frozen = 1 WHERE bot = 'duck' AND match < 4",
        "UPDATE seat SET queued_us = 3000 WHERE bot = 'duck'",
        "UPDATE seat SET cpu_us = NULL WHERE bot = 'low'",
        "UPDATE fault SET kind = 'start_failed' WHERE number = 0",
    )
    rows = {row.name: row for row in page.runs}
    duck = rows["Duck"]
    assert duck.frozen == duck.processes > 0
    assert duck.cpu_us == 1_000_000
    assert duck.off_turn == f"{2 * duck.processes / duck.matches:.1f} %"
    assert duck.queued_us == 3_000
    assert rows["Moody"].queued_us is None
    assert (rows["Low"].cpu_us, rows["Low"].off_turn, rows["Low"].processes) == (None, "–", 0)
    assert rows["Moody"].failed_starts > 0


def test_a_machine_that_was_too_busy_is_told_first_with_what_to_do(change: Change) -> None:
    page = change("UPDATE seat SET took_total_us = 1000000, queued_us = 49000")
    assert not any("busy" in sentence for sentence in page.sentences)
    page = change(
        "UPDATE seat SET took_total_us = 1000000, queued_us = 60000, extended_us = 0",
        "UPDATE seat SET extended_us = 300000 WHERE bot = 'duck' AND match < 3",
    )
    (said,) = [sentence for sentence in page.sentences if "busy" in sentence]
    assert said.startswith("The machine was busy: bots waited for a core in ")
    assert "; deadlines moved by 0." in said
    assert ", or run fewer other programs" in said
    extended = {row.name: row.extended_us for row in page.runs}
    assert extended["Duck"] > 0
    assert extended["Low"] == 0


def test_attempts_that_came_to_nothing_are_listed_the_newest_first_without_folders(change: Change) -> None:
    keys = 'session, season, cycle, "index", "order", number'
    zeros = "rounds, lateness_count, lateness_us, fault_points"
    again = (
        f"INSERT INTO match (attempt, state, reason, suits, sandbox, started_at, {keys}, {zeros}) SELECT "
        f"1, '{{state}}', '{{reason}}', '', '', started_at + 1, {keys}, 0, 0, 0, 0 FROM match "
        "WHERE number = {number} AND attempt = 0"
    )
    page = change(
        again.format(state="aborted", reason=TRACE.replace("'", "''"), number=2),
        again.format(state="interrupted", reason="the run was stopped", number=9),
        "UPDATE match SET state = 'interrupted' WHERE number = 13",
    )
    assert page.attempts_total == 3
    assert [(row.match, row.what, row.finished) for row in page.attempts] == [
        (13, "interrupted", False),
        (9, "interrupted", True),
        (2, "aborted", True),
    ]
    assert page.attempts[2].reason == "OSError: cannot write '…/spring.log'"
    assert "1 attempt aborted by an error of the arena." in page.sentences
    assert dict(page.facts)["Played again"].startswith("1 attempt aborted, 2 interrupted")


def test_a_league_that_has_not_begun_says_so_little(tmp_path: Path) -> None:
    with Database.open(tmp_path / "new.db", create=True) as database:
        played.Builder(database, League())
        page = _after(database, ())
    html = Renderer(Site("A league", Assets.read())).render(
        Page("health.html", "health.html", "", "health", page)
    )
    text = parsed(html.decode()).one("main").text
    assert "No fault in 0 matches." in text
    assert "0 of 20 finished" in text
