"""How processes end, in words."""

from __future__ import annotations

from arena.linux.endings import how_it_ended, last_lines


def test_exit_codes_and_signals_are_told_apart() -> None:
    assert how_it_ended(0) == "ended with exit code 0"
    assert how_it_ended(3) == "ended with exit code 3"
    assert how_it_ended(-9) == "was killed by signal 9"


def test_the_last_lines_are_indented_and_empty_ones_left_out() -> None:
    assert last_lines(b"") == last_lines(b"\n \n") == ""
    assert last_lines(b"one\n\ntwo\nthree\n\nfour \xff\n") == "\n    two\n    three\n    four \ufffd"
