"""The file of a match: what is kept in it of seats without a clock. Commands read such files in tests/cli."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.deals import MatchKey
from arena.verify.match_file import MatchFile, read_match_file, write_match_file
from tests.store.samples import BOTS, played

FILE = MatchFile(7, BOTS[:4], played(MatchKey(0, 0, 0)))


def with_no_clock(*seats: int) -> MatchFile:
    record = FILE.record
    return replace(FILE, record=replace(record, setup=replace(record.setup, no_clock=seats)))


def test_a_file_keeps_who_had_no_clock() -> None:
    assert read_match_file(write_match_file(with_no_clock(1, 3))) == with_no_clock(1, 3)


def test_a_file_of_a_match_with_clocks_is_as_it_always_was() -> None:
    written = write_match_file(FILE)
    assert b"no_clock" not in written
    assert read_match_file(written) == FILE


def test_a_file_with_a_seat_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="the seats 4 are said to have had no clock"):
        read_match_file(write_match_file(with_no_clock(4)))
