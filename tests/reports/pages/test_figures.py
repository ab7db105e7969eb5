"""A bot beside the field: who is in the field, and numbers that everybody can compute from the matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean, median

import pytest

from arena.store.views import Role
from reports.facts import LeagueFacts, read_facts
from reports.pages.field import Field
from reports.pages.figures import Compared, compared
from reports.tally import Tallies
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (
    Bot("Duck", played.low),
    Bot("Low", played.low),
    Bot("Random"),
    Bot("Moody", fault_rate=0.004),
    Bot("House", played.high, role=Role.HOUSE),
)
RANKED = ("duck", "low", "random", "moody")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeagueFacts]:
    """A league with a house bot, which is not part of the field."""
    made = League(bots=BOTS, seats=3, rounds=1)
    with played.play(tmp_path_factory.mktemp("field") / "league.db", made) as database:
        yield read_facts(database)


def page(facts: LeagueFacts, bot: str) -> Compared:
    rows = {row.bot: row for row in (*facts.standings.rows, *facts.standings.house)}
    return compared(facts, Field(facts), bot, rows.get(bot))


def rounds_of(facts: LeagueFacts, bot: str) -> list[int]:
    """The card points of each of its matches, which have one round."""
    return [seat.points for match in facts.matches for seat in match.seats if seat.bot == bot]


def test_house_bots_and_disqualified_bots_are_not_the_field(league: LeagueFacts) -> None:
    assert Field(league).size == 4
    first = league.standings.rows[0]
    rows = (replace(first, rank=None, disqualified=True), *league.standings.rows[1:])
    without = Field(replace(league, standings=replace(league.standings, rows=rows)))
    assert without.size == 3
    best = without.best(league.standings.rows[2].bot)
    assert best is not None
    assert best.standing.bot == league.standings.rows[1].bot
    assert "4 ranked bots, this one among them" in page(league, "duck").about
    assert "this one" not in page(league, "house").about


@pytest.mark.parametrize("bot", ["moody", "house"])
def test_points_are_those_of_the_matches(league: LeagueFacts, bot: str) -> None:
    found = page(league, bot)
    best = found.best
    assert best is not None
    figures = {figure.name: figure for figure in found.figures}
    means = {each: fmean(rounds_of(league, each)) for each in (*RANKED, bot)}
    card = figures["Card points a round"]
    assert card.own == f"{means[bot]:.2f}"
    assert card.field == f"{fmean(means[each] for each in RANKED):.2f}"
    assert card.best == f"{means[best.standing.bot]:.2f}"
    scores = {row.bot: row.score or 0.0 for row in league.standings.rows}
    assert figures["Score"].field == f"{fmean(scores[each] for each in RANKED):.2f}"
    papayoos = figures["Took the Papayoo"]
    assert papayoos.own == f"{100 * league.tallies[bot].papayoos / league.tallies[bot].rounds:.1f} %"
    shares = [league.tallies[each].papayoos / league.tallies[each].rounds for each in RANKED]
    assert papayoos.field == f"{100 * fmean(shares):.1f} %"


def test_times_are_those_of_a_phase_beside_the_middle_of_the_field(league: LeagueFacts) -> None:
    own = league.tallies["moody"]
    plays = [row for row in page(league, "moody").phases if row.own or row.who == "Field"][-2:]
    assert plays[0].quantiles[0] == sorted(own.plays.us)[(len(own.plays.us) + 1) // 2 - 1]
    middle = [
        sorted(league.tallies[each].plays.us)[(len(league.tallies[each].plays.us) + 1) // 2 - 1]
        for each in RANKED
    ]
    assert plays[1].quantiles[0] == round(median(middle))
    assert not plays[0].limit_us, "this league's file names no limit"


def test_who_has_not_played_has_nothing_to_compare(league: LeagueFacts) -> None:
    nobody = replace(league, counts=Tallies(4))
    found = compared(nobody, Field(nobody), "duck", None)
    assert found.about.startswith("No bot is ranked")
    assert found.best is None
    assert found.figures == found.by_place == found.phases == ()
