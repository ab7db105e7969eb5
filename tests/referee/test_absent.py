"""Seats without a bot: the stand-in plays them from the first card on, and nobody is charged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from arena.deals import Deals
from arena.match.game import Match, MatchResult
from arena.match.rebuild import rebuild
from arena.match.record import MatchRecord, SeatRecord
from arena.match.stand_in import STAND_IN, from_deals
from arena.verify.match_check import Expected, check_match
from tests.driving import KEY, QUIET_TERMS, chooser, make_setup

PLAYERS = 4


def play(absent: Sequence[int], seed: int = 0) -> tuple[MatchRecord, Match]:
    """A match in which the others play at random; nobody errs."""
    setup = make_setup(PLAYERS, PLAYERS, seed)
    match, rng = Match(setup, chooser(), absent), Random(seed)
    match.begin()
    while not match.over:
        assert all(seat not in absent for seat, _ in match.take_news())
        question = match.ask(match.waiting()[0])
        assert question.seat not in absent
        message = question.message
        cards = (
            rng.sample(message["hand"], message["count"])
            if question.is_pass
            else [rng.choice(message["legal"])]
        )
        assert match.answer(question.seat, cards, 5) is None
    return _record(match, absent), match


def _record(match: Match, absent: Sequence[int]) -> MatchRecord:
    result = match.result()
    seats = tuple(
        SeatRecord(
            STAND_IN if seat in absent else f"bot{seat}", ended.points, ended.charge, ended.place,
            ended.faults, ended.hand_over, ended.hand_over_at, ended.late, id_key=f"{seat:08x}",
        )
        for seat, ended in enumerate(result.seats)
    )  # fmt: skip
    return MatchRecord(KEY, match.setup, seats, result.rounds, result.faults, 0, 1)


@given(st.sets(st.integers(0, PLAYERS - 1)), st.integers(0, 2**16))
def test_the_stand_in_makes_all_their_decisions_and_is_never_charged(absent: set[int], seed: int) -> None:
    record, match = play(sorted(absent), seed)
    result: MatchResult = match.result()
    assert result.faults == ()
    for seat, ended in enumerate(result.seats):
        assert (ended.charge, ended.faults, ended.hand_over, ended.hand_over_at) == (0, 0, None, None), seat
    decided = sum(len(round_.stand_in) for round_ in record.rounds)
    assert decided == len(absent) * sum((len(r.passes) + len(r.plays)) // PLAYERS for r in record.rounds)
    assert all(sum(round_.points) == 250 for round_ in record.rounds)
    again = rebuild(record, from_deals(Deals(bytes(32)), KEY))
    assert again.result == result == rebuild(record).result
    assert {line.seat for line in again.lines}.isdisjoint(absent)
    bots = tuple(seat.bot for seat in record.seats)
    assert list(check_match(record, Expected(bots, PLAYERS, None, QUIET_TERMS))) == []


def test_a_bot_that_is_said_to_be_the_stand_in_is_found_out() -> None:
    record, _ = play([1])
    seats = tuple(replace(seat, bot=STAND_IN) if n == 2 else seat for n, seat in enumerate(record.seats))
    bots = tuple(seat.bot for seat in seats)
    expected = Expected(bots, PLAYERS, None, QUIET_TERMS)
    assert list(check_match(replace(record, seats=seats), expected))
