"""A bot beside the field: who is in the field, and numbers that everybody can compute from the matches."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from statistics import fmean, median

import pytest

from arena.store.reader import Reader
from arena.store.views import Role
from arena.translating import writing_in
from reports.catalogues import FRENCH, tongue
from reports.facts import LeagueFacts, read_facts
from reports.pages.field import Field
from reports.pages.figures import Compared, compared
from reports.thinking import EDGES_US
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
    made = League(bots=BOTS, seats=3, rounds=3, cycles=2)
    with played.play(tmp_path_factory.mktemp("field") / "league.db", made) as database:
        yield read_facts(Reader(database))


def page(facts: LeagueFacts, bot: str) -> Compared:
    rows = {row.bot: row for row in (*facts.standings.rows, *facts.standings.house)}
    return compared(facts, Field(facts), bot, rows.get(bot))


def rounds_of(facts: LeagueFacts, bot: str) -> list[int]:
    """The card points of each of its rounds, as the export has them."""
    return [
        points[seat.seat]
        for match in facts.matches
        for seat in match.seats
        for points in facts.round_points[match.number]
        if seat.bot == bot
    ]


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


def test_the_best_has_the_next_best_beside_it(league: LeagueFacts) -> None:
    first, second = league.standings.rows[:2]
    best, next_best = page(league, second.bot).best, page(league, first.bot).best
    assert best is not None
    assert next_best is not None
    assert (best.word, best.standing) == ("Best", first)
    assert (next_best.word, next_best.standing) == ("Next best", second)
    assert Field(replace(league, tallies={first.bot: league.tallies[first.bot]})).best(first.bot) is None


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


def test_the_distribution_stands_beside_the_fields(league: LeagueFacts) -> None:
    found = page(league, "random")
    assert found.histogram is not None
    assert found.best is not None
    for step, column in enumerate(found.histogram.columns):
        low, high = 25 * step, 25 * step + (26 if step == 9 else 25)
        shares = {
            each: fmean(low <= points < high for points in rounds_of(league, each))
            for each in RANKED
        }  # fmt: skip
        assert column.count == sum(low <= points < high for points in rounds_of(league, "random"))
        assert column.share == f"{100 * shares['random']:.1f} %"
        assert column.field == f"{100 * fmean(shares.values()):.1f} %"
        assert column.best == f"{100 * shares[found.best.standing.bot]:.1f} %"
        # Drawn alike: as high as the share says, the bar from the bottom and the field as a line.
        if column.count and column.field_y:
            own, field = shares["random"], fmean(shares.values())
            bottom = float(column.y) + float(column.height)
            assert (bottom - float(column.field_y)) * own == pytest.approx(
                float(column.height) * field, abs=0.2
            )
            assert float(column.top) <= min(float(column.y), float(column.field_y))


def test_places_are_shares_of_the_matches(league: LeagueFacts) -> None:
    found = page(league, "low")
    for place, row in enumerate(found.by_place, 1):
        shares = [
            fmean(seat.place == place for match in league.matches for seat in match.seats if seat.bot == each)
            for each in RANKED
        ]
        assert row.field == f"{100 * fmean(shares):.0f} %"
        assert row.value == f"{100 * shares[1]:.0f} %"


def test_times_are_counted_in_classes_and_by_phase(league: LeagueFacts) -> None:
    found = page(league, "moody")
    own = league.tallies["moody"]
    every = sorted([*own.passes.us, *own.plays.us])
    assert found.times is not None
    assert sum(column.count for column in found.times.columns) == len(every)
    last = found.times.columns[-1]
    assert last.name == "up to 1 s", "its timeouts"
    assert last.count == sum(us > 500_000 for us in every)
    at = int(0.99 * len(every) + 0.999) - 1
    assert found.times.marks[2].words == f"99 %: {every[at] / 1000:.2f} ms"
    plays = [row for row in found.phases if row.own or row.who == "Field"][-2:]
    assert plays[0].quantiles[0] == sorted(own.plays.us)[(len(own.plays.us) + 1) // 2 - 1]
    middle = [
        sorted(league.tallies[each].plays.us)[(len(league.tallies[each].plays.us) + 1) // 2 - 1]
        for each in RANKED
    ]
    assert plays[1].quantiles[0] == round(median(middle))
    assert not found.times.limit, "this league's file names no limit"


def test_a_time_is_marked_inside_its_class_and_the_limit_is_in_sight(league: LeagueFacts) -> None:
    found = page(replace(league, move_us=30_000_000), "duck").times
    assert found is not None
    assert found.limit is not None
    assert found.limit.words == "limit 30.00 s"
    names = [column.name for column in found.columns]
    assert names[-1] == "up to 50 s"
    for mark, us in zip(found.marks, league.tallies["duck"].thinking.quantiles, strict=False):  # type: ignore[union-attr]
        at = names.index(f"up to {EDGES_US[bisect_left(EDGES_US, us)] / 1000:g} ms")
        assert at <= float(mark.x.rstrip("%")) * len(names) / 100 <= at + 1.01
    edges = [float(edge.x.rstrip("%")) for edge in found.edges]
    assert edges == sorted(edges)
    assert len(edges) == len(names) - 1


def test_who_has_not_played_has_nothing_to_compare(league: LeagueFacts) -> None:
    found = compared(replace(league, tallies={}), Field(replace(league, tallies={})), "duck", None)
    assert found.about.startswith("No bot is ranked")
    assert (found.best, found.histogram, found.positions, found.times) == (None, None, None, None)
    assert found.figures == found.by_place == found.phases == ()


def test_in_french_numbers_have_a_comma_and_the_same_drawing(league: LeagueFacts) -> None:
    english = page(league, "duck")
    with writing_in(tongue(FRENCH)):
        french = page(league, "duck")
    for one, other in zip(english.figures, french.figures, strict=True):
        assert other.own == one.own.replace(".", ",").replace(" %", "\N{NO-BREAK SPACE}%")
    assert french.figures[1].name == "Points de cartes par manche"
    assert english.times is not None
    assert french.times is not None
    assert [mark.x for mark in french.times.marks] == [mark.x for mark in english.times.marks]
    assert french.times.marks[3].words.startswith("99,9\N{NO-BREAK SPACE}%\N{NO-BREAK SPACE}: ")
    assert [column.y for column in french.times.columns] == [column.y for column in english.times.columns]
    assert "." not in "".join(column.name for column in french.times.columns)
