"""What the pages count of every bot, against the same counted otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from arena.store.matches import PlayedMatch
from arena.store.reader import Reader
from reports.tally import BotTally, tally
from reports.thinking import Spent
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody", fault_rate=0.03))


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[PlayedMatch]]:
    """Three players, four bots: three sessions, and the first match of one that does not count."""
    league = League(bots=BOTS, seats=3, rounds=3, cycles=2, matches=13)
    with played.play(tmp_path_factory.mktemp("tally") / "league.db", league) as database:
        yield list(Reader(database).played(1))


@pytest.fixture(scope="module")
def tallies(season: list[PlayedMatch]) -> Mapping[str, BotTally]:
    return tally(season, 3)


def counting(season: list[PlayedMatch], bot: str) -> Iterator[tuple[PlayedMatch, int]]:
    """Its matches that count in the score, with its seat."""
    for match in season:
        if match.match.counts:
            yield from ((match, seat.seat) for seat in match.match.seats if seat.bot == bot)


def test_matches_rounds_and_points_are_those_that_count(
    season: list[PlayedMatch], tallies: Mapping[str, BotTally]
) -> None:
    assert sum(not match.match.counts for match in season) == 1
    for bot, own in tallies.items():
        mine = list(counting(season, bot))
        points = [round_.points[seat] for match, seat in mine for round_ in match.rounds]
        assert (own.matches, own.rounds) == (len(mine), len(points))
        assert (own.points, own.cheap) == (sum(points), sum(each < 25 for each in points))
        assert sum(own.places) == own.matches


def test_whoever_takes_the_papayoo_has_its_forty_points(
    season: list[PlayedMatch], tallies: Mapping[str, BotTally]
) -> None:
    rounds = sum(len(match.rounds) for match in season if match.match.counts)
    assert sum(own.papayoos for own in tallies.values()) == rounds
    for bot, own in tallies.items():
        without = sum(r.points[seat] < 40 for match, seat in counting(season, bot) for r in match.rounds)
        assert own.papayoos <= own.rounds - without


def test_meetings_are_seen_alike_from_both_sides(tallies: Mapping[str, BotTally]) -> None:
    for bot, own in tallies.items():
        for other, meeting in own.meetings.items():
            back = tallies[other].meetings[bot]
            assert (meeting.matches, meeting.rounds, meeting.points) == (
                back.matches,
                back.rounds,
                -back.points,
            )
            assert meeting.ahead + back.ahead <= meeting.matches


def test_every_decision_has_its_time(season: list[PlayedMatch], tallies: Mapping[str, BotTally]) -> None:
    spent = sum(sum(own.passes.us) + sum(own.plays.us) for own in tallies.values())
    assert spent == sum(sum(round_.took_us) for match in season for round_ in match.rounds)


def test_a_dealer_who_is_at_no_seat_is_counted_as_one_who_is(season: list[PlayedMatch]) -> None:
    """A database that was changed by hand has its own error, which names the match."""
    played_ = season[0]
    changed = replace(played_, rounds=tuple(replace(one, dealer=one.dealer + 3) for one in played_.rounds))
    assert tally([changed], 3) == tally([played_], 3)


def test_quantiles_are_the_least_that_suffice() -> None:
    spent = Spent()
    spent.us.extend([5, 1, 4, 2, 3])
    assert spent.quantiles(0.0, 0.2, 0.5, 0.95, 1.0) == (1, 1, 3, 5, 5)
