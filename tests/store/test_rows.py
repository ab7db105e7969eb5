"""A record taken apart into rows: what the derived columns say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.deals import MatchKey
from arena.store.rows import SEAT_COLUMNS, fault_rows, finished_match, seat_rows
from tests.store.samples import played


def test_odd_characters_of_a_bot_never_stop_the_store() -> None:
    record = played(MatchKey(0, 0, 0))
    seat = replace(record.seats[0], stderr_head="caf\u00e9 \ud800", stderr_tail="\x00\udcff")
    values, more = seat_rows(1, replace(record, seats=(seat, *record.seats[1:])))[0]
    row = dict(zip(SEAT_COLUMNS, values, strict=True))
    assert more == {}
    assert (row["stderr_head"], row["stderr_tail"]) == ("caf\u00e9 ?", "\x00?")
    assert fault_rows(1, record) == []


def test_a_match_with_a_seat_without_a_clock_is_refused() -> None:
    record = played(MatchKey(0, 0, 0))
    assert finished_match(record)["move_ms"] == record.setup.terms.move_ms
    with pytest.raises(ValueError, match="a league stores no match in which a seat had no clock"):
        finished_match(replace(record, setup=replace(record.setup, no_clock=(2,))))
