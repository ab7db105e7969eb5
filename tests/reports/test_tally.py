"""What the pages count of every bot, against the same counted otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import sqrt

import pytest

from arena.store import read
from arena.store.matches import PlayedMatch
from reports.tally import BotTally, Gap, Spent, Tallies
from tests.reports import played
from tests.reports.played import Bot, League

T3 = 3.182446  # Student's t, 97.5 %, 3 degrees of freedom, from a printed table
T3_OF_4 = 5.840909  # the same at 99.5 %: of five comparisons each has an error of 1 %

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody", fault_rate=0.03))


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[PlayedMatch]]:
    """Three players, four bots: three sessions, and the first match of one that does not count."""
    league = League(bots=BOTS, seats=3, rounds=3, cycles=2, matches=13)
    with played.play(tmp_path_factory.mktemp("tally") / "league.db", league) as database:
        yield list(read.played(database, 1))


def tally(played_: PlayedMatch) -> dict[str, BotTally]:
    counts = Tallies(3)
    counts.note(played_)
    return counts.of_bots


def test_a_dealer_who_is_at_no_seat_is_counted_as_one_who_is(season: list[PlayedMatch]) -> None:
    """A database that was changed by hand has its own error, which names the match."""
    played_ = season[0]
    changed = replace(played_, rounds=tuple(replace(one, dealer=one.dealer + 3) for one in played_.rounds))
    assert tally(changed) == tally(played_)


def test_quantiles_are_the_least_that_suffice() -> None:
    spent = Spent()
    spent.us.extend([5, 1, 4, 2, 3])
    assert spent.quantiles(0.0, 0.2, 0.5, 0.95, 1.0) == (1, 1, 3, 5, 5)


def test_two_sessions_have_no_error() -> None:
    gap = Gap()
    for points in (40, 50):
        gap = gap.with_session([(8, points)])
    assert gap.half_width() is None
    assert gap.with_session([(8, 4)]).half_width()


def test_the_error_of_a_gap_weighs_sessions_by_their_rounds() -> None:
    gap = Gap()
    for rounds, points in ((4, 8), (4, 0), (8, 8), (4, 4)):
        gap = gap.with_session([(rounds - 2, points), (2, 0)])
    assert (gap.matches, gap.ahead, gap.behind) == (8, 0, 3)
    # 20 points in 20 rounds: 1 a round. Beyond that the sessions had 4, -4, 0 and 0 points.
    assert gap.half_width() == pytest.approx(T3 * sqrt(32 * 4 / 3) / 20, rel=1e-6)
    assert gap.turned().half_width() == gap.half_width()
    assert (gap.turned().mean, gap.turned().ahead) == (-gap.mean, 3)
    assert gap.half_width(5) == pytest.approx(T3_OF_4 * sqrt(32 * 4 / 3) / 20, rel=1e-6)
