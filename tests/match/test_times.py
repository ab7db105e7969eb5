"""Each decision's time is its seat's, as the rules say whose turn it was."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

from arena.bench.coordinator import play_out
from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.match.times import Spent, extended_by_seat, spent_by_seat
from arena.papayoo import Round, dealer_of


def record_with_numbered_times(players: int, session: int) -> MatchRecord:
    """A match whose decisions took 0, 1, 2, ... microseconds."""
    record = play_out(MatchKey(0, session, 0), tuple(f"bot{seat}" for seat in range(players)))
    numbers = count()
    rounds = [replace(one, took_us=tuple(next(numbers) for _ in one.took_us)) for one in record.rounds]
    return replace(record, rounds=tuple(rounds))


def by_the_rules(record: MatchRecord) -> list[Spent]:
    """Decisions, time and the longest of each seat, by playing the match again."""
    players = record.setup.players
    times: list[list[int]] = [[] for _ in range(players)]
    for number, (board, one) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
        numbers = iter(one.took_us)
        again = Round.deal(board, dealer_of(number, players))
        for seat, cards in enumerate(one.passes):
            times[seat].append(next(numbers))
            again.choose_pass(seat, cards)
        for card in one.plays:
            times[again.turn].append(next(numbers))
            again.apply(card)
    return [Spent(sum(us > 0 for us in took), sum(took), max(took)) for took in times]


@pytest.mark.parametrize("players", range(3, 9))
def test_times_go_to_whose_turn_it_was(players: int) -> None:
    for session in range(3):
        record = record_with_numbered_times(players, session)
        assert spent_by_seat(record) == by_the_rules(record)


@pytest.mark.parametrize("players", range(3, 9))
def test_more_time_goes_to_whose_decision_got_it(players: int) -> None:
    record = record_with_numbered_times(players, 0)
    every = [replace(one, extended=tuple(enumerate(one.took_us))) for one in record.rounds]
    record = replace(record, rounds=tuple(every))
    assert extended_by_seat(record) == [spent.took_total_us for spent in spent_by_seat(record)]
