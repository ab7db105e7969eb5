"""What sessions say of places at the table and of pairs, by hand and against a played league."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import sqrt
from statistics import fmean, stdev

import pytest

from arena.store.matches import PlayedMatch
from arena.store.reader import Reader
from reports.sittings import Effects, Gap, Sittings
from tests.reports import played
from tests.reports.played import Bot, League

BOTS = (Bot("Duck", played.low), Bot("Low"), Bot("Random"), Bot("Moody", fault_rate=0.03))
T3 = 3.182446  # Student's t, 97.5 %, 3 degrees of freedom, from a printed table
T3_OF_4 = 5.840909  # the same at 99.5 %: of five comparisons each has an error of 1 %


def test_the_error_of_a_place_is_that_between_sessions() -> None:
    effects = Effects.none(2)
    for here, there in ((4, 0), (6, 2), (1, 1), (3, 3)):
        effects.add([here, there])
    # Each session less its own mean: 2, 2, 0, 0 here, and the opposite there.
    assert effects.mean(0) == 1 == -effects.mean(1)
    expected = sqrt((4 * 1) / 3 / 4)
    assert effects.half_width(0, 1) == pytest.approx(T3 * expected, rel=1e-6)
    assert effects.half_width(1, 5) == pytest.approx(T3_OF_4 * expected, rel=1e-6)


def test_two_sessions_have_no_error() -> None:
    effects, gap = Effects.none(2), Gap()
    for points in (40, 50):
        effects.add([points, 2])
        gap.add(8, points)
    assert effects.half_width(0, 1) is None is gap.half_width()
    effects.add([2, 4])
    gap.add(8, 4)
    assert effects.half_width(0, 1)
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
    found = Sittings(3)
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


def by_hand(matches: list[PlayedMatch]) -> Iterator[tuple[str, int, int]]:
    """Bot, place and points, for every hand of a session. A place is a seat, or 10 and the distance."""
    for each in matches:
        for round_ in each.rounds:
            for seat in each.match.seats:
                made = round_.points[seat.seat]
                yield seat.bot, seat.seat, made
                yield seat.bot, 10 + (seat.seat - round_.dealer) % 3, made


def test_in_a_session_a_hand_lies_at_the_same_seat(season: list[PlayedMatch]) -> None:
    """Only therefore do the others at a seat have the same cards."""
    for matches in sessions(season):
        cards = [[r.hands for r in each.rounds] for each in matches]
        assert all(each == cards[0] for each in cards)


def test_places_are_compared_with_others_of_the_same_session(
    season: list[PlayedMatch], sittings: Sittings
) -> None:
    for bot in ("duck", "moody"):
        for half, first in enumerate((0, 10)):
            differences: Mapping[int, list[float]] = {place: [] for place in range(3)}
            for matches in sessions(season):
                made = list(by_hand(matches))
                if bot not in {who for who, *_ in made}:
                    continue
                each = []
                for place in range(first, first + 3):
                    own = [points for who, at, points in made if at == place and who == bot]
                    others = [points for who, at, points in made if at == place and who != bot]
                    assert 2 * len(own) == len(others)
                    each.append(fmean(own) - fmean(others))
                for place in range(3):
                    differences[place].append(each[place] - fmean(each))
            found = sittings.of(bot)[half]
            for place in range(3):
                assert found.sessions == len(differences[place]) > 5
                assert found.mean(place) == pytest.approx(fmean(differences[place]))
                error = stdev(differences[place]) / sqrt(found.sessions)
                assert 2.2 < (found.half_width(place, 1) or 0) / error < 2.5, "Student's t of 6 to 9"


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


def test_all_bots_together_are_measured_from_the_mean_of_all_seats(
    season: list[PlayedMatch], sittings: Sittings
) -> None:
    means = [
        [fmean(points for _, at, points in by_hand(matches) if at == place) - 250 / 3 for place in range(3)]
        for matches in sessions(season)
    ]
    found = sittings.everybody[0]
    assert found.sessions == len(means) == 11
    for place in range(3):
        assert found.mean(place) == pytest.approx(fmean(mean[place] for mean in means))
    assert sum(found.mean(place) for place in range(3)) == pytest.approx(0)


def test_what_does_not_count_is_not_counted(season: list[PlayedMatch]) -> None:
    (open_,) = [each for each in season if not each.match.counts]
    found = Sittings(3)
    found.note(open_)
    found.finish()
    assert found.everybody[0].sessions == 0
    assert not found.effects
    assert not found.gaps
