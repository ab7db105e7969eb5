"""The matches as data for their page: enough to play every round again, and no more than may be shown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record_json import document_of, record_to_json
from arena.match.relabel import Relabelling
from arena.papayoo import CARD_NAMES, PAPAYOOS
from arena.store import read
from arena.store.database import Database
from arena.store.matches import played_from
from arena.store.views import MatchState, MatchView, SeatView, SessionState
from reports.facts import LeagueFacts, read_facts
from reports.options import ReportOptions
from reports.pages.match import Chunk, chunk_script, chunks, match_data, match_page, result_words, taken_over
from reports.secrecy import Secrecy
from reports.text import visible
from tests.reports import played
from tests.reports.played import Bot, League
from tests.store import samples


def league(path: Path, seats: int = 4, matches: int | None = None) -> Database:
    bots = (*(Bot(f"Bot {number}") for number in range(seats)), Bot("Evil\u202e", fault_rate=0.01))
    return played.play(path / "league.db", League(bots=bots, seats=seats, rounds=seats, matches=matches))


def part_of(database: Database, facts: LeagueFacts, chunk: Chunk) -> dict[str, Any]:
    """What is in the script of a chunk."""
    rounds = read.played(database, 1, chunk.numbers)
    script = chunk_script(facts, Secrecy(ReportOptions(), facts.over), rounds, {}, {}).decode()
    said: dict[str, Any] = json.loads(script.removeprefix("papayoo(").removesuffix(")\n"))
    return said


@pytest.mark.parametrize("seats", [3, 8])
def test_a_round_is_its_papayoo_its_passes_and_its_plays(tmp_path: Path, seats: int) -> None:
    with league(tmp_path, seats, matches=6 if seats == 3 else seats) as database:
        facts = read_facts(database)
        (chunk,) = chunks(facts)
        said = part_of(database, facts, chunk)["matches"]
        count = match_page(facts).passed
        for match in facts.matches:
            record = read.record(database, 1, match.number)
            labels = Relabelling.of(record.setup.suits)
            for number, text in enumerate(said[str(match.number)]["rounds"]):
                letters, _, stand_in = text.partition(" ")
                papayoo, *rest = [CARD_NAMES[ord(letter) - ord("0")] for letter in letters]
                passes = [sorted(rest[count * seat : count * (seat + 1)]) for seat in range(seats)]
                one, board = record.rounds[number], record.setup.boards[number]
                assert papayoo == labels.card_names[PAPAYOOS[board.papayoo_suit]]
                assert passes == [sorted(labels.names(cards)) for cards in one.passes]
                assert rest[count * seats :] == [labels.card_names[card] for card in one.plays]
                assert {int(each) for each in stand_in.split(",") if each} == set(one.stand_in)


def test_a_match_says_who_sat_where_and_what_it_cost(tmp_path: Path) -> None:
    with league(tmp_path, matches=6) as database:
        facts = read_facts(database)
        said = part_of(database, facts, next(chunks(facts)))
    bots = [entry.bot for entry in facts.season.entries]
    assert said["bots"][-1] == {"name": "Evil\\u202e", "path": f"../bots/{bots[-1]}.html"}
    assert list(said["matches"]) == [str(match.number) for match in facts.matches]
    for match in facts.matches:
        row = said["matches"][str(match.number)]
        assert row["result"] == visible(result_words([(seat.name, seat.total) for seat in match.seats]))
        assert row["about"] == f"Session {row['session']}, seat order {match.order}."
        assert [bots[bot] for bot in row["bots"]] == [seat.bot for seat in match.seats]
        assert [seat[:2] for seat in row["seats"]] == [[seat.place, seat.charge] for seat in match.seats]
        assert ("hidden" in row) is ("standing" in row) is (match.number > 4)
        if match.number > 4:
            assert [sum(own) for own in zip(*row["rounds"], strict=True)] == [s.points for s in match.seats]


def match() -> MatchView:
    """A finished match of three."""
    seats = tuple(
        SeatView(seat, f"bot{seat}", f"Bot {seat}", points, 0, place, 0, None, None, 0, 10, 50, 9, None, 0, 0)
        for seat, (points, place) in enumerate(((90, 2), (60, 1), (100, 3)))
    )
    return MatchView(
        1, 0, 3, 1, 0, 0, MatchState.FINISHED, "", SessionState.COMPLETE, ("bot0", "bot1", "bot2"), seats,
        "SHDC", 0, 1, 3, 0, 0, "bubblewrap",
    )  # fmt: skip


def data(view: MatchView, *faults: Fault) -> dict[str, Any]:
    record = samples.played(MatchKey(0, 0, 0), seats=3)
    one = played_from(view, document_of(record_to_json(record)))
    return match_data(one, Secrecy(ReportOptions(), over=True), faults)


def test_it_says_what_others_should_know_of_a_seat() -> None:
    first, second, third = match().seats
    seats = (
        replace(first, extended_us=487_000),
        replace(second, frozen=True, off_turn_us=1_234_567),
        replace(third, left_core=True, hand_over=HandOver.MAX_FAULTS, hand_over_at=(1, 0)),
    )
    assert [notes for *_, notes in data(match())["seats"]] == [[], [], []]
    assert [notes for *_, notes in data(replace(match(), seats=seats))["seats"]] == [
        ["got 487 ms more for its answers, while others had its core"],
        ["stopped between its questions: 1.2 s of processor time without a question"],
        [
            "stand-in from round 1, pass on: too many faults",
            "left the core that it shares with its referee",
        ],
    ]
    assert taken_over(replace(third, hand_over=HandOver.CRASHED, hand_over_at=(2, 4))).startswith(
        "stand-in from round 2, trick 3 on: "
    )


def test_a_fault_has_its_place_its_times_and_its_evidence() -> None:
    fault = Fault(1, FaultKind.TIMEOUT, "nothing <came", 0, 7, "S7\u202e", 1_487_000, 3000, 2000)
    (said,) = data(match(), fault)["faults"]
    assert (said["seat"], said["round"], said["place"], said["kind"]) == (1, 0, "round 0, trick 6", "timeout")
    assert said["after"].startswith(" after 1.49 s (3.0 ms of processor time, 2.0 ms waiting for a core)")
    assert (said["reason"], said["sent"]) == ("nothing <came", "S7\\u202e")


def test_it_says_which_attempt_counts_if_not_the_first() -> None:
    assert data(match())["about"] == "Session 0.3, seat order 1."
    assert data(replace(match(), attempt=2))["about"] == "Session 0.3, seat order 1, attempt 2."


def test_the_result_is_one_sentence() -> None:
    assert result_words([("A", 90), ("B", 1060), ("C", 100)]) == "A won with 90 points, 10 fewer than C."
    assert result_words([("A", 7), ("B", 1), ("C", 7)]) == "B won with 1 point, 6 fewer than A and C."
    assert result_words([("A", 9), ("B", 9), ("C", 10)]) == "A and B share the first place with 9 points."
