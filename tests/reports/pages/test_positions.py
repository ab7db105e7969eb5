"""Where at the table points are made: all points of all rounds, shared out."""

from __future__ import annotations

from dataclasses import replace

from reports.facts import LeagueFacts
from reports.pages.positions import positions


def test_before_the_first_match_there_is_nothing_to_share_out(facts: LeagueFacts) -> None:
    assert positions(replace(facts, tallies={})) is None


def test_by_place_at_the_table_all_points_are_shared_out(facts: LeagueFacts) -> None:
    found = positions(facts)
    assert found is not None
    rounds = sum(match.rounds for match in facts.matches)
    for rows in (found.seats, found.dealing):
        assert [row.count for row in rows] == [rounds] * 3
        assert abs(sum(float(row.value) for row in rows) - 250) < 0.02
