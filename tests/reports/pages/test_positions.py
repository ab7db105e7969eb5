"""Where at the table points are made: all points of all rounds, shared out, and what is sure of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arena.store.matches import PlayedMatch
from arena.translating import writing_in
from reports.catalogues import FRENCH, tongue
from reports.facts import LeagueFacts
from reports.pages.field import Field
from reports.pages.positions import places_of, positions
from reports.sittings import Effects, Sittings


class Told(Sittings):
    """Sessions that say what they are told."""

    def __init__(self, *sessions: Sequence[float]) -> None:
        super().__init__(3)
        told = (Effects.none(3), Effects.none(3))
        for differences in sessions:
            for half in told:
                half.add(differences)
        self.effects = {"duck": told}
        self.everybody = told

    def note(self, played: PlayedMatch) -> None:
        raise AssertionError


def test_before_the_first_match_there_is_nothing_to_share_out(facts: LeagueFacts) -> None:
    assert positions(replace(facts, tallies={})) is None


def test_by_place_at_the_table_all_points_are_shared_out(facts: LeagueFacts) -> None:
    found = positions(facts)
    assert found is not None
    rounds = sum(match.rounds for match in facts.matches)
    for rows in (found.seats, found.dealing):
        assert [row.rounds for row in rows] == [rounds] * 3
        assert abs(sum(float(row.points) for row in rows) - 250) < 0.02
        for row in rows:
            assert abs(float(row.points) - 250 / 3 - float(row.more.replace("−", "-"))) < 0.011


def test_a_bot_stands_beside_those_with_the_same_cards_and_the_best(facts: LeagueFacts) -> None:
    field = Field(facts)
    best = field.best("moody")
    assert best is not None
    found = places_of(facts, "moody", facts.tallies["moody"], best)
    assert found is not None
    for half, rows in enumerate((found.seats, found.dealing)):
        own = (facts.tallies["moody"].seats, facts.tallies["moody"].dealing)[half]
        theirs = (best.tally.seats, best.tally.dealing)[half]
        mean = sum(float(row.points) - float(row.others) for row in rows) / 3
        for row, (rounds, total), (n, sum_) in zip(rows, own, theirs, strict=True):
            assert (row.rounds, row.points, row.best) == (
                rounds,
                f"{total / rounds:.2f}",
                f"{sum_ / n:.2f}",
            )
            more = float(row.points) - float(row.others) - mean
            assert abs(more - float(row.more.replace("−", "-"))) < 0.03
    # Whoever held the same cards at the same places had all the points that are left.
    others = sum(float(row.others) for row in found.seats) * 2 + sum(float(row.points) for row in found.seats)
    assert abs(others - 3 * 250) < 0.1


def test_nothing_is_said_that_is_not_sure(facts: LeagueFacts) -> None:
    told = Told((5, 0, -5), (-5, 0, 5), (1, 0, -1), (-2, 0, 2))
    own = facts.tallies["duck"]
    found = places_of(replace(facts, sittings=told), "duck", own, None)
    assert found is not None
    assert found.answer.startswith(
        "No seat and no distance from the dealer is surely better or worse for it than "
    )
    everybody = positions(replace(facts, sittings=told))
    assert everybody is not None
    assert everybody.answer == "No seat and no distance from the dealer is surely better than another."
    early = places_of(replace(facts, sittings=Told((5, 0, -5), (4, 1, -5))), "duck", own, None)
    assert early is not None
    assert early.answer.startswith(
        "Whether one place is better for it than another cannot be said before three"
    )


def test_a_place_that_is_surely_better_is_named_with_its_number(facts: LeagueFacts) -> None:
    told = Told(*((-9 + n % 2 * 0.1, 4, 5 - n % 2 * 0.1) for n in range(8)))
    found = places_of(replace(facts, sittings=told), "duck", facts.tallies["duck"], None)
    assert found is not None
    assert "it does surely better at seat 0 (−8.95 ± 0.07)" in found.answer
    assert "surely worse at seat 1 (+4.00 ± 0.00), at seat 2 (+4.95 ± 0.07)" in found.answer
    assert "right of the dealer" in found.answer
    assert [row.sure for row in found.seats] == [True] * 3
    assert [row.worse for row in found.seats] == [False, True, True]
    everybody = positions(replace(facts, sittings=told))
    assert everybody is not None
    assert everybody.answer.startswith("Bots take surely fewer points at seat 0 (−8.95 ± 0.07) and as dealer")


def test_in_french_the_same_places_are_named_in_a_sentence_of_its_own(facts: LeagueFacts) -> None:
    sessions = [(-9 + n % 2 * 0.1, 0, 9 - n % 2 * 0.1) for n in range(8)]
    both = Told(*sessions)
    with writing_in(tongue(FRENCH)):
        found = places_of(replace(facts, sittings=both), "duck", facts.tallies["duck"], None)
        everybody = positions(replace(facts, sittings=both))
    assert found is not None
    assert everybody is not None
    assert "il fait à coup sûr mieux à la place 0 (−8,95 ± 0,07)" in found.answer
    assert "à coup sûr moins bien à la place 2 (+8,95 ± 0,07)" in found.answer
    assert everybody.answer.startswith("Les bots prennent à coup sûr moins de points à la place 0 (−8,95")
    assert everybody.answer.endswith("que sur l’ensemble des places.")


def test_one_of_six_places_must_be_surer_than_one_alone(facts: LeagueFacts) -> None:
    """Sessions of 4, 4, 4, 4 and 0: t is 4, above 2.78 for one comparison, but below 4.85 for six."""
    told = Told(*((4, -4, 0) if n else (0, 0, 0) for n in range(5)))
    own = told.effects["duck"][0]
    assert (own.half_width(0, 1) or 9) < own.mean(0) < (own.half_width(0, 6) or 0)
    found = places_of(replace(facts, sittings=told), "duck", facts.tallies["duck"], None)
    assert found is not None
    assert not any(row.sure for row in found.seats)


def test_every_interval_fits_into_its_cell(facts: LeagueFacts) -> None:
    for bot, own in facts.tallies.items():
        found = places_of(facts, bot, own, None)
        assert found is not None
        for row in (*found.seats, *found.dealing):
            x, width = float(row.x.rstrip("%")), float(row.width.rstrip("%"))
            assert 5.9 < x < x + width < 94.1
            sure = float(row.more.replace("−", "-")) / float(row.error)
            assert row.sure == (abs(sure) > 1) == (not x < 50 < x + width)
