"""Facts of a league of three at a table, for several pages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reports.facts import LeagueFacts, read_facts
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (
    Bot("Duck", played.low),
    Bot("Low", played.low),
    Bot("Random"),
    Bot("Greedy", played.high),
    Bot("Moody"),
)


@pytest.fixture(scope="session")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    league = League(bots=BOTS, seats=3, rounds=1, cycles=3)
    with played.play(tmp_path_factory.mktemp("beside") / "league.db", league) as database:
        yield read_facts(database)
