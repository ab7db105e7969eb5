"""Seats without a clock: what they are told, that nothing makes them late, and that others lose nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, Question, addressed
from arena.match.rebuild import rebuild
from arena.match.record import NO_CLOCK_BANK_MS, NO_LIMIT_US, MatchRecord, MatchSetup, SeatRecord, Terms
from tests.driving import KEY, chooser, make_setup

TERMS = Terms(move_ms=100, bank_ms=50, fault_points=40, max_faults=3)
HOUR_US = 3_600_000_000


def setup_of(*seats: int, rounds: int = 1) -> MatchSetup:
    return replace(make_setup(3, rounds, terms=TERMS), no_clock=seats or None)


def answered(match: Match, question: Question, took_us: int) -> None:
    message = question.message
    cards = message["hand"][: message["count"]] if question.is_pass else message["legal"][:1]
    assert match.answer(question.seat, cards, took_us) is None


def played(setup: MatchSetup, took_us: dict[int, int]) -> tuple[MatchRecord, list[Question]]:
    """A match whose seats always take so long for an answer, and its questions."""
    match = Match(setup, chooser())
    match.begin()
    questions = []
    while not match.over:
        question = match.ask(match.waiting()[0])
        questions.append(question)
        answered(match, question, took_us.get(question.seat, 0))
    result = match.result()
    seats = tuple(
        SeatRecord(f"bot{seat}", *ended, id_key="0" * 10) for seat, ended in enumerate(result.seats)
    )
    return MatchRecord(KEY, setup, seats, result.rounds, result.faults, 0, 1), questions


def test_the_start_tells_each_seat_its_own_bank() -> None:
    match = Match(setup_of(1), chooser())
    match.begin()
    told = {seat: addressed(message, 0) for seat, message in match.take_news()}
    assert [told[seat]["bank_ms"] for seat in range(3)] == [50, NO_CLOCK_BANK_MS, 50]
    assert {message["move_ms"] for message in told.values()} == {100}


def test_a_question_without_a_clock_has_no_limit_and_its_bank_stays_a_day() -> None:
    _, questions = played(setup_of(1), {1: HOUR_US, 2: 120_000})
    of_seat = [[question for question in questions if question.seat == seat] for seat in range(3)]
    assert {question.limit_us for question in of_seat[1]} == {NO_LIMIT_US}
    assert {question.message["bank_ms"] for question in of_seat[1]} == {NO_CLOCK_BANK_MS}
    assert [question.message["bank_ms"] for question in of_seat[2]][:4] == [50, 30, 10, 0]
    assert {question.limit_us for question in of_seat[0]} == {150_000}


def test_the_record_keeps_the_time_and_is_played_again_alike() -> None:
    record, questions = played(setup_of(0, 2, rounds=3), {0: HOUR_US, 2: 7})
    assert record.rounds[0].took_us[:3] == (HOUR_US, 0, 7)
    rebuilt = rebuild(record)
    assert rebuilt.result.rounds == record.rounds
    asked = [line.message for line in rebuilt.lines if line.message["type"] in ("pass", "play")]
    told = [(question.message["bank_ms"], question.message["hand"]) for question in questions]
    assert [(message["bank_ms"], message["hand"]) for message in asked] == told


def test_who_has_no_clock_cannot_be_late_and_other_faults_count() -> None:
    match = Match(setup_of(0), chooser())
    match.begin()
    for seat in match.waiting():
        match.ask(seat)
    with pytest.raises(ValueError, match="seat 0 has no clock, and cannot be late"):
        match.fault(Fault(0, FaultKind.TIMEOUT, "nothing", 0, 0))
    with pytest.raises(ValueError, match="seat 0 has no clock, and no deadline that could move"):
        match.extended(0, 1000)
    assert match.waiting() == []
    match.fault(Fault(0, FaultKind.ILLEGAL, "no such card", 0, 0))
    match.fault(Fault(1, FaultKind.TIMEOUT, "nothing", 0, 0))
    match.extended(2, 1000)
    assert match.waiting() == []
