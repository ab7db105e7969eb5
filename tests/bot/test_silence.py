"""The likely cause of a silence, from what the bot used meanwhile."""

from __future__ import annotations

import pytest

from arena.bot.silence import silence
from arena.bot.turn_meter import UNKNOWN, Used


@pytest.mark.parametrize(
    ("used", "cause"),
    [
        (UNKNOWN, "is standard output flushed after each line?"),
        (Used(3_000, 0), "computed for 0.003 s; is standard output flushed"),
        (Used(3_000, None), "computed for 0.003 s; is standard output flushed"),
        (Used(1_900_000, 10_000), "loading, or thinking, takes it too long"),
        (Used(100_000, 1_500_000), "waited 1.500 s for a core: the machine was busy"),
        (Used(1_000_000, 1_000_000), "the machine was busy"),
        (Used(600_000, 200_000), "in the rest it waited for something else"),
    ],
)
def test_the_likeliest_cause_is_named(used: Used, cause: str) -> None:
    said = silence(2.0, used)
    assert said.startswith("nothing came in 2.000 s")
    assert cause in said


def test_no_time_has_no_cause() -> None:
    assert silence(0.0, Used(0, 0)) == silence(0.0, UNKNOWN)
