"""Records played again: every line byte for byte, the same result, and a refusal where a record cannot be."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.game import Match, MatchResult
from arena.match.rebuild import rebuild
from arena.match.record import MatchRecord, MatchSetup, SeatRecord
from arena.papayoo import IllegalMove
from protocol import encode, read_answer
from tests.driving import KEY, QUIET_TERMS, Conduct, chooser, faultless, make_setup, matches, play
from tests.examples import examples

Case = tuple[MatchSetup, Conduct]
CONTRADICTIONS = (ValueError, IllegalMove, LookupError)


@examples(80)
@given(matches(), st.none() | st.randoms(use_true_random=False), st.booleans())
def test_every_line_and_the_result_come_again(case: Case, arrival: Random | None, derive: bool) -> None:
    played = play(*case, arrival=arrival)
    rebuilt = rebuild(played.record, chooser() if derive else None)
    for seat, told in enumerate(played.told):
        assert [encode(line.message) for line in rebuilt.lines if line.seat == seat] == told.lines
    assert rebuilt.result == played.result


@examples(30)
@given(matches())
def test_answers_are_given_exactly_where_they_stood(case: Case) -> None:
    played = play(*case)
    lines = rebuild(played.record).lines
    for seat, told in enumerate(played.told):
        answers = [read_answer(encode(line.message)) for line in lines if line.from_bot and line.seat == seat]
        assert len(answers) == told.misdeeds.count(None)


def test_lines_stand_in_an_order_in_which_they_can_have_been_sent() -> None:
    lines = rebuild(play(make_setup(3, 2), faultless(3)).record).lines
    kinds = [line.message["type"] for line in lines]
    assert kinds[:9] == ["start"] * 3 + ["pass", "cards"] * 3
    assert kinds[9:-6] == (["play", "card"] * 60 + ["round_over"] * 3 + ["pass", "cards"] * 3) + (
        ["play", "card"] * 60
    )
    assert kinds[-6:] == ["round_over"] * 3 + ["match_over"] * 3


def timed_out(course: str, max_faults: int) -> MatchRecord:
    """A match whose seat 0 answers first: A in time, T never, L before its next question is closed."""
    setup = make_setup(3, 1, terms=replace(QUIET_TERMS, max_faults=max_faults))
    match = Match(setup, chooser())
    match.begin()
    coming = list(course)
    while not match.over:
        question = match.ask(match.waiting()[0])
        what = coming.pop(0) if question.seat == 0 and coming else "A"
        if what != "A":
            match.fault(Fault(0, FaultKind.TIMEOUT, "nothing", question.round, question.number, wall_us=9))
            if what == "L":
                match.late_answer(0)
        else:
            message = question.message
            cards = message["hand"][: message["count"]] if question.is_pass else message["legal"][:1]
            assert match.answer(question.seat, cards, 5) is None
    result = match.result()
    seats = tuple(
        SeatRecord("x", s.points, s.charge, s.place, s.faults, s.hand_over, s.hand_over_at, s.late, "00")
        for s in result.seats
    )
    return MatchRecord(KEY, setup, seats, result.rounds, result.faults, 0, 1)


@pytest.mark.parametrize(
    ("course", "max_faults", "hand_over"),
    [
        ("T", 9, None),
        ("TT", 9, HandOver.SILENT),
        ("TAT", 9, None),
        ("TATT", 9, HandOver.SILENT),
        ("LT", 9, None),
        ("LLL", 9, None),
        ("LTT", 9, HandOver.SILENT),
        ("TT", 2, HandOver.MAX_FAULTS),
        ("LL", 2, HandOver.MAX_FAULTS),
    ],
)
def test_silence_and_late_answers_come_out_the_same(
    course: str, max_faults: int, hand_over: HandOver | None
) -> None:
    record = timed_out(course, max_faults)
    result = rebuild(record).result
    assert result.seats[0].hand_over is hand_over
    assert result.seats[0].late == record.seats[0].late == course.count("L")
    assert (result.rounds, result.faults) == (record.rounds, record.faults)


NUMBERS = st.integers(-3, 70)


def agrees(record: MatchRecord, result: MatchResult) -> bool:
    """Whether the match came out as the record says."""
    seats = [(s.points, s.charge, s.place, s.faults, s.hand_over, s.late) for s in record.seats]
    came_out = [(s.points, s.charge, s.place, s.faults, s.hand_over, s.late) for s in result.seats]
    return (record.rounds, record.faults, seats) == (result.rounds, result.faults, came_out)


@examples(150)
@given(st.integers(3, 5), st.integers(0, 50), st.data())
def test_no_change_of_what_was_played_goes_unnoticed(players: int, seed: int, data: st.DataObject) -> None:
    record = play(make_setup(players, 2), Conduct(seed, (0.2,) * players)).record
    place = data.draw(st.integers(0, 1))
    part = data.draw(st.sampled_from(("passes", "plays", "points", "stand_in")))
    values: list[int] = list(getattr(record.rounds[place], part))
    index = data.draw(st.integers(0, max(0, len(values) - 1)))
    values[index : index + 1] = data.draw(st.lists(NUMBERS, max_size=2))
    rounds = list(record.rounds)
    rounds[place] = replace(record.rounds[place], **{part: tuple(values)})
    assume(tuple(rounds) != record.rounds)
    changed = replace(record, rounds=tuple(rounds))
    with contextlib.suppress(*CONTRADICTIONS):
        assert not agrees(changed, rebuild(changed, chooser()).result)


@pytest.mark.parametrize("seed", range(5))
def test_a_fault_or_a_round_that_was_taken_out_is_noticed(seed: int) -> None:
    record = play(make_setup(4, 2), Conduct(seed, (0.2,) * 4)).record
    for changed in (replace(record, faults=record.faults[:-1]), replace(record, rounds=record.rounds[:1])):
        with contextlib.suppress(*CONTRADICTIONS):
            assert not agrees(changed, rebuild(changed, chooser()).result)


def test_a_stand_in_that_chose_otherwise_than_the_key_says_is_found_out() -> None:
    record = play(make_setup(3, 1), Conduct(0, (0.0,) * 3, frozenset({1}))).record
    passed, kept = record.rounds[0].passes[1], record.setup.boards[0].hands[1] & ~record.rounds[0].passes[1]
    lie = passed & (passed - 1) | kept & -kept
    passes = (record.rounds[0].passes[0], lie, record.rounds[0].passes[2])
    lied = replace(record, rounds=(replace(record.rounds[0], passes=passes),))
    assert rebuild(lied, chooser()).result.rounds == record.rounds


@pytest.mark.parametrize("part", ["stand_in", "plays", "passes", "took_us"])
def test_a_record_with_a_part_missing_is_refused_by_name(part: str) -> None:
    record = play(make_setup(3, 1), Conduct(1, (0.0, 0.0, 0.3), frozenset({1}))).record
    broken = replace(record, rounds=(replace(record.rounds[0], **{part: ()}),))
    with pytest.raises(CONTRADICTIONS):
        rebuild(broken)
