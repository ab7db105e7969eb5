"""A record taken apart into rows: what the derived columns say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind
from arena.match.record_json import record_from_json, record_to_json
from arena.store.rows import fault_rows, finished_match
from tests.store.samples import played


def test_odd_characters_of_a_bot_never_stop_the_store() -> None:
    record = played(MatchKey(0, 0, 0))
    seat = replace(record.seats[0], stderr_head="caf\u00e9 \ud800", stderr_tail="\x00\udcff")
    fault = Fault(0, FaultKind.CRASHED, "\x00", sent="\ud800")
    odd = replace(record, seats=(seat, *record.seats[1:]), faults=(fault,))
    read = record_from_json(record_to_json(odd))
    assert (read.seats[0].stderr_head, read.seats[0].stderr_tail) == ("caf\u00e9 ?", "\u2400?")
    (row,) = fault_rows(1, odd)
    assert (row["reason"], row["sent"], row["last_words"]) == ("\u2400", "?", "\u2400?")


def test_a_match_with_a_seat_without_a_clock_is_refused() -> None:
    record = played(MatchKey(0, 0, 0))
    assert finished_match(record)["fault_points"] == record.setup.terms.fault_points
    with pytest.raises(ValueError, match="a league stores no match in which a seat had no clock"):
        finished_match(replace(record, setup=replace(record.setup, no_clock=(2,))))
