"""A record taken apart into rows: what the derived columns say."""

from __future__ import annotations

from dataclasses import replace

from arena.deals import MatchKey
from arena.papayoo import card_name, dealer_of
from arena.record import MatchRecord
from arena.store.rows import ROUND_COLUMNS, SEAT_COLUMNS, fault_rows, round_rows, seat_rows
from arena.store.times import spent_by_seat
from tests.papayoo.slow_rules import place_of_best
from tests.store.samples import played


def test_times_are_charged_to_whoever_decided() -> None:
    for seats in (3, 4, 8):
        record = played(MatchKey(0, 0, 0), seats=seats)
        expected = [(len(took), sum(took), max(took)) for took in _followed(record)]
        assert spent_by_seat(record) == expected


def _followed(record: MatchRecord) -> list[list[int]]:
    """The same, by following every trick."""
    players = record.setup.players
    times: list[list[int]] = [[] for _ in range(players)]
    for number, round_ in enumerate(record.rounds):
        for seat in range(players):
            times[seat].append(round_.took_us[seat])
        leader = dealer_of(number, players)
        for first in range(0, len(round_.plays), players):
            trick = round_.plays[first : first + players]
            for place, us in enumerate(round_.took_us[players + first : players + first + players]):
                times[(leader + place) % players].append(us)
            leader = (leader + place_of_best([card_name(card) for card in trick])) % players
    return times


def test_a_decision_nobody_was_asked_for_is_none_of_the_bot() -> None:
    record = played(MatchKey(0, 0, 0))
    first = record.rounds[0]
    quiet = replace(first, took_us=(0, *first.took_us[1:]), stand_in=(0,))
    after = replace(record, rounds=(quiet, *record.rounds[1:]))
    assert spent_by_seat(record)[0].decisions == 64
    assert spent_by_seat(after)[0].decisions == 63


def test_a_round_reads_like_a_score_sheet() -> None:
    record = played(MatchKey(0, 0, 0))
    row = dict(zip(ROUND_COLUMNS, round_rows(7, record)[1], strict=True))
    board = record.setup.boards[1]
    hands = str(row["hands"]).split(" | ")
    assert (row["match"], row["round"], row["dealer"]) == (7, 1, 1)
    assert row["papayoo"] == f"{'SHDC'[board.papayoo_suit]}7"
    assert hands[1].split() == [card_name(card) for card in range(60) if board.hands[0] >> card & 1]
    assert len(hands) == 4
    assert set(str(row["plays"]).split()) == set(" ".join(hands).split())


def test_odd_characters_of_a_bot_never_stop_the_store() -> None:
    record = played(MatchKey(0, 0, 0))
    seat = replace(record.seats[0], stderr_head="caf\u00e9 \ud800", stderr_tail="\x00\udcff")
    values, more = seat_rows(1, replace(record, seats=(seat, *record.seats[1:])))[0]
    row = dict(zip(SEAT_COLUMNS, values, strict=True))
    assert more == {}
    assert (row["stderr_head"], row["stderr_tail"]) == ("caf\u00e9 ?", "\x00?")
    assert fault_rows(1, record) == []
