"""The processor time that a match allows."""

from __future__ import annotations

from tests.league.samples import league


def test_it_follows_from_the_clocks() -> None:
    found = league("[time]\nmove_seconds = 0.5\nbank_seconds = 7\n")
    questions = found.league.rounds * 16  # at four seats: a pass and 15 plays
    assert found.match_cpu_ms(found.bots[0]) == questions * 500 + 7_000 + 1_000
    threads = found.bots[0].model_copy(update={"threads": 3})
    assert found.match_cpu_ms(threads) == 3 * (questions * 500 + 7_000) + 1_000
