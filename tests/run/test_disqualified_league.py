"""Leagues with bots that crash, run as processes: who plays in which cycle, however many play at a time."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from arena.conduct.balance import evenness
from arena.conduct.disqualify import Ruling, out_in
from arena.league import read_league
from arena.season.forecast import forecast
from arena.standings import Standing
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.scoring import scored
from arena.store.views import MatchState
from tests.cli.calling import Arena, caller
from tests.cli.leagues import change
from tests.running import HELD, LONG_MOVES, Run, edit, make_league, matches, play, records
from tests.shared import copied, once

CRASH = """if os.path.exists("../../../crash-{bot}"):
        os._exit(3)
"""
CYCLES = 3
WHY = (
    "replaced in 36 of 36 matches: the evidence that this is more than 10 % and no chance is 184,854; "
    "100 is enough"
)
BRIEF = WHY.partition(":")[0]
AFTER_THREE = WHY.replace("36", "18").replace("184,854", "303")
SAID = f"b3 is excluded: {WHY}; from session 2.0 on it plays no more"


def make(folder: Path) -> Path:
    """A league of which two bots crash, each as long as there is a file for it."""
    league = make_league(folder, bots=5, cycles=CYCLES)
    edit(folder / "bots/b4/bot.py", "PICK = 4", "PICK = 0")
    for bot in ("b2", "b3"):
        edit(folder / "bots" / bot / "bot.py", "time.sleep(0.0)", CRASH.format(bot=bot))
        (folder / f"crash-{bot}").touch()
    return league


pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("excluded"),  # else each worker would wait for the same league
]


@pytest.fixture(scope="session")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def made(folder: Path) -> None:
        outcome = play(make(folder), "--jobs", "1")
        assert outcome.code == 0, outcome.err
        assert SAID in outcome.err.splitlines()

    return once(tmp_path_factory, "excluded", made) / "league.toml"


@pytest.fixture
def copy(league: Path, tmp_path: Path) -> Path:
    """A league of its own for a test that changes it."""
    return copied(league.parent, tmp_path / "copy") / league.name


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    return caller(capsys)


def reader(league: Path) -> Reader:
    return Reader(Database.open(league.parent / "tiny.db", read_only=True))


def test_the_others_play_on_without_it_one_block_later(league: Path) -> None:
    rulings = reader(league).rulings(1)
    assert [(ruling.bot, ruling.out, ruling.from_cycle) for ruling in rulings] == [
        ("b2", True, 2),
        ("b3", True, 2),
    ]
    assert [ruling.decided for ruling in rulings] == [1, 1], "while it was decided the next cycle was played"
    found = matches(league)
    assert Counter(match.cycle for match in found) == {0: 60, 1: 60, 2: 6}
    assert [match.number for match in found] == [*range(1, 127)]
    for match in found:
        assert sorted(seat.bot for seat in match.seats) == sorted(match.line_up)
        assert not out_in(rulings, match.cycle).intersection(match.line_up)
        for seat in match.seats:
            crashed = seat.bot in ("b2", "b3")
            assert (seat.hand_over is not None, seat.faults, seat.charge) == (crashed, crashed, 120 * crashed)


def test_a_killed_run_goes_on_by_the_same_plan(league: Path, tmp_path: Path) -> None:
    other = make(tmp_path)
    for least in (20, 70, 121):  # while two blocks are open, then, and after the two have left
        run = Run(other, "--jobs", "1")
        run.wait_for_matches(least)
        run.kill()
    assert play(other, "--jobs", "1").code == 0
    assert reader(other).rulings(1) == reader(league).rulings(1)
    played = [match for match in matches(other) if match.state is MatchState.FINISHED]
    lined_up = [(match.number, match.line_up) for match in matches(league)]
    assert [(match.number, match.line_up) for match in played] == lined_up
    assert reader(other).session_results(1) == reader(league).session_results(1)
    assert _score(other) == _score(league)


def test_who_falls_in_the_last_cycle_is_out_from_the_next_one_on(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3, cycles=3)
    edit(tmp_path / "bots/b1/bot.py", "time.sleep(0.0)", "os._exit(3)")
    assert play(league).code == 0
    assert reader(league).rulings(1) == (Ruling("b1", True, 3, AFTER_THREE),)


def test_the_number_of_referees_changes_nothing(league: Path, tmp_path: Path) -> None:
    other = make(tmp_path)
    assert play(other, "--jobs", "2").code == 0
    assert records(other) == records(league)
    assert reader(other).rulings(1) == reader(league).rulings(1)
    assert _score(other) == _score(league)


def _score(league: Path) -> object:
    read = reader(league)
    season = read.current_season()
    assert season is not None
    return scored(read, season)


def test_the_disqualified_stand_last_and_the_others_average_par(league: Path) -> None:
    read = reader(league)
    season = read.current_season()
    assert season is not None
    assert [entry.bot for entry in season.entries] == ["b0", "b1", "b2", "b3", "b4"]
    board = scored(read, season).standings
    assert [(row.rank, row.disqualified) for row in board.rows] == [
        (1, False),
        (2, False),
        (3, False),
        (None, True),
        (None, True),
    ]
    assert [row.sessions for row in board.rows] == [13, 13, 13, 12, 12]
    assert board.house == ()
    assert board.intervals
    assert board.provisional is None
    present = [row.fap for row in board.rows if not row.disqualified and row.fap is not None]
    assert sum(present) / len(present) == pytest.approx(board.par)


def test_the_progress_counts_the_sessions_that_are_planned(league: Path) -> None:
    progress = reader(league).progress(1)
    assert [(cycle.sessions, cycle.is_over) for cycle in progress.cycles] == [
        (10, True),
        (10, True),
        (1, True),
    ]
    assert (progress.sessions_planned, progress.matches_planned, progress.matches_finished) == (21, 126, 126)


def test_the_forecast_of_what_is_left_is_that_of_the_present_field(copy: Path) -> None:
    edit(copy, f"cycles = {CYCLES}", f"cycles = {CYCLES + 2}")
    seen = forecast(read_league(copy))
    assert (seen.a_cycle.sessions, seen.left.sessions, seen.whole.sessions) == (1, 2, 23)
    assert (seen.departed, seen.broken_off) == (("B2", "B3"), "")
    assert seen.verdicts is not None
    assert seen.verdicts.sessions == 30
    assert [line.spread for line in evenness(seen.balance)][:2] == [0, 0]


def test_everything_agrees(league: Path, arena: Arena) -> None:
    called = arena("verify", league)
    assert called.code == 0, called.out


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (
            "DELETE FROM action WHERE what = 'disqualify' AND subject = 'b2'",
            "session 2.",
        ),
        ("UPDATE action SET reason = 'no reason' WHERE what = 'disqualify'", "is excluded as no reason"),
        (
            "INSERT INTO action (at, who, what, subject, reason, detail) "
            """VALUES (1, 'x', 'disqualify', 'b0', '', '{"season": 1, "from_cycle": 3}')""",
            "b0 is excluded from session 3.0 on, what was played does not say so",
        ),
        (
            "INSERT INTO action (at, who, what, subject, reason, detail) "
            """VALUES (1, 'x', 'disqualify', 'b0', '', '{"season": 1, "from_cycle": 4}')""",
            "b0 is excluded from session 4.0 on; no block before is over",
        ),
        (
            "INSERT INTO action (at, who, what, subject, reason, detail) "
            """VALUES (1, 'x', 'exclude', 'b0', '', '{"season": 1, "from_cycle": 2}')""",
            "its cycle has no session of that index",
        ),
        (
            "INSERT INTO action (at, who, what, subject, reason, detail) VALUES "
            """(1, 'x', 'exclude', 'b7', '', '{"season": 1, "from_cycle": 3}')""",
            "b7 is excluded, and there is no such bot",
        ),
        (
            """UPDATE action SET detail = replace(detail, '"from_cycle": 2', '"from_cycle": 3') """
            "WHERE subject = 'b3'",
            "DIFFERENCE  season 1, session 2.",  # what of it differs first rests on the bots' files
        ),
        (
            "UPDATE action SET detail = replace(detail, ', \"after\": 1', '') WHERE subject = 'b3'",
            "b3 is not excluded from session 2.0 on, although",
        ),
        (
            """UPDATE stretch SET blocks = '1 3'""",
            "the blocks of stretch 0 end at 1 3, which does not follow from its plan",
        ),
        ("UPDATE stretch SET blocks = '1 2'", "stretch 0 has 3 cycles, its last block ends at 2"),
        ("UPDATE stretch SET blocks = 'one'", "these are not the ends of blocks of cycles after cycle 0"),
        (
            "UPDATE stretch SET blocks = ''",
            "b2 is excluded from session 2.0 on, it must be from session 1.0 on",
        ),
        (
            "UPDATE action SET what = 'exclude' WHERE subject = 'b3'",
            f"b3 is not excluded from session 2.0 on, although {WHY}",
        ),
    ],
)
def test_a_changed_decision_is_found(copy: Path, arena: Arena, statement: str, said: str) -> None:
    change(copy.parent / "tiny.db", statement)
    called = arena("verify", copy)
    assert called.code == 1
    assert said in called.out


def test_status_opens_with_it(league: Path, arena: Arena) -> None:
    first, *rest = arena("status", league).out.splitlines()
    assert first == "needs attention"
    assert rest[0] == f"  b2 is excluded by the arena: {BRIEF}; from session 2.0 on it plays no more"
    assert "  126 matches of 126 played without a sandbox" in rest
    told = json.loads(arena("status", league, "--json").out)
    kinds = [(notice["kind"], notice["subject"]) for notice in told["needs_attention"]]
    assert kinds[:2] == [("excluded", "b2"), ("excluded", "b3")]
    assert ("sandbox", "") in kinds


def test_the_pages_say_why(league: Path) -> None:
    pages = league.parent / "tiny-report"
    page = (pages / "index.html").read_text()
    assert page.count(WHY) == 2, "in what was decided"
    assert page.count(BRIEF) == 2 + 2, "and in short beside the bots"
    assert "Stand-in" not in page
    assert "every line-up once a cycle, 3 cycles of 10 sessions, from session 2.0 on 1" in page.lower()
    health, own = (pages / "health.html").read_text(), (pages / "bots" / "b3.html").read_text()
    assert health.count("<dd>replaced in 72 of 72 matches (100 %)") == 2, "with those while it was decided"
    assert "in at most 1 of 100 seasons" in health
    assert "In all it was replaced in 72 of 72 matches." in own
    method = (pages / "method.html").read_text()
    assert "without B3 from session 2.0 on (excluded)" in method
    assert "An average bot of those that are still in the field has 250 / 3" in method
    assert "with evidence of 100 that a bot is replaced in more than 10 % of its matches" in method


def test_the_terminal_says_who_left_when_and_why(league: Path, arena: Arena) -> None:
    said = " ".join(arena("standings", league).out.split())
    assert f"B3 is excluded by the arena from session 2.0 on: {BRIEF}." in said
    assert "The bots that are still in the field average par" in said
    balance = " ".join(arena("status", league, "--balance").out.split())
    assert "of the bots that are in the field" in balance


# Acts


def test_a_reinstated_bot_plays_again_in_later_cycles(copy: Path, arena: Arena) -> None:
    called = arena("reinstate", copy, "B2", "--reason", "mended\x1b[2J")
    assert called.code == 0, called.err
    assert called.out.startswith("b2 is ranked again, and plays from session 3.0 on: mended")
    late = (
        "Session 3.0 would come after the last of the 3 cycles: it plays only if you raise [schedule] cycles."
    )
    assert late in called.err
    assert "\x1b" not in called.out
    assert reader(copy).rulings(1)[-1] == Ruling("b2", False, CYCLES, "mended\x1b[2J")
    (act,) = [act for act in reader(copy).actions() if act.what == "reinstate"]
    assert (act.subject, bool(act.who), act.at > 0) == ("b2", True, True)
    edit(copy, f"cycles = {CYCLES}", f"cycles = {CYCLES + 1}")
    (copy.parent / "crash-b2").unlink()
    assert play(copy).code == 0
    by_cycle = {
        cycle: {seat.bot for m in matches(copy) if m.cycle == cycle for seat in m.seats} for cycle in (2, 3)
    }
    assert by_cycle == {2: {"b0", "b1", "b4"}, 3: {"b0", "b1", "b2", "b4"}}
    assert arena("verify", copy).code == 0
    assert {row.bot for row in _rows(copy) if row.disqualified} == {"b3"}


def test_a_reinstated_bot_that_goes_on_is_disqualified_again(copy: Path, arena: Arena) -> None:
    assert arena("reinstate", copy, "b2", "--reason", "a guess").code == 0
    edit(copy, f"cycles = {CYCLES}", f"cycles = {CYCLES + 1}")
    assert play(copy).code == 0
    assert reader(copy).rulings(1)[-1] == Ruling("b2", True, 4, AFTER_THREE)
    assert arena("verify", copy).code == 0


def test_an_excluded_bot_is_shown_as_excluded_everywhere(copy: Path, arena: Arena) -> None:
    called = arena("exclude", copy, "B0", "--reason", "its <author> asked\x1b[2J")
    since = "from session 3.0 on it plays no more"
    said = f"b0 is excluded by the organiser: its <author> asked\\x1b[2J; {since}"
    assert (called.code, called.out) == (0, f"{said}\n")
    late = (
        "Session 3.0 would come after the last of the 3 cycles: it has no rank any more, and keeps the score"
    )
    assert late in called.err
    assert f"  {said}\n" in arena("status", copy).out
    told = json.loads(arena("status", copy, "--json").out)["needs_attention"]
    assert ("excluded", "b0") in [(notice["kind"], notice["subject"]) for notice in told]
    standings = arena("standings", copy).out
    assert "\n\nexcluded\n   -  B0" in standings
    assert "B0 is excluded by the organiser from session 3.0 on: its <author> asked" in standings
    rows = arena("export", copy, "--what", "standings", "--format", "json").out
    by = {row["bot"]: row["excluded_by"] for row in json.loads(rows)}
    assert (by["b0"], by["b1"], by["b2"]) == ("organiser", None, "arena")
    assert arena("report", copy).code == 0
    pages = copy.parent / "tiny-report"
    first, own = (pages / "index.html").read_text(), (pages / "bots" / "b0.html").read_text()
    assert 'B0</bdi></a> <em class="tag">excluded</em>' in first
    assert "B0</bdi>, excluded by the organiser from session 3.0 on" in first
    assert "B2</bdi>, excluded by the arena from session 2.0 on" in first
    assert "Excluded bots" in first
    assert '<em class="tag">excluded</em>' in own
    assert "its &lt;author&gt; asked" in own
    assert arena("verify", copy).code == 0


def test_who_the_organiser_excludes_is_told_apart_from_who_fell(copy: Path, arena: Arena) -> None:
    called = arena("exclude", copy, "b1", "--reason", "a copy of b0")
    assert called.out.startswith("b1 is excluded by the organiser: a copy of b0; from session 3.0 on")
    acts = [act for act in reader(copy).actions() if act.what in ("disqualify", "exclude")]
    assert [(act.subject, act.what) for act in acts] == [
        ("b2", "disqualify"), ("b3", "disqualify"), ("b1", "exclude"),
    ]  # fmt: skip
    assert arena("report", copy).code == 0
    page = (copy.parent / "tiny-report" / "index.html").read_text()
    assert "B1</bdi>, excluded by the organiser from session 3.0 on" in page
    assert arena("verify", copy).code == 0


def test_a_running_league_heeds_the_organiser_from_its_next_cycle_on(tmp_path: Path, arena: Arena) -> None:
    league = make_league(tmp_path, cycles=4, slow=0.002, trick=HELD, more=LONG_MOVES)
    run = Run(league, "--jobs", "1")
    run.wait_for_matches(1)
    (tmp_path / "hold").touch()
    assert arena("exclude", league, "b0", "--reason", "its author asked").code == 0
    (tmp_path / "hold").unlink()
    outcome = run.end()
    assert outcome.code == 0, outcome.err
    (ruling,) = reader(league).rulings(1)
    assert str(ruling) in outcome.err.splitlines()
    assert 0 < ruling.from_cycle < 4
    seated: defaultdict[int, set[str]] = defaultdict(set)
    for match in matches(league):
        seated[match.cycle].update(seat.bot for seat in match.seats)
    for cycle in range(4):
        assert seated[cycle] == {"b0", "b1", "b2", "b3"} - ({"b0"} if cycle >= ruling.from_cycle else set())
    assert arena("verify", league).code == 0


def test_a_bot_that_does_not_start_keeps_nobody_waiting_once_it_is_withdrawn(
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
    assert arena("verify", league).code == 0


def test_a_void_session_does_not_count_but_can_be_read(copy: Path, arena: Arena) -> None:
    sessions = sum(row.sessions for row in _rows(copy))
    cycle, index = 1, 0
    called = arena("void", copy, f"{cycle}.{index}", "--reason", "the <machine> was busy")
    said = f"session {cycle}.{index} of season 1 is void: the <machine> was busy\n"
    assert (called.code, called.out) == (0, said)
    assert sum(row.sessions for row in _rows(copy)) == sessions - 3
    assert f"  session {cycle}.{index} is void: the <machine> was busy" in arena("status", copy).out
    assert arena("report", copy).code == 0
    assert arena("verify", copy).code == 0
    assert "the &lt;machine&gt; was busy" in (copy.parent / "tiny-report" / "index.html").read_text()
    assert reader(copy).record(1, (10 * cycle + index) * 6 + 1).rounds
    (act,) = [act for act in reader(copy).actions() if act.what == "void"]
    assert (act.subject, act.reason) == (f"{cycle}.{index}", "the <machine> was busy")


def test_a_session_that_is_void_still_counts_against_a_bot(copy: Path, arena: Arena) -> None:
    """It was played all the same; whoever was excluded by it is reinstated, if anybody wants that."""
    for index in range(4):
        assert arena("void", copy, f"0.{index}", "--reason", "a test").code == 0
    assert arena("report", copy).code == 0
    assert arena("verify", copy).code == 0
    assert {row.bot for row in _rows(copy) if row.disqualified} == {"b2", "b3"}


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("reinstate", "b0"), "b0 is not excluded in season 1, so there is nothing"),
        (
            ("exclude", "b2"),
            "b2 is excluded already, by the arena, from session 2.0 of season 1",
        ),
        (("exclude", "b9"), "b9: season 1 has no such bot; its bots are b0, b1, b2, b3, b4"),
        (("exclude", "stand-in"), "stand-in: season 1 has no such bot"),
        (("reinstate", "b9"), "b9: season 1 has no such bot; its bots are b0, b1, b2, b3, b4"),
        (("reinstate", "stand-in"), "stand-in: season 1 has no such bot"),
        (("void", "9.0"), "The session (cycle 9, index 0) was never begun"),
        (("void", "0.10"), "0.10: a cycle of season 1 has the sessions 0 to 9"),
        (("void", "3"), "3: expected a session as CYCLE.INDEX"),
        (("void", "-1.0"), "-1.0"),
        (("void", "0.1.2"), "0.1.2: expected a session as CYCLE.INDEX"),
    ],
)
def test_what_cannot_be_done(league: Path, arena: Arena, command: tuple[str, str], said: str) -> None:
    name, subject = command
    called = arena(name, league, "--reason", "a test", "--", subject)
    assert (called.code, called.out) == (2, "")
    assert said in called.err


@pytest.mark.parametrize(("command", "subject"), [("void", "0.0"), ("reinstate", "b2"), ("exclude", "b0")])
def test_an_act_needs_a_reason(league: Path, arena: Arena, command: str, subject: str) -> None:
    assert "Missing option '--reason'" in arena(command, league, subject).err
    assert "--reason is empty: give a reason" in arena(command, league, subject, "--reason", " ").err


def test_a_session_is_void_only_once(copy: Path, arena: Arena) -> None:
    assert arena("void", copy, "0.0", "--reason", "a test").code == 0
    called = arena("void", copy, "0.0", "--reason", "a test")
    assert (called.code, "is void already" in called.err) == (2, True)


def _rows(league: Path) -> tuple[Standing, ...]:
    read = reader(league)
    season = read.current_season()
    assert season is not None
    return scored(read, season).standings.rows
