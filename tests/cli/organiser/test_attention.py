"""What `arena status` says first: everything that needs attention."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.calling import Arena
from tests.cli.leagues import change


def kinds(arena: Arena, database: Path) -> list[tuple[str, str]]:
    told = json.loads(arena("status", database, "--json").out)
    return [(notice["kind"], notice["subject"]) for notice in told["needs_attention"]]


def test_nothing_needs_attention_in_a_quiet_league(arena: Arena, finished: Path) -> None:
    assert kinds(arena, finished) == []
    assert not arena("status", finished).out.startswith("needs attention")


def test_a_bot_that_does_not_start(arena: Arena, finished: Path) -> None:
    change(finished, "UPDATE fault SET kind = 'start_failed'")
    assert kinds(arena, finished) == [("start_failed", "moody")]


def test_who_is_out_is_told_in_short_with_how_many_are_still_in(arena: Arena, finished: Path) -> None:
    change(
        finished,
        """INSERT INTO decision VALUES (1, 1, '{"acts":0,"at":1,"claims":[],"cycles":1,"effect":1,"""
        """"excluded":[["moody","replaced in 3 of 3 matches: the evidence is 300"]],"field":[],"""
        """"sessions":0,"settled":false,"void":[]}')""",
    )
    said = arena("status", finished).out
    assert (
        "moody is excluded by the arena: replaced in 3 of 3 matches; from session 1.0 on it plays no more\n"
        in said
    )
    assert "5 bots, 4 still in, 4 seats" in said


def test_matches_without_a_sandbox(arena: Arena, finished: Path) -> None:
    change(finished, "UPDATE match SET sandbox = 'off' WHERE number = 3")
    assert kinds(arena, finished) == [("sandbox", "")]
    assert "  1 match of 20 played without a sandbox\n" in arena("status", finished).out


def test_a_machine_that_was_too_busy(arena: Arena, finished: Path) -> None:
    change(finished, "UPDATE seat SET took_total_us = 1000000, queued_us = 49000")
    assert kinds(arena, finished) == []
    change(finished, "UPDATE seat SET queued_us = 60000")
    assert kinds(arena, finished) == [("cores", "")]
    assert "  the machine was busy: bots waited for a core in 6.0 % of" in arena("status", finished).out
    change(finished, "UPDATE seat SET queued_us = 0", "UPDATE seat SET extended_us = 100000 WHERE match = 1")
    assert kinds(arena, finished) == [("cores", "")]


def test_aborted_matches_and_sessions_that_do_not_count(arena: Arena, finished: Path) -> None:
    change(
        finished,
        "UPDATE match SET state = 'aborted' WHERE number = 20",
        "UPDATE session SET state = 'left_out', reason = 'too often' WHERE \"index\" = 4",
        "UPDATE session SET state = 'voided', reason = 'x\x1b[2J' WHERE \"index\" < 4",
    )
    assert kinds(arena, finished) == [
        ("aborted", ""),
        ("voided", "0.0"),
        ("voided", "0.1"),
        ("voided", "0.2"),
        ("voided", ""),
        ("left_out", "0.4"),
    ]
    text = arena("status", finished).out
    assert "  1 aborted attempt at matches; no bot caused them\n" in text
    assert "  1 more session is void\n" in text
    assert "  session 0.4 is left out: too often\n" in text
    assert "\x1b" not in text
