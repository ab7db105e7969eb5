"""What sessions say of pairs of bots, by hand and against a played league."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from statistics import stdev

import pytest

from arena.store.matches import PlayedMatch
from arena.store.reader import Reader
from reports.sittings import Gap, Sittings
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody", fault_rate=0.03))
T3 = 3.182446  # Student's t, 97.5 %, 3 degrees of freedom, from a printed table
T3_OF_4 = 5.840909  # the same at 99.5 %: of five comparisons each has an error of 1 %


def test_two_sessions_have_no_error() -> None:
    gap = Gap()
    for points in (40, 50):
        gap.add(8, points)
    assert gap.half_width() is None
    gap.add(8, 4)
    assert gap.half_width()


def test_the_error_of_a_gap_weighs_sessions_by_their_rounds() -> None:
    gap = Gap()
    for rounds, points in ((4, 8), (4, 0), (8, 8), (4, 4)):
        gap.add(rounds, points)
    # 20 points in 20 rounds: 1 a round. Beyond that the sessions had 4, -4, 0 and 0 points.
    assert gap.half_width() == pytest.approx(T3 * sqrt(32 * 4 / 3) / 20, rel=1e-6)
    assert gap.half_width(5) == pytest.approx(T3_OF_4 * sqrt(32 * 4 / 3) / 20, rel=1e-6)


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[PlayedMatch]]:
    """Three players, four bots: eleven sessions, and the first match of one that does not count."""
    league = League(bots=BOTS, seats=3, rounds=4, cycles=3, matches=67)
    with played.play(tmp_path_factory.mktemp("sittings") / "league.db", league) as database:
        yield list(Reader(database).played(1))


@pytest.fixture(scope="module")
def sittings(season: list[PlayedMatch]) -> Sittings:
    found = Sittings()
    for match in season:
        found.note(match)
    found.finish()
    return found


def sessions(season: list[PlayedMatch]) -> list[list[PlayedMatch]]:
    keyed: dict[tuple[int, int], list[PlayedMatch]] = {}
    for each in season:
        if each.match.counts:
            keyed.setdefault((each.match.cycle, each.match.index), []).append(each)
    return list(keyed.values())


def test_gaps_are_those_of_the_matches(season: list[PlayedMatch], sittings: Sittings) -> None:
    gaps, means = [], []
    for matches in sessions(season):
        totals = [{seat.bot: seat.total for seat in each.match.seats} for each in matches]
        if {"duck", "moody"} <= set(totals[0]):
            gaps.append(sum(total["duck"] - total["moody"] for total in totals))
            means.append(gaps[-1] / 24)
    found = sittings.gap("moody", "duck")
    assert found is not None
    assert (found.sessions, found.rounds, found.points) == (len(gaps), 24 * len(gaps), sum(gaps))
    error = stdev(means) / sqrt(len(means))
    assert 2.5 < (found.half_width() or 0) / error < 3.2, "Student's t of 3 to 5"
    assert sittings.gap("duck", "nobody") is None


def test_what_does_not_count_is_not_counted(season: list[PlayedMatch]) -> None:
    (open_,) = [each for each in season if not each.match.counts]
    found = Sittings()
    found.note(open_)
    found.finish()
    assert not found.gaps
