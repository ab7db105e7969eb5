"""What is decided in a league and by its organiser: who is out, when it is settled, what is void.

In the closed league of `tests.runner.whole`, in which a bot crashes; tests that change it have a copy.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.conduct.exclusion import Ruling, out_in
from arena.league import read_league
from arena.score.table import Standing
from arena.season.forecast import forecast
from arena.store import read
from arena.store.database import Database
from arena.store.scoring import scored
from arena.store.views import SeasonView
from tests.cli.calling import Arena, caller
from tests.cli.leagues import change
from tests.runner import whole
from tests.running import HELD, LONG_MOVES, Run, edit, make_league, matches, play
from tests.shared import copied

WHY = (
    "replaced in 18 of 18 matches: the evidence that this is more than 5 % and no chance is 2,309; "
    "400 is enough"
)
BRIEF = WHY.partition(":")[0]
SETTLED, END = 10, 12
"""16 sessions of each are enough: 3 in each of three cycles, then one in each. Two may be begun meanwhile."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("decisions"),  # else each worker would wait for the same league
]


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return whole.closed_league(tmp_path_factory)


@pytest.fixture
def copy(league: Path, tmp_path: Path) -> Path:
    """A league of its own for a test that changes it."""
    return copied(league.parent, tmp_path / "copy") / league.name


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    return caller(capsys)


@contextmanager
def stored(league: Path) -> Iterator[tuple[Database, SeasonView]]:
    with whole.opened(league) as database:
        season = read.current_season(database)
        assert season is not None
        yield database, season


def rulings(league: Path) -> tuple[Ruling, ...]:
    with whole.opened(league) as database:
        return tuple(read.rulings(database, 1))


def rows(league: Path) -> tuple[Standing, ...]:
    with stored(league) as (database, season):
        return scored(database, season).standings.rows


def test_the_others_play_on_without_it_and_the_league_ends_when_it_is_settled(league: Path) -> None:
    with stored(league) as (database, season):
        (phase,) = season.phases
        assert (phase.cycles_at_most, phase.cycles_planned) == (40, END)
        assert phase.end_reason == f"settled after {SETTLED} cycles of at most 40"
        (ruling,) = read.rulings(database, 1)
        assert (ruling.bot, ruling.out, ruling.decided, ruling.from_cycle) == ("b3", True, 1, 3)
        found = read.matches(database, 1)
        assert Counter(match.cycle for match in found) == {
            cycle: 24 if cycle < 3 else 6 for cycle in range(END)
        }
        assert [match.number for match in found] == list(range(1, whole.MATCHES + 1))
        for match in found:
            assert sorted(seat.bot for seat in match.seats) == sorted(match.line_up)
            assert not out_in([ruling], match.cycle).intersection(match.line_up)
            for seat in match.seats:
                crashed = seat.bot == "b3"
                assert (seat.hand_over is not None, seat.faults, seat.charge) == (
                    crashed,
                    crashed,
                    120 * crashed,
                )
        progress = read.progress(database, 1)
        assert (len(progress.cycles), progress.sessions_planned, progress.sessions_complete) == (END, 21, 21)


def test_of_a_settled_league_nothing_is_left_to_play(league: Path) -> None:
    seen = forecast(read_league(league))
    assert (seen.ended, seen.left) == ("it is settled", {})
    again = play(league)
    assert again.code == 0
    assert "everything that was asked for has been played" in again.err


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        # Which session differs first rests on the bots' files, here and below.
        ("DELETE FROM decision WHERE cycles = 1", "DIFFERENCE  season 1, session "),
        (
            "UPDATE decision SET document = replace(document, '18 of 18', '17 of 18')",
            "is excluded as replaced",
        ),
        (
            """UPDATE decision SET document = replace(document, '"effect":3', '"effect":4')""",
            "DIFFERENCE  season 1, session ",
        ),
        (
            "UPDATE phase SET cycles_planned = 23",
            "phase 0 ended after 23 of 40 cycles, and nothing says why",
        ),
        (
            "INSERT INTO action (at, who, what, subject, reason, detail) VALUES (1, 'x', 'exclude', 'b3', "
            """'', '{"season": 1, "from_cycle": 3}'); DELETE FROM decision WHERE cycles = 1""",
            f"b3 is not excluded after 1 cycles, although {WHY}",
        ),
    ],
)
def test_a_changed_decision_is_found(copy: Path, arena: Arena, statement: str, said: str) -> None:
    change(copy.parent / "league.db", *statement.split(";"))
    called = arena("verify", copy)
    assert called.code == 1
    assert said in called.out


def test_status_pages_and_terminal_say_why(league: Path, arena: Arena) -> None:
    first, *rest = arena("status", league).out.splitlines()
    assert first == "needs attention"
    assert rest[0] == f"  b3 is excluded by the arena: {BRIEF}; from session 3.0 on it plays no more"
    told = json.loads(arena("status", league, "--json").out)
    kinds = [(notice["kind"], notice["subject"]) for notice in told["needs_attention"]]
    assert kinds[0] == ("excluded", "b3")
    assert ("sandbox", "") in kinds
    said = " ".join(arena("standings", league).out.split())
    assert f"B3 is excluded by the arena from session 3.0 on: {BRIEF}." in said
    assert "Scores are measured against the 3 bots that are in; B3 left, which makes each score" in said
    pages = league.parent / "league-report"
    page = (pages / "index.html").read_text()
    assert page.count(WHY) == 1, "in what was decided"
    assert "Stand-in" not in page
    assert '<em class="tag">excluded</em>' in (pages / "bots" / "b3.html").read_text()


# What an organiser does


def test_a_reinstated_bot_plays_again_after_the_end(copy: Path, arena: Arena) -> None:
    called = arena("reinstate", copy, "B3", "--reason", "mended\x1b[2J")
    assert called.code == 0, called.err
    assert called.out.startswith(f"b3 is ranked again, and plays from session {END}.0 on: mended")
    assert "\x1b" not in called.out
    assert rulings(copy)[-1] == Ruling("b3", False, END, "mended\x1b[2J")
    (copy.parent / "crash").unlink()
    before = len(matches(copy))
    run = Run(copy, "--jobs", "2")
    run.wait_for_matches(whole.MATCHES + 30)
    run.kill()
    with stored(copy) as (database, season):
        assert season.phases[1].first_cycle == END
        later = read.matches(database, 1)[whole.MATCHES :]
        assert {match.cycle for match in later} <= {END, END + 1, END + 2}
        assert {seat.bot for match in later for seat in match.seats} == {"b0", "b1", "b2", "b3"}
        assert len(read.matches(database, 1)) > before
        progress = read.progress(database, 1)
        assert [one.sessions for one in progress.cycles[END - 1 : END + 2]] == [1, 4, 4]
    whole.assert_agrees(copy)


def test_an_excluded_bot_is_shown_as_excluded_everywhere(copy: Path, arena: Arena) -> None:
    called = arena("exclude", copy, "B0", "--reason", "its <author> asked\x1b[2J")
    said = "b0 is excluded by the organiser: its <author> asked\\x1b[2J; from session"
    assert called.code == 0
    assert called.out.startswith(said)
    assert f"  {said}" in arena("status", copy).out
    standings = arena("standings", copy).out
    assert "\n\nexcluded\n   -  B0" in standings
    exported = arena("export", copy, "--what", "standings", "--format", "json").out
    by = {row["bot"]: row["excluded_by"] for row in json.loads(exported)}
    assert (by["b0"], by["b1"], by["b3"]) == ("organiser", None, "arena")
    assert arena("report", copy).code == 0
    pages = copy.parent / "league-report"
    first, own = (pages / "index.html").read_text(), (pages / "bots" / "b0.html").read_text()
    assert 'B0</bdi></a> <em class="tag">excluded</em>' in first
    assert '<em class="tag">excluded</em>' in own
    assert "its &lt;author&gt; asked" in own
    assert arena("verify", copy).code == 0


def test_a_running_league_heeds_the_organiser_from_its_next_cycle_on(tmp_path: Path, arena: Arena) -> None:
    league = make_league(tmp_path, cycles=3, trick=HELD, more=LONG_MOVES)
    run = Run(league, "--jobs", "1")
    run.wait_for_matches(1)
    (tmp_path / "hold").touch()
    assert arena("exclude", league, "b0", "--reason", "its author asked").code == 0
    (tmp_path / "hold").unlink()
    outcome = run.end()
    assert outcome.code == 0, outcome.err
    (ruling,) = rulings(league)
    assert str(ruling) in outcome.err.splitlines()
    assert 0 < ruling.from_cycle < 3
    seated: defaultdict[int, set[str]] = defaultdict(set)
    for match in matches(league):
        seated[match.cycle].update(seat.bot for seat in match.seats)
    for cycle in range(3):
        assert seated[cycle] == {"b0", "b1", "b2", "b3"} - ({"b0"} if cycle >= ruling.from_cycle else set())
    assert arena("verify", league).code == 0


def test_a_bot_that_does_not_start_keeps_nobody_waiting_once_it_is_excluded(
    tmp_path: Path, arena: Arena
) -> None:
    league = make_league(tmp_path)
    edit(tmp_path / "bots/b1/bot.py", "import os", "sys.exit()")
    assert play(league).code == 2
    assert arena("exclude", league, "b1", "--reason", "it is broken").out.startswith(
        "b1 is excluded by the organiser: it is broken; from session 0.0 on"
    )
    assert play(league).code == 0
    assert {seat.bot for match in matches(league) for seat in match.seats} == {"b0", "b2", "b3"}


def test_a_void_session_does_not_count_but_can_be_read(copy: Path, arena: Arena) -> None:
    """It still counts against whoever was excluded by it, and is void only once."""
    sessions = sum(row.sessions for row in rows(copy))
    called = arena("void", copy, "1", "--reason", "the <machine> was busy")
    said = "session 0.0 of season 1 is void: the <machine> was busy\n"
    assert (called.code, called.out) == (0, said)
    again = arena("void", copy, "1", "--reason", "a test")
    assert (again.code, "is void already" in again.err) == (2, True)
    assert sum(row.sessions for row in rows(copy)) == sessions - 3
    assert "  session 0.0 is void: the <machine> was busy" in arena("status", copy).out
    assert arena("report", copy).code == 0
    assert arena("verify", copy).code == 0
    assert "the &lt;machine&gt; was busy" in (copy.parent / "league-report" / "index.html").read_text()
    with whole.opened(copy) as database:
        assert read.record(database, 1, 1).rounds
        (act,) = [act for act in read.actions(database) if act.what == "void"]
    assert (act.subject, act.reason) == ("0.0", "the <machine> was busy")
    assert {row.bot for row in rows(copy) if row.disqualified} == {"b3"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("reinstate", "b0"), "b0 is not excluded in season 1, so there is nothing"),
        (("exclude", "b3"), "b3 is excluded already, by the arena, from session 3.0 of season 1"),
        (("exclude", "b9"), "b9: season 1 has no such bot; its bots are b0, b1, b2, b3"),
        (("exclude", "stand-in"), "stand-in: season 1 has no such bot"),
        (("void", "999"), "season 1 has no match 999 that was begun"),
    ],
)
def test_what_cannot_be_done(league: Path, arena: Arena, command: tuple[str, str], said: str) -> None:
    name, subject = command
    called = arena(name, league, "--reason", "a test", "--", subject)
    assert (called.code, called.out) == (2, "")
    assert said in called.err
    assert "--reason is empty: give a reason" in arena(name, league, subject, "--reason", " ").err
