"""Each decision's time is its seat's, as the rules say whose turn it was."""

from __future__ import annotations

from dataclasses import replace
from itertools import count, islice

import pytest

from arena.bench.played import lines_of, match_keys, play_out, record_of, setup_of
from arena.papayoo import Round, dealer_of
from arena.record import MatchRecord
from arena.store.times import times_by_seat


def record_with_numbered_times(players: int, session: int) -> MatchRecord:
    """A match whose decisions took 0, 1, 2, ... microseconds."""
    key = next(islice(match_keys(players, session), 1))
    setup = setup_of(key, players)
    match = play_out(key, setup, lines_of(key, setup).answers)
    record = record_of(key, setup, match, tuple(f"bot{seat}" for seat in range(players)))
    numbers = count()
    rounds = [replace(one, took_us=tuple(next(numbers) for _ in one.took_us)) for one in record.rounds]
    return replace(record, rounds=tuple(rounds))


def by_the_rules(record: MatchRecord) -> list[list[int]]:
    """The same, by playing it again."""
    players = record.setup.players
    times: list[list[int]] = [[] for _ in range(players)]
    for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
        took = iter(played.took_us)
        again = Round.deal(board, dealer_of(number, players))
        for seat, cards in enumerate(played.passes):
            times[seat].append(next(took))
            again.choose_pass(seat, cards)
        for card in played.plays:
            times[again.turn].append(next(took))
            again.apply(card)
    return times


@pytest.mark.parametrize("players", range(3, 9))
def test_times_go_to_whose_turn_it_was(players: int) -> None:
    for session in range(3):
        record = record_with_numbered_times(players, session)
        assert times_by_seat(record) == by_the_rules(record)
