"""`arena status`."""

from __future__ import annotations

import json
import os
from pathlib import Path

from arena.store import write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.lock import RunLock
from tests.cli.calling import Arena
from tests.cli.leagues import change, in_record, value


def test_a_finished_league(arena: Arena, finished: Path) -> None:
    called = arena("status", finished)
    assert called.code == 0
    assert called.err == ""
    lines = dict(line.split(None, 1) for line in called.out.splitlines() if not line.startswith(" "))
    assert lines["league"] == "Spring league (spring), 5 bots, 4 seats"
    assert lines["running"] == "no"
    assert lines["phase"].startswith("0, ended 2023-11-14 23:13:20 UTC: all cycles played")
    assert lines["cycles"] == "1 of 1 over"
    assert lines["sessions"] == "5 of 5 complete, 0 void, 0 left out"
    assert lines["matches"] == "20 of 20 finished, 0 begun, 0 aborted, 0 interrupted"
    assert lines["rounds"] == "80"
    assert str(value(finished, "SELECT commitment FROM phase")) in called.out
    assert str(value(finished, "SELECT secret FROM phase")) in called.out


def test_a_stopped_league_keeps_its_secret(arena: Arena, stopped: Path) -> None:
    secret = str(value(stopped, "SELECT secret FROM phase"))
    for called in (arena("status", stopped), arena("status", stopped, "--json")):
        assert secret not in called.out
        assert str(value(stopped, "SELECT commitment FROM phase")) in called.out
    assert "0 of 2 over; cycle 1 at 40 %" in arena("status", stopped).out


def test_json_says_the_same(arena: Arena, stopped: Path) -> None:
    told = json.loads(arena("status", stopped, "--json").out)
    assert told["league"] == "spring"
    assert told["season"]["number"] == 1
    assert told["phase"]["ended_at"] is None
    assert told["phase"]["secret"] is None
    assert told["progress"]["matches_finished"] == 9
    assert told["progress"]["matches_planned"] == 40
    assert told["progress"]["cycles"][0] == {"cycle": 0, "sessions": 5, "complete": 2, "over": 2}
    assert sum(told["faults"].get("moody", {}).values()) == told["progress"]["faults"]
    assert (told["running"], told["process"], told["pages"]) == (False, None, None)


def test_faults_by_bot_and_kind(arena: Arena, finished: Path) -> None:
    kinds = "SELECT count(*) || ' ' || kind AS kind FROM fault GROUP BY fault.kind ORDER BY fault.kind"
    found = value(finished, f"SELECT group_concat(kind, ', ') FROM ({kinds})")
    assert f"Moody: {found}" in arena("status", finished).out


def test_whether_it_is_being_run(arena: Arena, finished: Path) -> None:
    lock = finished.with_name("spring.lock")
    with RunLock(lock):
        assert f"running   yes, process {os.getpid()}" in arena("status", finished).out
        assert json.loads(arena("status", finished, "--json").out)["process"] == os.getpid()
    assert lock.exists()  # left behind, and means nothing
    assert "running   no" in arena("status", finished).out


def test_the_last_lines_of_the_log_cannot_draw_on_the_terminal(arena: Arena, finished: Path) -> None:
    with Database.open(finished) as database:
        for number in range(7):
            write.log(database, LogLine(1_700_000_000_000, "warning", "run", f"line {number} \x1b[2J"))
    shown = arena("status", finished).out.partition("\nlog\n")[2].splitlines()
    assert [line.split()[5] for line in shown] == ["2", "3", "4", "5", "6"]
    assert "\x1b" not in "".join(shown)


def test_nothing_played_yet(arena: Arena, tmp_path: Path) -> None:
    called = arena("status", tmp_path / "spring.db")
    assert called.code == 2
    assert "nothing played yet" in called.err
    assert called.out == ""


def test_what_may_be_collusion_is_shown_to_the_organiser(arena: Arena, finished: Path) -> None:
    called = arena("status", finished, "--integrity")
    assert called.code == 0
    assert "Twins and favours in the 20 matches that count, in season 1." in called.out
    assert max(map(len, called.out.splitlines())) <= 80
    told = json.loads(arena("status", finished, "--integrity", "--json").out)
    assert (told["season"], told["matches"]) == (1, 20)
    assert len(told["twins"]) == 10
    duck_and_low = next(pair for pair in told["twins"] if pair["bots"] == ["duck", "low"])
    assert duck_and_low["shared"]["passes"]["rate"] > told["usual"]["passes"]
    assert {pair["giver"] for pair in told["favours"]} <= {"duck", "low", "random", "moody", "greedy"}


def test_a_record_that_cannot_be_read_is_named(arena: Arena, finished: Path) -> None:
    change(finished, in_record(7, "rounds[0].plays", "'S1 X9'"))
    called = arena("status", finished, "--integrity")
    assert called.code == 4
    assert "The record of match 7 cannot be read: 'X9' is not a card" in " ".join(called.err.split())
