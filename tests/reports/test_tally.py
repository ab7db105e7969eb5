"""What the pages count of every bot, against the same counted otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from arena.store import read
from arena.store.matches import PlayedMatch
from reports.tally import tally
from reports.thinking import Spent
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody", fault_rate=0.03))


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[PlayedMatch]]:
    """Three players, four bots: three sessions, and the first match of one that does not count."""
    league = League(bots=BOTS, seats=3, rounds=3, cycles=2, matches=13)
    with played.play(tmp_path_factory.mktemp("tally") / "league.db", league) as database:
        yield list(read.played(database, 1))


def test_a_dealer_who_is_at_no_seat_is_counted_as_one_who_is(season: list[PlayedMatch]) -> None:
    """A database that was changed by hand has its own error, which names the match."""
    played_ = season[0]
    changed = replace(played_, rounds=tuple(replace(one, dealer=one.dealer + 3) for one in played_.rounds))
    assert tally([changed], 3) == tally([played_], 3)


def test_quantiles_are_the_least_that_suffice() -> None:
    spent = Spent()
    spent.us.extend([5, 1, 4, 2, 3])
    assert spent.quantiles(0.0, 0.2, 0.5, 0.95, 1.0) == (1, 1, 3, 5, 5)
