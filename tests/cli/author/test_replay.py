"""`arena replay`: the text of a match, and what cannot be shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.cli.layout import width
from arena.cli.league_files import opened
from arena.store import read
from tests.cli.calling import Arena


def test_every_card_and_point_of_a_match_is_there(arena: Arena, finished: Path) -> None:
    called = arena("replay", finished, "3")
    assert called.code == 0
    with opened(finished) as league:
        view = read.match(league.database, 1, 3)
    head, _, *rest = called.out.splitlines()
    assert head == f"Match 3, session {view.cycle}.{view.index}, seat order {view.order}"
    end = rest.index("")
    result, (table, *rest) = " ".join(rest[:end]), rest[end + 1 :]
    winners = [seat.name for seat in view.seats if seat.place == 1]
    assert result.startswith(" and ".join(winners))
    assert re.search(r" (won|share the first place) with ", result)
    assert result.endswith(".")
    assert table.split() == ["seat", "bot", "place", "card", "fault"]
    rounds = "\n".join(rest).split("\nRound ")[1:]
    assert len(rounds) == view.rounds
    totals = [0] * len(view.seats)
    for text in rounds:
        tricks = " ".join(text[text.index("trick  0") :].split())
        played = re.findall(r"\b([SHDCP]\d+)\b", tricks)
        assert len(played) == len(set(played)) == 60
        last = re.findall(r"takes \d+ \(([\d ]+)\)", tricks)[-1]
        points = [int(each) for each in last.split()]
        assert sum(points) == 250
        totals = [have + more for have, more in zip(totals, points, strict=True)]
    assert totals == [seat.points for seat in view.seats]
    assert max(map(width, called.out.splitlines())) <= 80


def test_one_round_alone(arena: Arena, finished: Path) -> None:
    called = arena("replay", finished, "3:2", "--text")
    assert re.findall(r"^Round (\d)", called.out, re.M) == ["2"]


@pytest.mark.parametrize(
    ("match", "words"),
    [
        ("999", "There is no finished match 999: the highest number is 20"),
        ("3:9", "Match 3 has rounds 0 to 3, not 9"),
        ("x", "'x': expected the number of a match, such as 12, or with a round, such as 12:0"),
    ],
)
def test_what_is_not_there(arena: Arena, finished: Path, match: str, words: str) -> None:
    called = arena("replay", finished, match)
    assert called.code == 2
    assert words in called.err


def test_cards_that_are_still_played_are_not_shown(arena: Arena, stopped: Path) -> None:
    called = arena("replay", stopped, "9")
    assert called.code == 2
    assert "the same deals are still being played" in called.err
    assert not re.search(r"[SHDC]\d", called.out)
