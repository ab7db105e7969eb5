"""Matches as compact scripts: enough to play every round again, and no more than may be shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena.papayoo import CARD_NAMES
from arena.store import read
from arena.store.database import Database
from reports.facts import LeagueFacts, read_facts
from reports.options import Publish, ReportOptions
from reports.pages.match import result_words
from reports.pages.replay import Chunk, chunk_script, chunks, replay_page
from reports.pages.rounds import round_parts
from reports.secrecy import Secrecy
from reports.selection import MatchPages
from reports.text import visible
from tests.reports import played
from tests.reports.played import Bot, League

PAGES = MatchPages(frozenset({2}), shared=True)


def league(path: Path, seats: int = 4, matches: int | None = None) -> Database:
    bots = (*(Bot(f"Bot {number}") for number in range(seats)), Bot("Evil\u202e", fault_rate=0.01))
    return played.play(path / "league.db", League(bots=bots, seats=seats, rounds=seats, matches=matches))


def part_of(
    database: Database, facts: LeagueFacts, chunk: Chunk, options: ReportOptions | None = None
) -> dict[str, Any]:
    """What is in the script of a chunk."""
    rounds = read.played(database, 1, chunk.numbers)
    script = chunk_script(facts, PAGES, Secrecy(options or ReportOptions(), facts.over), rounds).decode()
    said: dict[str, Any] = json.loads(script.removeprefix("papayoo(").removesuffix(")\n"))
    return said


def cards(letters: str) -> list[str]:
    return [CARD_NAMES[ord(letter) - ord("0")] for letter in letters]


@pytest.mark.parametrize("seats", [3, 8])
def test_a_round_is_its_papayoo_its_passes_and_its_plays(tmp_path: Path, seats: int) -> None:
    with league(tmp_path, seats, matches=6 if seats == 3 else seats) as database:
        facts = read_facts(database)
        (chunk,) = chunks(facts)
        assert chunk.path == "data/replay-1.js"
        said = part_of(database, facts, chunk)["matches"]
        count = replay_page(facts).passed
        for match in facts.matches:
            parts = round_parts(read.record(database, 1, match.number), [seat.bot for seat in match.seats])
            for part, text in zip(parts, said[str(match.number)][7], strict=True):
                letters, _, stand_in = text.partition(" ")
                papayoo, *rest = cards(letters)
                passes = [sorted(rest[count * seat : count * (seat + 1)]) for seat in range(seats)]
                assert papayoo == part.papayoo.name
                assert passes == [sorted(face.name for face in hand.passed) for hand in part.hands]
                order = [
                    trick.cards[(trick.leader + turn) % seats]
                    for trick in part.tricks
                    for turn in range(seats)
                ]
                assert rest[count * seats :] == [face.name for face in order]
                chosen = {int(number) for number in stand_in.split(",") if number}
                assert {seats + place for place, face in enumerate(order) if face.stand_in} == {
                    number for number in chosen if number >= seats
                }


def test_a_match_says_who_sat_where_and_what_it_cost(tmp_path: Path) -> None:
    with league(tmp_path, matches=6) as database:
        facts = read_facts(database)
        said = part_of(database, facts, next(chunks(facts)))
    bots = [entry.bot for entry in facts.season.entries]
    assert said["bots"][-1] == "Evil\\u202e"
    assert list(said["matches"]) == [str(match.number) for match in facts.matches]
    for match in facts.matches:
        session, about, own, hidden, seats, charges, places, rounds, result = said["matches"][
            str(match.number)
        ]
        assert result == visible(result_words([(seat.name, seat.total) for seat in match.seats]))
        assert session == f"{match.cycle}.{match.index}"
        assert about.startswith(f"Session {session}, seat order {match.order}.")
        assert own == (match.number == 2)
        assert [bots[bot] for bot in seats] == [seat.bot for seat in match.seats]
        assert charges == [seat.charge for seat in match.seats]
        assert places == [seat.place for seat in match.seats]
        assert bool(hidden) is ("Not scored yet" in about) is (match.number > 4)
        if hidden:
            assert [sum(own) for own in zip(*rounds, strict=True)] == [seat.points for seat in match.seats]


def test_cards_stay_at_home_when_they_are_not_published(tmp_path: Path) -> None:
    with league(tmp_path, matches=4) as database:
        facts = read_facts(database)
        said = part_of(
            database, facts, next(chunks(facts)), ReportOptions(publish=frozenset({Publish.FAULTS}))
        )
    for match in said["matches"].values():
        assert match[3] == "Cards are not published in this league."
        assert all(sum(points) == 250 for points in match[7])
